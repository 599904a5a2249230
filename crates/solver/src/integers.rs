//! A question about bit-vectors as one about integers.
//!
//! Sums of many bits are hard to decide bit by bit, and easy in linear arithmetic: a bit-vector of `w` bits is a
//! natural number below `2^w`, and a sum that goes round is the sum less some multiple of `2^w`. That is exact for
//! sums, differences, products with a constant, quotients and remainders by a constant, shifts by a constant, parts
//! of numbers, and comparisons. For everything else stands *some* number of its width, with what is true of it for all
//! operands: a remainder is less than the divisor, the bits that two numbers have in common are no larger than each.
//!
//! **Why it can be trusted.** Values that satisfy the formulas also satisfy this reading: each number here has a
//! value (that of the bit-vector, or the multiple), and every fact that is added is true of it. So if
//! the reading cannot be satisfied, the formulas cannot either. Nothing is concluded from a model of the reading.

use num_bigint::BigInt;
use ouro_term::{Sort, Term, TermOp, TermStore, sign_extend};
use rustc_hash::FxHashMap;

use crate::limits::LIMITS;

/// The reading of some formulas, in a store of its own; `None` if they are too large.
pub(crate) fn read(terms: &TermStore, formulas: &[Term]) -> Option<(TermStore, Vec<Term>)> {
    let mut reading = IntegerTranslation {
        from: terms,
        to: TermStore::new(),
        naturals: FxHashMap::default(),
        truths: FxHashMap::default(),
        facts: Vec::new(),
        depth: 0,
    };
    let mut all = Vec::new();
    for formula in formulas {
        all.push(reading.truth(*formula));
        if reading.naturals.len() + reading.truths.len() > LIMITS.integer_terms {
            return None;
        }
    }
    all.append(&mut reading.facts);
    Some((reading.to, all))
}

struct IntegerTranslation<'a> {
    from: &'a TermStore,
    to: TermStore,
    /// Bit-vectors as natural numbers.
    naturals: FxHashMap<Term, Term>,
    truths: FxHashMap<Term, Term>,
    /// What is known of numbers that were made up.
    facts: Vec<Term>,
    /// How deep in a formula the reading is.
    depth: u32,
}

impl IntegerTranslation<'_> {
    fn truth(&mut self, term: Term) -> Term {
        if let Some(found) = self.truths.get(&term) {
            return *found;
        }
        self.depth += 1;
        let read = self.new_truth(term);
        self.depth -= 1;
        self.truths.insert(term, read);
        read
    }

    fn new_truth(&mut self, term: Term) -> Term {
        let args = self.from.args(term).to_vec();
        let is_bits = |term: &Term| matches!(self.from.sort(*term), Sort::BitVec(_));
        match self.from.op(term).clone() {
            _ if self.depth > LIMITS.integer_depth => self.made_up(Sort::Bool),
            TermOp::True => self.to.bool(true),
            TermOp::False => self.to.bool(false),
            op @ (TermOp::Not | TermOp::And | TermOp::Or | TermOp::Ite) => {
                let args: Vec<Term> = args.iter().map(|arg| self.truth(*arg)).collect();
                match op {
                    TermOp::Not => self.to.not(args[0]),
                    TermOp::And => self.to.and_all(&args),
                    TermOp::Or => self.to.or_all(&args),
                    _ => self.to.ite(args[0], args[1], args[2]),
                }
            }
            TermOp::Eq if args.iter().all(is_bits) => {
                let (a, b) = (self.natural(args[0]), self.natural(args[1]));
                self.to.eq(a, b)
            }
            TermOp::Eq if self.from.sort(args[0]) == Sort::Bool => {
                let (a, b) = (self.truth(args[0]), self.truth(args[1]));
                self.to.eq(a, b)
            }
            op @ (TermOp::BvUle | TermOp::BvUlt) => {
                let (a, b) = (self.natural(args[0]), self.natural(args[1]));
                if op == TermOp::BvUle { self.to.int_le(a, b) } else { self.to.int_lt(a, b) }
            }
            op @ (TermOp::BvSle | TermOp::BvSlt) => {
                let (a, b) = (self.signed(args[0]), self.signed(args[1]));
                if op == TermOp::BvSle { self.to.int_le(a, b) } else { self.to.int_lt(a, b) }
            }
            _ => self.made_up(Sort::Bool),
        }
    }

    /// The natural number that a bit-vector is.
    fn natural(&mut self, term: Term) -> Term {
        if let Some(found) = self.naturals.get(&term) {
            return *found;
        }
        self.depth += 1;
        let read = self.new_natural(term);
        self.depth -= 1;
        self.naturals.insert(term, read);
        read
    }

    fn new_natural(&mut self, term: Term) -> Term {
        let width = self.from.width(term);
        let args = self.from.args(term).to_vec();
        match self.from.op(term).clone() {
            _ if self.depth > LIMITS.integer_depth => self.any(width),
            TermOp::Bv { value, .. } => self.to.int(value),
            TermOp::Ite => {
                let condition = self.truth(args[0]);
                let (a, b) = (self.natural(args[1]), self.natural(args[2]));
                self.to.ite(condition, a, b)
            }
            TermOp::BvAdd => {
                let mut sum = self.to.int(0);
                for arg in args {
                    let part = self.addend(arg);
                    sum = self.to.int_add(sum, part);
                }
                self.modulo(sum, width)
            }
            TermOp::BvNeg => {
                let part = self.addend(term);
                self.modulo(part, width)
            }
            TermOp::BvNot => {
                let x = self.natural(args[0]);
                let most = self.to.int(power(width) - 1);
                self.to.int_sub(most, x)
            }
            TermOp::BvMul => match args[..] {
                [a, b] if self.from.as_bv(a).is_some() => self.multiple(b, a, width),
                [a, b] if self.from.as_bv(b).is_some() => self.multiple(a, b, width),
                _ => self.any(width),
            },
            TermOp::ZeroExtend(_) => self.natural(args[0]),
            TermOp::SignExtend(_) => {
                let from = self.from.width(args[0]);
                let x = self.natural(args[0]);
                let high = self.to.int(power(width) - power(from));
                let above = self.to.int_add(x, high);
                let negative = self.is_high(x, from);
                self.to.ite(negative, above, x)
            }
            TermOp::Extract { low, .. } => {
                let x = self.natural(args[0]);
                let (shifted, _) = self.divided(x, &power(low));
                self.modulo(shifted, width)
            }
            TermOp::Concat => {
                let mut whole = self.to.int(0);
                for arg in args {
                    let factor = self.to.int(power(self.from.width(arg)));
                    let part = self.natural(arg);
                    let above = self.to.int_mul(factor, whole);
                    whole = self.to.int_add(above, part);
                }
                whole
            }
            TermOp::BvShl | TermOp::BvLshr | TermOp::BvAshr => self.shifted(term, &args, width),
            op @ (TermOp::BvUdiv | TermOp::BvUrem) => match self.from.as_bv(args[1]) {
                Some(by) if by != 0 => {
                    let x = self.natural(args[0]);
                    let (quotient, rest) = self.divided(x, &by.into());
                    if op == TermOp::BvUdiv { quotient } else { rest }
                }
                Some(_) => self.any(width),
                None => self.by_variable(&op, args[0], args[1], width),
            },
            op @ (TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor) if args.len() == 2 => {
                self.bits(&op, args[0], args[1], width)
            }
            _ => self.any(width),
        }
    }

    /// A part of a sum: negative where it is written so.
    fn addend(&mut self, term: Term) -> Term {
        let width = self.from.width(term);
        match (self.from.op(term).clone(), self.from.args(term)) {
            (TermOp::Bv { value, .. }, _) => self.to.int(sign_extend(width, value)),
            (TermOp::BvNeg, &[inner]) => {
                let x = self.natural(inner);
                self.to.int_neg(x)
            }
            _ => self.natural(term),
        }
    }

    fn multiple(&mut self, x: Term, by: Term, width: u32) -> Term {
        let Some(by) = self.from.as_bv(by) else { return self.any(width) };
        let by = self.to.int(sign_extend(width, by));
        let x = self.natural(x);
        let product = self.to.int_mul(by, x);
        self.modulo(product, width)
    }

    fn shifted(&mut self, term: Term, args: &[Term], width: u32) -> Term {
        let x = self.natural(args[0]);
        let by = self.from.as_bv(args[1]).and_then(|by| u32::try_from(by).ok());
        match (self.from.op(term).clone(), by.filter(|by| *by < width)) {
            (TermOp::BvShl, Some(by)) => {
                let factor = self.to.int(power(by));
                let product = self.to.int_mul(factor, x);
                self.modulo(product, width)
            }
            (TermOp::BvLshr, Some(by)) => self.divided(x, &power(by)).0,
            (TermOp::BvAshr, Some(by)) => {
                let number = self.signed(args[0]);
                let (quotient, _) = self.divided(number, &power(by));
                let turn = self.to.int(power(width));
                let (zero, above) = (self.to.int(0), self.to.int_add(quotient, turn));
                let natural = self.to.int_le(zero, quotient);
                self.to.ite(natural, quotient, above)
            }
            (TermOp::BvLshr, None) if self.from.as_bv(args[1]).is_none() => {
                // By nothing, or at least the half is lost.
                let by = self.natural(args[1]);
                let rest = self.any(width);
                let (one, two) = (self.to.int(1), self.to.int(2));
                let double = self.to.int_mul(two, rest);
                let (some, half) = (self.to.int_le(one, by), self.to.int_le(double, x));
                let same = self.to.eq(rest, x);
                let fact = self.to.ite(some, half, same);
                self.facts.push(fact);
                rest
            }
            _ => self.any(width),
        }
    }

    /// Unsigned quotient or remainder by what is not fixed.
    fn by_variable(&mut self, op: &TermOp, x: Term, y: Term, width: u32) -> Term {
        let (x, y) = (self.natural(x), self.natural(y));
        let (zero, two) = (self.to.int(0), self.to.int(2));
        let result = self.any(width);
        let by_zero = self.to.eq(y, zero);
        let fact = if *op == TermOp::BvUrem {
            let (below, least) = (self.to.int_lt(result, y), self.to.int_le(result, x));
            let (small, same) = (self.to.int_lt(x, y), self.to.eq(result, x));
            let kept = self.to.implies(small, same);
            let fact = self.to.and_all(&[below, least, kept]);
            self.to.ite(by_zero, same, fact)
        } else {
            let double = self.to.int_mul(two, result);
            let (large, half) = (self.to.int_le(two, y), self.to.int_le(double, x));
            let (least, less) = (self.to.int_le(result, x), self.to.implies(large, half));
            let fact = self.to.and(least, less);
            self.to.or(by_zero, fact)
        };
        self.facts.push(fact);
        result
    }

    /// Bits of two numbers. Low bits are a remainder.
    fn bits(&mut self, op: &TermOp, a: Term, b: Term, width: u32) -> Term {
        for (value, mask) in [(a, b), (b, a)] {
            if let (TermOp::BvAnd, Some(mask)) = (op, self.from.as_bv(mask))
                && mask != u128::MAX
                && mask & (mask + 1) == 0
            {
                let value = self.natural(value);
                return self.divided(value, &(BigInt::from(mask) + 1)).1;
            }
        }
        let (x, y) = (self.natural(a), self.natural(b));
        let result = self.any(width);
        let facts = match op {
            TermOp::BvAnd => vec![self.to.int_le(result, x), self.to.int_le(result, y)],
            _ => {
                let sum = self.to.int_add(x, y);
                vec![self.to.int_le(result, sum)]
            }
        };
        self.facts.extend(facts);
        if *op == TermOp::BvOr {
            let facts = [self.to.int_le(x, result), self.to.int_le(y, result)];
            self.facts.extend(facts);
        }
        result
    }

    /// The number that a bit-vector is with its sign.
    fn signed(&mut self, term: Term) -> Term {
        let width = self.from.width(term);
        // What was made wider with its sign is what it was, and so is what has no sign.
        match (self.from.op(term).clone(), self.from.args(term)) {
            (TermOp::Bv { value, .. }, _) => return self.to.int(sign_extend(width, value)),
            (TermOp::SignExtend(_), &[inner]) => return self.signed(inner),
            (TermOp::ZeroExtend(_), &[inner]) if self.from.width(inner) < width => {
                return self.natural(inner);
            }
            _ => {}
        }
        let x = self.natural(term);
        let turn = self.to.int(power(width));
        let below = self.to.int_sub(x, turn);
        let negative = self.is_high(x, width);
        self.to.ite(negative, below, x)
    }

    /// Whether the highest bit of a natural number of so many bits is set.
    fn is_high(&mut self, x: Term, width: u32) -> Term {
        let half = self.to.int(power(width - 1));
        self.to.int_le(half, x)
    }

    /// What remains of a number in so many bits.
    fn modulo(&mut self, number: Term, width: u32) -> Term {
        self.divided(number, &power(width)).1
    }

    /// Quotient, rounded down, and remainder by a positive number.
    fn divided(&mut self, number: Term, by: &BigInt) -> (Term, Term) {
        if *by == BigInt::from(1) {
            let zero = self.to.int(0);
            return (number, zero);
        }
        let quotient = self.made_up(Sort::Int);
        let by = self.to.int(by.clone());
        let product = self.to.int_mul(by, quotient);
        let rest = self.to.int_sub(number, product);
        let zero = self.to.int(0);
        let facts = [self.to.int_le(zero, rest), self.to.int_lt(rest, by)];
        self.facts.extend(facts);
        (quotient, rest)
    }

    /// Some natural number of so many bits.
    fn any(&mut self, width: u32) -> Term {
        let any = self.made_up(Sort::Int);
        let (zero, turn) = (self.to.int(0), self.to.int(power(width)));
        let facts = [self.to.int_le(zero, any), self.to.int_lt(any, turn)];
        self.facts.extend(facts);
        any
    }

    fn made_up(&mut self, sort: Sort) -> Term {
        self.to.fresh_symbol("number", sort)
    }
}

fn power(width: u32) -> BigInt {
    BigInt::from(1) << width
}

#[cfg(test)]
mod tests;
