//! What is tried as a level: a term whose bits, read as a signed number, may get smaller with each step.

use ouro_term::{Sort, Term, TermOp};

use super::TrialSearch;

/// More levels than this are not tried for one part.
const LEVELS: usize = 80;
/// Terms of more bits are not looked at.
const WIDEST: u32 = 64;

impl TrialSearch<'_> {
    /// What may be a level of a part, the likely ones first: how far apart the sides of conditions are; then variables
    /// that change.
    pub(super) fn candidate_levels(&mut self, inside: &[usize]) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        let mut conditions: Vec<Term> = Vec::new();
        for at in inside {
            conditions.extend(&self.edges[*at].conditions);
        }
        conditions.sort_unstable();
        conditions.dedup();
        for condition in &conditions {
            if self.is_about_state(*condition) {
                self.push_distances(&mut all, *condition, true);
            }
        }
        let mut changed: Vec<Term> = (inside.iter())
            .flat_map(|at| self.edges[*at].values.keys().copied())
            .filter(|symbol| matches!(self.terms.sort(*symbol), Sort::BitVec(1..=WIDEST)))
            .collect();
        changed.sort_unstable();
        changed.dedup();
        for symbol in changed.iter().copied() {
            let wide = self.terms.width(symbol) + 1;
            let not = self.terms.bv_not(symbol);
            all.extend([self.terms.zero_extend(wide, symbol), self.terms.zero_extend(wide, not)]);
            let tail = self.bits_from_lowest(symbol);
            all.push(tail);
        }
        for symbol in changed {
            if self.terms.width(symbol) >= 32 {
                let (key, wide) = (self.float_order(symbol), self.terms.width(symbol) + 1);
                let down = self.terms.bv_not(key);
                all.extend([self.terms.zero_extend(wide, key), self.terms.zero_extend(wide, down)]);
            }
        }
        let mut unique: Vec<Term> = Vec::new();
        for level in all {
            if self.is_about_state(level)
                && self.terms.as_constant(level).is_none()
                && !unique.contains(&level)
            {
                unique.push(level);
            }
        }
        unique.truncate(LEVELS);
        unique
    }

    /// How far apart the sides of a comparison are.
    fn push_distances(&mut self, all: &mut Vec<Term>, condition: Term, holds: bool) {
        let args = self.terms.args(condition).to_vec();
        let op = self.terms.op(condition).clone();
        match op {
            TermOp::Not => self.push_distances(all, args[0], !holds),
            TermOp::And | TermOp::Or => {
                for part in args {
                    self.push_distances(all, part, holds);
                }
            }
            TermOp::BvSlt
            | TermOp::BvSle
            | TermOp::BvUlt
            | TermOp::BvUle
            | TermOp::FpLt
            | TermOp::FpLe
                if self.terms.width(args[0]) <= WIDEST =>
            {
                let (low, high) = if holds { (args[0], args[1]) } else { (args[1], args[0]) };
                let distance = self.distance(&op, low, high);
                all.push(distance);
            }
            TermOp::Eq | TermOp::FpEq
                if matches!(self.terms.sort(args[0]), Sort::BitVec(2..=WIDEST)) =>
            {
                let ops: &[TermOp] = match op {
                    TermOp::Eq => &[TermOp::BvUlt, TermOp::BvSlt],
                    _ => &[TermOp::FpLt],
                };
                for op in ops {
                    for (low, high) in [(args[0], args[1]), (args[1], args[0])] {
                        let distance = self.distance(op, low, high);
                        all.push(distance);
                    }
                }
                if op == TermOp::Eq {
                    let difference = self.terms.bv_xor(args[0], args[1]);
                    let tail = self.bits_from_lowest(difference);
                    all.push(tail);
                }
            }
            _ => {}
        }
    }

    /// What is missing from one number to another, as this comparison reads them.
    fn distance(&mut self, op: &TermOp, low: Term, high: Term) -> Term {
        let wide = self.terms.width(low) + 1;
        let (low, high) = match op {
            TermOp::BvSlt | TermOp::BvSle => {
                (self.terms.sign_extend(wide, low), self.terms.sign_extend(wide, high))
            }
            TermOp::FpLt | TermOp::FpLe => {
                let (low, high) = (self.float_order(low), self.float_order(high));
                (self.terms.zero_extend(wide, low), self.terms.zero_extend(wide, high))
            }
            _ => (self.terms.zero_extend(wide, low), self.terms.zero_extend(wide, high)),
        };
        self.terms.bv_sub(high, low)
    }

    /// All bits from the lowest one that is set: `x | -x`. It gets smaller when more bits at the low end are zero, and
    /// is zero only of zero.
    fn bits_from_lowest(&mut self, x: Term) -> Term {
        let wide = self.terms.width(x) + 1;
        let opposite = self.terms.bv_neg(x);
        let bits = self.terms.bv_or(x, opposite);
        self.terms.zero_extend(wide, bits)
    }

    /// A float as a natural number that has the same place among all others; what a NaN is does not matter.
    fn float_order(&mut self, float: Term) -> Term {
        let width = self.terms.width(float);
        let zero = self.terms.bv(width, 0);
        let top = self.terms.bv(width, 1 << (width - 1));
        let is_negative = self.terms.bv_slt(float, zero);
        let (down, up) = (self.terms.bv_not(float), self.terms.bv_or(float, top));
        self.terms.ite(is_negative, down, up)
    }
}
