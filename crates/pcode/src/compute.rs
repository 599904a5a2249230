//! Operations on numbers.

use crate::machine::Refused;
use crate::op::{Code, Op};

#[inline]
pub(crate) fn mask64(size: u8) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

pub(crate) fn mask128(size: u8) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 }
}

fn sign(value: u128, size: u8) -> i128 {
    let shift = 128 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

#[inline]
fn sign64(value: u64, size: u8) -> i64 {
    let shift = 64 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

/// Whether the quotient of a DIV or IDIV fits into half of what it is computed in.
pub(crate) fn fits(op: &Op, quotient: u128) -> Result<(), Refused> {
    let half = op.out.size / 2;
    let ok = if op.code == Code::Udiv {
        quotient <= mask128(half)
    } else {
        let value = sign(quotient, op.out.size);
        value == sign(quotient & mask128(half), half)
    };
    if ok { Ok(()) } else { Err(Refused::Division) }
}

/// The common case: everything fits into 64 bits.
#[inline]
pub(crate) fn compute64(op: &Op, a: u64, b: u64) -> Result<u64, Refused> {
    let size = op.a.size;
    Ok(match op.code {
        Code::Add => a.wrapping_add(b),
        Code::Sub => a.wrapping_sub(b),
        Code::Mul => a.wrapping_mul(b),
        Code::Negate => a.wrapping_neg(),
        Code::Not => !a,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Shl => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        Code::Lshr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        Code::Ashr => (sign64(a, size) >> b.min(63)).cast_unsigned(),
        Code::Eq => u64::from(a == b),
        Code::Ne => u64::from(a != b),
        Code::Ult => u64::from(a < b),
        Code::Ule => u64::from(a <= b),
        Code::Slt => u64::from(sign64(a, size) < sign64(b, size)),
        Code::Sle => u64::from(sign64(a, size) <= sign64(b, size)),
        Code::ZeroExtend => a,
        Code::SignExtend => sign64(a, size).cast_unsigned(),
        Code::Carry => u64::from((a.wrapping_add(b) & mask64(size)) < a),
        Code::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::BoolNot => a & 1 ^ 1,
        Code::BoolAnd => a & b & 1,
        Code::BoolOr => (a | b) & 1,
        Code::BoolXor => (a ^ b) & 1,
        Code::Popcount => u64::from(a.count_ones()),
        Code::LzCount => u64::from(a.leading_zeros()) - (64 - 8 * u64::from(size)),
        Code::Subpiece => {
            if b < 8 {
                a >> (8 * b)
            } else {
                0
            }
        }
        Code::Piece => a << (8 * u32::from(op.b.size)) | b,
        _ => {
            let value = compute(op, u128::from(a), u128::from(b))?;
            u64::try_from(value & u128::from(u64::MAX)).expect("masked")
        }
    })
}

/// Any operation on numbers of up to 16 bytes.
pub(crate) fn compute(op: &Op, a: u128, b: u128) -> Result<u128, Refused> {
    let size = op.a.size;
    let shift = |b: u128| u32::try_from(b).unwrap_or(u32::MAX);
    let truth = u128::from;
    let nonzero = |b: u128| if b == 0 { Err(Refused::Division) } else { Ok(b) };
    let value = match op.code {
        Code::Add => a.wrapping_add(b),
        Code::Sub => a.wrapping_sub(b),
        Code::Mul => a.wrapping_mul(b),
        Code::Udiv => a / nonzero(b)?,
        Code::Urem => a % nonzero(b)?,
        Code::Sdiv => sign(a, size).wrapping_div(sign(nonzero(b)?, size)).cast_unsigned(),
        Code::Srem => sign(a, size).wrapping_rem(sign(nonzero(b)?, size)).cast_unsigned(),
        Code::Negate => a.wrapping_neg(),
        Code::Not => !a,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Shl => a.checked_shl(shift(b)).unwrap_or(0),
        Code::Lshr => a.checked_shr(shift(b)).unwrap_or(0),
        Code::Ashr => (sign(a, size) >> shift(b).min(127)).cast_unsigned(),
        Code::Eq => truth(a == b),
        Code::Ne => truth(a != b),
        Code::Ult => truth(a < b),
        Code::Ule => truth(a <= b),
        Code::Slt => truth(sign(a, size) < sign(b, size)),
        Code::Sle => truth(sign(a, size) <= sign(b, size)),
        Code::ZeroExtend => a,
        Code::SignExtend => sign(a, size).cast_unsigned(),
        Code::Carry => truth((a.wrapping_add(b) & mask128(size)) < a),
        Code::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::Popcount => u128::from(a.count_ones()),
        Code::LzCount => u128::from(a.leading_zeros()) - (128 - 8 * u128::from(size)),
        Code::Subpiece => a.checked_shr(8 * shift(b).min(16)).unwrap_or(0),
        Code::Piece => a.checked_shl(8 * u32::from(op.b.size)).unwrap_or(0) | b,
        _ => return float(op, a, b),
    };
    Ok(value & mask128(op.out.size))
}

/// Scalar arithmetic in the default rounding mode. The CPU computes the values that count; these are
/// compared with them.
fn float(op: &Op, a: u128, b: u128) -> Result<u128, Refused> {
    let double = |bits: u128| f64::from_bits(low64(bits));
    let single = |bits: u128| f32::from_bits(u32::try_from(bits & 0xffff_ffff).expect("masked"));
    let truth = |holds: bool| Ok(u128::from(holds));
    let (x, y) = match op.a.size {
        8 => (double(a), double(b)),
        4 => (f64::from(single(a)), f64::from(single(b))),
        _ => return Err(Refused::NotModelled),
    };
    match op.code {
        Code::FloatEq => return truth(x == y),
        Code::FloatNe => return truth(x != y),
        Code::FloatLt => return truth(x < y),
        Code::FloatLe => return truth(x <= y),
        Code::FloatIsNan => return truth(x.is_nan()),
        Code::IntToFloat if op.out.size == 8 => {
            #[allow(clippy::cast_precision_loss, reason = "rounding is what the instruction does")]
            let value = sign64(low64(a), op.a.size) as f64;
            return Ok(u128::from(value.to_bits()));
        }
        _ if op.a.size != 8 || op.out.size != 8 => return Err(Refused::NotModelled),
        _ => {}
    }
    let value = match op.code {
        Code::FloatAdd => x + y,
        Code::FloatSub => x - y,
        Code::FloatMul => x * y,
        Code::FloatDiv => x / y,
        Code::FloatSqrt => x.sqrt(),
        _ => return Err(Refused::NotModelled),
    };
    Ok(u128::from(value.to_bits()))
}

fn low64(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).expect("masked")
}
