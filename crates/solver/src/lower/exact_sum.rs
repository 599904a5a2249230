//! Exact sums: a signed sum that does not overflow, asked in as many bits as its operands have.
//!
//! That a sum is exact is said with one bit more: `sext(a) + sext(b) = sext(a + b)`. This is how the machine says it, and
//! how everybody else has to read it, since it stays true where numbers have no bounds. For bits to be decided one by
//! one it is a detour of two adders: with a constant it is a comparison, `a <= largest - c`, and in general the
//! signs of both operands and of the sum tell.

use ouro_term::{Term, TermOp, TermStore, sign_extend, width_mask};

use super::Z3Lowering;
use crate::raw::{Z3Ast, Z3Failure};

/// What an equation says, in operands of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExactSum {
    /// `left + constant` does not overflow; the constant is a number of the same width.
    Constant { left: Term, constant: i128 },
    /// `left + right`, whose sum is `sum`, does not overflow.
    Sum { left: Term, right: Term, sum: Term },
    /// `left - right`, whose difference is `difference`, does not overflow.
    Difference { left: Term, right: Term, difference: Term },
}

/// What this equation says of a sum, if it is one of those.
pub(super) fn recognize_exact_sum(terms: &TermStore, equation: Term) -> Option<ExactSum> {
    let [a, b] = *terms.args(equation) else { return None };
    recognize_sides(terms, a, b).or_else(|| recognize_sides(terms, b, a))
}

/// The same with the narrow sum on the left and the wide one on the right.
fn recognize_sides(terms: &TermStore, narrow: Term, wide: Term) -> Option<ExactSum> {
    let sum = extended_operand(terms, narrow)?;
    let width = terms.width(sum);
    if *terms.op(wide) != TermOp::BvAdd || terms.width(wide) != width + 1 {
        return None;
    }
    let [p, q] = *terms.args(wide) else { return None };
    let (left, other) = match extended_operand(terms, p) {
        Some(left) => (left, q),
        None => (extended_operand(terms, q)?, p),
    };
    if let Some(bits) = terms.as_bv(other) {
        let constant = sign_extend(width + 1, bits);
        let fits = sign_extend(width, bits & width_mask(width)) == constant;
        let (base, offset) = split_offset(terms, left);
        let (sum_base, sum_offset) = split_offset(terms, sum);
        let same = base == sum_base
            && offset.wrapping_add(bits) & width_mask(width) == sum_offset & width_mask(width);
        return (fits && same).then_some(ExactSum::Constant { left, constant });
    }
    let [x, y] = *terms.args(sum) else { return None };
    if *terms.op(sum) != TermOp::BvAdd {
        return None;
    }
    let is_sum_of = |a: Term, b: Term| (x == a && y == b) || (x == b && y == a);
    if let Some(right) = extended_operand(terms, other) {
        return is_sum_of(left, right).then_some(ExactSum::Sum { left, right, sum });
    }
    let right = extended_operand(terms, negated_operand(terms, other)?)?;
    let is_negated = |term: Term| negated_operand(terms, term) == Some(right);
    let fits = (x == left && is_negated(y)) || (y == left && is_negated(x));
    fits.then_some(ExactSum::Difference { left, right, difference: sum })
}

/// What a term extends by its sign, by one bit.
fn extended_operand(terms: &TermStore, term: Term) -> Option<Term> {
    let TermOp::SignExtend(to) = *terms.op(term) else { return None };
    let operand = terms.args(term)[0];
    (terms.width(operand) + 1 == to).then_some(operand)
}

fn negated_operand(terms: &TermStore, term: Term) -> Option<Term> {
    (*terms.op(term) == TermOp::BvNeg).then(|| terms.args(term)[0])
}

/// A term as another one plus a constant.
fn split_offset(terms: &TermStore, term: Term) -> (Option<Term>, u128) {
    match (terms.op(term), terms.args(term)) {
        (TermOp::Bv { value, .. }, _) => (None, *value),
        (TermOp::BvAdd, &[a, b]) => match (terms.as_bv(a), terms.as_bv(b)) {
            (Some(offset), _) => (Some(b), offset),
            (_, Some(offset)) => (Some(a), offset),
            _ => (Some(term), 0),
        },
        _ => (Some(term), 0),
    }
}

impl Z3Lowering {
    /// The translation of an equation of this kind; its operands have been translated.
    pub(super) fn lower_exact_sum(
        &mut self,
        terms: &TermStore,
        exact: ExactSum,
    ) -> Result<Z3Ast, Z3Failure> {
        let done = |lowering: &Z3Lowering, term: Term| lowering.done[&term].0;
        match exact {
            ExactSum::Constant { left, constant } => {
                let width = terms.width(left);
                let least = sign_extend(width, 1 << (width - 1));
                let largest = -(least + 1);
                let bound = if constant < 0 { least - constant } else { largest - constant };
                let bound =
                    self.bit_vector_numeral(width, bound.cast_unsigned() & width_mask(width))?;
                let left = done(self, left);
                match constant < 0 {
                    true => self.context.bvsle(bound, left),
                    false => self.context.bvsle(left, bound),
                }
            }
            ExactSum::Sum { left, right, sum } => {
                let width = terms.width(sum);
                let (left, right, sum) = (done(self, left), done(self, right), done(self, sum));
                let a = self.context.bvxor(left, sum)?;
                let b = self.context.bvxor(right, sum)?;
                self.lower_sign_is_clear(width, a, b)
            }
            ExactSum::Difference { left, right, difference } => {
                let width = terms.width(difference);
                let (left, right, difference) =
                    (done(self, left), done(self, right), done(self, difference));
                let a = self.context.bvxor(left, right)?;
                let b = self.context.bvxor(left, difference)?;
                self.lower_sign_is_clear(width, a, b)
            }
        }
    }

    /// `a & b` is not negative.
    fn lower_sign_is_clear(&mut self, width: u32, a: Z3Ast, b: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        let both = self.context.bvand(a, b)?;
        let sign = self.context.extract(width - 1, width - 1, both)?;
        let zero = self.bit_vector_numeral(1, 0)?;
        self.context.eq(sign, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Session, SessionLimits, SolverAnswer};

    const WIDTH: u32 = 3;

    /// That `exact` and the narrow sum agree, as the machine says it.
    fn exactness(terms: &mut TermStore, a: Term, b: Term, subtract: bool) -> Term {
        let (wide_a, wide_b) = (terms.sign_extend(WIDTH + 1, a), terms.sign_extend(WIDTH + 1, b));
        let (wide, narrow) = if subtract {
            (terms.bv_sub(wide_a, wide_b), terms.bv_sub(a, b))
        } else {
            (terms.bv_add(wide_a, wide_b), terms.bv_add(a, b))
        };
        let narrow = terms.sign_extend(WIDTH + 1, narrow);
        terms.eq(wide, narrow)
    }

    /// Asks for the equation and for its opposite at all values of two numbers.
    fn agrees_everywhere(terms: &mut TermStore, x: Term, y: Term, equation: Term) {
        let mut session = Session::new(SessionLimits::default());
        for values in 0..1 << (2 * WIDTH) {
            let (p, q) = (values & width_mask(WIDTH), values >> WIDTH);
            let (p, q) = (terms.bv(WIDTH, p), terms.bv(WIDTH, q));
            let fixed = [terms.eq(x, p), terms.eq(y, q)];
            let opposite = terms.not(equation);
            let holds = session.check_sat(terms, &[fixed[0], fixed[1], equation]);
            let fails = session.check_sat(terms, &[fixed[0], fixed[1], opposite]);
            // A model is evaluated by the meaning of terms, so one of the two is right, and not both are.
            match (holds, fails) {
                (SolverAnswer::Sat(_), SolverAnswer::Unsat)
                | (SolverAnswer::Unsat, SolverAnswer::Sat(_)) => {}
                other => panic!("{values}: {other:?}"),
            }
        }
    }

    #[test]
    fn sums_and_differences_are_recognized_and_mean_the_same() {
        for subtract in [false, true] {
            let mut terms = TermStore::new();
            let (x, y) = (terms.fresh_bv("x", WIDTH), terms.fresh_bv("y", WIDTH));
            let equation = exactness(&mut terms, x, y, subtract);
            assert!(recognize_exact_sum(&terms, equation).is_some());
            agrees_everywhere(&mut terms, x, y, equation);
        }
    }

    #[test]
    fn sums_with_every_constant_mean_the_same() {
        for constant in 0..1 << WIDTH {
            let mut terms = TermStore::new();
            let (x, y) = (terms.fresh_bv("x", WIDTH), terms.fresh_bv("y", WIDTH));
            let step = terms.bv(WIDTH, constant);
            let equation = exactness(&mut terms, x, step, false);
            let recognized = recognize_exact_sum(&terms, equation);
            assert!(terms.as_bool(equation).is_some() || recognized.is_some(), "{constant}");
            agrees_everywhere(&mut terms, x, y, equation);
            // And once more of what was added to before.
            let one = terms.bv(WIDTH, 1);
            let next = terms.bv_add(x, one);
            let equation = exactness(&mut terms, next, step, false);
            agrees_everywhere(&mut terms, x, y, equation);
        }
    }

    #[test]
    fn other_equations_are_none() {
        let mut terms = TermStore::new();
        let (x, y) = (terms.fresh_bv("x", WIDTH), terms.fresh_bv("y", WIDTH));
        let (wide_x, wide_y) = (terms.sign_extend(WIDTH + 1, x), terms.sign_extend(WIDTH + 1, y));
        let wide = terms.bv_add(wide_x, wide_y);
        let doubled = terms.bv_add(x, x);
        for narrow in [x, y, doubled] {
            let narrow = terms.sign_extend(WIDTH + 1, narrow);
            let equation = terms.eq(wide, narrow);
            assert_eq!(recognize_exact_sum(&terms, equation), None);
        }
        // A constant that only the wider number has.
        let four = terms.bv(WIDTH + 1, 4);
        let wide = terms.bv_add(wide_x, four);
        let narrow_four = terms.bv(WIDTH, 4);
        let narrow = terms.bv_add(x, narrow_four);
        let narrow = terms.sign_extend(WIDTH + 1, narrow);
        let equation = terms.eq(wide, narrow);
        assert_eq!(recognize_exact_sum(&terms, equation), None);
        agrees_everywhere(&mut terms, x, y, equation);
    }
}
