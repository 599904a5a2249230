//! Floating point operators: a bit pattern becomes a Z3 float, the operation is done there, and the
//! result becomes a bit pattern again.
//!
//! Three things need care. Z3 has one NaN and may write it in any way, so the pattern of a NaN is
//! put in by us: the one that `ouro_term::float` gives. The 80 bits of the x87 carry the integer bit
//! of the significand, which Z3's format leaves implicit, so some patterns have no counterpart. And
//! a conversion to an integer that does not fit has no specified value, so it gets a free one.

use ouro_term::{Op, float};

use super::Lowering;
use crate::raw::{Ast, Failure, SortAst};

/// How many bits a format of this width has for exponent and significand, hidden bit included.
fn shape(width: u32) -> (u32, u32) {
    match width {
        32 => (8, 24),
        64 => (11, 53),
        80 => (15, 64),
        128 => (15, 113),
        other => panic!("no float has {other} bits"),
    }
}

/// The pattern of every result that is not a number.
fn nan(width: u32) -> u128 {
    float::convert(32, width, 0x7fc0_0000)
}

impl Lowering {
    pub(super) fn float(&mut self, op: &Op, width: u32, args: &[Ast]) -> Result<Ast, Failure> {
        // Conversions from integers take no pattern.
        if let (Op::SbvToFp(to) | Op::UbvToFp(to), [a]) = (op, args) {
            let mode = self.context.nearest_even()?;
            let sort = self.format(*to)?;
            let value = match op {
                Op::SbvToFp(_) => self.context.sbv_to_fp(mode, *a, sort)?,
                _ => self.context.ubv_to_fp(mode, *a, sort)?,
            };
            return self.pattern(*to, value);
        }
        let mode = self.context.nearest_even()?;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.number(width, *arg)?);
        }
        let c = &self.context;
        let value = match (op, &values[..]) {
            (Op::FpEq, [a, b]) => return c.fp_eq(*a, *b),
            (Op::FpLt, [a, b]) => return c.fp_lt(*a, *b),
            (Op::FpLe, [a, b]) => return c.fp_le(*a, *b),
            (Op::FpIsNan, [a]) => return c.fp_is_nan(*a),
            (Op::FpToSbv(to), [a]) => return self.integer(width, *a, *to, true),
            (Op::FpToUbv(to), [a]) => return self.integer(width, *a, *to, false),
            (Op::FpToFp(to), [a]) => {
                let sort = self.format(*to)?;
                let value = self.context.fp_to_fp(mode, *a, sort)?;
                return self.pattern(*to, value);
            }
            (Op::FpAdd, [a, b]) => c.fp_add(mode, *a, *b)?,
            (Op::FpSub, [a, b]) => c.fp_sub(mode, *a, *b)?,
            (Op::FpMul, [a, b]) => c.fp_mul(mode, *a, *b)?,
            (Op::FpDiv, [a, b]) => c.fp_div(mode, *a, *b)?,
            (Op::FpSqrt, [a]) => c.fp_sqrt(mode, *a)?,
            // Z3's `fp.rem` rounds the quotient to nearest, C's `fmod` toward zero.
            (Op::FpMod, _) => return Err(Failure::Unsupported("fmod")),
            _ => unreachable!("sorts were checked when the term was built"),
        };
        self.pattern(width, value)
    }

    fn format(&mut self, width: u32) -> Result<SortAst, Failure> {
        let (exponent, significand) = shape(width);
        self.context.fp_sort(exponent, significand)
    }

    /// The float that a pattern stands for.
    fn number(&mut self, width: u32, pattern: Ast) -> Result<Ast, Failure> {
        let sort = self.format(width)?;
        let pattern = if width == 80 { self.without_integer_bit(pattern)? } else { pattern };
        self.context.ieee_to_fp(pattern, sort)
    }

    /// The pattern of a float, with the one NaN.
    fn pattern(&mut self, width: u32, value: Ast) -> Result<Ast, Failure> {
        let not_a_number = self.bits(width, nan(width))?;
        let ieee = self.context.fp_to_ieee(value)?;
        let ieee = if width == 80 { self.with_integer_bit(ieee)? } else { ieee };
        let is_nan = self.context.fp_is_nan(value)?;
        self.context.ite(is_nan, not_a_number, ieee)
    }

    /// 80 bits to the 79 of Z3's format. The processor takes a non-zero exponent without integer
    /// bit as not a number, and a zero exponent with one as exponent 1.
    fn without_integer_bit(&mut self, pattern: Ast) -> Result<Ast, Failure> {
        let zero = self.bits(15, 0)?;
        let one = self.bits(15, 1)?;
        let set = self.bits(1, 1)?;
        let not_a_number = self.bits(79, (0x7fff << 63) | (1 << 62))?;
        let c = &self.context;
        let sign = c.extract(79, 79, pattern)?;
        let exponent = c.extract(78, 64, pattern)?;
        let integer = c.extract(63, 63, pattern)?;
        let fraction = c.extract(62, 0, pattern)?;
        let has_integer = c.eq(integer, set)?;
        let is_small = c.eq(exponent, zero)?;
        let exponent_if_small = c.ite(has_integer, one, zero)?;
        let effective = c.ite(is_small, exponent_if_small, exponent)?;
        let high = c.concat(sign, effective)?;
        let joined = c.concat(high, fraction)?;
        let valid = c.or(&[has_integer, is_small])?;
        c.ite(valid, joined, not_a_number)
    }

    /// Z3's 79 bits to the 80 of the x87: only zero and what is below the normal range have no
    /// integer bit.
    fn with_integer_bit(&mut self, ieee: Ast) -> Result<Ast, Failure> {
        let zero = self.bits(15, 0)?;
        let clear = self.bits(1, 0)?;
        let set = self.bits(1, 1)?;
        let c = &self.context;
        let high = c.extract(78, 63, ieee)?;
        let exponent = c.extract(77, 63, ieee)?;
        let fraction = c.extract(62, 0, ieee)?;
        let is_small = c.eq(exponent, zero)?;
        let integer = c.ite(is_small, clear, set)?;
        let low = c.concat(integer, fraction)?;
        c.concat(high, low)
    }

    /// A float toward zero as an integer of `to` bits; free where it does not fit.
    fn integer(&mut self, width: u32, a: Ast, to: u32, signed: bool) -> Result<Ast, Failure> {
        let one = float::from_unsigned(1, width);
        let two = float::from_unsigned(2, width);
        let half = float::from_unsigned(1 << (to - 1), width);
        // Above: less than 2^(to-1) or 2^to, which may be infinity. Below: truncation is toward
        // zero, so more than the least value minus one; where that is no float of its own (it
        // rounds to the least value), there is none in between either.
        let above = if signed { half } else { float::mul(width, half, two) };
        let zero = float::from_unsigned(0, width);
        let least = if signed { float::sub(width, zero, half) } else { zero };
        let below = float::sub(width, least, one);
        let (above, below_pattern) = (self.bits(width, above)?, self.bits(width, below)?);
        let above = self.number(width, above)?;
        let below_value = self.number(width, below_pattern)?;
        let free_sort = self.bit_vector(to)?;
        let c = &self.context;
        let fits_below =
            if below == least { c.fp_le(below_value, a)? } else { c.fp_lt(below_value, a)? };
        let fits_above = c.fp_lt(a, above)?;
        let fits = c.and(&[fits_below, fits_above])?;
        let mode = c.toward_zero()?;
        let value = if signed { c.fp_to_sbv(mode, a, to)? } else { c.fp_to_ubv(mode, a, to)? };
        let free = c.unnamed("unspecified", free_sort)?;
        c.ite(fits, value, free)
    }
}
