//! What addresses say, wherever objects lie: that of a live object is no other's, and none is at the ends of
//! memory. Whatever else a program asks of them depends on the layout, and that is noted.
//!
//! A pointer stays in its object, or behind its last byte: C leaves everything else undefined. A number that was
//! made from one can be anywhere, zero included. It has *strayed* then, and says nothing any more.

use ouro_model::CompareOp;
use ouro_term::Term;

use crate::arith::ArithmeticContext;
use crate::integer::is_integer;
use crate::memory::value_to_term;
use crate::object::{MemoryObject, StorageClass};
use crate::stop::RunEnd;
use crate::{MachineMemory, MachineValue, Provenance, RunEnvironment};

/// Why a run with a number that may have strayed is not covered.
const FAR: &str = "a number that was made from an address, far from its object";
/// Why a run that orders an address far from its object, or asks how far it is from another, is not covered.
const AWAY: &str = "comparing or subtracting a pointer that is far from its object";
/// No object lies in so many bytes at either end of memory.
const MARGIN: u64 = 0x1000;

impl<E: RunEnvironment> ArithmeticContext<'_, E> {
    /// Compares addresses that do not belong to the same object, where the answer does not depend
    /// on where objects lie. Otherwise notes that it does.
    pub(crate) fn compare_addresses(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<Option<bool>, RunEnd> {
        let objects = matches!(a.provenance(), Provenance::Object(_))
            || matches!(b.provenance(), Provenance::Object(_));
        if !objects {
            return Ok(None);
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let unequal = match (self.is_inside_object(a), self.is_inside_object(b)) {
                // Two live objects share no byte.
                (Some(true), Some(true)) => !self.is_shared(a) || !self.is_shared(b),
                // Null and the small or topmost numbers that C programs use as marks are the
                // address of nothing.
                (Some(_), None) => {
                    is_sentinel_address(width, b) && self.is_proper_address(width, a, b)?
                }
                (None, Some(_)) => {
                    is_sentinel_address(width, a) && self.is_proper_address(width, b, a)?
                }
                _ => false,
            };
            if unequal {
                return Ok(Some(op == CompareOp::Ne));
            }
        }
        if matches!(op, CompareOp::Ult | CompareOp::Ule) {
            // All objects lie above the smallest and below the topmost numbers.
            let smaller = match (self.is_inside_object(a), self.is_inside_object(b)) {
                (Some(true), None) => end_of_memory(width, b).map(|end| end == MemoryEnd::Top),
                (None, Some(true)) => end_of_memory(width, a).map(|end| end == MemoryEnd::Bottom),
                _ => None,
            };
            if smaller.is_some() {
                return Ok(smaller);
            }
        }
        self.memory.observe_layout(self.span);
        Ok(None)
    }

    /// Notes that it depends on where an object lies which of its addresses is smaller, if one of them is
    /// elsewhere: on the way there it may have passed an end of memory.
    pub(crate) fn compare_in_object(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<(), RunEnd> {
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return Ok(());
        }
        if !self.memory.is_ordered(a) || !self.memory.is_ordered(b) {
            self.memory.observe_layout(self.span);
        }
        self.require_near_object(width, a)?;
        self.require_near_object(width, b)
    }

    /// Covers only runs in which a symbolic address has not come so far from its object that it may have passed an end of
    /// memory, lest a loop ends because its pointer runs out of addresses.
    pub(crate) fn require_near_object(
        &mut self,
        width: u32,
        address: MachineValue,
    ) -> Result<(), RunEnd> {
        if address.bits().is_some() || is_integer(self.terms, address) {
            return Ok(());
        }
        let object = address.object().and_then(|object| self.memory.object(object));
        let Some((base, size, extent)) =
            object.map(|object| (object.base, object.size(), object.extent))
        else {
            return Ok(());
        };
        // Objects of programs with 64 bits lie in the lower half of memory, far from the other half's end.
        let slack = if width == 64 { 1 << 61 } else { MARGIN - 1 };
        let near = self.near_object_bits(width, address, base, size, slack, extent);
        self.require_covered(near, AWAY)
    }

    /// Whether an address is within its object (not one past its end), which is surely there; `None` if it has
    /// none.
    fn is_inside_object(&self, value: MachineValue) -> Option<bool> {
        let object = self.memory.object(value.object()?);
        Some(match (object, value.bits()) {
            (Some(object), Some(bits)) if !object.doubtful => {
                bits >= object.base && bits < object.base + own_bytes(object)
            }
            _ => false,
        })
    }

    fn is_shared(&self, value: MachineValue) -> bool {
        let object = value.object().and_then(|object| self.memory.object(object));
        object.is_none_or(|object| object.shared)
    }

    /// Whether an address is one that its object has, so that it is not this mark; other runs are not covered.
    fn is_proper_address(
        &mut self,
        width: u32,
        address: MachineValue,
        mark: MachineValue,
    ) -> Result<bool, RunEnd> {
        // Shortly before or behind the object there is still no null.
        let slack = if mark == MachineValue::plain(0) { MARGIN - 1 } else { 0 };
        if let Some(near) = self.memory.is_near(address, slack) {
            return Ok(near);
        }
        let object = address.object().and_then(|object| self.memory.object(object));
        let Some(object) = object else {
            // What is left of an address was one that the object had, unless a number strayed.
            return Ok(!self.memory.strayed);
        };
        let (base, size, extent) = (object.base, object.size(), object.extent);
        let near = match is_integer(self.terms, address) {
            true => self.near_object_number(address, base, size, slack, extent),
            false => Some(self.near_object_bits(width, address, base, size, slack, extent)),
        };
        match near {
            Some(near) => self.require_covered(near, FAR).map(|()| true),
            None => Ok(!self.memory.strayed),
        }
    }

    /// That an address of bits is not further than this from its object.
    fn near_object_bits(
        &mut self,
        width: u32,
        address: MachineValue,
        base: u64,
        size: u64,
        slack: u64,
        extent: Option<Term>,
    ) -> Term {
        let address = value_to_term(self.terms, address, width);
        let terms = &mut *self.terms;
        let base = terms.bv(width, base.into());
        let offset = terms.bv_sub(address, base);
        // Wide enough that nothing wraps.
        let wide = width + 2;
        let offset = terms.sign_extend(wide, offset);
        let slack = terms.bv(wide, slack.into());
        let offset = terms.bv_add(offset, slack);
        let size = match extent {
            Some(extent) => terms.sign_extend(wide, extent),
            None => terms.bv(wide, size.into()),
        };
        let end = terms.bv_add(size, slack);
        let end = terms.bv_add(end, slack);
        let zero = terms.bv(wide, 0);
        let (above, below) = (terms.bv_sle(zero, offset), terms.bv_sle(offset, end));
        terms.and(above, below)
    }

    /// The same of an address that is an unbounded integer; `None` if the object has no known size.
    fn near_object_number(
        &mut self,
        address: MachineValue,
        base: u64,
        size: u64,
        slack: u64,
        extent: Option<Term>,
    ) -> Option<Term> {
        let address = address.term().filter(|_| extent.is_none())?;
        let (base, size, slack) = (i128::from(base), i128::from(size), i128::from(slack));
        let terms = &mut *self.terms;
        let (low, high) = (terms.int(base - slack), terms.int(base + size + slack));
        let (above, below) = (terms.int_le(low, address), terms.int_le(address, high));
        Some(terms.and(above, below))
    }
}

impl MachineMemory {
    /// Notes a number that was made from an address and may be anywhere.
    pub(crate) fn note_stray(&mut self, address: MachineValue) {
        self.strayed |= address.object().is_some() && self.is_near(address, 0) != Some(true);
    }

    /// Whether an address, compared with others of its object, is before or behind them wherever that lies.
    fn is_ordered(&self, address: MachineValue) -> bool {
        self.is_near(address, MARGIN - 1).unwrap_or(!self.strayed)
    }

    /// Whether an address is one that its object has or had, so that it is no mark.
    pub(crate) fn is_never_sentinel(&self, address: MachineValue) -> bool {
        self.is_near(address, 0).unwrap_or(!self.strayed)
    }

    /// Whether an address is not further than this from its object; `None` if nobody knows, because it is
    /// symbolic, or the object is gone or has no known size.
    fn is_near(&self, address: MachineValue, slack: u64) -> Option<bool> {
        let object = self.object(address.object()?).filter(|object| object.extent.is_none())?;
        let low = object.base.wrapping_sub(slack);
        Some(address.bits()?.wrapping_sub(low) <= object.size() + 2 * slack)
    }
}

/// How many bytes are an object's alone. Only allocated memory has an address of its own even if it has no bytes,
/// and two labels may be one place.
fn own_bytes(object: &MemoryObject) -> u64 {
    match object.storage {
        StorageClass::Heap => object.size().max(1),
        StorageClass::Code(_) => 1,
        StorageClass::Label(..) => 0,
        StorageClass::Static(_) | StorageClass::Stack => object.size(),
    }
}

/// One of the two ends of memory, where no object lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemoryEnd {
    Bottom,
    Top,
}

/// The end of memory that a plain number is in, as an address of so many bits.
fn end_of_memory(width: u32, value: MachineValue) -> Option<MemoryEnd> {
    let last = u64::MAX >> (64 - width.clamp(1, 64));
    match value.bits()? {
        bits if bits < MARGIN => Some(MemoryEnd::Bottom),
        bits if bits > last - last.min(MARGIN) && bits <= last => Some(MemoryEnd::Top),
        _ => None,
    }
}

/// Whether a plain number is one that no object has as its address, of so many bits.
pub(crate) fn is_sentinel_address(width: u32, value: MachineValue) -> bool {
    end_of_memory(width, value).is_some()
}
