//! What a call does to cells.

use std::collections::BTreeSet;

use ouro_model::{BlockId, Callee, Instruction, Operand, Span};

use super::{CellChange, InvariantBase, PromotedCell, PromotedCells, base_of_origin};
use crate::MemoryTrust;
use crate::assumption::{MemoryAssumption, UntouchedReason};

/// The addresses that a call is handed.
struct PassedAddresses {
    /// Of something in these objects.
    bases: BTreeSet<InvariantBase>,
    /// Just these.
    places: BTreeSet<(InvariantBase, i64)>,
}

impl PromotedCells<'_> {
    /// What a call of code that writes memory does to cells, and what is assumed for that.
    pub(super) fn call_changes(
        &self,
        block: BlockId,
        instruction: &Instruction,
        (callee, args): (Callee, &[Operand]),
        span: Span,
    ) -> (Vec<(usize, CellChange)>, Vec<MemoryAssumption>) {
        let (mut changes, mut assumed) = (Vec::new(), Vec::new());
        let seen = self.seen_writes(instruction);
        let handed = self.passed_addresses(block, args);
        for (number, cell) in self.cells.iter().enumerate() {
            let root = self.root_base(cell.base);
            if !self.is_usable(number) || !self.objects.is_seen_by_calls(root) {
                continue;
            }
            let why = self
                .reason_to_trust_call(callee, &handed, number, cell)
                .filter(|_| !self.is_seen_to_write(&seen, cell));
            let one =
                why.map(|why| MemoryAssumption { cell: number, why, write: span, read: cell.span });
            match one.filter(|one| self.may_assume(one)) {
                Some(one) => assumed.push(one),
                None => changes.push((number, CellChange::Lose)),
            }
        }
        (changes, assumed)
    }

    fn passed_addresses(&self, block: BlockId, args: &[Operand]) -> PassedAddresses {
        let at = |arg: &Operand| self.resolve_address(*arg, self.is_iterated_block(block), 0);
        let exact = args.iter().filter_map(at).map(|at| (at.base, at.offset));
        let copied = args.iter().flat_map(|arg| self.copies.origins(*arg));
        let places: BTreeSet<(InvariantBase, i64)> =
            exact.chain(copied.map(|(origin, offset)| (base_of_origin(origin), offset))).collect();
        let bases = places.iter().flat_map(|(base, _)| [*base, self.object_of(*base)]).collect();
        PassedAddresses { bases, places }
    }

    /// The base of the object that a base is in, as far as it is known.
    fn object_of(&self, base: InvariantBase) -> InvariantBase {
        self.objects.object_base(self.root_base(base))
    }

    /// Why a call may be assumed to leave a cell alone, if it may.
    fn reason_to_trust_call(
        &self,
        callee: Callee,
        handed: &PassedAddresses,
        number: usize,
        cell: &PromotedCell,
    ) -> Option<UntouchedReason> {
        let named = match self.root_base(cell.base) {
            InvariantBase::Global(id) => self.effects.call_writes_global(callee, id),
            _ => false,
        };
        let reaches = |one: &usize| {
            let base = self.cells[*one].base;
            handed.bases.contains(&base) || handed.bases.contains(&self.object_of(base))
        };
        let reached = self.address_cells(number).iter().any(reaches);
        if named || self.how.trust < MemoryTrust::Calls {
            return None;
        }
        if !reached {
            return Some(UntouchedReason::Call);
        }
        // Who is handed the address of a number and of nothing around it mostly changes that number.
        let direct = handed.places.contains(&(cell.base, cell.offset));
        let seen = self.effects.call_writes_member(callee, cell.offset, cell.ty);
        (self.how.trust >= MemoryTrust::Handed && !direct && !seen)
            .then_some(UntouchedReason::Handed)
    }
}
