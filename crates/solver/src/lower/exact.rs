//! Exact results: signed arithmetic that does not overflow, asked in as many bits as its operands have.
//!
//! That a result is exact is said with more bits: `sext(a) + sext(b) = sext(a + b)`. This is how the machine says it, and
//! how everybody else has to read it, since it stays true where numbers have no bounds. For bits to be decided one by
//! one it is a detour of two adders, or of a multiplier of twice the width. With a constant it is a comparison,
//! `a <= largest - c`, and in general the signs of both operands and of the sum tell.

use ouro_term::{Term, TermOp, TermStore, sign_extend, width_mask};

use super::Z3Lowering;
use crate::raw::{Z3Ast, Z3Failure};

/// What an equation says, in operands of one width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ExactResult {
    /// What is computed from this operand and a constant is exact if the operand is within these bounds.
    Within { operand: Term, least: i128, largest: i128 },
    /// `left + right`, whose sum is `sum`, does not overflow.
    Sum { left: Term, right: Term, sum: Term },
    /// `left - right`, whose difference is `difference`, does not overflow.
    Difference { left: Term, right: Term, difference: Term },
}

/// What this equation says of a result, if it is one of those.
pub(super) fn recognize_exact_result(terms: &TermStore, equation: Term) -> Option<ExactResult> {
    let [a, b] = *terms.args(equation) else { return None };
    recognize_sides(terms, a, b).or_else(|| recognize_sides(terms, b, a))
}

/// The same with the narrow result on the left and the wide one on the right.
fn recognize_sides(terms: &TermStore, narrow: Term, wide: Term) -> Option<ExactResult> {
    let result = extended_operand(terms, narrow)?;
    let (width, wider) = (terms.width(result), terms.width(wide));
    // Numbers beyond these have no bounds below.
    if width > 64 {
        return None;
    }
    match (terms.op(wide), terms.args(wide)) {
        (TermOp::BvAdd, &[p, q]) => {
            recognize_sum(terms, result, p, q).or_else(|| recognize_sum(terms, result, q, p))
        }
        (TermOp::BvNeg, &[p]) => {
            let operand = extended_operand(terms, p)?;
            let (least, largest) = bounds_of_width(width);
            let within = ExactResult::Within { operand, least: least + 1, largest };
            (negated_operand(terms, result) == Some(operand)).then_some(within)
        }
        (TermOp::BvMul, &[p, q]) if wider >= 2 * width => recognize_product(terms, result, p, q)
            .or_else(|| recognize_product(terms, result, q, p)),
        _ => None,
    }
}

/// The result as the sum of `left`, an operand or a constant, and `right`.
fn recognize_sum(terms: &TermStore, result: Term, left: Term, right: Term) -> Option<ExactResult> {
    let width = terms.width(result);
    let (least, largest) = bounds_of_width(width);
    let sum_of = |a: &dyn Fn(Term) -> bool, b: &dyn Fn(Term) -> bool| match *terms.args(result) {
        [x, y] if *terms.op(result) == TermOp::BvAdd => (a(x) && b(y)) || (a(y) && b(x)),
        _ => false,
    };
    if let Some(bits) = terms.as_bv(left) {
        let constant = sign_extend(terms.width(left), bits);
        if let Some(operand) = extended_operand(terms, right) {
            // Subtracting the least number is adding one that only the wider sum has.
            if !(least..=-least).contains(&constant) {
                return None;
            }
            let (base, offset) = split_offset(terms, operand);
            let (result_base, result_offset) = split_offset(terms, result);
            let sum = offset.wrapping_add(constant.cast_unsigned());
            let same = (sum ^ result_offset) & width_mask(width) == 0;
            let (least, largest) = (least.max(least - constant), largest.min(largest - constant));
            return (base == result_base && same).then_some(ExactResult::Within {
                operand,
                least,
                largest,
            });
        }
        let operand = extended_operand(terms, negated_operand(terms, right)?)?;
        let constant = constant_of_width(terms, left, width)?;
        let bits = constant.cast_unsigned() & width_mask(width);
        let fits = sum_of(&|x| terms.as_bv(x) == Some(bits), &|y| {
            negated_operand(terms, y) == Some(operand)
        });
        let (least, largest) = (least.max(constant - largest), largest.min(constant - least));
        return fits.then_some(ExactResult::Within { operand, least, largest });
    }
    let left = extended_operand(terms, left)?;
    if let Some(right) = extended_operand(terms, right) {
        let fits = sum_of(&|x| x == left, &|y| y == right);
        return fits.then_some(ExactResult::Sum { left, right, sum: result });
    }
    let right = extended_operand(terms, negated_operand(terms, right)?)?;
    let fits = sum_of(&|x| x == left, &|y| negated_operand(terms, y) == Some(right));
    fits.then_some(ExactResult::Difference { left, right, difference: result })
}

/// The result as the product of a constant and an operand.
fn recognize_product(
    terms: &TermStore,
    result: Term,
    constant: Term,
    operand: Term,
) -> Option<ExactResult> {
    let width = terms.width(result);
    let factor = constant_of_width(terms, constant, width).filter(|factor| *factor != 0)?;
    let operand = extended_operand(terms, operand)?;
    let bits = factor.cast_unsigned() & width_mask(width);
    let fits = match *terms.args(result) {
        [x, y] if *terms.op(result) == TermOp::BvMul => {
            (x == operand && terms.as_bv(y) == Some(bits))
                || (y == operand && terms.as_bv(x) == Some(bits))
        }
        _ => false,
    };
    let (least, largest) = bounds_of_width(width);
    // Quotients are cut off towards zero, which is inwards on both sides.
    let (a, b) = (least / factor, largest / factor);
    let (a, b) = (a.min(b), a.max(b));
    fits.then_some(ExactResult::Within { operand, least: a.max(least), largest: b.min(largest) })
}

/// The least and the largest signed number of a width.
fn bounds_of_width(width: u32) -> (i128, i128) {
    let least = sign_extend(width, 1 << (width - 1));
    (least, -(least + 1))
}

/// A constant that is also a signed number of this width.
fn constant_of_width(terms: &TermStore, term: Term, width: u32) -> Option<i128> {
    let number = sign_extend(terms.width(term), terms.as_bv(term)?);
    let (least, largest) = bounds_of_width(width);
    (least..=largest).contains(&number).then_some(number)
}

/// What a term extends by its sign.
fn extended_operand(terms: &TermStore, term: Term) -> Option<Term> {
    matches!(terms.op(term), TermOp::SignExtend(_)).then(|| terms.args(term)[0])
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
    pub(super) fn lower_exact_result(
        &mut self,
        terms: &TermStore,
        exact: ExactResult,
    ) -> Result<Z3Ast, Z3Failure> {
        let done = |lowering: &Z3Lowering, term: Term| lowering.done[&term].0;
        match exact {
            ExactResult::Within { operand, least, largest } => {
                let width = terms.width(operand);
                let bits = |number: i128| number.cast_unsigned() & width_mask(width);
                let operand = done(self, operand);
                let (smallest, greatest) = bounds_of_width(width);
                let mut both = Vec::new();
                if least > smallest {
                    let least = self.bit_vector_numeral(width, bits(least))?;
                    both.push(self.context.bvsle(least, operand)?);
                }
                if largest < greatest {
                    let largest = self.bit_vector_numeral(width, bits(largest))?;
                    both.push(self.context.bvsle(operand, largest)?);
                }
                self.context.and(&both)
            }
            ExactResult::Sum { left, right, sum } => {
                let width = terms.width(sum);
                let (left, right, sum) = (done(self, left), done(self, right), done(self, sum));
                let a = self.context.bvxor(left, sum)?;
                let b = self.context.bvxor(right, sum)?;
                self.lower_sign_is_clear(width, a, b)
            }
            ExactResult::Difference { left, right, difference } => {
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

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Operation {
        Add,
        Subtract,
        Multiply,
    }

    const OPERATIONS: [Operation; 3] = [Operation::Add, Operation::Subtract, Operation::Multiply];

    fn compute(terms: &mut TermStore, operation: Operation, a: Term, b: Term) -> Term {
        match operation {
            Operation::Add => terms.bv_add(a, b),
            Operation::Subtract => terms.bv_sub(a, b),
            Operation::Multiply => terms.bv_mul(a, b),
        }
    }

    /// That a result is exact, as the machine says it.
    fn exactness(terms: &mut TermStore, operation: Operation, a: Term, b: Term) -> Term {
        let wide = if operation == Operation::Multiply { 2 * WIDTH } else { WIDTH + 1 };
        let (wide_a, wide_b) = (terms.sign_extend(wide, a), terms.sign_extend(wide, b));
        let exact = compute(terms, operation, wide_a, wide_b);
        let narrow = compute(terms, operation, a, b);
        let back = terms.sign_extend(wide, narrow);
        terms.eq(exact, back)
    }

    /// Asks for the equation and for its opposite at all values of some numbers.
    fn assert_decided_everywhere(terms: &mut TermStore, numbers: &[Term], equation: Term) {
        let mut session = Session::new(SessionLimits::default());
        let opposite = terms.not(equation);
        for values in 0..1_u128 << (WIDTH as usize * numbers.len()) {
            let mut query = Vec::new();
            for (at, number) in numbers.iter().enumerate() {
                let value = terms.bv(WIDTH, values >> (at * WIDTH as usize) & width_mask(WIDTH));
                query.push(terms.eq(*number, value));
            }
            query.push(equation);
            let holds = session.check_sat(terms, &query);
            *query.last_mut().expect("pushed above") = opposite;
            let fails = session.check_sat(terms, &query);
            // A model is evaluated by the meaning of terms; so if one of the two has one, that one is right.
            match (holds, fails) {
                (SolverAnswer::Sat(_), SolverAnswer::Unsat)
                | (SolverAnswer::Unsat, SolverAnswer::Sat(_)) => {}
                other => panic!("{values}: {other:?}"),
            }
        }
    }

    #[test]
    fn sums_and_differences_of_variables_mean_the_same() {
        for operation in OPERATIONS {
            let mut terms = TermStore::new();
            let (x, y) = (terms.fresh_bv("x", WIDTH), terms.fresh_bv("y", WIDTH));
            let equation = exactness(&mut terms, operation, x, y);
            let recognized = recognize_exact_result(&terms, equation).is_some();
            assert_eq!(recognized, operation != Operation::Multiply);
            assert_decided_everywhere(&mut terms, &[x, y], equation);
        }
    }

    #[test]
    fn results_with_every_constant_mean_the_same() {
        for operation in OPERATIONS {
            for constant in 0..1 << WIDTH {
                let mut terms = TermStore::new();
                let x = terms.fresh_bv("x", WIDTH);
                let constant = terms.bv(WIDTH, constant);
                let one = terms.bv(WIDTH, 1);
                let next = terms.bv_add(x, one);
                for operand in [x, next] {
                    for [a, b] in [[operand, constant], [constant, operand]] {
                        let equation = exactness(&mut terms, operation, a, b);
                        let recognized = recognize_exact_result(&terms, equation).is_some();
                        let is_plain = operand == x;
                        let is_constant = terms.as_bool(equation).is_some();
                        assert!(
                            recognized || is_constant || !is_plain,
                            "{operation:?} {constant:?}"
                        );
                        assert_decided_everywhere(&mut terms, &[x], equation);
                    }
                }
            }
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
            assert_eq!(recognize_exact_result(&terms, equation), None);
        }
        // A constant with which the wider sum goes round, too.
        let five = terms.bv(WIDTH + 1, 5);
        let wide = terms.bv_add(wide_x, five);
        let narrow_five = terms.bv(WIDTH, 5);
        let narrow = terms.bv_add(x, narrow_five);
        let narrow = terms.sign_extend(WIDTH + 1, narrow);
        let equation = terms.eq(wide, narrow);
        assert_eq!(recognize_exact_result(&terms, equation), None);
        assert_decided_everywhere(&mut terms, &[x, y], equation);
    }
}
