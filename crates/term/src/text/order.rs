//! An order of the parts of a term that depends on the term alone.
//!
//! The store orders the operands of commutative operators by age, which differs from store to store.
//! A text must not: what is printed, parsed elsewhere and printed again is the same text.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::print::operator_text;
use crate::simplify::is_commutative;
use crate::{Sort, Term, TermOp, TermStore};

/// The operands of an application, as they are written.
pub(super) type WrittenOperands = SmallVec<[Term; 3]>;

/// The places of all parts of a term in that order.
pub(super) struct PrintOrder<'a> {
    terms: &'a TermStore,
    places: FxHashMap<Term, usize>,
}

/// What decides about two parts of the same height.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PrintOrderKey {
    sort: (u8, u32),
    head: String,
    /// The places of the operands, as they are written.
    operands: SmallVec<[usize; 3]>,
}

impl<'a> PrintOrder<'a> {
    /// The order of these parts; with each part its own parts are among them.
    pub(super) fn of_parts(
        terms: &'a TermStore,
        parts: impl Iterator<Item = Term>,
    ) -> PrintOrder<'a> {
        // By age, so that a part comes after its own parts.
        let mut parts: Vec<Term> = parts.collect();
        parts.sort();
        let mut heights: FxHashMap<Term, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<Term>> = Vec::new();
        for term in parts {
            let height = terms.args(term).iter().map(|arg| heights[arg] + 1).max().unwrap_or(0);
            heights.insert(term, height);
            if levels.len() <= height {
                levels.resize_with(height + 1, Vec::new);
            }
            levels[height].push(term);
        }
        let mut order = PrintOrder { terms, places: FxHashMap::default() };
        for level in levels {
            let mut keyed: Vec<(PrintOrderKey, Term)> =
                level.into_iter().map(|term| (order.order_key(term), term)).collect();
            keyed.sort();
            for (_, term) in keyed {
                order.places.insert(term, order.places.len());
            }
        }
        order
    }

    /// Simple parts come first, and each part comes after its own.
    pub(super) fn compare_parts(&self, a: Term, b: Term) -> Ordering {
        self.places[&a].cmp(&self.places[&b])
    }

    /// The operands as they are written. Constants stay where the store has them: in front of
    /// products, at the end of anything else.
    pub(super) fn ordered_operands(&self, term: Term) -> WrittenOperands {
        let mut operands: WrittenOperands = self.terms.args(term).into();
        let op = self.terms.op(term);
        if is_commutative(op)
            || matches!(op, TermOp::And | TermOp::Or | TermOp::IntAdd | TermOp::IntMul)
        {
            let is_constant = |term: &Term| self.terms.as_constant(*term).is_some();
            let first = usize::from(operands.first().is_some_and(is_constant));
            let last =
                operands.iter().rposition(|term| !is_constant(term)).map_or(first, |at| at + 1);
            if first < last {
                operands[first..last].sort_by(|a, b| self.compare_parts(*a, *b));
            }
        }
        operands
    }

    fn order_key(&self, term: Term) -> PrintOrderKey {
        let sort = match self.terms.sort(term) {
            Sort::Bool => (0, 0),
            Sort::Int => (1, 0),
            Sort::BitVec(width) => (2, width),
        };
        let operands = self.ordered_operands(term).iter().map(|arg| self.places[arg]).collect();
        PrintOrderKey { sort, head: operator_text(self.terms, term), operands }
    }
}
