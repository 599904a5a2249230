//! Arithmetic on plain numbers of at most 64 bits: what nearly every step of a program is.
//!
//! Each function gives the result where there is exactly one, and `None` where something has to be
//! said about it first: overflow, a division by zero, a format that the processor does not have.
//! [`crate::arith`] then says it.

use ouro_model::{BinaryOp, CastOp, CompareOp, FloatOp, UnaryOp};

use crate::{MachineValue, OverflowSemantics};

/// All bits of a width.
#[inline]
pub(crate) fn width_mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.min(64))
}

/// Bits of a width, read as two's complement.
#[inline]
pub(crate) fn signed_value(width: u32, bits: u64) -> i64 {
    let unused = 64 - width;
    (bits << unused).cast_signed() >> unused
}

/// The bits of a number, if the width has room for it.
#[inline]
fn fitting_bits(width: u32, exact: i64) -> Option<u64> {
    let bits = exact.cast_unsigned() & width_mask(width);
    (signed_value(width, bits) == exact).then_some(bits)
}

/// `a op b`, integers of one width; `None` where the result is not exact but has to be, or is
/// undefined.
#[inline]
pub(crate) fn plain_binary(
    overflow: OverflowSemantics,
    op: BinaryOp,
    width: u32,
    a: u64,
    b: u64,
) -> Option<u64> {
    let (sa, sb) = (signed_value(width, a), signed_value(width, b));
    let wraps = overflow != OverflowSemantics::Unbounded;
    match op {
        BinaryOp::Add { signed: true } => fitting_bits(width, sa.checked_add(sb)?),
        BinaryOp::Sub { signed: true } => fitting_bits(width, sa.checked_sub(sb)?),
        BinaryOp::Mul { signed: true } => fitting_bits(width, sa.checked_mul(sb)?),
        BinaryOp::Add { signed: false } => {
            let sum = a.wrapping_add(b) & width_mask(width);
            (wraps || sum >= a).then_some(sum)
        }
        BinaryOp::Sub { signed: false } => {
            (wraps || a >= b).then_some(a.wrapping_sub(b) & width_mask(width))
        }
        BinaryOp::Mul { signed: false } => {
            let product = a.wrapping_mul(b) & width_mask(width);
            (wraps || u128::from(a) * u128::from(b) == u128::from(product)).then_some(product)
        }
        BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr if b >= u64::from(width) => None,
        BinaryOp::Shl { signed: true } => {
            let shifted = (a << b) & width_mask(width);
            (signed_value(width, shifted) >> b == sa).then_some(shifted)
        }
        BinaryOp::Shl { signed: false } => {
            let shifted = (a << b) & width_mask(width);
            (wraps || shifted >> b == a).then_some(shifted)
        }
        BinaryOp::LShr => Some(a >> b),
        BinaryOp::AShr => Some((sa >> b).cast_unsigned() & width_mask(width)),
        BinaryOp::UDiv => a.checked_div(b),
        BinaryOp::URem => a.checked_rem(b),
        BinaryOp::SDiv => fitting_bits(width, sa.checked_div(sb)?),
        // The least value by -1 is undefined, although its remainder would fit.
        BinaryOp::SRem => {
            fitting_bits(width, sa.checked_div(sb)?)?;
            fitting_bits(width, sa.checked_rem(sb)?)
        }
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
        BinaryOp::Xor => Some(a ^ b),
    }
}

/// `a op b`, floats of one format; `None` for formats that the processor does not have, and where
/// the result is not a number.
#[inline]
pub(crate) fn plain_float(op: FloatOp, width: u32, a: u64, b: u64) -> Option<u64> {
    macro_rules! compute {
        ($a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            let result = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Mod => return None,
            };
            (!result.is_nan()).then_some(result.to_bits().into())
        }};
    }
    match width {
        32 => compute!(f32::from_bits(a as u32), f32::from_bits(b as u32)),
        64 => compute!(f64::from_bits(a), f64::from_bits(b)),
        _ => None,
    }
}

/// `a op b`; `None` for float formats that the processor does not have.
#[inline]
pub(crate) fn plain_compare(op: CompareOp, width: u32, a: u64, b: u64) -> Option<bool> {
    macro_rules! floats {
        ($test:expr) => {
            match width {
                32 => {
                    let test: fn(f64, f64) -> bool = $test;
                    // Every single is a double.
                    test(f32::from_bits(a as u32).into(), f32::from_bits(b as u32).into())
                }
                64 => {
                    let test: fn(f64, f64) -> bool = $test;
                    test(f64::from_bits(a), f64::from_bits(b))
                }
                _ => return None,
            }
        };
    }
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Ult => a < b,
        CompareOp::Ule => a <= b,
        CompareOp::Slt => signed_value(width, a) < signed_value(width, b),
        CompareOp::Sle => signed_value(width, a) <= signed_value(width, b),
        CompareOp::FloatEq => floats!(|a, b| a == b),
        CompareOp::FloatLt => floats!(|a, b| a < b),
        CompareOp::FloatLe => floats!(|a, b| a <= b),
        CompareOp::FloatUnordered => floats!(|a, b| a.is_nan() || b.is_nan()),
    })
}

/// `a op b` of plain numbers, and of an address of an object and null: these are never equal.
#[inline]
pub(crate) fn plain_compare_values(
    op: CompareOp,
    width: u32,
    a: MachineValue,
    b: MachineValue,
    strayed: bool,
) -> Option<bool> {
    if (a.tag | b.tag) == 0 {
        return plain_compare(op, width, a.bits, b.bits);
    }
    if strayed || !a.is_address() || b != MachineValue::plain(0) {
        return None;
    }
    match op {
        CompareOp::Eq => Some(false),
        CompareOp::Ne => Some(true),
        _ => None,
    }
}

/// `(to) bits`, from a width to a width; `None` where the value does not fit the result, for
/// formats that the processor does not have, and for what is not a number. A result of more than
/// 64 bits is never plain: its upper half would be lost.
#[inline]
pub(crate) fn plain_cast(op: CastOp, from: u32, to: u32, bits: u64) -> Option<u64> {
    if to > 64 {
        return None;
    }
    match op {
        CastOp::Truncate | CastOp::PtrToInt | CastOp::IntToPtr => Some(bits & width_mask(to)),
        CastOp::ZeroExtend | CastOp::Bits => Some(bits),
        CastOp::SignExtend => Some(signed_value(from, bits).cast_unsigned() & width_mask(to)),
        _ => plain_cast_float(op, from, to, bits),
    }
}

#[allow(
    clippy::cast_sign_loss,
    reason = "the one cast is of a float above -1, whose fraction goes"
)]
fn plain_cast_float(op: CastOp, from: u32, to: u32, bits: u64) -> Option<u64> {
    let source = match (op, from) {
        (CastOp::SignedToFloat | CastOp::UnsignedToFloat, _) => 0.0,
        // Every single is a double.
        (_, 32) => f64::from(f32::from_bits(bits as u32)),
        (_, 64) => f64::from_bits(bits),
        _ => return None,
    };
    if source.is_nan() {
        return None;
    }
    match (op, to) {
        (CastOp::SignedToFloat, 32) => Some((signed_value(from, bits) as f32).to_bits().into()),
        (CastOp::SignedToFloat, 64) => Some((signed_value(from, bits) as f64).to_bits()),
        (CastOp::UnsignedToFloat, 32) => Some((bits as f32).to_bits().into()),
        (CastOp::UnsignedToFloat, 64) => Some((bits as f64).to_bits()),
        (CastOp::FloatToFloat, 32) => Some((source as f32).to_bits().into()),
        (CastOp::FloatToFloat, 64) => Some(source.to_bits()),
        // Well within 64 bits, the conversion drops the fraction and nothing else.
        (CastOp::FloatToSigned, _) if source.abs() < 1e18 => fitting_bits(to, source as i64),
        (CastOp::FloatToUnsigned, _) if source > -1.0 && source < 1e18 => {
            Some((source as i64).cast_unsigned()).filter(|result| *result <= width_mask(to))
        }
        _ => None,
    }
}

/// `op bits`.
pub(crate) fn plain_unary(op: UnaryOp, width: u32, bits: u64) -> u64 {
    let float = |f: fn(f64) -> f64, g: fn(f32) -> f32| match width {
        32 => u64::from(g(f32::from_bits(bits as u32)).to_bits()),
        _ => f(f64::from_bits(bits)).to_bits(),
    };
    match op {
        UnaryOp::FloatNeg => bits ^ (1 << (width - 1)),
        UnaryOp::FloatAbs => bits & !(1 << (width - 1)),
        UnaryOp::FloatSqrt => ouro_term::float::float_sqrt(width, bits.into()) as u64,
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

#[cfg(test)]
mod tests {
    use ouro_term::{Term, TermStore};

    use super::*;

    /// Numbers in which carries, signs and borders occur.
    fn numbers() -> impl Iterator<Item = u64> {
        let mut state = 1u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (bits, kind) = (state >> 16, state >> 60);
            match kind {
                0..4 => bits % 5,
                4..7 => u64::MAX - bits % 5,
                7..10 => (1u64 << (bits % 64)).wrapping_sub(bits >> 20 & 1),
                10 => bits % 64,
                _ => bits.rotate_left(16),
            }
        })
    }

    fn widths() -> impl Iterator<Item = u32> + Clone {
        [1, 2, 7, 8, 16, 31, 32, 33, 63, 64].into_iter()
    }

    /// What terms say about an operation that need not be exact.
    fn wrapped(terms: &mut TermStore, op: BinaryOp, x: Term, y: Term) -> Term {
        match op {
            BinaryOp::Add { .. } => terms.bv_add(x, y),
            BinaryOp::Sub { .. } => terms.bv_sub(x, y),
            BinaryOp::Mul { .. } => terms.bv_mul(x, y),
            BinaryOp::Shl { .. } => terms.bv_shl(x, y),
            BinaryOp::LShr => terms.bv_lshr(x, y),
            BinaryOp::AShr => terms.bv_ashr(x, y),
            BinaryOp::UDiv => terms.bv_udiv(x, y),
            BinaryOp::SDiv => terms.bv_sdiv(x, y),
            BinaryOp::URem => terms.bv_urem(x, y),
            BinaryOp::SRem => terms.bv_srem(x, y),
            BinaryOp::And => terms.bv_and(x, y),
            BinaryOp::Or => terms.bv_or(x, y),
            BinaryOp::Xor => terms.bv_xor(x, y),
        }
    }

    /// Whether the result is exact, in numbers that cannot overflow; `None` if it is undefined.
    fn exact(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<bool> {
        let is_signed = matches!(
            op,
            BinaryOp::Add { signed: true }
                | BinaryOp::Sub { signed: true }
                | BinaryOp::Mul { signed: true }
                | BinaryOp::Shl { signed: true }
                | BinaryOp::SDiv
                | BinaryOp::SRem
        );
        let value =
            |bits| if is_signed { signed_value(width, bits).into() } else { i128::from(bits) };
        let (x, y) = (value(a), value(b));
        let least = if is_signed { -1i128 << (width - 1) } else { 0 };
        let range = least..=(if is_signed { !least } else { width_mask(width).into() });
        match op {
            BinaryOp::Add { .. } => Some(range.contains(&(x + y))),
            BinaryOp::Sub { .. } => Some(range.contains(&(x - y))),
            BinaryOp::Mul { .. } => Some(x.checked_mul(y).is_some_and(|z| range.contains(&z))),
            BinaryOp::Shl { .. } | BinaryOp::LShr | BinaryOp::AShr if b >= width.into() => None,
            BinaryOp::Shl { .. } => Some(range.contains(&(x << b))),
            BinaryOp::UDiv | BinaryOp::URem => (b != 0).then_some(true),
            BinaryOp::SDiv | BinaryOp::SRem => (b != 0 && range.contains(&(x / y))).then_some(true),
            _ => Some(true),
        }
    }

    #[test]
    fn integers_are_as_in_terms() {
        let mut terms = TermStore::new();
        let mut all = numbers();
        for signed in [false, true] {
            for op in [
                BinaryOp::Add { signed },
                BinaryOp::Sub { signed },
                BinaryOp::Mul { signed },
                BinaryOp::Shl { signed },
                BinaryOp::LShr,
                BinaryOp::AShr,
                BinaryOp::UDiv,
                BinaryOp::SDiv,
                BinaryOp::URem,
                BinaryOp::SRem,
                BinaryOp::And,
                BinaryOp::Or,
                BinaryOp::Xor,
            ] {
                for width in widths().flat_map(|width| [width; 100]) {
                    let mut next = || all.next().expect("no end") & width_mask(width);
                    let (a, b) = (next(), next());
                    let (x, y) = (terms.bv(width, a.into()), terms.bv(width, b.into()));
                    let term = wrapped(&mut terms, op, x, y);
                    let term = terms.as_bv(term).expect("a constant") as u64;
                    let exact = exact(op, width, a, b);
                    for overflow in [OverflowSemantics::Undefined, OverflowSemantics::Unbounded] {
                        let may_wrap = overflow == OverflowSemantics::Undefined && !signed;
                        let expected = exact.filter(|exact| *exact || may_wrap).map(|_| term);
                        let found = plain_binary(overflow, op, width, a, b);
                        assert_eq!(found, expected, "{op:?} {width} {a:#x} {b:#x} {overflow:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn conversions_are_as_in_terms() {
        let mut terms = TermStore::new();
        let mut all = numbers();
        for from in widths() {
            for to in widths().chain([65, 80, 128]).flat_map(|to| [to; 20]) {
                let bits = all.next().expect("no end") & width_mask(from);
                let term = terms.bv(from, bits.into());
                let (op, term) = match from.cmp(&to) {
                    std::cmp::Ordering::Less if bits & 4 == 0 => {
                        (CastOp::SignExtend, terms.sign_extend(to, term))
                    }
                    std::cmp::Ordering::Less => (CastOp::ZeroExtend, terms.zero_extend(to, term)),
                    _ => (CastOp::Truncate, terms.truncate(to, term)),
                };
                let term = terms.as_bv(term).expect("a constant");
                let expected = (to <= 64).then_some(term as u64);
                assert_eq!(
                    plain_cast(op, from, to, bits),
                    expected,
                    "{op:?} {from} {to} {bits:#x}"
                );
            }
        }
    }

    #[test]
    fn floats_are_as_in_software() {
        use ouro_term::float as software;
        let mut all = numbers();
        for width in [32, 64].into_iter().flat_map(|width| [width; 3000]) {
            let mut next = || all.next().expect("no end") & width_mask(width);
            let (a, b) = (next(), next());
            let (x, y) = (u128::from(a), u128::from(b));
            for (op, expected) in [
                (FloatOp::Add, software::add(width, x, y)),
                (FloatOp::Sub, software::sub(width, x, y)),
                (FloatOp::Mul, software::mul(width, x, y)),
                (FloatOp::Div, software::div(width, x, y)),
            ] {
                let expected = (!software::is_nan(width, expected)).then_some(expected as u64);
                assert_eq!(plain_float(op, width, a, b), expected, "{op:?} {width} {a:#x} {b:#x}");
            }
            let (less, equal) =
                (software::float_less_than(width, x, y), software::float_equal(width, x, y));
            assert_eq!(plain_compare(CompareOp::FloatLt, width, a, b), Some(less));
            assert_eq!(plain_compare(CompareOp::FloatEq, width, a, b), Some(equal));
            assert_eq!(plain_compare(CompareOp::FloatLe, width, a, b), Some(less || equal));
            for to in widths() {
                for op in [CastOp::FloatToSigned, CastOp::FloatToUnsigned] {
                    let is_signed = op == CastOp::FloatToSigned;
                    if let Some(found) = plain_cast(op, width, to, a) {
                        let expected = software::float_to_integer(width, x, to, is_signed);
                        assert_eq!(Some(u128::from(found)), expected, "{op:?} {width} {to} {a:#x}");
                    }
                }
                let number = b & width_mask(to);
                let found = plain_cast(CastOp::SignedToFloat, to, width, number).map(u128::from);
                let expected = software::signed_to_float(signed_value(to, number).into(), width);
                assert_eq!(found, Some(expected), "signed {to} {width} {number:#x}");
                let found = plain_cast(CastOp::UnsignedToFloat, to, width, number).map(u128::from);
                assert_eq!(found, Some(software::unsigned_to_float(number.into(), width)));
            }
            let other = 96 - width;
            let converted = software::convert_format(width, other, x);
            let expected = (!software::is_nan(width, x)).then_some(converted as u64);
            assert_eq!(plain_cast(CastOp::FloatToFloat, width, other, a), expected);
        }
    }
}
