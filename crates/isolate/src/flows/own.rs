//! Addresses that an object keeps of a place in itself: `list->tail = &list->head`.
//!
//! Whoever writes through such an address writes into the object in which it was found. Which objects do that is not
//! known, since there are no types here: so what one object does, another may do that keeps an address as far from the
//! place, unless it is seen to have something else there.

use ouro_model::{Function, Instruction, Operand, Program, Type};

use super::{AddressClass, AddressFlows};
use crate::copies::{AddressOrigin, AddressRoot, CopyAnalysis};

/// An address that an object keeps of a place in itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct OwnAddress {
    /// How many bytes it leads behind where it is kept, the least there can be if not `exact`. Where the object starts
    /// is different for those who have it in another one.
    distance: i64,
    exact: bool,
    /// What is there, if the function that makes the address says so.
    ty: Option<Type>,
}

/// Some bytes of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectBytes {
    pub(crate) start: i64,
    /// None if nobody knows.
    pub(crate) end: Option<i64>,
}

/// A place in an object that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadPlace {
    pub(crate) start: i64,
    /// Whether an index comes on top.
    pub(crate) exact: bool,
    pub(crate) ty: Type,
}

impl OwnAddress {
    /// An address with what it is made from, kept at some bytes from the same.
    pub(super) fn made_from(root: AddressRoot, kept_at: i64, ty: Option<Type>) -> OwnAddress {
        OwnAddress {
            distance: root.offset.saturating_sub(kept_at),
            exact: root.exact,
            ty: ty.filter(|_| root.exact),
        }
    }

    /// Whether bytes that are written from such an address on, which is kept at some bytes from where the object starts,
    /// are in a place of the object.
    fn hits(self, kept_at: i64, written: ObjectBytes, place: ReadPlace, pointer_bits: u32) -> bool {
        let target = kept_at.saturating_add(self.distance);
        let place_end = place.start.saturating_add(size(place.ty, pointer_bits));
        let ty_end = self.ty.map(|ty| target.saturating_add(size(ty, pointer_bits)));
        let overlaps_target =
            ty_end.is_some_and(|end| place.start < end && target < place_end) && place.exact;
        // Such an object has something else there, so it is of another kind.
        if overlaps_target && (place.start, Some(place.ty)) != (target, self.ty) {
            return false;
        }
        let end = match (written.end, ty_end) {
            (Some(end), _) => Some(target.saturating_add(end)),
            // Who is led to a single number or pointer finds no other one behind it.
            (None, Some(end)) if written.start == 0 => Some(end),
            (None, _) => None,
        };
        target.saturating_add(written.start) < place_end
            && end.filter(|_| self.exact).is_none_or(|end| place.start < end || !place.exact)
    }
}

impl AddressFlows {
    /// Whether bytes are seen to be in a place of an object that are written from an address on which is kept in the
    /// object: some object keeps an address of itself in this way. Any function of the file may have made it.
    pub(crate) fn lead_to_own_place(
        &self,
        object: AddressClass,
        kept: AddressClass,
        written: ObjectBytes,
        place: ReadPlace,
        pointer_bits: u32,
    ) -> bool {
        let places = self.contents[object.0].iter();
        let mut places = places.filter(|(_, inner)| self.find(**inner) == kept.0);
        places.any(|(at, _)| self.own.iter().any(|one| one.hits(*at, written, place, pointer_bits)))
    }
}

/// Whether two addresses of a function are made in the same way, as `g` and `g` or `a[i]` and `a[i]` are in
/// `g->tail = &g->head`. It is not asked whether something changed in between.
pub(super) fn are_made_alike(copies: &CopyAnalysis<'_>, one: Operand, other: Operand) -> bool {
    fn alike(copies: &CopyAnalysis<'_>, one: Operand, other: Operand, depth: usize) -> bool {
        if one == other {
            return true;
        }
        let (Operand::Var(one), Operand::Var(other)) = (one, other) else { return false };
        if depth == 0 {
            return false;
        }
        let both = |one, other| alike(copies, one, other, depth - 1);
        match (copies.only_writer(one), copies.only_writer(other)) {
            (
                Some(Instruction::Load { address: one, .. }),
                Some(Instruction::Load { address: other, .. }),
            ) => both(*one, *other),
            (
                Some(Instruction::Assign { value: one, .. }),
                Some(Instruction::Assign { value: other, .. }),
            ) => both(*one, *other),
            (
                Some(Instruction::Cast { op: one_op, value: one, .. }),
                Some(Instruction::Cast { op: other_op, value: other, .. }),
            ) => one_op == other_op && both(*one, *other),
            (
                Some(Instruction::Offset { base, index, scale, .. }),
                Some(Instruction::Offset { base: to, index: by, scale: wide, .. }),
            ) => scale == wide && both(*base, *to) && both(*index, *by),
            _ => false,
        }
    }
    alike(copies, one, other, crate::limits::LIMITS.address_steps)
}

/// The operand that is an address.
pub(super) fn operand_of(origin: AddressOrigin) -> Operand {
    match origin {
        AddressOrigin::Global(id) => Operand::Global(id, 0),
        AddressOrigin::Var(var) => Operand::Var(var),
    }
}

/// As what a function reads and writes a place, if always as the same.
pub(super) fn type_of_place(
    program: &Program,
    function: &Function,
    copies: &CopyAnalysis<'_>,
    place: AddressRoot,
) -> Option<Type> {
    let mut known = None;
    for statement in function.blocks.iter().flat_map(|block| &block.statements) {
        let (address, ty) = match statement.instruction {
            Instruction::Load { dst, address } => (address, function.vars[dst].ty),
            Instruction::Store { address, value } => {
                let Some(ty) = function.type_of(value) else { continue };
                (address, ty)
            }
            _ => continue,
        };
        let is_there = |root: &AddressRoot| {
            let bytes = size(ty, program.target.pointer_bits);
            (!root.exact || root.offset.saturating_add(bytes) > place.offset)
                && root.offset <= place.offset
                && are_made_alike(copies, operand_of(root.origin), operand_of(place.origin))
        };
        for root in copies.roots(address).iter().filter(|root| is_there(root)) {
            let same = root.exact && root.offset == place.offset;
            if !same || known.is_some_and(|known| known != ty) {
                return None;
            }
            known = Some(ty);
        }
    }
    known
}

fn size(ty: Type, pointer_bits: u32) -> i64 {
    i64::from(ty.size_in_bytes(pointer_bits))
}
