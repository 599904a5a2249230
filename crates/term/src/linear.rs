//! Integers in one shape. A sum has each product once, with its coefficient in front, and its
//! constant last. A comparison has no common part on both sides, no common divisor and no negative
//! coefficient.
//!
//! Sums and products of more than a few parts are not taken apart again: one that grows by a part at
//! a time would otherwise be copied whole each time.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use smallvec::{SmallVec, smallvec};

use crate::{Sort, Term, TermOp, TermStore};

/// How many parts a sum or product may have to be merged into one around it.
const FLAT: usize = 16;

/// A sum of products with coefficients, none of them zero, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct LinearSum {
    /// Sorted by term.
    parts: Vec<(Term, BigInt)>,
    constant: BigInt,
}

impl LinearSum {
    fn add_product(&mut self, term: Term, coefficient: BigInt) {
        if coefficient.is_zero() {
            return;
        }
        match self.parts.binary_search_by_key(&term, |part| part.0) {
            Ok(at) => {
                self.parts[at].1 += coefficient;
                if self.parts[at].1.is_zero() {
                    self.parts.remove(at);
                }
            }
            Err(at) => self.parts.insert(at, (term, coefficient)),
        }
    }

    /// The greatest number that divides all coefficients; 0 if there are none.
    fn coefficient_gcd(&self) -> BigInt {
        self.parts.iter().fold(BigInt::zero(), |gcd, (_, coefficient)| gcd.gcd(coefficient))
    }

    /// All coefficients and the constant changed; the coefficients do not become zero.
    fn map_coefficients(mut self, change: impl Fn(BigInt) -> BigInt) -> LinearSum {
        for (_, coefficient) in &mut self.parts {
            *coefficient = change(std::mem::take(coefficient));
        }
        self.constant = change(self.constant);
        self
    }
}

impl TermStore {
    /// Adds `factor * term`.
    fn collect_linear_sum(&mut self, sum: &mut LinearSum, term: Term, factor: &BigInt) {
        match self.op(term).clone() {
            TermOp::Int(value) => sum.constant += value * factor,
            TermOp::IntAdd if self.args(term).len() <= FLAT => {
                for part in self.node(term).args.clone() {
                    match self.op(part) {
                        TermOp::Int(value) => sum.constant += value * factor,
                        _ => {
                            let (product, coefficient) = self.without_coefficient(part);
                            sum.add_product(product, coefficient * factor);
                        }
                    }
                }
            }
            _ => {
                let (product, coefficient) = self.without_coefficient(term);
                sum.add_product(product, coefficient * factor);
            }
        }
    }

    /// A term that is no sum, as a product and its coefficient.
    fn without_coefficient(&mut self, term: Term) -> (Term, BigInt) {
        let node = self.node(term);
        if node.op != TermOp::IntMul {
            return (term, BigInt::one());
        }
        let args = node.args.clone();
        match self.op(args[0]).clone() {
            TermOp::Int(coefficient) => match args[1..] {
                [only] => (only, coefficient),
                _ => (
                    self.intern_application(TermOp::IntMul, args[1..].into(), Sort::Int),
                    coefficient,
                ),
            },
            _ => (term, BigInt::one()),
        }
    }

    /// A product without coefficient, with one.
    fn with_coefficient(&mut self, product: Term, coefficient: BigInt) -> Term {
        if coefficient.is_one() {
            return product;
        }
        let mut args: SmallVec<[Term; 3]> = smallvec![self.int(coefficient)];
        match self.op(product) {
            TermOp::IntMul => args.extend(self.node(product).args.clone()),
            _ => args.push(product),
        }
        self.intern_application(TermOp::IntMul, args, Sort::Int)
    }

    fn linear_sum_term(&mut self, sum: LinearSum) -> Term {
        let mut args: SmallVec<[Term; 3]> = smallvec![];
        for (product, coefficient) in sum.parts {
            args.push(self.with_coefficient(product, coefficient));
        }
        if !sum.constant.is_zero() || args.is_empty() {
            args.push(self.int(sum.constant));
        }
        if args.len() == 1 {
            args[0]
        } else {
            self.intern_application(TermOp::IntAdd, args, Sort::Int)
        }
    }

    /// The sum of all.
    pub(crate) fn int_sum(&mut self, args: &[Term]) -> Term {
        let mut sum = LinearSum::default();
        for arg in args {
            self.collect_linear_sum(&mut sum, *arg, &BigInt::one());
        }
        self.linear_sum_term(sum)
    }

    /// The product of all.
    pub(crate) fn int_product(&mut self, args: &[Term]) -> Term {
        let mut coefficient = BigInt::one();
        let mut factors: SmallVec<[Term; 3]> = smallvec![];
        for arg in args {
            if let TermOp::Int(value) = self.op(*arg) {
                coefficient *= value;
                continue;
            }
            let (product, own) = self.without_coefficient(*arg);
            coefficient *= own;
            match self.op(product) {
                TermOp::IntMul if self.args(product).len() <= FLAT => {
                    factors.extend(self.node(product).args.clone());
                }
                _ => factors.push(product),
            }
        }
        if coefficient.is_zero() {
            return self.int(0);
        }
        factors.sort();
        let product = match factors[..] {
            [] => return self.int(coefficient),
            // A coefficient in front of a sum belongs to its parts.
            [only] => {
                let mut sum = LinearSum::default();
                self.collect_linear_sum(&mut sum, only, &coefficient);
                return self.linear_sum_term(sum);
            }
            _ => self.intern_application(TermOp::IntMul, factors, Sort::Int),
        };
        self.with_coefficient(product, coefficient)
    }

    /// `a - b`.
    fn linear_difference(&mut self, a: Term, b: Term) -> LinearSum {
        let mut sum = LinearSum::default();
        self.collect_linear_sum(&mut sum, a, &BigInt::one());
        self.collect_linear_sum(&mut sum, b, &-BigInt::one());
        sum
    }

    /// Two terms whose difference this is, without negative coefficients. The constant is where it
    /// is positive, or alone.
    fn split_into_sides(&mut self, difference: LinearSum) -> (Term, Term) {
        let (mut left, mut right) = (LinearSum::default(), LinearSum::default());
        for (product, coefficient) in difference.parts {
            if coefficient.is_positive() {
                left.parts.push((product, coefficient));
            } else {
                right.parts.push((product, -coefficient));
            }
        }
        let to_left = left.parts.is_empty() || difference.constant.is_positive();
        if to_left && !right.parts.is_empty() {
            left.constant = difference.constant;
        } else {
            right.constant = -difference.constant;
        }
        (self.linear_sum_term(left), self.linear_sum_term(right))
    }

    /// `a <= b`.
    pub(crate) fn int_at_most(&mut self, a: Term, b: Term) -> Term {
        let difference = self.linear_difference(a, b);
        let content = difference.coefficient_gcd();
        if content.is_zero() {
            return self.bool(!difference.constant.is_positive());
        }
        // Integers: 2x + 3 <= 0 is x + 2 <= 0.
        let (a, b) = self.split_into_sides(
            difference.map_coefficients(|number| Integer::div_ceil(&number, &content)),
        );
        for (choice, constant, flipped) in [(a, b, false), (b, a, true)] {
            if self.as_constant(constant).is_some() && self.is_constant_ite(choice) {
                let (c, x, y) = self.ite_parts(choice);
                let compare = |terms: &mut TermStore, x| match flipped {
                    false => terms.int_le(x, constant),
                    true => terms.int_le(constant, x),
                };
                let (x, y) = (compare(self, x), compare(self, y));
                return self.ite(c, x, y);
            }
        }
        self.intern_application(TermOp::IntLe, smallvec![a, b], Sort::Bool)
    }

    /// Two terms that are equal when `a` and `b` are, in one shape; a truth value if that is known.
    pub(crate) fn int_equation(&mut self, a: Term, b: Term) -> Result<(Term, Term), bool> {
        let difference = self.linear_difference(a, b);
        let Some((_, first)) = difference.parts.first() else {
            return Err(difference.constant.is_zero());
        };
        let negative = first.is_negative();
        let content = difference.coefficient_gcd();
        if !difference.constant.is_multiple_of(&content) {
            return Err(false);
        }
        let divisor = if negative { -content } else { content };
        Ok(self.split_into_sides(difference.map_coefficients(|number| number / &divisor)))
    }

    /// `a div k`, if that is simpler.
    pub(crate) fn int_quotient(&mut self, a: Term, k: Term) -> Option<Term> {
        let TermOp::Int(divisor) = self.op(k).clone() else { return None };
        if let Some(chosen) = self.push_into_ite(&TermOp::IntDiv, a, k) {
            return Some(chosen);
        }
        let mut sum = LinearSum::default();
        self.collect_linear_sum(&mut sum, a, &BigInt::one());
        if divisor.is_positive() && sum.coefficient_gcd().is_multiple_of(&divisor) {
            return Some(
                self.linear_sum_term(sum.map_coefficients(|number| number.div_floor(&divisor))),
            );
        }
        None
    }

    /// `a mod k`, if that is simpler.
    pub(crate) fn int_remainder(&mut self, a: Term, k: Term) -> Option<Term> {
        let TermOp::Int(divisor) = self.op(k).clone() else { return None };
        if let Some(chosen) = self.push_into_ite(&TermOp::IntMod, a, k) {
            return Some(chosen);
        }
        if !divisor.is_positive() {
            return None;
        }
        if *self.op(a) == TermOp::IntMod && self.args(a)[1] == k {
            return Some(a);
        }
        // Whole multiples of the divisor do not matter.
        let mut sum = LinearSum::default();
        self.collect_linear_sum(&mut sum, a, &BigInt::one());
        let mut reduced =
            LinearSum { constant: sum.constant.mod_floor(&divisor), parts: Vec::new() };
        for (product, coefficient) in sum.parts {
            reduced.add_product(product, coefficient.mod_floor(&divisor));
        }
        let reduced = self.linear_sum_term(reduced);
        (reduced != a).then(|| self.int_mod(reduced, k))
    }

    /// An operator applied to a choice between constants is a choice.
    fn push_into_ite(&mut self, op: &TermOp, a: Term, k: Term) -> Option<Term> {
        if !self.is_constant_ite(a) {
            return None;
        }
        let (c, x, y) = self.ite_parts(a);
        let x = self.apply_operator(op.clone(), &[x, k]).ok()?;
        let y = self.apply_operator(op.clone(), &[y, k]).ok()?;
        Some(self.ite(c, x, y))
    }
}
