//! Vague memory: accesses at unknown places, and objects of unknown size.
//!
//! Where the surroundings want it ([`Environment::havocs_unknown_accesses`]), nobody asks at which place an access with
//! a symbolic address is: a read gives any value, and after a write the object may hold anything. So a
//! run stands for all runs that the program has there, and for some that it has not. That an access is
//! within its object is known all the same, and is what ends many loops.

use ouro_model::Type;
use ouro_term::{Sort, Term};

use crate::access::{InstructionObstacle, fail_at_limit};
use crate::integer::is_integer;
use crate::memory::value_to_term;
use crate::object::StorageClass;
use crate::step::InstructionStep;
use crate::{MachineValue, ObjectRef, Provenance, RunEnvironment};

impl<E: RunEnvironment> InstructionStep<'_, E> {
    /// The object of an access at an unknown place, or in an object of unknown size; `None` for every
    /// other access.
    pub(crate) fn object_of_unknown_access(
        &mut self,
        address: MachineValue,
        len: u64,
        write: bool,
    ) -> Result<Option<ObjectRef>, InstructionObstacle> {
        self.require_segment_head(address)?;
        if !self.environment.havocs_unknown_accesses() || is_integer(self.terms, address) {
            return Ok(None);
        }
        let Some((reference, object)) =
            address.object().and_then(|object| Some((object, self.memory.object(object)?)))
        else {
            return Ok(None);
        };
        let is_code = matches!(object.storage, StorageClass::Code(_) | StorageClass::Label(..));
        let is_known = address.bits().is_some() && object.extent.is_none();
        if is_known || is_code || (write && object.constant) {
            return Ok(None);
        }
        let (base, size, extent) = (object.base, object.size(), object.extent);
        let outside = format!("an access outside of {}", object.name);
        let width = self.machine.pointer_bits;
        let terms = &mut *self.terms;
        let address = value_to_term(terms, address, width);
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
        self.arithmetic_context().require_defined(inside, &outside)?;
        Ok(Some(reference))
    }

    /// Stops where an address is that of a chain: an access needs its first object.
    pub(crate) fn require_segment_head(
        &self,
        address: MachineValue,
    ) -> Result<(), InstructionObstacle> {
        match address.object().and_then(|object| Some((object, self.memory.object(object)?))) {
            Some((reference, object)) if object.chain.is_some() => {
                Err(InstructionObstacle::Unfold(reference))
            }
            _ => Ok(()),
        }
    }

    /// Any value of a type.
    pub(crate) fn any_value(
        &mut self,
        ty: Type,
        why: &str,
    ) -> Result<MachineValue, InstructionObstacle> {
        let width = ty.size_in_bits(self.machine.pointer_bits);
        let sort = Sort::BitVec(width);
        let Some(value) = self.environment.provide_unknown(self.terms, sort, why) else {
            return fail_at_limit(why);
        };
        Ok(match (ty, value.term()) {
            (Type::Ptr, Some(term)) => MachineValue::symbolic(term, Provenance::Environment),
            (Type::Ptr, None) => MachineValue::with_provenance(value.bits, Provenance::Environment),
            _ => value,
        })
    }

    /// After a write at an unknown place.
    pub(crate) fn havoc_object(&mut self, reference: ObjectRef) {
        if let Some(object) = self.memory.object_mut(reference)
            && object.extent.is_none()
        {
            object.havoc_contents();
        }
    }

    /// Whether an operation on many bytes is at an unknown place, or on unknown bytes; what it writes
    /// to is then known no more.
    pub(crate) fn havocs_in_bulk(&mut self, target: MachineValue, others: &[MachineValue]) -> bool {
        if !self.environment.havocs_unknown_accesses() {
            return false;
        }
        let is_vague = |value: &MachineValue| {
            let object = value.object().and_then(|object| self.memory.object(object));
            value.is_symbolic() || object.is_some_and(|o| o.extent.is_some() || o.vague)
        };
        if !is_vague(&target) && !others.iter().any(is_vague) {
            return false;
        }
        let Some(object) = target.object() else { return false };
        let writable = self.memory.object(object).is_some_and(|object| !object.constant);
        if writable {
            self.havoc_object(object);
        }
        writable
    }

    /// The size of an object to be made, if it is not known and need not be: a term of as many bits as
    /// an address. No object is larger than the largest. A size that was computed can be a number.
    pub(crate) fn symbolic_extent(
        &mut self,
        size: MachineValue,
        computed: bool,
    ) -> Result<Option<Term>, InstructionObstacle> {
        let width = self.machine.pointer_bits;
        if !self.environment.havocs_unknown_accesses()
            || is_integer(self.terms, size)
            || !(size.is_symbolic() || computed)
            || size.provenance() != Provenance::None
        {
            return Ok(None);
        }
        let term = value_to_term(self.terms, size, width);
        if self.terms.width(term) != width {
            return Ok(None);
        }
        let terms = &mut *self.terms;
        let zero = terms.bv(width, 0);
        let most = terms.bv(width, self.memory.largest_object_size().into());
        let (above, below) = (terms.bv_sle(zero, term), terms.bv_sle(term, most));
        let possible = terms.and(above, below);
        self.arithmetic_context().require_defined(possible, "an object larger than memory")?;
        Ok(Some(term))
    }

    /// That moving an address does not leave the numbers that addresses are: then the sum is exact.
    pub(crate) fn require_exact_move(
        &mut self,
        from: MachineValue,
        index: Term,
        scale: i64,
    ) -> Result<(), InstructionObstacle> {
        if !self.environment.havocs_unknown_accesses() {
            return Ok(());
        }
        let Some(object) = from.object().and_then(|object| self.memory.object(object)) else {
            return Ok(());
        };
        let width = self.machine.pointer_bits;
        let base = object.base;
        let terms = &mut *self.terms;
        let address = value_to_term(terms, from, width);
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
        self.arithmetic_context().require_defined(exact, "an address beyond all memory")?;
        Ok(())
    }
}
