//! Whether a write hits a cell.
//!
//! A write at the cell's own base is compared byte by byte. One that is known to be in the same object of the frame is
//! as well, whichever variable holds its address and however far that is from where the object starts: what is private
//! is reached by such variables alone, so that every other write misses it.

use ouro_model::{Operand, Type};

use super::address::ArrayElement;
use super::{AccessAddress, InvariantBase, PromotedCell, PromotedCells};
use crate::assumption::UntouchedReason;

/// Bytes that are written.
pub(super) struct MemoryWrite {
    /// The address.
    pub(super) by: Operand,
    /// Where that is; `None` if that is not known.
    pub(super) to: Option<AccessAddress>,
    pub(super) len: Option<i64>,
    pub(super) value: Option<(Type, Operand)>,
}

/// What a write does to a cell.
pub(super) enum WriteEffect {
    No,
    Yes,
    Set(Operand),
    Maybe(UntouchedReason),
}

impl PromotedCells<'_> {
    /// What a write does to one cell.
    pub(super) fn write_effect(&self, write: &MemoryWrite, cell: &PromotedCell) -> WriteEffect {
        let here = self.root_base(cell.base);
        let Some(mut to) = write.to else {
            // Where it is nobody knows, but perhaps in which object of the frame.
            let Operand::Var(by) = write.by else {
                return self.effect_of_any_write(here);
            };
            let by = InvariantBase::Var(by);
            let to = AccessAddress { base: by, offset: 0, exact: true };
            let known = self.effect_in_frame(write, to, cell);
            return known.unwrap_or_else(|| self.effect_of_any_write(here));
        };
        if let InvariantBase::Element(number) = to.base
            && self.elements[number].base == cell.base
        {
            // Seen from the array it is at some index.
            let ArrayElement { base, offset, .. } = self.elements[number];
            to = AccessAddress { base, offset, exact: false };
        }
        if to.base == cell.base {
            return self.effect_at_base(write, to, cell.offset, cell.ty);
        }
        let there = self.root_base(to.base);
        if self.objects.are_apart(there, here) {
            return WriteEffect::No;
        }
        if here == there {
            return match self.is_in_same_array(&to, cell) {
                // Another index of the same array may well be the same number.
                true => WriteEffect::Yes,
                false => WriteEffect::Maybe(UntouchedReason::OtherObject),
            };
        }
        let known = self.effect_in_frame(write, to, cell);
        known.unwrap_or(WriteEffect::Maybe(UntouchedReason::OtherObject))
    }

    /// What a write does that is not made from an object of the frame.
    fn effect_of_any_write(&self, base: InvariantBase) -> WriteEffect {
        match self.objects.is_private(base) {
            true => WriteEffect::No,
            false => WriteEffect::Maybe(UntouchedReason::OtherObject),
        }
    }

    /// What a write does to a cell in the same object of the frame; `None` if they are not known to be in one.
    fn effect_in_frame(
        &self,
        write: &MemoryWrite,
        to: AccessAddress,
        cell: &PromotedCell,
    ) -> Option<WriteEffect> {
        let cell_at = AccessAddress { base: cell.base, offset: cell.offset, exact: true };
        let (to, at) = (self.address_in_frame(to)?, self.address_in_frame(cell_at)?);
        let effect = || match self.effect_at_base(write, to, at.offset, cell.ty) {
            // Where the object is made again and again, it need not be the one that was made last.
            WriteEffect::Set(_) => WriteEffect::Yes,
            other => other,
        };
        (to.base == at.base).then(|| if at.exact { effect() } else { WriteEffect::Yes })
    }

    /// What a write does to some bytes at its base.
    fn effect_at_base(
        &self,
        write: &MemoryWrite,
        to: AccessAddress,
        start: i64,
        ty: Type,
    ) -> WriteEffect {
        let bytes = i64::from(ty.size_in_bytes(self.program.target.pointer_bits));
        let end = start.saturating_add(bytes);
        if !to.exact {
            // An array begins where its index is 0.
            return if end <= to.offset {
                WriteEffect::Maybe(UntouchedReason::NegativeIndex)
            } else {
                WriteEffect::Yes
            };
        }
        let written_end = write.len.map(|len| to.offset.saturating_add(len));
        if end <= to.offset || written_end.is_some_and(|written| written <= start) {
            return WriteEffect::No;
        }
        match write.value {
            Some((stored, value)) if stored == ty && to.offset == start => WriteEffect::Set(value),
            _ => WriteEffect::Yes,
        }
    }

    /// An address as one from where its object of the frame starts.
    fn address_in_frame(&self, at: AccessAddress) -> Option<AccessAddress> {
        match at.base {
            InvariantBase::Var(var) => {
                let known = self.objects.frame_address(var)?;
                let sum = known.offset.checked_add(at.offset);
                Some(AccessAddress {
                    base: InvariantBase::Var(known.object),
                    offset: sum.unwrap_or(i64::MIN),
                    exact: known.exact && at.exact && sum.is_some(),
                })
            }
            InvariantBase::Element(number) => {
                let ArrayElement { base, offset, .. } = self.elements[number];
                let offset = offset.saturating_add(at.offset.min(0));
                self.address_in_frame(AccessAddress { base, offset, exact: false })
            }
            InvariantBase::Global(_) | InvariantBase::Inside(_) => None,
        }
    }

    /// Whether a write is to the array that a cell is in.
    fn is_in_same_array(&self, to: &AccessAddress, cell: &PromotedCell) -> bool {
        let InvariantBase::Element(number) = cell.base else { return false };
        let ArrayElement { base, offset, scale, .. } = self.elements[number];
        match to.base {
            InvariantBase::Element(other) => {
                let other = self.elements[other];
                (other.base, other.offset) == (base, offset)
            }
            // The first part of what it writes is this far behind the start of the array, or further.
            _ => {
                let within = to.offset.saturating_sub(offset);
                to.base == base && (0..scale.saturating_abs()).contains(&within)
            }
        }
    }
}
