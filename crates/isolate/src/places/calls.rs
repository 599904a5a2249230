//! What a call does to cells.

use std::collections::BTreeSet;

use ouro_model::{BlockId, Callee, Operand, Span};

use super::{Base, Cell, Change, Places, base};
use crate::Trust;
use crate::assumption::{Assumption, Why};

/// The addresses that a call is handed.
struct Handed {
    /// Of something in these objects.
    bases: BTreeSet<Base>,
    /// Just these.
    places: BTreeSet<(Base, i64)>,
}

impl Places<'_> {
    /// What a call of code that writes memory does to cells, and what is assumed for that.
    pub(super) fn call(
        &self,
        block: BlockId,
        callee: Callee,
        args: &[Operand],
        span: Span,
    ) -> (Vec<(usize, Change)>, Vec<Assumption>) {
        let (mut changes, mut assumed) = (Vec::new(), Vec::new());
        let handed = self.handed(block, args);
        for (number, cell) in self.cells.iter().enumerate() {
            let root = self.root(cell.base);
            if !self.is_usable(number) || !self.objects.is_seen_by_calls(root) {
                continue;
            }
            let why = self.trusted(callee, &handed, number, cell);
            let one = why.map(|why| Assumption { cell: number, why, write: span, read: cell.span });
            match one.filter(|one| self.may_assume(one)) {
                Some(one) => assumed.push(one),
                None => changes.push((number, Change::Lose)),
            }
        }
        (changes, assumed)
    }

    fn handed(&self, block: BlockId, args: &[Operand]) -> Handed {
        let at = |arg: &Operand| self.address(*arg, self.is_turning(block), 0);
        let exact = args.iter().filter_map(at).map(|at| (at.base, at.offset));
        let copied = args.iter().flat_map(|arg| self.copies.origins(*arg));
        let places: BTreeSet<(Base, i64)> =
            exact.chain(copied.map(|(origin, offset)| (base(origin), offset))).collect();
        let bases = places.iter().flat_map(|(base, _)| [*base, self.root(*base)]).collect();
        Handed { bases, places }
    }

    /// Why a call may be assumed to leave a cell alone, if it may.
    fn trusted(&self, callee: Callee, handed: &Handed, number: usize, cell: &Cell) -> Option<Why> {
        let named = match self.root(cell.base) {
            Base::Global(id) => self.effects.call_names(callee, id),
            _ => false,
        };
        let reaches = |one: &usize| {
            let base = self.cells[*one].base;
            handed.bases.contains(&base) || handed.bases.contains(&self.root(base))
        };
        let reached = self.chain(number).iter().any(reaches);
        if named || self.how.trust < Trust::Calls {
            return None;
        }
        if !reached {
            return Some(Why::Call);
        }
        // Who is handed the address of a number and of nothing around it mostly changes that number.
        let direct = handed.places.contains(&(cell.base, cell.offset));
        let seen = self.effects.call_writes_member(callee, cell.offset, cell.ty);
        (self.how.trust >= Trust::Handed && !direct && !seen).then_some(Why::Handed)
    }
}
