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
use ouro_term::{Sort, Term, TermOp, TermStore, sign_extend, width_mask};

use crate::arith::ArithmeticContext;
use crate::limits::LIMITS;
use crate::memory::value_from_term;
use crate::stop::RunEnd;
use crate::{MachineValue, Provenance, RunEnvironment, plain};

/// The width of C's `int`: narrower types have a range.
pub(crate) const INT: u32 = 32;

const NEGATIVE: &str = "a negative number in unsigned arithmetic, under --ints unbounded";
const NARROW: &str = "a number beyond its narrow type, under --ints unbounded";
const EITHER: &str =
    "an equality with a constant that may be negative or unsigned, under --ints unbounded";
const BITWISE: &str = "a bitwise operation on an unbounded integer";
const HUGE: &str = "a number of thousands of digits";

/// Whether a value is a mathematical integer.
pub(crate) fn is_integer(terms: &TermStore, value: MachineValue) -> bool {
    value.term().is_some_and(|term| terms.sort(term) == Sort::Int)
}

/// 2 to a power.
pub(crate) fn power_of_two(terms: &mut TermStore, exponent: u32) -> Term {
    let (low, high) = (exponent.min(64), exponent.saturating_sub(64));
    let (low, high) = (terms.int(1u128 << low), terms.int(1u128 << high));
    terms.int_mul(low, high)
}

/// Whether a term is at least zero.
pub(crate) fn natural_condition(terms: &mut TermStore, term: Term) -> Term {
    let zero = terms.int(0);
    terms.int_le(zero, term)
}

/// The number that bits mean, with or without a sign.
pub(crate) fn integer_of_bits(terms: &mut TermStore, bits: Term, signed: bool) -> Term {
    let width = terms.width(bits);
    match (terms.op(bits).clone(), terms.args(bits)) {
        (TermOp::Bv { value, .. }, _) if signed => terms.int(sign_extend(width, value)),
        (TermOp::Bv { value, .. }, _) => terms.int(value),
        (TermOp::ZeroExtend(_), &[inner]) => integer_of_bits(terms, inner, false),
        (TermOp::SignExtend(_), &[inner]) if signed => integer_of_bits(terms, inner, true),
        (TermOp::Ite, &[c, a, b]) if terms.as_bv(a).is_some() && terms.as_bv(b).is_some() => {
            let (a, b) = (integer_of_bits(terms, a, signed), integer_of_bits(terms, b, signed));
            terms.ite(c, a, b)
        }
        _ => {
            let natural = terms.bv_to_nat(bits);
            if !signed {
                return natural;
            }
            let zero = terms.bv(width, 0);
            let negative = terms.bv_slt(bits, zero);
            let modulus = power_of_two(terms, width);
            let below = terms.int_sub(natural, modulus);
            terms.ite(negative, below, natural)
        }
    }
}

impl<E: RunEnvironment> ArithmeticContext<'_, E> {
    /// Only runs with this condition are covered.
    pub(crate) fn require_covered(
        &mut self,
        condition: Term,
        otherwise: &str,
    ) -> Result<(), RunEnd> {
        match self.terms.as_bool(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(RunEnd::Limit(otherwise.to_owned())),
            None => {
                self.environment.restrict_coverage_at(condition, otherwise, self.span);
                Ok(())
            }
        }
    }

    /// A value as a number, with or without a sign.
    pub(crate) fn value_as_integer(
        &mut self,
        value: MachineValue,
        width: u32,
        signed: bool,
    ) -> Result<Term, RunEnd> {
        let address = value.provenance() != Provenance::None;
        if !address && is_integer(self.terms, value) {
            let term = value.term().expect("an integer is a term");
            if !signed {
                let natural = natural_condition(self.terms, term);
                self.require_covered(natural, NEGATIVE)?;
            } else if width < INT {
                let bound = power_of_two(self.terms, width - 1);
                let below = self.terms.int_lt(term, bound);
                self.require_covered(below, NARROW)?;
            }
        }
        Ok(self.value_as_any_integer(value, width, signed))
    }

    /// A value as a number, whatever its sign should be; plain numbers with or without a sign.
    fn value_as_any_integer(&mut self, value: MachineValue, width: u32, signed: bool) -> Term {
        let signed = signed && value.provenance() == Provenance::None;
        match value.term() {
            None if signed => self.terms.int(plain::signed_value(width, value.bits)),
            None => self.terms.int(value.bits),
            Some(term) if self.terms.sort(term) == Sort::Int => term,
            Some(bits) => integer_of_bits(self.terms, bits, signed),
        }
    }

    /// A number as a value: plain if it is a constant, which must then fit.
    pub(crate) fn integer_as_value(
        &mut self,
        term: Term,
        width: u32,
        signed: bool,
        provenance: Provenance,
    ) -> Result<MachineValue, RunEnd> {
        if let Some(number) = self.terms.as_int(term) {
            let (least, most) = match signed && provenance == Provenance::None {
                _ if width < INT => (-1i128 << (width - 1), width_mask(width).cast_signed()),
                true => (-1i128 << (width - 1), !(-1i128 << (width - 1))),
                false => (0, i128::try_from(width_mask(width)).unwrap_or(i128::MAX)),
            };
            let fitting = i128::try_from(number).ok().filter(|n| (least..=most).contains(n));
            let Some(number) = fitting else {
                return Err(RunEnd::Limit(crate::arith::RANGE.into()));
            };
            let bits = self.terms.bv(width, number.cast_unsigned() & width_mask(width));
            return Ok(value_from_term(self.terms, bits, provenance));
        }
        if has_huge_coefficient(self.terms, term) {
            return Err(RunEnd::Limit(HUGE.to_owned()));
        }
        Ok(MachineValue::symbolic(term, provenance))
    }

    /// A number of a narrow type must be one of its values, with or without a sign.
    fn require_narrow_range(&mut self, term: Term, width: u32) -> Result<(), RunEnd> {
        if width >= INT {
            return Ok(());
        }
        let least = power_of_two(self.terms, width - 1);
        let least = self.terms.int_neg(least);
        let end = power_of_two(self.terms, width);
        let above = self.terms.int_le(least, term);
        let below = self.terms.int_lt(term, end);
        let fits = self.terms.and(above, below);
        self.require_covered(fits, NARROW)
    }

    /// `a op b`, one of which is a mathematical integer.
    pub(crate) fn integer_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
        provenance: Provenance,
    ) -> Result<MachineValue, RunEnd> {
        let address = a.provenance() != Provenance::None || b.provenance() != Provenance::None;
        let signed = is_signed(op);
        let term = match op {
            BinaryOp::Add { .. } | BinaryOp::Sub { .. } | BinaryOp::Mul { .. } => {
                // C counts up and down in narrow types without saying their sign.
                let (x, y) = if address || width < INT {
                    (
                        self.value_as_any_integer(a, width, true),
                        self.value_as_any_integer(b, width, true),
                    )
                } else if !signed && [a, b].iter().any(|v| is_negative(*v, width)) {
                    // `x + -1u` takes one away from bits, but not from natural numbers.
                    return Err(RunEnd::Limit(NEGATIVE.to_owned()));
                } else {
                    (
                        self.value_as_integer(a, width, signed)?,
                        self.value_as_integer(b, width, signed)?,
                    )
                };
                let result = match op {
                    BinaryOp::Add { .. } => self.terms.int_add(x, y),
                    BinaryOp::Sub { .. } => self.terms.int_sub(x, y),
                    _ => self.terms.int_mul(x, y),
                };
                if matches!(op, BinaryOp::Sub { signed: false }) && !address && width >= INT {
                    let natural = natural_condition(self.terms, result);
                    self.require_covered(natural, NEGATIVE)?;
                }
                result
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr => {
                let Some(count) = b.bits() else {
                    return Err(RunEnd::Limit("a shift by an unbounded integer".to_owned()));
                };
                let Some(count) = u32::try_from(count).ok().filter(|count| *count < width) else {
                    return Err(RunEnd::Undefined(format!(
                        "shift by {count} of a value of {width} bits"
                    )));
                };
                let x = self.value_as_integer(a, width, signed)?;
                let factor = power_of_two(self.terms, count);
                match op {
                    BinaryOp::Shl { .. } => self.terms.int_mul(x, factor),
                    // Rounds down: the divisor is positive.
                    _ => self.terms.int_div(x, factor),
                }
            }
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let x = self.value_as_integer(a, width, signed)?;
                let y = self.value_as_integer(b, width, signed)?;
                let zero = self.terms.int(0);
                let nonzero = self.terms.ne(y, zero);
                self.require_defined(nonzero, "division by zero")?;
                let quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
                self.divide_toward_zero(x, y, quotient, signed)
            }
            BinaryOp::And => self.mask_low_bits(width, a, b)?,
            BinaryOp::Or | BinaryOp::Xor => return Err(RunEnd::Limit(BITWISE.to_owned())),
        };
        if !address {
            self.require_narrow_range(term, width)?;
        }
        self.integer_as_value(term, width, signed || address, provenance)
    }

    /// Quotient toward zero, or the remainder that belongs to it. The solver's division leaves a
    /// remainder that is never negative, as this one does if the dividend is not.
    fn divide_toward_zero(&mut self, x: Term, y: Term, quotient: bool, signed: bool) -> Term {
        let divide = |terms: &mut TermStore, x| match quotient {
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
        let natural = natural_condition(self.terms, x);
        self.terms.ite(natural, upward, downward)
    }

    /// `a & b`, if one of them masks low bits: what is left is the remainder of a power of two, in
    /// two's complement for negative numbers too.
    fn mask_low_bits(
        &mut self,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<Term, RunEnd> {
        let low = |value: MachineValue| {
            let mask =
                value.bits().filter(|bits| value.is_plain() && bits & bits.wrapping_add(1) == 0)?;
            let ones = mask.trailing_ones();
            (ones < width).then_some(ones)
        };
        let (value, ones) = match (low(a), low(b)) {
            (_, Some(ones)) => (a, ones),
            (Some(ones), _) => (b, ones),
            _ => return Err(RunEnd::Limit(BITWISE.to_owned())),
        };
        let value = self.value_as_any_integer(value, width, true);
        let modulus = power_of_two(self.terms, ones);
        Ok(self.terms.int_mod(value, modulus))
    }

    /// `a op b`, one of which is a mathematical integer, as a formula.
    pub(crate) fn integer_compare(
        &mut self,
        op: CompareOp,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<Term, RunEnd> {
        let signed = matches!(op, CompareOp::Slt | CompareOp::Sle);
        match op {
            CompareOp::Eq => self.integer_equal(width, a, b),
            CompareOp::Ne => {
                let equal = self.integer_equal(width, a, b)?;
                Ok(self.terms.not(equal))
            }
            CompareOp::Ult | CompareOp::Slt => {
                let x = self.value_as_integer(a, width, signed)?;
                let y = self.value_as_integer(b, width, signed)?;
                Ok(self.terms.int_lt(x, y))
            }
            CompareOp::Ule | CompareOp::Sle => {
                let x = self.value_as_integer(a, width, signed)?;
                let y = self.value_as_integer(b, width, signed)?;
                Ok(self.terms.int_le(x, y))
            }
            _ => Err(RunEnd::Limit("a float made of an unbounded integer".to_owned())),
        }
    }

    /// Whether two values are equal, one of which is a mathematical integer.
    pub(crate) fn integer_equal(
        &mut self,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Result<Term, RunEnd> {
        let address = a.provenance() != Provenance::None || b.provenance() != Provenance::None;
        let (x, y) =
            (self.value_as_any_integer(a, width, true), self.value_as_any_integer(b, width, true));
        if address {
            return Ok(self.terms.eq(x, y));
        }
        if width < INT {
            // Equal bits, whatever the signs.
            let modulus = power_of_two(self.terms, width);
            let (x, y) = (self.terms.int_mod(x, modulus), self.terms.int_mod(y, modulus));
            return Ok(self.terms.eq(x, y));
        }
        for (bits, number, other) in [(a, x, y), (b, y, x)] {
            if !is_integer(self.terms, bits) {
                // Without a sign, the bits of a negative number mean another one: equality with it
                // would depend on the type.
                let natural = natural_condition(self.terms, number);
                let modulus = power_of_two(self.terms, width);
                let unsigned = self.terms.int_add(number, modulus);
                let distinct = self.terms.ne(unsigned, other);
                let clear = self.terms.or(natural, distinct);
                self.require_covered(clear, EITHER)?;
            }
        }
        Ok(self.terms.eq(x, y))
    }

    /// `base + index * scale`.
    pub(crate) fn integer_offset(
        &mut self,
        base: MachineValue,
        index: Term,
        scale: i64,
        width: u32,
    ) -> Result<MachineValue, RunEnd> {
        let base_number = self.value_as_any_integer(base, width, true);
        let scale = self.terms.int(scale);
        let bytes = self.terms.int_mul(index, scale);
        let sum = self.terms.int_add(base_number, bytes);
        self.integer_as_value(sum, width, true, base.provenance())
    }

    /// `(to) value` of a mathematical integer.
    pub(crate) fn integer_cast(
        &mut self,
        op: CastOp,
        from: u32,
        to: u32,
        value: MachineValue,
        provenance: Provenance,
    ) -> Result<MachineValue, RunEnd> {
        let term = match op {
            CastOp::Truncate if to == 1 => {
                let term = self.value_as_any_integer(value, from, true);
                let two = self.terms.int(2);
                let low = self.terms.int_mod(term, two);
                let one = self.terms.int(1);
                let odd = self.terms.eq(low, one);
                let bit = self.terms.bool_to_bv(1, odd);
                return Ok(value_from_term(self.terms, bit, Provenance::None));
            }
            CastOp::Truncate => {
                let term = self.value_as_any_integer(value, from, true);
                self.require_narrow_range(term, to)?;
                term
            }
            CastOp::ZeroExtend => self.value_as_integer(value, from, false)?,
            CastOp::SignExtend => self.value_as_integer(value, from, true)?,
            CastOp::PtrToInt | CastOp::IntToPtr if to >= INT => {
                self.value_as_any_integer(value, from, true)
            }
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                return Err(RunEnd::Limit("a float made of an unbounded integer".to_owned()));
            }
            _ => return Err(RunEnd::Limit("the bits of an unbounded integer".to_owned())),
        };
        Ok(MachineValue::symbolic(term, provenance))
    }
}

/// Whether a value is plain bits with the sign set.
fn is_negative(value: MachineValue, width: u32) -> bool {
    value.bits().is_some_and(|bits| plain::signed_value(width, bits) < 0)
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
fn has_huge_coefficient(terms: &TermStore, term: Term) -> bool {
    let large =
        |term: Term| terms.as_int(term).is_some_and(|number| number.bits() > LIMITS.integer_bits);
    let is_sum_or_product = |term: Term| matches!(terms.op(term), TermOp::IntAdd | TermOp::IntMul);
    is_sum_or_product(term)
        && terms.args(term).iter().any(|part| {
            large(*part)
                || (is_sum_or_product(*part)
                    && terms.args(*part).first().is_some_and(|k| large(*k)))
        })
}

#[cfg(test)]
mod tests;
