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

use crate::{Op, Sort, Term, Terms};

/// How many parts a sum or product may have to be merged into one around it.
const FLAT: usize = 16;

/// A sum of products with coefficients, none of them zero, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Linear {
    /// Sorted by term.
    parts: Vec<(Term, BigInt)>,
    constant: BigInt,
}

impl Linear {
    fn add(&mut self, term: Term, coefficient: BigInt) {
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
    fn content(&self) -> BigInt {
        self.parts.iter().fold(BigInt::zero(), |gcd, (_, coefficient)| gcd.gcd(coefficient))
    }

    /// All coefficients and the constant changed; the coefficients do not become zero.
    fn map(mut self, change: impl Fn(BigInt) -> BigInt) -> Linear {
        for (_, coefficient) in &mut self.parts {
            *coefficient = change(std::mem::take(coefficient));
        }
        self.constant = change(self.constant);
        self
    }
}

impl Terms {
    /// Adds `factor * term`.
    fn collect(&mut self, sum: &mut Linear, term: Term, factor: &BigInt) {
        match self.op(term).clone() {
            Op::Int(value) => sum.constant += value * factor,
            Op::IntAdd if self.args(term).len() <= FLAT => {
                for part in self.node(term).args.clone() {
                    match self.op(part) {
                        Op::Int(value) => sum.constant += value * factor,
                        _ => {
                            let (product, coefficient) = self.without_coefficient(part);
                            sum.add(product, coefficient * factor);
                        }
                    }
                }
            }
            _ => {
                let (product, coefficient) = self.without_coefficient(term);
                sum.add(product, coefficient * factor);
            }
        }
    }

    /// A term that is no sum, as a product and its coefficient.
    fn without_coefficient(&mut self, term: Term) -> (Term, BigInt) {
        let node = self.node(term);
        if node.op != Op::IntMul {
            return (term, BigInt::one());
        }
        let args = node.args.clone();
        match self.op(args[0]).clone() {
            Op::Int(coefficient) => match args[1..] {
                [only] => (only, coefficient),
                _ => (self.intern(Op::IntMul, args[1..].into(), Sort::Int), coefficient),
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
            Op::IntMul => args.extend(self.node(product).args.clone()),
            _ => args.push(product),
        }
        self.intern(Op::IntMul, args, Sort::Int)
    }

    fn sum_of(&mut self, sum: Linear) -> Term {
        let mut args: SmallVec<[Term; 3]> = smallvec![];
        for (product, coefficient) in sum.parts {
            args.push(self.with_coefficient(product, coefficient));
        }
        if !sum.constant.is_zero() || args.is_empty() {
            args.push(self.int(sum.constant));
        }
        if args.len() == 1 { args[0] } else { self.intern(Op::IntAdd, args, Sort::Int) }
    }

    /// The sum of all.
    pub(crate) fn int_sum(&mut self, args: &[Term]) -> Term {
        let mut sum = Linear::default();
        for arg in args {
            self.collect(&mut sum, *arg, &BigInt::one());
        }
        self.sum_of(sum)
    }

    /// The product of all.
    pub(crate) fn int_product(&mut self, args: &[Term]) -> Term {
        let mut coefficient = BigInt::one();
        let mut factors: SmallVec<[Term; 3]> = smallvec![];
        for arg in args {
            if let Op::Int(value) = self.op(*arg) {
                coefficient *= value;
                continue;
            }
            let (product, own) = self.without_coefficient(*arg);
            coefficient *= own;
            match self.op(product) {
                Op::IntMul if self.args(product).len() <= FLAT => {
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
                let mut sum = Linear::default();
                self.collect(&mut sum, only, &coefficient);
                return self.sum_of(sum);
            }
            _ => self.intern(Op::IntMul, factors, Sort::Int),
        };
        self.with_coefficient(product, coefficient)
    }

    /// `a - b`.
    fn difference(&mut self, a: Term, b: Term) -> Linear {
        let mut sum = Linear::default();
        self.collect(&mut sum, a, &BigInt::one());
        self.collect(&mut sum, b, &-BigInt::one());
        sum
    }

    /// Two terms whose difference this is, without negative coefficients. The constant is where it
    /// is positive, or alone.
    fn sides(&mut self, difference: Linear) -> (Term, Term) {
        let (mut left, mut right) = (Linear::default(), Linear::default());
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
        (self.sum_of(left), self.sum_of(right))
    }

    /// `a <= b`.
    pub(crate) fn int_at_most(&mut self, a: Term, b: Term) -> Term {
        let difference = self.difference(a, b);
        let content = difference.content();
        if content.is_zero() {
            return self.bool(!difference.constant.is_positive());
        }
        // Integers: 2x + 3 <= 0 is x + 2 <= 0.
        let (a, b) = self.sides(difference.map(|number| Integer::div_ceil(&number, &content)));
        for (choice, constant, flipped) in [(a, b, false), (b, a, true)] {
            if self.as_constant(constant).is_some() && self.is_constant_choice(choice) {
                let (c, x, y) = self.choice_parts(choice);
                let compare = |terms: &mut Terms, x| match flipped {
                    false => terms.int_le(x, constant),
                    true => terms.int_le(constant, x),
                };
                let (x, y) = (compare(self, x), compare(self, y));
                return self.ite(c, x, y);
            }
        }
        self.intern(Op::IntLe, smallvec![a, b], Sort::Bool)
    }

    /// Two terms that are equal when `a` and `b` are, in one shape; a truth value if that is known.
    pub(crate) fn int_equation(&mut self, a: Term, b: Term) -> Result<(Term, Term), bool> {
        let difference = self.difference(a, b);
        let Some((_, first)) = difference.parts.first() else {
            return Err(difference.constant.is_zero());
        };
        let negative = first.is_negative();
        let content = difference.content();
        if !difference.constant.is_multiple_of(&content) {
            return Err(false);
        }
        let divisor = if negative { -content } else { content };
        Ok(self.sides(difference.map(|number| number / &divisor)))
    }

    /// `a div k`, if that is simpler.
    pub(crate) fn int_quotient(&mut self, a: Term, k: Term) -> Option<Term> {
        let Op::Int(divisor) = self.op(k).clone() else { return None };
        if let Some(chosen) = self.of_choice(&Op::IntDiv, a, k) {
            return Some(chosen);
        }
        let mut sum = Linear::default();
        self.collect(&mut sum, a, &BigInt::one());
        if divisor.is_positive() && sum.content().is_multiple_of(&divisor) {
            return Some(self.sum_of(sum.map(|number| number.div_floor(&divisor))));
        }
        None
    }

    /// `a mod k`, if that is simpler.
    pub(crate) fn int_remainder(&mut self, a: Term, k: Term) -> Option<Term> {
        let Op::Int(divisor) = self.op(k).clone() else { return None };
        if let Some(chosen) = self.of_choice(&Op::IntMod, a, k) {
            return Some(chosen);
        }
        if !divisor.is_positive() {
            return None;
        }
        if *self.op(a) == Op::IntMod && self.args(a)[1] == k {
            return Some(a);
        }
        // Whole multiples of the divisor do not matter.
        let mut sum = Linear::default();
        self.collect(&mut sum, a, &BigInt::one());
        let mut reduced = Linear { constant: sum.constant.mod_floor(&divisor), parts: Vec::new() };
        for (product, coefficient) in sum.parts {
            reduced.add(product, coefficient.mod_floor(&divisor));
        }
        let reduced = self.sum_of(reduced);
        (reduced != a).then(|| self.int_mod(reduced, k))
    }

    /// An operator applied to a choice between constants is a choice.
    fn of_choice(&mut self, op: &Op, a: Term, k: Term) -> Option<Term> {
        if !self.is_constant_choice(a) {
            return None;
        }
        let (c, x, y) = self.choice_parts(a);
        let x = self.apply(op.clone(), &[x, k]).ok()?;
        let y = self.apply(op.clone(), &[y, k]).ok()?;
        Some(self.ite(c, x, y))
    }
}
