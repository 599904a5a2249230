//! An order of the parts of a term that depends on the term alone.
//!
//! The store orders the operands of commutative operators by age, which differs from store to store.
//! A text must not: what is printed, parsed elsewhere and printed again is the same text.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::print::head;
use crate::simplify::commutes;
use crate::{Op, Sort, Term, Terms};

/// The operands of an application, as they are written.
pub(super) type Operands = SmallVec<[Term; 3]>;

/// The places of all parts of a term in that order.
pub(super) struct Order<'a> {
    terms: &'a Terms,
    places: FxHashMap<Term, usize>,
}

/// What decides about two parts of the same height.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    sort: (u8, u32),
    head: String,
    /// The places of the operands, as they are written.
    operands: SmallVec<[usize; 3]>,
}

impl<'a> Order<'a> {
    /// The order of these parts; with each part its own parts are among them.
    pub(super) fn of(terms: &'a Terms, parts: impl Iterator<Item = Term>) -> Order<'a> {
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
        let mut order = Order { terms, places: FxHashMap::default() };
        for level in levels {
            let mut keyed: Vec<(Key, Term)> =
                level.into_iter().map(|term| (order.key(term), term)).collect();
            keyed.sort();
            for (_, term) in keyed {
                order.places.insert(term, order.places.len());
            }
        }
        order
    }

    /// Simple parts come first, and each part comes after its own.
    pub(super) fn compare(&self, a: Term, b: Term) -> Ordering {
        self.places[&a].cmp(&self.places[&b])
    }

    /// The operands as they are written. Constants stay where the store has them: in front of
    /// products, at the end of anything else.
    pub(super) fn operands(&self, term: Term) -> Operands {
        let mut operands: Operands = self.terms.args(term).into();
        let op = self.terms.op(term);
        if commutes(op) || matches!(op, Op::And | Op::Or | Op::IntAdd | Op::IntMul) {
            let is_constant = |term: &Term| self.terms.as_constant(*term).is_some();
            let first = usize::from(operands.first().is_some_and(is_constant));
            let last =
                operands.iter().rposition(|term| !is_constant(term)).map_or(first, |at| at + 1);
            if first < last {
                operands[first..last].sort_by(|a, b| self.compare(*a, *b));
            }
        }
        operands
    }

    fn key(&self, term: Term) -> Key {
        let sort = match self.terms.sort(term) {
            Sort::Bool => (0, 0),
            Sort::Int => (1, 0),
            Sort::BitVec(width) => (2, width),
        };
        let operands = self.operands(term).iter().map(|arg| self.places[arg]).collect();
        Key { sort, head: head(self.terms, term), operands }
    }
}
