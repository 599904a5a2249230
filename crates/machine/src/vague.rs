//! Vague memory: accesses at unknown places, and objects of unknown size.
//!
//! Where the surroundings want it ([`Environment::blurs`]), nobody asks at which place an access with
//! a symbolic address is: a read gives any value, and after a write the object may hold anything. So a
//! run stands for all runs that the program has there, and for some that it has not. That an access is
//! within its object is known all the same, and is what ends many loops.

use ouro_model::Type;
use ouro_term::{Sort, Term};

use crate::access::{Trouble, limit};
use crate::integer::is_integer;
use crate::memory::to_term;
use crate::object::Storage;
use crate::step::Step;
use crate::{Environment, ObjectRef, Provenance, Value};

impl<E: Environment> Step<'_, E> {
    /// The object of an access at an unknown place, or in an object of unknown size; `None` for every
    /// other access.
    pub(crate) fn vague(
        &mut self,
        address: Value,
        len: u64,
        write: bool,
    ) -> Result<Option<ObjectRef>, Trouble> {
        self.needs_first(address)?;
        if !self.environment.blurs() || is_integer(self.terms, address) {
            return Ok(None);
        }
        let Some((reference, object)) =
            address.object().and_then(|object| Some((object, self.memory.object(object)?)))
        else {
            return Ok(None);
        };
        let is_code = matches!(object.storage, Storage::Code(_) | Storage::Label(..));
        let is_known = address.bits().is_some() && object.extent.is_none();
        if is_known || is_code || (write && object.constant) {
            return Ok(None);
        }
        let (base, size, extent) = (object.base, object.size(), object.extent);
        let outside = format!("an access outside of {}", object.name);
        let width = self.machine.pointer_bits;
        let terms = &mut *self.terms;
        let address = to_term(terms, address, width);
        let base = terms.bv(width, base.into());
        let offset = terms.bv_sub(address, base);
        let zero = terms.bv(width, 0);
        let above = terms.bv_sle(zero, offset);
        // Wide enough that nothing wraps.
        let wide = width + 2;
        let start = terms.sign_extend(wide, offset);
        let len = terms.bv(wide, len.into());
        let end = terms.bv_add(start, len);
        let size = match extent {
            Some(extent) => terms.sign_extend(wide, extent),
            None => terms.bv(wide, size.into()),
        };
        let below = terms.bv_sle(end, size);
        let inside = terms.and(above, below);
        self.context().require(inside, &outside)?;
        Ok(Some(reference))
    }

    /// Stops where an address is that of a chain: an access needs its first object.
    pub(crate) fn needs_first(&self, address: Value) -> Result<(), Trouble> {
        match address.object().and_then(|object| Some((object, self.memory.object(object)?))) {
            Some((reference, object)) if object.chain.is_some() => Err(Trouble::Unfold(reference)),
            _ => Ok(()),
        }
    }

    /// Any value of a type.
    pub(crate) fn any(&mut self, ty: Type, why: &str) -> Result<Value, Trouble> {
        let width = ty.bits(self.machine.pointer_bits);
        let sort = Sort::BitVec(width);
        let Some(value) = self.environment.unknown(self.terms, sort, why) else {
            return limit(why);
        };
        Ok(match (ty, value.term()) {
            (Type::Ptr, Some(term)) => Value::symbolic(term, Provenance::Environment),
            (Type::Ptr, None) => Value::with_provenance(value.bits, Provenance::Environment),
            _ => value,
        })
    }

    /// After a write at an unknown place.
    pub(crate) fn blur(&mut self, reference: ObjectRef) {
        if let Some(object) = self.memory.object_mut(reference)
            && object.extent.is_none()
        {
            object.blur();
        }
    }

    /// Whether an operation on many bytes is at an unknown place, or on unknown bytes; what it writes
    /// to is then known no more.
    pub(crate) fn blurs_in_bulk(&mut self, target: Value, others: &[Value]) -> bool {
        if !self.environment.blurs() {
            return false;
        }
        let is_vague = |value: &Value| {
            let object = value.object().and_then(|object| self.memory.object(object));
            value.is_symbolic() || object.is_some_and(|o| o.extent.is_some() || o.vague)
        };
        if !is_vague(&target) && !others.iter().any(is_vague) {
            return false;
        }
        let Some(object) = target.object() else { return false };
        let writable = self.memory.object(object).is_some_and(|object| !object.constant);
        if writable {
            self.blur(object);
        }
        writable
    }

    /// The size of an object to be made, if it is not known and need not be: a term of as many bits as
    /// an address. No object is larger than the largest. A size that was computed can be a number.
    pub(crate) fn extent(&mut self, size: Value, computed: bool) -> Result<Option<Term>, Trouble> {
        let width = self.machine.pointer_bits;
        if !self.environment.blurs()
            || is_integer(self.terms, size)
            || !(size.is_symbolic() || computed)
            || size.provenance() != Provenance::None
        {
            return Ok(None);
        }
        let term = to_term(self.terms, size, width);
        if self.terms.width(term) != width {
            return Ok(None);
        }
        let terms = &mut *self.terms;
        let zero = terms.bv(width, 0);
        let most = terms.bv(width, self.memory.largest().into());
        let (above, below) = (terms.bv_sle(zero, term), terms.bv_sle(term, most));
        let possible = terms.and(above, below);
        self.context().require(possible, "an object larger than memory")?;
        Ok(Some(term))
    }

    /// That moving an address does not leave the numbers that addresses are: then the sum is exact.
    pub(crate) fn moves_exactly(
        &mut self,
        from: Value,
        index: Term,
        scale: i64,
    ) -> Result<(), Trouble> {
        if !self.environment.blurs() {
            return Ok(());
        }
        let Some(object) = from.object().and_then(|object| self.memory.object(object)) else {
            return Ok(());
        };
        let width = self.machine.pointer_bits;
        let base = object.base;
        let terms = &mut *self.terms;
        let address = to_term(terms, from, width);
        let base = terms.bv(width, base.into());
        let offset = terms.bv_sub(address, base);
        // A product of an index and a size has room in twice the width and more.
        let wide = if width > 32 { 128 } else { 96 };
        let factor = terms.bv(width, i128::from(scale).cast_unsigned());
        let bytes = terms.bv_mul(index, factor);
        let sum = terms.bv_add(offset, bytes);
        let (offset, index) = (terms.sign_extend(wide, offset), terms.sign_extend(wide, index));
        let factor = terms.bv(wide, i128::from(scale).cast_unsigned());
        let bytes = terms.bv_mul(index, factor);
        let exact = terms.bv_add(offset, bytes);
        let sum = terms.sign_extend(wide, sum);
        let exact = terms.eq(exact, sum);
        self.context().require(exact, "an address beyond all memory")?;
        Ok(())
    }
}
