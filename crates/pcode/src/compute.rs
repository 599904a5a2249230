//! Operations on numbers.

use crate::machine::OperationRefusal;
use crate::op::{PcodeOp, PcodeOpcode};

#[inline]
pub(crate) fn mask_u64(size: u8) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

pub(crate) fn mask_u128(size: u8) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 }
}

fn sign_extend_u128(value: u128, size: u8) -> i128 {
    let shift = 128 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

#[inline]
fn sign_extend_u64(value: u64, size: u8) -> i64 {
    let shift = 64 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

/// Whether the quotient of a DIV or IDIV fits into half of what it is computed in.
pub(crate) fn check_quotient_fits(op: &PcodeOp, quotient: u128) -> Result<(), OperationRefusal> {
    let half = op.out.size / 2;
    let ok = if op.code == PcodeOpcode::Udiv {
        quotient <= mask_u128(half)
    } else {
        let value = sign_extend_u128(quotient, op.out.size);
        value == sign_extend_u128(quotient & mask_u128(half), half)
    };
    if ok { Ok(()) } else { Err(OperationRefusal::Division) }
}

/// The common case: everything fits into 64 bits.
#[inline]
pub(crate) fn compute_u64(op: &PcodeOp, a: u64, b: u64) -> Result<u64, OperationRefusal> {
    let size = op.a.size;
    Ok(match op.code {
        PcodeOpcode::Add => a.wrapping_add(b),
        PcodeOpcode::Sub => a.wrapping_sub(b),
        PcodeOpcode::Mul => a.wrapping_mul(b),
        PcodeOpcode::Negate => a.wrapping_neg(),
        PcodeOpcode::Not => !a,
        PcodeOpcode::And => a & b,
        PcodeOpcode::Or => a | b,
        PcodeOpcode::Xor => a ^ b,
        PcodeOpcode::Shl => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        PcodeOpcode::Lshr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        PcodeOpcode::Ashr => (sign_extend_u64(a, size) >> b.min(63)).cast_unsigned(),
        PcodeOpcode::Eq => u64::from(a == b),
        PcodeOpcode::Ne => u64::from(a != b),
        PcodeOpcode::Ult => u64::from(a < b),
        PcodeOpcode::Ule => u64::from(a <= b),
        PcodeOpcode::Slt => u64::from(sign_extend_u64(a, size) < sign_extend_u64(b, size)),
        PcodeOpcode::Sle => u64::from(sign_extend_u64(a, size) <= sign_extend_u64(b, size)),
        PcodeOpcode::ZeroExtend => a,
        PcodeOpcode::SignExtend => sign_extend_u64(a, size).cast_unsigned(),
        PcodeOpcode::Carry => u64::from((a.wrapping_add(b) & mask_u64(size)) < a),
        PcodeOpcode::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        PcodeOpcode::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        PcodeOpcode::BoolNot => a & 1 ^ 1,
        PcodeOpcode::BoolAnd => a & b & 1,
        PcodeOpcode::BoolOr => (a | b) & 1,
        PcodeOpcode::BoolXor => (a ^ b) & 1,
        PcodeOpcode::Popcount => u64::from(a.count_ones()),
        PcodeOpcode::LzCount => u64::from(a.leading_zeros()) - (64 - 8 * u64::from(size)),
        PcodeOpcode::Subpiece => {
            if b < 8 {
                a >> (8 * b)
            } else {
                0
            }
        }
        PcodeOpcode::Piece => a << (8 * u32::from(op.b.size)) | b,
        _ => {
            let value = compute_u128(op, u128::from(a), u128::from(b))?;
            u64::try_from(value & u128::from(u64::MAX)).expect("masked")
        }
    })
}

/// Any operation on numbers of up to 16 bytes.
pub(crate) fn compute_u128(op: &PcodeOp, a: u128, b: u128) -> Result<u128, OperationRefusal> {
    let size = op.a.size;
    let shift = |b: u128| u32::try_from(b).unwrap_or(u32::MAX);
    let truth = u128::from;
    let nonzero = |b: u128| if b == 0 { Err(OperationRefusal::Division) } else { Ok(b) };
    let value = match op.code {
        PcodeOpcode::Add => a.wrapping_add(b),
        PcodeOpcode::Sub => a.wrapping_sub(b),
        PcodeOpcode::Mul => a.wrapping_mul(b),
        PcodeOpcode::Udiv => a / nonzero(b)?,
        PcodeOpcode::Urem => a % nonzero(b)?,
        PcodeOpcode::Sdiv => sign_extend_u128(a, size)
            .wrapping_div(sign_extend_u128(nonzero(b)?, size))
            .cast_unsigned(),
        PcodeOpcode::Srem => sign_extend_u128(a, size)
            .wrapping_rem(sign_extend_u128(nonzero(b)?, size))
            .cast_unsigned(),
        PcodeOpcode::Negate => a.wrapping_neg(),
        PcodeOpcode::Not => !a,
        PcodeOpcode::And => a & b,
        PcodeOpcode::Or => a | b,
        PcodeOpcode::Xor => a ^ b,
        PcodeOpcode::Shl => a.checked_shl(shift(b)).unwrap_or(0),
        PcodeOpcode::Lshr => a.checked_shr(shift(b)).unwrap_or(0),
        PcodeOpcode::Ashr => (sign_extend_u128(a, size) >> shift(b).min(127)).cast_unsigned(),
        PcodeOpcode::Eq => truth(a == b),
        PcodeOpcode::Ne => truth(a != b),
        PcodeOpcode::Ult => truth(a < b),
        PcodeOpcode::Ule => truth(a <= b),
        PcodeOpcode::Slt => truth(sign_extend_u128(a, size) < sign_extend_u128(b, size)),
        PcodeOpcode::Sle => truth(sign_extend_u128(a, size) <= sign_extend_u128(b, size)),
        PcodeOpcode::ZeroExtend => a,
        PcodeOpcode::SignExtend => sign_extend_u128(a, size).cast_unsigned(),
        PcodeOpcode::Carry => truth((a.wrapping_add(b) & mask_u128(size)) < a),
        PcodeOpcode::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        PcodeOpcode::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        PcodeOpcode::Popcount => u128::from(a.count_ones()),
        PcodeOpcode::LzCount => u128::from(a.leading_zeros()) - (128 - 8 * u128::from(size)),
        PcodeOpcode::Subpiece => a.checked_shr(8 * shift(b).min(16)).unwrap_or(0),
        PcodeOpcode::Piece => a.checked_shl(8 * u32::from(op.b.size)).unwrap_or(0) | b,
        _ => return compute_float(op, a, b),
    };
    Ok(value & mask_u128(op.out.size))
}

/// Scalar arithmetic in the default rounding mode. The CPU computes the values that count; these are
/// compared with them.
fn compute_float(op: &PcodeOp, a: u128, b: u128) -> Result<u128, OperationRefusal> {
    let double = |bits: u128| f64::from_bits(low_u64(bits));
    let single = |bits: u128| f32::from_bits(u32::try_from(bits & 0xffff_ffff).expect("masked"));
    let truth = |holds: bool| Ok(u128::from(holds));
    let (x, y) = match op.a.size {
        8 => (double(a), double(b)),
        4 => (f64::from(single(a)), f64::from(single(b))),
        _ => return Err(OperationRefusal::NotModelled),
    };
    match op.code {
        PcodeOpcode::FloatEq => return truth(x == y),
        PcodeOpcode::FloatNe => return truth(x != y),
        PcodeOpcode::FloatLt => return truth(x < y),
        PcodeOpcode::FloatLe => return truth(x <= y),
        PcodeOpcode::FloatIsNan => return truth(x.is_nan()),
        PcodeOpcode::IntToFloat if op.out.size == 8 => {
            #[allow(clippy::cast_precision_loss, reason = "rounding is what the instruction does")]
            let value = sign_extend_u64(low_u64(a), op.a.size) as f64;
            return Ok(u128::from(value.to_bits()));
        }
        _ if op.a.size != 8 || op.out.size != 8 => return Err(OperationRefusal::NotModelled),
        _ => {}
    }
    let value = match op.code {
        PcodeOpcode::FloatAdd => x + y,
        PcodeOpcode::FloatSub => x - y,
        PcodeOpcode::FloatMul => x * y,
        PcodeOpcode::FloatDiv => x / y,
        PcodeOpcode::FloatSqrt => x.sqrt(),
        _ => return Err(OperationRefusal::NotModelled),
    };
    Ok(u128::from(value.to_bits()))
}

fn low_u64(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).expect("masked")
}
