//! Conversions and operators of one operand: plain numbers directly, everything else through terms.

use ouro_model::{CastOp, UnaryOp};
use ouro_term::{Term, TermStore, float};

use crate::arith::{ArithmeticContext, truth_formula};
use crate::integer::{INT, integer_of_bits, is_integer};
use crate::memory::{value_from_term, value_to_term};
use crate::stop::RunEnd;
use crate::{MachineValue, OverflowSemantics, Provenance, RunEnvironment, plain};

const OUT_OF_RANGE: &str = "a float that does not fit the integer type it is converted to";

impl<E: RunEnvironment> ArithmeticContext<'_, E> {
    /// `(to) value`.
    #[inline(never)]
    pub(crate) fn apply_cast(
        &mut self,
        op: CastOp,
        from: u32,
        to: u32,
        value: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        let provenance = match op {
            CastOp::Truncate | CastOp::PtrToInt | CastOp::IntToPtr if to < from => {
                if matches!(value.provenance(), Provenance::Object(_)) {
                    // The cut-off bits are zero on a 32-bit machine seen through a 64-bit integer.
                    let zero_above = value.bits().is_some_and(|b| b & !plain::width_mask(to) == 0);
                    if zero_above && to == self.memory.pointer_bits() {
                        value.provenance()
                    } else {
                        self.memory.observe_layout(self.span);
                        Provenance::None
                    }
                } else {
                    value.provenance()
                }
            }
            // Whether an address has the topmost bit nobody knows.
            CastOp::SignExtend if value.object().is_some() && to > from => {
                self.memory.observe_layout(self.span);
                Provenance::None
            }
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bits => value.provenance(),
            _ => {
                if value.object().is_some() {
                    self.memory.observe_layout(self.span);
                }
                Provenance::None
            }
        };
        if is_integer(self.terms, value) {
            return self.integer_cast(op, from, to, value, provenance);
        }
        if let Some(result) = self.unsettled_cast(op, from, to, value)? {
            return Ok(result);
        }
        let unbounded = self.overflow == OverflowSemantics::Unbounded;
        if unbounded && op == CastOp::Truncate && to > 1 {
            self.check_truncation(from, to, value)?;
        }
        if let Some(bits) = value.bits()
            && from <= 64
            && to <= 64
        {
            let bits = match plain::plain_cast(op, from, to, bits) {
                Some(bits) => bits,
                None => match software_cast(op, from, to, bits) {
                    Some(bits) => bits,
                    None => return Err(self.out_of_range_end()),
                },
            };
            return Ok(MachineValue::with_provenance(bits, provenance));
        }
        if let (CastOp::SignExtend | CastOp::ZeroExtend, Some(bits)) = (op, value.term())
            && unbounded
            && to >= INT
            && provenance == Provenance::None
        {
            let term = integer_of_bits(self.terms, bits, op == CastOp::SignExtend);
            return self.integer_as_value(term, to, op == CastOp::SignExtend, provenance);
        }
        let x = value_to_term(self.terms, value, from);
        let resize = |terms: &mut TermStore, x| {
            if to < from { terms.truncate(to, x) } else { terms.zero_extend(to, x) }
        };
        let term = match op {
            CastOp::Truncate => self.terms.truncate(to, x),
            CastOp::ZeroExtend => self.terms.zero_extend(to, x),
            CastOp::SignExtend => self.terms.sign_extend(to, x),
            CastOp::PtrToInt | CastOp::IntToPtr => resize(self.terms, x),
            CastOp::Bits => {
                let seen = self.observe_bits(value_from_term(self.terms, x, provenance))?;
                value_to_term(self.terms, seen, from)
            }
            CastOp::FloatToFloat => self.terms.fp_to_fp(to, x),
            CastOp::SignedToFloat => self.terms.sbv_to_fp(to, x),
            CastOp::UnsignedToFloat => self.terms.ubv_to_fp(to, x),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                if self.is_nan(from, value) {
                    return Err(self.out_of_range_end());
                }
                return self.float_to_integer(op == CastOp::FloatToSigned, from, to, x);
            }
        };
        Ok(value_from_term(self.terms, term, provenance))
    }

    fn check_truncation(&mut self, from: u32, to: u32, value: MachineValue) -> Result<(), RunEnd> {
        let x = value_to_term(self.terms, value, from);
        let low = self.terms.truncate(to, x);
        let zero = self.terms.zero_extend(from, low);
        let sign = self.terms.sign_extend(from, low);
        let (zero, sign) = (self.terms.eq(zero, x), self.terms.eq(sign, x));
        let fine = self.terms.or(zero, sign);
        self.require_exact(fine)
    }

    /// A float is converted to an integer type that has no room for it.
    fn out_of_range_end(&self) -> RunEnd {
        match self.overflow {
            OverflowSemantics::Unbounded => RunEnd::Limit(OUT_OF_RANGE.to_owned()),
            _ => RunEnd::Undefined(OUT_OF_RANGE.to_owned()),
        }
    }

    fn float_to_integer(
        &mut self,
        is_signed: bool,
        from: u32,
        to: u32,
        x: Term,
    ) -> Result<MachineValue, RunEnd> {
        // In range: strictly between the float neighbours of the integer type's bounds. The bounds
        // are powers of two, so they are exact in every format; -2^(n-1) - 1 may not be, so values
        // at or below -2^(n-1) other than itself are excluded through their integer part.
        let (low, high) = if is_signed {
            (-(1i128 << (to - 1).min(126)), 1u128 << (to - 1))
        } else {
            (-1, if to >= 128 { u128::MAX } else { 1u128 << to })
        };
        if to > 64 {
            return Err(RunEnd::Limit("a float converted to a wide integer".to_owned()));
        }
        let low_float = self.terms.bv(from, float::signed_to_float(low, from));
        let high_float = self.terms.bv(from, float::unsigned_to_float(high, from));
        let below = self.terms.fp_lt(x, high_float);
        let above = if is_signed {
            // Values between -2^(n-1) - 1 and -2^(n-1) truncate into range. They exist only in
            // formats with more precision than the integer has bits.
            let edge = float::signed_to_float(low - 1, from);
            let edge_term = self.terms.bv(from, edge);
            if float::float_equal(from, edge, float::signed_to_float(low, from)) {
                self.terms.fp_le(low_float, x)
            } else {
                self.terms.fp_lt(edge_term, x)
            }
        } else {
            self.terms.fp_lt(low_float, x)
        };
        let in_range = self.terms.and(below, above);
        match self.overflow {
            OverflowSemantics::Unbounded => self.require_covered(in_range, OUT_OF_RANGE)?,
            _ => self.require_defined(in_range, OUT_OF_RANGE)?,
        }
        let term =
            if is_signed { self.terms.fp_to_sbv(to, x) } else { self.terms.fp_to_ubv(to, x) };
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// `op value`.
    pub(crate) fn apply_unary(
        &mut self,
        op: UnaryOp,
        width: u32,
        value: MachineValue,
    ) -> Result<MachineValue, RunEnd> {
        if matches!(value.provenance(), Provenance::Object(_)) {
            self.memory.observe_layout(self.span);
        }
        if op == UnaryOp::FloatSqrt {
            return self.float_square_root(width, value);
        }
        if let Some(bits) = value.bits() {
            return Ok(MachineValue::plain(plain::plain_unary(op, width, bits)));
        }
        if is_integer(self.terms, value) {
            return Err(RunEnd::Limit("the bits of an unbounded integer".to_owned()));
        }
        let x = value_to_term(self.terms, value, width);
        let term = match op {
            UnaryOp::FloatNeg => {
                let sign = self.terms.bv(width, 1 << (width - 1));
                self.terms.bv_xor(x, sign)
            }
            UnaryOp::FloatAbs => {
                let rest = self.terms.bv(width, (1 << (width - 1)) - 1);
                self.terms.bv_and(x, rest)
            }
            UnaryOp::ByteSwap => {
                let mut whole = self.terms.extract(7, 0, x);
                for low in (8..width).step_by(8) {
                    let byte = self.terms.extract(low + 7, low, x);
                    whole = self.terms.concat(whole, byte);
                }
                whole
            }
            UnaryOp::PopCount => {
                let mut sum = self.terms.bv(width, 0);
                for i in 0..width {
                    let bit = self.terms.extract(i, i, x);
                    let bit = self.terms.zero_extend(width, bit);
                    sum = self.terms.bv_add(sum, bit);
                }
                sum
            }
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let mut count = self.terms.bv(width, width.into());
                for step in 0..width {
                    // The most significant one found last wins, so go toward it.
                    let (bit, zeros) = match op {
                        UnaryOp::LeadingZeros => (step, width - 1 - step),
                        _ => (width - 1 - step, width - 1 - step),
                    };
                    let set = self.terms.extract(bit, bit, x);
                    let set = self.terms.bv_is_nonzero(set);
                    let zeros = self.terms.bv(width, zeros.into());
                    count = self.terms.ite(set, zeros, count);
                }
                count
            }
            UnaryOp::FloatTrunc
            | UnaryOp::FloatFloor
            | UnaryOp::FloatCeil
            | UnaryOp::FloatRound
            | UnaryOp::FloatRint
                if self.is_nan(width, value) =>
            {
                x
            }
            _ => {
                let name = library_name(op);
                return Err(RunEnd::Limit(format!("{name} of a number that is not known")));
            }
        };
        Ok(value_from_term(self.terms, term, Provenance::None))
    }

    /// `condition ? a : b`; `None` if that would mix addresses of different objects, or bits that
    /// mean different numbers with and without a sign into an unbounded integer. `number` says
    /// whether the type is one of integers.
    pub(crate) fn select_value(
        &mut self,
        condition: MachineValue,
        number: bool,
        width: u32,
        a: MachineValue,
        b: MachineValue,
    ) -> Option<MachineValue> {
        if let Some(bits) = condition.bits() {
            return Some(if bits & 1 == 1 { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if a.provenance() != b.provenance() {
            return None;
        }
        let c = truth_formula(self.terms, condition);
        let integers = is_integer(self.terms, a) || is_integer(self.terms, b);
        let plain = a.is_plain() && b.is_plain();
        let unbounded = self.overflow == OverflowSemantics::Unbounded && number && width >= INT;
        if integers || (unbounded && plain) {
            let x = self.sign_independent_number(width, a)?;
            let y = self.sign_independent_number(width, b)?;
            return Some(MachineValue::symbolic(self.terms.ite(c, x, y), a.provenance()));
        }
        let x = value_to_term(self.terms, a, width);
        let y = value_to_term(self.terms, b, width);
        let term = self.terms.ite(c, x, y);
        Some(value_from_term(self.terms, term, a.provenance()))
    }

    /// The number that a value means with and without a sign, if that is the same.
    fn sign_independent_number(&mut self, width: u32, value: MachineValue) -> Option<Term> {
        match value.term() {
            Some(term) => is_integer(self.terms, value).then_some(term),
            None => {
                let address = value.provenance() != Provenance::None;
                let natural = plain::signed_value(width, value.bits) >= 0;
                (address || natural).then(|| self.terms.int(value.bits))
            }
        }
    }
}

/// `(to) bits` between formats that may not be the processor's; `None` if a float does not fit the
/// integer.
fn software_cast(op: CastOp, from: u32, to: u32, bits: u64) -> Option<u64> {
    let wide = u128::from(bits);
    let result = match op {
        CastOp::SignedToFloat => float::signed_to_float(plain::signed_value(from, bits).into(), to),
        CastOp::UnsignedToFloat => float::unsigned_to_float(wide, to),
        CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
            float::float_to_integer(from, wide, to, op == CastOp::FloatToSigned)?
        }
        _ => float::convert_format(from, to, wide),
    };
    Some(result as u64 & plain::width_mask(to))
}

/// What C calls an operator.
fn library_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::FloatNeg => "the negation",
        UnaryOp::FloatAbs => "fabs()",
        UnaryOp::FloatSqrt => "sqrt()",
        UnaryOp::FloatTrunc => "trunc()",
        UnaryOp::FloatFloor => "floor()",
        UnaryOp::FloatCeil => "ceil()",
        UnaryOp::FloatRound => "round()",
        UnaryOp::FloatRint => "rint()",
        UnaryOp::ByteSwap => "the reverse order of bytes",
        UnaryOp::PopCount => "the number of one bits",
        UnaryOp::LeadingZeros => "the number of leading zeros",
        UnaryOp::TrailingZeros => "the number of trailing zeros",
    }
}
