//! Floating point operators: a bit pattern becomes a Z3 float, the operation is done there, and the
//! result becomes a bit pattern again.
//!
//! Three things need care. Z3 has one NaN and may write it in any way, so the pattern of a NaN is
//! put in by us: the one that `ouro_term::float` gives. The 80 bits of the x87 carry the integer bit
//! of the significand, which Z3's format leaves implicit, so some patterns have no counterpart. And
//! a conversion to an integer that does not fit has no specified value, so it gets a free one.

use ouro_term::{TermOp, float};

use super::Z3Lowering;
use crate::raw::{Z3Ast, Z3Failure, Z3SortAst};

/// How many bits a format of this width has for exponent and significand, hidden bit included.
fn float_format_widths(width: u32) -> (u32, u32) {
    match width {
        32 => (8, 24),
        64 => (11, 53),
        80 => (15, 64),
        128 => (15, 113),
        other => panic!("no float has {other} bits"),
    }
}

/// The pattern of every result that is not a number.
fn nan_pattern(width: u32) -> u128 {
    float::convert_format(32, width, 0x7fc0_0000)
}

impl Z3Lowering {
    pub(super) fn lower_float_op(
        &mut self,
        op: &TermOp,
        width: u32,
        args: &[Z3Ast],
    ) -> Result<Z3Ast, Z3Failure> {
        // Conversions from integers take no pattern.
        if let (TermOp::SbvToFp(to) | TermOp::UbvToFp(to), [a]) = (op, args) {
            let mode = self.context.nearest_even()?;
            let sort = self.float_sort(*to)?;
            let value = match op {
                TermOp::SbvToFp(_) => self.context.sbv_to_fp(mode, *a, sort)?,
                _ => self.context.ubv_to_fp(mode, *a, sort)?,
            };
            return self.pattern_of_float(*to, value);
        }
        let mode = self.context.nearest_even()?;
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.float_of_pattern(width, *arg)?);
        }
        let c = &self.context;
        let value = match (op, &values[..]) {
            (TermOp::FpEq, [a, b]) => return c.fp_eq(*a, *b),
            (TermOp::FpLt, [a, b]) => return c.fp_lt(*a, *b),
            (TermOp::FpLe, [a, b]) => return c.fp_le(*a, *b),
            (TermOp::FpIsNan, [a]) => return c.fp_is_nan(*a),
            (TermOp::FpToSbv(to), [a]) => return self.float_to_integer(width, *a, *to, true),
            (TermOp::FpToUbv(to), [a]) => return self.float_to_integer(width, *a, *to, false),
            (TermOp::FpToFp(to), [a]) => {
                let sort = self.float_sort(*to)?;
                let value = self.context.fp_to_fp(mode, *a, sort)?;
                return self.pattern_of_float(*to, value);
            }
            (TermOp::FpAdd, [a, b]) => c.fp_add(mode, *a, *b)?,
            (TermOp::FpSub, [a, b]) => c.fp_sub(mode, *a, *b)?,
            (TermOp::FpMul, [a, b]) => c.fp_mul(mode, *a, *b)?,
            (TermOp::FpDiv, [a, b]) => c.fp_div(mode, *a, *b)?,
            (TermOp::FpSqrt, [a]) => c.fp_sqrt(mode, *a)?,
            // Z3's `fp.rem` rounds the quotient to nearest, C's `fmod` toward zero.
            (TermOp::FpMod, _) => return Err(Z3Failure::Unsupported("fmod")),
            _ => unreachable!("sorts were checked when the term was built"),
        };
        self.pattern_of_float(width, value)
    }

    fn float_sort(&mut self, width: u32) -> Result<Z3SortAst, Z3Failure> {
        let (exponent, significand) = float_format_widths(width);
        self.context.fp_sort(exponent, significand)
    }

    /// The float that a pattern stands for.
    fn float_of_pattern(&mut self, width: u32, pattern: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        let sort = self.float_sort(width)?;
        let pattern = if width == 80 { self.without_integer_bit(pattern)? } else { pattern };
        self.context.ieee_to_fp(pattern, sort)
    }

    /// The pattern of a float, with the one NaN.
    fn pattern_of_float(&mut self, width: u32, value: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        let not_a_number = self.bit_vector_numeral(width, nan_pattern(width))?;
        let ieee = self.context.fp_to_ieee(value)?;
        let ieee = if width == 80 { self.with_integer_bit(ieee)? } else { ieee };
        let is_nan = self.context.fp_is_nan(value)?;
        self.context.ite(is_nan, not_a_number, ieee)
    }

    /// 80 bits to the 79 of Z3's format. The processor takes a non-zero exponent without integer
    /// bit as not a number, and a zero exponent with one as exponent 1.
    fn without_integer_bit(&mut self, pattern: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        let zero = self.bit_vector_numeral(15, 0)?;
        let one = self.bit_vector_numeral(15, 1)?;
        let set = self.bit_vector_numeral(1, 1)?;
        let not_a_number = self.bit_vector_numeral(79, (0x7fff << 63) | (1 << 62))?;
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
    fn with_integer_bit(&mut self, ieee: Z3Ast) -> Result<Z3Ast, Z3Failure> {
        let zero = self.bit_vector_numeral(15, 0)?;
        let clear = self.bit_vector_numeral(1, 0)?;
        let set = self.bit_vector_numeral(1, 1)?;
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
    fn float_to_integer(
        &mut self,
        width: u32,
        a: Z3Ast,
        to: u32,
        signed: bool,
    ) -> Result<Z3Ast, Z3Failure> {
        let one = float::unsigned_to_float(1, width);
        let two = float::unsigned_to_float(2, width);
        let half = float::unsigned_to_float(1 << (to - 1), width);
        // Above: less than 2^(to-1) or 2^to, which may be infinity. Below: truncation is toward
        // zero, so more than the least value minus one; where that is no float of its own (it
        // rounds to the least value), there is none in between either.
        let above = if signed { half } else { float::mul(width, half, two) };
        let zero = float::unsigned_to_float(0, width);
        let least = if signed { float::sub(width, zero, half) } else { zero };
        let below = float::sub(width, least, one);
        let (above, below_pattern) =
            (self.bit_vector_numeral(width, above)?, self.bit_vector_numeral(width, below)?);
        let above = self.float_of_pattern(width, above)?;
        let below_value = self.float_of_pattern(width, below_pattern)?;
        let free_sort = self.bit_vector_sort(to)?;
        let c = &self.context;
        let fits_below =
            if below == least { c.fp_le(below_value, a)? } else { c.fp_lt(below_value, a)? };
        let fits_above = c.fp_lt(a, above)?;
        let fits = c.and(&[fits_below, fits_above])?;
        let mode = c.toward_zero()?;
        let value = if signed { c.fp_to_sbv(mode, a, to)? } else { c.fp_to_ubv(mode, a, to)? };
        let free = c.fresh_constant("unspecified", free_sort)?;
        c.ite(fits, value, free)
    }
}
