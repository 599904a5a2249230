//! Mathematical integers: what operations mean on terms of sort `Int`, which symbolic integers are
//! under `--ints unbounded`.
//!
//! Bits have no sign, operations on them have. A signed operation is exact arithmetic. So is an
//! unsigned one, on natural numbers: a run in which an operand or a difference is negative is not
//! covered. Plain numbers are read as the operation reads them. Equality does not say how, so where
//! bits with the sign set would be equal one way and not the other, the run is not covered.
//!
//! Types narrower than `int` keep their range, since C computes in `int`. A value of such a type is
//! an integer that has its bits: it fits the type with or without a sign, and becomes one of the two
//! where it is widened or compared.
//!
//! An address with a symbolic index is an integer as well, with its object. It never wraps: beyond
//! the object, using it is undefined.

use ouro_model::{BinaryOp, CastOp, CompareOp};
use ouro_term::{Op, Sort, Term, Terms, mask, sign_extend};

use crate::arith::Context;
use crate::memory::from_term;
use crate::stop::End;
use crate::{Environment, Provenance, Value, plain};

/// The width of C's `int`: narrower types have a range.
pub(crate) const INT: u32 = 32;
/// Coefficients of more bits are given up: repeated squaring would fill the memory with them.
const MOST_BITS: u64 = 4096;

const NEGATIVE: &str = "a negative number in unsigned arithmetic, under --ints unbounded";
const NARROW: &str = "a number beyond its narrow type, under --ints unbounded";
const EITHER: &str =
    "an equality with a constant that may be negative or unsigned, under --ints unbounded";
const BITWISE: &str = "a bitwise operation on an unbounded integer";
const HUGE: &str = "a number of thousands of digits";

/// Whether a value is a mathematical integer.
pub(crate) fn is_integer(terms: &Terms, value: Value) -> bool {
    value.term().is_some_and(|term| terms.sort(term) == Sort::Int)
}

/// 2 to a power.
pub(crate) fn power(terms: &mut Terms, exponent: u32) -> Term {
    let (low, high) = (exponent.min(64), exponent.saturating_sub(64));
    let (low, high) = (terms.int(1u128 << low), terms.int(1u128 << high));
    terms.int_mul(low, high)
}

/// Whether a term is at least zero.
pub(crate) fn is_natural(terms: &mut Terms, term: Term) -> Term {
    let zero = terms.int(0);
    terms.int_le(zero, term)
}

/// The number that bits mean, with or without a sign.
pub(crate) fn of_bits(terms: &mut Terms, bits: Term, signed: bool) -> Term {
    let width = terms.width(bits);
    match (terms.op(bits).clone(), terms.args(bits)) {
        (Op::Bv { value, .. }, _) if signed => terms.int(sign_extend(width, value)),
        (Op::Bv { value, .. }, _) => terms.int(value),
        (Op::ZeroExtend(_), &[inner]) => of_bits(terms, inner, false),
        (Op::SignExtend(_), &[inner]) if signed => of_bits(terms, inner, true),
        (Op::Ite, &[c, a, b]) if terms.as_bv(a).is_some() && terms.as_bv(b).is_some() => {
            let (a, b) = (of_bits(terms, a, signed), of_bits(terms, b, signed));
            terms.ite(c, a, b)
        }
        _ => {
            let natural = terms.bv_to_nat(bits);
            if !signed {
                return natural;
            }
            let zero = terms.bv(width, 0);
            let negative = terms.bv_slt(bits, zero);
            let modulus = power(terms, width);
            let below = terms.int_sub(natural, modulus);
            terms.ite(negative, below, natural)
        }
    }
}

impl<E: Environment> Context<'_, E> {
    /// Only runs with this condition are covered.
    pub(crate) fn cover(&mut self, condition: Term, otherwise: &str) -> Result<(), End> {
        match self.terms.as_bool(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(End::Limit(otherwise.to_owned())),
            None => {
                self.environment.restrict_at(condition, otherwise, self.span);
                Ok(())
            }
        }
    }

    /// A value as a number, with or without a sign.
    pub(crate) fn integer(&mut self, value: Value, width: u32, signed: bool) -> Result<Term, End> {
        let address = value.provenance() != Provenance::None;
        if !address && is_integer(self.terms, value) {
            let term = value.term().expect("an integer is a term");
            if !signed {
                let natural = is_natural(self.terms, term);
                self.cover(natural, NEGATIVE)?;
            } else if width < INT {
                let bound = power(self.terms, width - 1);
                let below = self.terms.int_lt(term, bound);
                self.cover(below, NARROW)?;
            }
        }
        Ok(self.as_it_is(value, width, signed))
    }

    /// A value as a number, whatever its sign should be; plain numbers with or without a sign.
    fn as_it_is(&mut self, value: Value, width: u32, signed: bool) -> Term {
        let signed = signed && value.provenance() == Provenance::None;
        match value.term() {
            None if signed => self.terms.int(plain::signed(width, value.bits)),
            None => self.terms.int(value.bits),
            Some(term) if self.terms.sort(term) == Sort::Int => term,
            Some(bits) => of_bits(self.terms, bits, signed),
        }
    }

    /// A number as a value: plain if it is a constant, which must then fit.
    pub(crate) fn number_value(
        &mut self,
        term: Term,
        width: u32,
        signed: bool,
        provenance: Provenance,
    ) -> Result<Value, End> {
        if let Some(number) = self.terms.as_int(term) {
            let (least, most) = match signed && provenance == Provenance::None {
                _ if width < INT => (-1i128 << (width - 1), mask(width).cast_signed()),
                true => (-1i128 << (width - 1), !(-1i128 << (width - 1))),
                false => (0, i128::try_from(mask(width)).unwrap_or(i128::MAX)),
            };
            let fitting = i128::try_from(number).ok().filter(|n| (least..=most).contains(n));
            let Some(number) = fitting else { return Err(End::Limit(crate::arith::RANGE.into())) };
            let bits = self.terms.bv(width, number.cast_unsigned() & mask(width));
            return Ok(from_term(self.terms, bits, provenance));
        }
        if is_huge(self.terms, term) {
            return Err(End::Limit(HUGE.to_owned()));
        }
        Ok(Value::symbolic(term, provenance))
    }

    /// A number of a narrow type must be one of its values, with or without a sign.
    fn narrow(&mut self, term: Term, width: u32) -> Result<(), End> {
        if width >= INT {
            return Ok(());
        }
        let least = power(self.terms, width - 1);
        let least = self.terms.int_neg(least);
        let end = power(self.terms, width);
        let above = self.terms.int_le(least, term);
        let below = self.terms.int_lt(term, end);
        let fits = self.terms.and(above, below);
        self.cover(fits, NARROW)
    }

    /// `a op b`, one of which is a mathematical integer.
    pub(crate) fn integer_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: Value,
        b: Value,
        provenance: Provenance,
    ) -> Result<Value, End> {
        let address = a.provenance() != Provenance::None || b.provenance() != Provenance::None;
        let signed = is_signed(op);
        let term = match op {
            BinaryOp::Add { .. } | BinaryOp::Sub { .. } | BinaryOp::Mul { .. } => {
                // C counts up and down in narrow types without saying their sign.
                let (x, y) = if address || width < INT {
                    (self.as_it_is(a, width, true), self.as_it_is(b, width, true))
                } else if !signed && [a, b].iter().any(|v| is_negative(*v, width)) {
                    // `x + -1u` takes one away from bits, but not from natural numbers.
                    return Err(End::Limit(NEGATIVE.to_owned()));
                } else {
                    (self.integer(a, width, signed)?, self.integer(b, width, signed)?)
                };
                let result = match op {
                    BinaryOp::Add { .. } => self.terms.int_add(x, y),
                    BinaryOp::Sub { .. } => self.terms.int_sub(x, y),
                    _ => self.terms.int_mul(x, y),
                };
                if matches!(op, BinaryOp::Sub { signed: false }) && !address && width >= INT {
                    let natural = is_natural(self.terms, result);
                    self.cover(natural, NEGATIVE)?;
                }
                result
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr => {
                let Some(count) = b.bits() else {
                    return Err(End::Limit("a shift by an unbounded integer".to_owned()));
                };
                let Some(count) = u32::try_from(count).ok().filter(|count| *count < width) else {
                    return Err(End::Undefined(format!(
                        "shift by {count} of a value of {width} bits"
                    )));
                };
                let x = self.integer(a, width, signed)?;
                let factor = power(self.terms, count);
                match op {
                    BinaryOp::Shl { .. } => self.terms.int_mul(x, factor),
                    // Rounds down: the divisor is positive.
                    _ => self.terms.int_div(x, factor),
                }
            }
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let x = self.integer(a, width, signed)?;
                let y = self.integer(b, width, signed)?;
                let zero = self.terms.int(0);
                let nonzero = self.terms.ne(y, zero);
                self.require(nonzero, "division by zero")?;
                let quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
                self.toward_zero(x, y, quotient, signed)
            }
            BinaryOp::And => self.masked(width, a, b)?,
            BinaryOp::Or | BinaryOp::Xor => return Err(End::Limit(BITWISE.to_owned())),
        };
        if !address {
            self.narrow(term, width)?;
        }
        self.number_value(term, width, signed || address, provenance)
    }

    /// Quotient toward zero, or the remainder that belongs to it. The solver's division leaves a
    /// remainder that is never negative, as this one does if the dividend is not.
    fn toward_zero(&mut self, x: Term, y: Term, quotient: bool, signed: bool) -> Term {
        let divide = |terms: &mut Terms, x| match quotient {
            true => terms.int_div(x, y),
            false => terms.int_mod(x, y),
        };
        let upward = divide(self.terms, x);
        if !signed {
            return upward;
        }
        let opposite = self.terms.int_neg(x);
        let downward = divide(self.terms, opposite);
        let downward = self.terms.int_neg(downward);
        let natural = is_natural(self.terms, x);
        self.terms.ite(natural, upward, downward)
    }

    /// `a & b`, if one of them masks low bits: what is left is the remainder of a power of two, in
    /// two's complement for negative numbers too.
    fn masked(&mut self, width: u32, a: Value, b: Value) -> Result<Term, End> {
        let low = |value: Value| {
            let mask =
                value.bits().filter(|bits| value.is_plain() && bits & bits.wrapping_add(1) == 0)?;
            let ones = mask.trailing_ones();
            (ones < width).then_some(ones)
        };
        let (value, ones) = match (low(a), low(b)) {
            (_, Some(ones)) => (a, ones),
            (Some(ones), _) => (b, ones),
            _ => return Err(End::Limit(BITWISE.to_owned())),
        };
        let value = self.as_it_is(value, width, true);
        let modulus = power(self.terms, ones);
        Ok(self.terms.int_mod(value, modulus))
    }

    /// `a op b`, one of which is a mathematical integer, as a formula.
    pub(crate) fn integer_compare(
        &mut self,
        op: CompareOp,
        width: u32,
        a: Value,
        b: Value,
    ) -> Result<Term, End> {
        let signed = matches!(op, CompareOp::Slt | CompareOp::Sle);
        match op {
            CompareOp::Eq => self.integer_equal(width, a, b),
            CompareOp::Ne => {
                let equal = self.integer_equal(width, a, b)?;
                Ok(self.terms.not(equal))
            }
            CompareOp::Ult | CompareOp::Slt => {
                let x = self.integer(a, width, signed)?;
                let y = self.integer(b, width, signed)?;
                Ok(self.terms.int_lt(x, y))
            }
            CompareOp::Ule | CompareOp::Sle => {
                let x = self.integer(a, width, signed)?;
                let y = self.integer(b, width, signed)?;
                Ok(self.terms.int_le(x, y))
            }
            _ => Err(End::Limit("a float made of an unbounded integer".to_owned())),
        }
    }

    /// Whether two values are equal, one of which is a mathematical integer.
    pub(crate) fn integer_equal(&mut self, width: u32, a: Value, b: Value) -> Result<Term, End> {
        let address = a.provenance() != Provenance::None || b.provenance() != Provenance::None;
        let (x, y) = (self.as_it_is(a, width, true), self.as_it_is(b, width, true));
        if address {
            return Ok(self.terms.eq(x, y));
        }
        if width < INT {
            // Equal bits, whatever the signs.
            let modulus = power(self.terms, width);
            let (x, y) = (self.terms.int_mod(x, modulus), self.terms.int_mod(y, modulus));
            return Ok(self.terms.eq(x, y));
        }
        for (bits, number, other) in [(a, x, y), (b, y, x)] {
            if !is_integer(self.terms, bits) {
                // Without a sign, the bits of a negative number mean another one: equality with it
                // would depend on the type.
                let natural = is_natural(self.terms, number);
                let modulus = power(self.terms, width);
                let unsigned = self.terms.int_add(number, modulus);
                let distinct = self.terms.ne(unsigned, other);
                let clear = self.terms.or(natural, distinct);
                self.cover(clear, EITHER)?;
            }
        }
        Ok(self.terms.eq(x, y))
    }

    /// `base + index * scale`.
    pub(crate) fn integer_offset(
        &mut self,
        base: Value,
        index: Term,
        scale: i64,
        width: u32,
    ) -> Result<Value, End> {
        let base_number = self.as_it_is(base, width, true);
        let scale = self.terms.int(scale);
        let bytes = self.terms.int_mul(index, scale);
        let sum = self.terms.int_add(base_number, bytes);
        self.number_value(sum, width, true, base.provenance())
    }

    /// `(to) value` of a mathematical integer.
    pub(crate) fn integer_cast(
        &mut self,
        op: CastOp,
        from: u32,
        to: u32,
        value: Value,
        provenance: Provenance,
    ) -> Result<Value, End> {
        let term = match op {
            CastOp::Truncate if to == 1 => {
                let term = self.as_it_is(value, from, true);
                let two = self.terms.int(2);
                let low = self.terms.int_mod(term, two);
                let one = self.terms.int(1);
                let odd = self.terms.eq(low, one);
                let bit = self.terms.bool_to_bv(1, odd);
                return Ok(from_term(self.terms, bit, Provenance::None));
            }
            CastOp::Truncate => {
                let term = self.as_it_is(value, from, true);
                self.narrow(term, to)?;
                term
            }
            CastOp::ZeroExtend => self.integer(value, from, false)?,
            CastOp::SignExtend => self.integer(value, from, true)?,
            CastOp::PtrToInt | CastOp::IntToPtr if to >= INT => self.as_it_is(value, from, true),
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                return Err(End::Limit("a float made of an unbounded integer".to_owned()));
            }
            _ => return Err(End::Limit("the bits of an unbounded integer".to_owned())),
        };
        Ok(Value::symbolic(term, provenance))
    }
}

/// Whether a value is plain bits with the sign set.
fn is_negative(value: Value, width: u32) -> bool {
    value.bits().is_some_and(|bits| plain::signed(width, bits) < 0)
}

fn is_signed(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add { signed }
        | BinaryOp::Sub { signed }
        | BinaryOp::Mul { signed }
        | BinaryOp::Shl { signed } => signed,
        BinaryOp::AShr | BinaryOp::SDiv | BinaryOp::SRem => true,
        _ => false,
    }
}

/// Whether a sum or product has a coefficient that is too large. Those of its parts were looked at
/// when they were made.
fn is_huge(terms: &Terms, term: Term) -> bool {
    let large = |term: Term| terms.as_int(term).is_some_and(|number| number.bits() > MOST_BITS);
    let is_sum_or_product = |term: Term| matches!(terms.op(term), Op::IntAdd | Op::IntMul);
    is_sum_or_product(term)
        && terms.args(term).iter().any(|part| {
            large(*part)
                || (is_sum_or_product(*part)
                    && terms.args(*part).first().is_some_and(|k| large(*k)))
        })
}

#[cfg(test)]
mod tests;
