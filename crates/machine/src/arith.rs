//! Arithmetic on values: plain numbers directly, everything else through terms.
//!
//! An address that is used as a number keeps its object through sums and differences with plain
//! numbers. What cannot be said without knowing where objects lie is computed from the address that
//! this run happens to use, and noted ([`Memory::layout_observed`]).

use ouro_model::{BinaryOp, CastOp, CompareOp, FloatOp, Span, UnaryOp};
use ouro_term::{Op, Term, Terms, float};

use crate::memory::{Memory, from_term, to_term};
use crate::stop::End;
use crate::{Environment, Overflow, Provenance, Value};

/// What an instruction may need besides its operands.
pub(crate) struct Context<'a, E> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) memory: &'a mut Memory,
    pub(crate) environment: &'a mut E,
    pub(crate) overflow: Overflow,
    pub(crate) span: Span,
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(width: u32, bits: u64) -> i64 {
    let unused = 64 - width;
    ((bits << unused) as i64) >> unused
}

const OVERFLOW: &str = "signed integer overflow";
const RANGE: &str = "a value beyond the machine's integers, under --ints unbounded";

impl<E: Environment> Context<'_, E> {
    /// Only runs with this condition go on; the others end in undefined behaviour.
    fn require(&mut self, condition: Term, otherwise: &str) -> Result<(), End> {
        match self.terms.as_bool(condition) {
            Some(true) => Ok(()),
            Some(false) => Err(End::Undefined(otherwise.to_owned())),
            None => {
                self.environment.assume(condition);
                Ok(())
            }
        }
    }

    /// An integer operation on plain numbers of at most 64 bits.
    #[inline]
    fn plain(&self, op: BinaryOp, width: u32, a: u64, b: u64) -> Result<u64, End> {
        let (sa, sb) = (signed(width, a), signed(width, b));
        let fits = |exact: Option<i64>, is_signed: bool, wrapped: u64, lost: bool| {
            let wrapped = wrapped & mask(width);
            match self.overflow {
                Overflow::Undefined if is_signed && exact != Some(signed(width, wrapped)) => {
                    Err(End::Undefined(OVERFLOW.to_owned()))
                }
                Overflow::Limit
                    if (is_signed && exact != Some(signed(width, wrapped)))
                        || (!is_signed && lost) =>
                {
                    Err(End::Limit(RANGE.to_owned()))
                }
                _ => Ok(wrapped),
            }
        };
        match op {
            BinaryOp::Add { signed } => {
                let lost = a.checked_add(b).is_none_or(|sum| sum > mask(width));
                fits(sa.checked_add(sb), signed, a.wrapping_add(b), lost)
            }
            BinaryOp::Sub { signed } => fits(sa.checked_sub(sb), signed, a.wrapping_sub(b), a < b),
            BinaryOp::Mul { signed } => {
                let lost = a.checked_mul(b).is_none_or(|product| product > mask(width));
                fits(sa.checked_mul(sb), signed, a.wrapping_mul(b), lost)
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr if b >= u64::from(width) => {
                Err(End::Undefined(format!("shift by {b} of a value of {width} bits")))
            }
            BinaryOp::Shl { signed: is_signed } => {
                let wrapped = (a << b) & mask(width);
                fits(
                    (signed(width, wrapped) >> b == sa).then_some(signed(width, wrapped)),
                    is_signed,
                    wrapped,
                    wrapped >> b != a,
                )
            }
            BinaryOp::LShr => Ok(a >> b),
            BinaryOp::AShr => Ok((sa >> b) as u64 & mask(width)),
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem if b == 0 => {
                Err(End::Undefined("division by zero".to_owned()))
            }
            BinaryOp::SDiv | BinaryOp::SRem if sb == -1 && a == 1 << (width - 1) => {
                Err(End::Undefined(OVERFLOW.to_owned()))
            }
            BinaryOp::UDiv => Ok(a / b),
            BinaryOp::URem => Ok(a % b),
            BinaryOp::SDiv => Ok((sa / sb) as u64 & mask(width)),
            BinaryOp::SRem => Ok((sa % sb) as u64 & mask(width)),
            BinaryOp::And => Ok(a & b),
            BinaryOp::Or => Ok(a | b),
            BinaryOp::Xor => Ok(a ^ b),
        }
    }

    /// `a op b`, integers of one width.
    #[inline]
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        a: Value,
        b: Value,
    ) -> Result<Value, End> {
        if (a.tag | b.tag) == 0 {
            return Ok(Value::plain(self.plain(op, width, a.bits, b.bits)?));
        }
        let provenance = self.combined(op, a, b);
        if let (Some(x), Some(y)) = (a.bits(), b.bits()) {
            // Address arithmetic is not the user's integer arithmetic: it does not overflow.
            let op = match (provenance, op) {
                (Provenance::None, op) => op,
                (_, BinaryOp::Add { .. }) => BinaryOp::Add { signed: false },
                (_, BinaryOp::Sub { .. }) => BinaryOp::Sub { signed: false },
                (_, op) => op,
            };
            let keep = self.overflow;
            if provenance != Provenance::None {
                self.overflow = Overflow::Wraps;
            }
            let bits = self.plain(op, width, x, y);
            self.overflow = keep;
            return Ok(Value::with_provenance(bits?, provenance));
        }
        let x = to_term(self.terms, a, width);
        let y = to_term(self.terms, b, width);
        let term = self.symbolic_binary(op, width, x, y, provenance == Provenance::None)?;
        Ok(from_term(self.terms, term, provenance))
    }

    /// What the result of an operation with an address may access.
    fn combined(&mut self, op: BinaryOp, a: Value, b: Value) -> Provenance {
        let (pa, pb) = (a.provenance(), b.provenance());
        if pa == Provenance::None && pb == Provenance::None {
            return Provenance::None;
        }
        match op {
            BinaryOp::Add { .. } if pb == Provenance::None => pa,
            BinaryOp::Add { .. } if pa == Provenance::None => pb,
            BinaryOp::Sub { .. } if pb == Provenance::None => pa,
            BinaryOp::Sub { .. } if pa == pb => Provenance::None,
            BinaryOp::And if self.keeps_alignment(a, b) || self.keeps_alignment(b, a) => {
                let number = if pa == Provenance::None { a } else { b };
                let low = number.bits().is_some_and(|k| k & k.wrapping_add(1) == 0);
                if low {
                    Provenance::None
                } else if pa == Provenance::None {
                    pb
                } else {
                    pa
                }
            }
            _ => {
                if matches!(pa, Provenance::Object(_)) || matches!(pb, Provenance::Object(_)) {
                    self.memory.observe_layout(self.span);
                }
                Provenance::None
            }
        }
    }

    /// Whether `address & number` only looks at bits that the object's alignment fixes.
    fn keeps_alignment(&self, address: Value, number: Value) -> bool {
        let (Some(object), Some(k)) = (address.object(), number.bits()) else { return false };
        if number.provenance() != Provenance::None {
            return false;
        }
        let Some(object) = self.memory.object(object) else { return false };
        let low = k & k.wrapping_add(1) == 0 && k < object.align;
        // A mask of the form 1…10…0, for any width.
        let ones = 64 - k.leading_zeros();
        let cleared = !k & if ones >= 64 { u64::MAX } else { (1 << ones) - 1 };
        let high = k != 0
            && cleared & cleared.wrapping_add(1) == 0
            && cleared < object.align
            && ones >= 32;
        low || high
    }

    fn symbolic_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        x: Term,
        y: Term,
        number: bool,
    ) -> Result<Term, End> {
        let zero = self.terms.bv(width, 0);
        match op {
            BinaryOp::Add { signed } | BinaryOp::Sub { signed } | BinaryOp::Mul { signed } => {
                if number {
                    self.check_overflow(op, signed, width, x, y)?;
                }
                Ok(match op {
                    BinaryOp::Add { .. } => self.terms.bv_add(x, y),
                    BinaryOp::Sub { .. } => self.terms.bv_sub(x, y),
                    _ => self.terms.bv_mul(x, y),
                })
            }
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr => {
                if width < 128 || self.terms.as_bv(y).is_none() {
                    let limit = self.terms.bv(width, u128::from(width));
                    if width > 7 || (1u32 << width) > width {
                        let in_range = self.terms.bv_ult(y, limit);
                        self.require(in_range, "shift by the width of the value or more")?;
                    }
                }
                let result = match op {
                    BinaryOp::Shl { .. } => self.terms.bv_shl(x, y),
                    BinaryOp::LShr => self.terms.bv_lshr(x, y),
                    _ => self.terms.bv_ashr(x, y),
                };
                if let BinaryOp::Shl { signed } = op
                    && (self.overflow == Overflow::Limit
                        || (signed && self.overflow == Overflow::Undefined))
                {
                    let back = if signed {
                        self.terms.bv_ashr(result, y)
                    } else {
                        self.terms.bv_lshr(result, y)
                    };
                    let exact = self.terms.eq(back, x);
                    self.exact(exact)?;
                }
                Ok(result)
            }
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let nonzero = self.terms.ne(y, zero);
                self.require(nonzero, "division by zero")?;
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let least = self.terms.bv(width, 1u128 << (width - 1));
                    let minus_one = self.terms.bv(width, u128::MAX);
                    let is_least = self.terms.eq(x, least);
                    let by_minus_one = self.terms.eq(y, minus_one);
                    let both = self.terms.and(is_least, by_minus_one);
                    let fine = self.terms.not(both);
                    self.require(fine, OVERFLOW)?;
                }
                Ok(match op {
                    BinaryOp::UDiv => self.terms.bv_udiv(x, y),
                    BinaryOp::URem => self.terms.bv_urem(x, y),
                    BinaryOp::SDiv => self.terms.bv_sdiv(x, y),
                    _ => self.terms.bv_srem(x, y),
                })
            }
            BinaryOp::And => Ok(self.terms.bv_and(x, y)),
            BinaryOp::Or => Ok(self.terms.bv_or(x, y)),
            BinaryOp::Xor => Ok(self.terms.bv_xor(x, y)),
        }
    }

    /// Under which condition the result is exact, where it must be.
    fn check_overflow(
        &mut self,
        op: BinaryOp,
        signed: bool,
        width: u32,
        x: Term,
        y: Term,
    ) -> Result<(), End> {
        let checked = match self.overflow {
            Overflow::Wraps => false,
            Overflow::Undefined => signed,
            Overflow::Limit => true,
        };
        if !checked {
            return Ok(());
        }
        let wide = match op {
            BinaryOp::Mul { .. } => width * 2,
            _ => width + 1,
        };
        if wide > 128 {
            return Err(End::Limit(format!("overflow of a symbolic operation on {width} bits")));
        }
        let extend = |terms: &mut Terms, t| match signed {
            true => terms.sign_extend(wide, t),
            false => terms.zero_extend(wide, t),
        };
        let (a, b) = (extend(self.terms, x), extend(self.terms, y));
        let exact = match op {
            BinaryOp::Add { .. } => self.terms.bv_add(a, b),
            BinaryOp::Sub { .. } => self.terms.bv_sub(a, b),
            _ => self.terms.bv_mul(a, b),
        };
        let narrow = match op {
            BinaryOp::Add { .. } => self.terms.bv_add(x, y),
            BinaryOp::Sub { .. } => self.terms.bv_sub(x, y),
            _ => self.terms.bv_mul(x, y),
        };
        let back = extend(self.terms, narrow);
        let fine = self.terms.eq(exact, back);
        self.exact(fine)
    }

    /// Only runs in which the result is exact go on. Under `Limit` the others are not covered, so
    /// the run as a whole is not.
    fn exact(&mut self, fine: Term) -> Result<(), End> {
        match self.overflow {
            Overflow::Limit if self.terms.as_bool(fine) == Some(true) => Ok(()),
            Overflow::Limit => match self.terms.as_bool(fine) {
                Some(_) => Err(End::Limit(RANGE.to_owned())),
                None => {
                    self.environment.restrict(fine, RANGE);
                    Ok(())
                }
            },
            _ => self.require(fine, OVERFLOW),
        }
    }

    /// `a op b`, floats of one format.
    pub(crate) fn float(&mut self, op: FloatOp, width: u32, a: Value, b: Value) -> Value {
        if (a.tag | b.tag) == 0 {
            let (x, y) = (u128::from(a.bits), u128::from(b.bits));
            let bits = match op {
                FloatOp::Add => float::add(width, x, y),
                FloatOp::Sub => float::sub(width, x, y),
                FloatOp::Mul => float::mul(width, x, y),
                FloatOp::Div => float::div(width, x, y),
                FloatOp::Mod => float::modulo(width, x, y),
            };
            return Value::plain(bits as u64);
        }
        let x = to_term(self.terms, a, width);
        let y = to_term(self.terms, b, width);
        let term = match op {
            FloatOp::Add => self.terms.fp_add(x, y),
            FloatOp::Sub => self.terms.fp_sub(x, y),
            FloatOp::Mul => self.terms.fp_mul(x, y),
            FloatOp::Div => self.terms.fp_div(x, y),
            FloatOp::Mod => self.terms.fp_mod(x, y),
        };
        from_term(self.terms, term, Provenance::None)
    }

    /// `a op b` as 0 or 1.
    #[inline]
    pub(crate) fn compare(&mut self, op: CompareOp, width: u32, a: Value, b: Value) -> Value {
        if (a.tag | b.tag) == 0 {
            let (x, y) = (a.bits, b.bits);
            let truth = match op {
                CompareOp::Eq => x == y,
                CompareOp::Ne => x != y,
                CompareOp::Ult => x < y,
                CompareOp::Ule => x <= y,
                CompareOp::Slt => signed(width, x) < signed(width, y),
                CompareOp::Sle => signed(width, x) <= signed(width, y),
                CompareOp::FloatEq => float::eq(width, x.into(), y.into()),
                CompareOp::FloatLt => float::lt(width, x.into(), y.into()),
                CompareOp::FloatLe => {
                    float::lt(width, x.into(), y.into()) || float::eq(width, x.into(), y.into())
                }
                CompareOp::FloatUnordered => {
                    float::is_nan(width, x.into()) || float::is_nan(width, y.into())
                }
            };
            return Value::plain(u64::from(truth));
        }
        if a.provenance() != b.provenance()
            && let Some(truth) = self.compare_addresses(op, a, b)
        {
            return Value::plain(u64::from(truth));
        }
        let x = to_term(self.terms, a, width);
        let y = to_term(self.terms, b, width);
        let truth = match op {
            CompareOp::Eq => self.terms.eq(x, y),
            CompareOp::Ne => self.terms.ne(x, y),
            CompareOp::Ult => self.terms.bv_ult(x, y),
            CompareOp::Ule => self.terms.bv_ule(x, y),
            CompareOp::Slt => self.terms.bv_slt(x, y),
            CompareOp::Sle => self.terms.bv_sle(x, y),
            CompareOp::FloatEq => self.terms.fp_eq(x, y),
            CompareOp::FloatLt => self.terms.fp_lt(x, y),
            CompareOp::FloatLe => self.terms.fp_le(x, y),
            CompareOp::FloatUnordered => {
                let (x, y) = (self.terms.fp_is_nan(x), self.terms.fp_is_nan(y));
                self.terms.or(x, y)
            }
        };
        let term = self.terms.bool_to_bv(1, truth);
        from_term(self.terms, term, Provenance::None)
    }

    /// Compares addresses that do not belong to the same object, where the answer does not depend
    /// on where objects lie. Otherwise notes that it does.
    fn compare_addresses(&mut self, op: CompareOp, a: Value, b: Value) -> Option<bool> {
        let objects = matches!(a.provenance(), Provenance::Object(_))
            || matches!(b.provenance(), Provenance::Object(_));
        if !objects {
            return None;
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            let unequal = match (self.inside(a), self.inside(b)) {
                // Two live objects share no byte.
                (Some(true), Some(true)) => true,
                // Null and the small or topmost numbers that C programs use as marks are the
                // address of nothing.
                (Some(_), None) => is_mark(b),
                (None, Some(_)) => is_mark(a),
                _ => false,
            };
            if unequal {
                return Some(op == CompareOp::Ne);
            }
        }
        self.memory.observe_layout(self.span);
        None
    }

    /// Whether an address is within its object (not one past its end); `None` if it has none.
    fn inside(&self, value: Value) -> Option<bool> {
        let object = self.memory.object(value.object()?);
        Some(match (object, value.bits()) {
            (Some(object), Some(bits)) => {
                bits >= object.base && bits < object.base + object.size().max(1)
            }
            _ => false,
        })
    }

    /// `(to) value`.
    pub(crate) fn cast(
        &mut self,
        op: CastOp,
        from: u32,
        to: u32,
        value: Value,
    ) -> Result<Value, End> {
        let provenance = match op {
            CastOp::Truncate | CastOp::PtrToInt | CastOp::IntToPtr if to < from => {
                if matches!(value.provenance(), Provenance::Object(_)) {
                    // The cut-off bits are zero on a 32-bit machine seen through a 64-bit integer.
                    let zero_above = value.bits().is_some_and(|b| b & !mask(to) == 0);
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
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::PtrToInt
            | CastOp::IntToPtr
            | CastOp::Bits => value.provenance(),
            _ => Provenance::None,
        };
        if self.overflow == Overflow::Limit && op == CastOp::Truncate && to > 1 {
            self.check_truncation(from, to, value)?;
        }
        if let Some(bits) = value.bits()
            && from <= 64
            && to <= 64
        {
            let plain = match op {
                CastOp::Truncate | CastOp::PtrToInt | CastOp::IntToPtr => Some(bits & mask(to)),
                CastOp::ZeroExtend | CastOp::Bits => Some(bits),
                CastOp::SignExtend => Some(signed(from, bits) as u64 & mask(to)),
                CastOp::FloatToFloat => Some(float::convert(from, to, bits.into()) as u64),
                CastOp::SignedToFloat => {
                    Some(float::from_integer(signed(from, bits).into(), to) as u64)
                }
                CastOp::UnsignedToFloat => Some(float::from_unsigned(bits.into(), to) as u64),
                CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                    let is_signed = op == CastOp::FloatToSigned;
                    match float::to_integer(from, bits.into(), to, is_signed) {
                        Some(bits) => Some(bits as u64 & mask(to)),
                        None => return Err(End::Undefined(OUT_OF_RANGE.to_owned())),
                    }
                }
            };
            if let Some(bits) = plain {
                return Ok(Value::with_provenance(bits, provenance));
            }
        }
        let x = to_term(self.terms, value, from);
        let resize = |terms: &mut Terms, x| {
            if to < from { terms.truncate(to, x) } else { terms.zero_extend(to, x) }
        };
        let term = match op {
            CastOp::Truncate => self.terms.truncate(to, x),
            CastOp::ZeroExtend => self.terms.zero_extend(to, x),
            CastOp::SignExtend => self.terms.sign_extend(to, x),
            CastOp::PtrToInt | CastOp::IntToPtr => resize(self.terms, x),
            CastOp::Bits => x,
            CastOp::FloatToFloat => self.terms.fp_to_fp(to, x),
            CastOp::SignedToFloat => self.terms.sbv_to_fp(to, x),
            CastOp::UnsignedToFloat => self.terms.ubv_to_fp(to, x),
            CastOp::FloatToSigned | CastOp::FloatToUnsigned => {
                return self.float_to_integer(op == CastOp::FloatToSigned, from, to, x);
            }
        };
        Ok(from_term(self.terms, term, provenance))
    }

    fn check_truncation(&mut self, from: u32, to: u32, value: Value) -> Result<(), End> {
        let x = to_term(self.terms, value, from);
        let low = self.terms.truncate(to, x);
        let zero = self.terms.zero_extend(from, low);
        let sign = self.terms.sign_extend(from, low);
        let (zero, sign) = (self.terms.eq(zero, x), self.terms.eq(sign, x));
        let fine = self.terms.or(zero, sign);
        self.exact(fine)
    }

    fn float_to_integer(
        &mut self,
        is_signed: bool,
        from: u32,
        to: u32,
        x: Term,
    ) -> Result<Value, End> {
        // In range: strictly between the float neighbours of the integer type's bounds. The bounds
        // are powers of two, so they are exact in every format; -2^(n-1) - 1 may not be, so values
        // at or below -2^(n-1) other than itself are excluded through their integer part.
        let (low, high) = if is_signed {
            (-(1i128 << (to - 1).min(126)), 1u128 << (to - 1))
        } else {
            (-1, if to >= 128 { u128::MAX } else { 1u128 << to })
        };
        if to > 64 {
            return Err(End::Limit("a float converted to a wide integer".to_owned()));
        }
        let low_float = self.terms.bv(from, float::from_integer(low, from));
        let high_float = self.terms.bv(from, float::from_unsigned(high, from));
        let below = self.terms.fp_lt(x, high_float);
        let above = if is_signed {
            // Values between -2^(n-1) - 1 and -2^(n-1) truncate into range. They exist only in
            // formats with more precision than the integer has bits.
            let edge = float::from_integer(low - 1, from);
            let edge_term = self.terms.bv(from, edge);
            if float::eq(from, edge, float::from_integer(low, from)) {
                self.terms.fp_le(low_float, x)
            } else {
                self.terms.fp_lt(edge_term, x)
            }
        } else {
            self.terms.fp_lt(low_float, x)
        };
        let in_range = self.terms.and(below, above);
        self.require(in_range, OUT_OF_RANGE)?;
        let term =
            if is_signed { self.terms.fp_to_sbv(to, x) } else { self.terms.fp_to_ubv(to, x) };
        Ok(from_term(self.terms, term, Provenance::None))
    }

    /// `op value`.
    pub(crate) fn unary(&mut self, op: UnaryOp, width: u32, value: Value) -> Result<Value, End> {
        if matches!(value.provenance(), Provenance::Object(_)) {
            self.memory.observe_layout(self.span);
        }
        if let Some(bits) = value.bits() {
            return Ok(Value::plain(plain_unary(op, width, bits)));
        }
        let x = to_term(self.terms, value, width);
        let term = match op {
            UnaryOp::FloatNeg => {
                let sign = self.terms.bv(width, 1 << (width - 1));
                self.terms.bv_xor(x, sign)
            }
            UnaryOp::FloatAbs => {
                let rest = self.terms.bv(width, (1 << (width - 1)) - 1);
                self.terms.bv_and(x, rest)
            }
            UnaryOp::FloatSqrt if width <= 64 => self.terms.fp_sqrt(x),
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
            _ => return Err(End::Limit(format!("{op:?} of a symbolic value"))),
        };
        Ok(from_term(self.terms, term, Provenance::None))
    }

    /// `condition ? a : b`; `None` if that would mix addresses of different objects.
    pub(crate) fn select(
        &mut self,
        condition: Value,
        width: u32,
        a: Value,
        b: Value,
    ) -> Option<Value> {
        if let Some(bits) = condition.bits() {
            return Some(if bits & 1 == 1 { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if a.provenance() != b.provenance() {
            return None;
        }
        let c = truth(self.terms, condition);
        let x = to_term(self.terms, a, width);
        let y = to_term(self.terms, b, width);
        let term = self.terms.ite(c, x, y);
        Some(from_term(self.terms, term, a.provenance()))
    }
}

const OUT_OF_RANGE: &str = "a float that does not fit the integer type it is converted to";

/// Whether a plain number is one that no object has as its address.
fn is_mark(value: Value) -> bool {
    value.bits().is_some_and(|bits| {
        let top = bits | 0xffff_ffff_0000_0000;
        bits < 0x1000 || top > u64::MAX - 0x1000
    })
}

/// A one-bit value as a formula.
pub(crate) fn truth(terms: &mut Terms, value: Value) -> Term {
    match value.term() {
        Some(term) => {
            let one = terms.bv(1, 1);
            terms.eq(term, one)
        }
        None => terms.bool(value.bits & 1 == 1),
    }
}

fn plain_unary(op: UnaryOp, width: u32, bits: u64) -> u64 {
    let float = |f: fn(f64) -> f64, g: fn(f32) -> f32| match width {
        32 => u64::from(g(f32::from_bits(bits as u32)).to_bits()),
        _ => f(f64::from_bits(bits)).to_bits(),
    };
    match op {
        UnaryOp::FloatNeg => bits ^ (1 << (width - 1)),
        UnaryOp::FloatAbs => bits & !(1 << (width - 1)),
        UnaryOp::FloatSqrt => float(f64::sqrt, f32::sqrt),
        UnaryOp::FloatTrunc => float(f64::trunc, f32::trunc),
        UnaryOp::FloatFloor => float(f64::floor, f32::floor),
        UnaryOp::FloatCeil => float(f64::ceil, f32::ceil),
        UnaryOp::FloatRound => float(f64::round, f32::round),
        UnaryOp::FloatRint => float(f64::round_ties_even, f32::round_ties_even),
        UnaryOp::ByteSwap => bits.swap_bytes() >> (64 - width),
        UnaryOp::PopCount => u64::from(bits.count_ones()),
        UnaryOp::LeadingZeros => u64::from(bits.leading_zeros() - (64 - width)),
        UnaryOp::TrailingZeros => u64::from(bits.trailing_zeros().min(width)),
    }
}

/// Whether an operator of terms is one of floats; such terms are hard for a solver.
pub fn is_float_op(op: &Op) -> bool {
    matches!(
        op,
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpSqrt | Op::FpMod | Op::FpToFp(_)
    )
}
