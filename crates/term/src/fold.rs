//! Operators applied to constants. This file is the meaning of every operator.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use crate::{Sort, TermOp, float};

/// The value of a term without symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A bit-vector; bits above the width are zero.
    Bv {
        /// Number of bits.
        width: u32,
        /// The unsigned value.
        value: u128,
    },
}

impl Constant {
    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Constant::Bool(_) => Sort::Bool,
            Constant::Int(_) => Sort::Int,
            Constant::Bv { width, .. } => Sort::BitVec(*width),
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Constant::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The unsigned value of a bit-vector.
    pub fn as_bv(&self) -> Option<u128> {
        match self {
            Constant::Bv { value, .. } => Some(*value),
            _ => None,
        }
    }
}

/// The bits that a value of this width can have.
pub fn width_mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The signed value of the low `width` bits.
pub fn sign_extend(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    (value << unused).cast_signed() >> unused
}

/// `op` applied to constants of fitting sorts; `None` where the result is not specified.
pub(crate) fn fold_constants(op: &TermOp, args: &[Constant]) -> Option<Constant> {
    use Constant::{Bool, Bv, Int};
    let bv = |width: u32, value: u128| Some(Bv { width, value: value & width_mask(width) });
    Some(match (op, args) {
        (TermOp::True, []) => Bool(true),
        (TermOp::False, []) => Bool(false),
        (TermOp::Int(i), []) => Int(i.clone()),
        (TermOp::Bv { width, value }, []) => Bv { width: *width, value: *value },
        (TermOp::Not, [Bool(a)]) => Bool(!a),
        (TermOp::And, all) => Bool(all.iter().all(|a| *a == Bool(true))),
        (TermOp::Or, all) => Bool(all.contains(&Bool(true))),
        (TermOp::Eq, [a, b]) => Bool(a == b),
        (TermOp::Ite, [Bool(c), a, b]) => if *c { a } else { b }.clone(),
        (TermOp::IntAdd, all) => Int(all.iter().map(expect_integer).sum()),
        (TermOp::IntMul, all) => Int(all.iter().map(expect_integer).product()),
        (TermOp::IntLe, [Int(a), Int(b)]) => Bool(a <= b),
        (TermOp::IntDiv, [Int(a), Int(b)]) if !b.is_zero() => {
            let floor = a.mod_floor(b);
            let remainder = if floor.sign() == Sign::Minus { floor - b } else { floor };
            Int((a - remainder) / b)
        }
        (TermOp::IntMod, [Int(a), Int(b)]) if !b.is_zero() => {
            let floor = a.mod_floor(b);
            Int(if floor.sign() == Sign::Minus { floor - b } else { floor })
        }
        (TermOp::BvNot, [Bv { width, value }]) => return bv(*width, !value),
        (TermOp::BvNeg, [Bv { width, value }]) => return bv(*width, value.wrapping_neg()),
        (TermOp::Concat, [Bv { width: high, value: h }, Bv { width: low, value: l }]) => {
            return bv(high + low, (h << low) | l);
        }
        (TermOp::Extract { high, low }, [Bv { value, .. }]) => {
            return bv(high - low + 1, value >> low);
        }
        (TermOp::ZeroExtend(to), [Bv { value, .. }]) => return bv(*to, *value),
        (TermOp::SignExtend(to), [Bv { width, value }]) => {
            return bv(*to, sign_extend(*width, *value).cast_unsigned());
        }
        (TermOp::BvToNat, [Bv { value, .. }]) => Int(BigInt::from(*value)),
        (TermOp::IntToBv(width), [Int(i)]) => {
            let modulus = BigInt::from(1) << *width;
            return bv(*width, i.mod_floor(&modulus).to_u128()?);
        }
        (TermOp::FpSqrt, [Bv { width, value }]) => {
            return bv(*width, float::float_sqrt(*width, *value));
        }
        (TermOp::FpIsNan, [Bv { width, value }]) => Bool(float::is_nan(*width, *value)),
        (TermOp::FpToFp(to), [Bv { width, value }]) => {
            return bv(*to, float::convert_format(*width, *to, *value));
        }
        (TermOp::FpToSbv(to), [Bv { width, value }]) => {
            return bv(*to, float::float_to_integer(*width, *value, *to, true)?);
        }
        (TermOp::FpToUbv(to), [Bv { width, value }]) => {
            return bv(*to, float::float_to_integer(*width, *value, *to, false)?);
        }
        (TermOp::SbvToFp(to), [Bv { width, value }]) => {
            return bv(*to, float::signed_to_float(sign_extend(*width, *value), *to));
        }
        (TermOp::UbvToFp(to), [Bv { value, .. }]) => {
            return bv(*to, float::unsigned_to_float(*value, *to));
        }
        (op, [Bv { width, value: a }, Bv { value: b, .. }]) => {
            return fold_bv_pair(op, *width, *a, *b);
        }
        _ => return None,
    })
}

fn expect_integer(constant: &Constant) -> &BigInt {
    match constant {
        Constant::Int(i) => i,
        _ => unreachable!("sorts were checked"),
    }
}

/// Operators on two bit-vectors of one width.
fn fold_bv_pair(op: &TermOp, width: u32, a: u128, b: u128) -> Option<Constant> {
    let signed = |value| sign_extend(width, value);
    let shift = |by: u128| u32::try_from(by).ok().filter(|by| *by < width);
    let value = match op {
        TermOp::BvAdd => a.wrapping_add(b),
        TermOp::BvMul => a.wrapping_mul(b),
        TermOp::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        TermOp::BvUrem => a.checked_rem(b).unwrap_or(a),
        TermOp::BvSdiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                u128::MAX
            }
        }
        TermOp::BvSdiv => signed(a).wrapping_div(signed(b)).cast_unsigned(),
        TermOp::BvSrem if b == 0 => a,
        TermOp::BvSrem => signed(a).wrapping_rem(signed(b)).cast_unsigned(),
        TermOp::BvAnd => a & b,
        TermOp::BvOr => a | b,
        TermOp::BvXor => a ^ b,
        TermOp::BvShl => shift(b).map_or(0, |by| a << by),
        TermOp::BvLshr => shift(b).map_or(0, |by| a >> by),
        TermOp::BvAshr => (signed(a) >> shift(b).unwrap_or(width - 1)).cast_unsigned(),
        TermOp::FpAdd => float::add(width, a, b),
        TermOp::FpSub => float::sub(width, a, b),
        TermOp::FpMul => float::mul(width, a, b),
        TermOp::FpDiv => float::div(width, a, b),
        TermOp::FpMod => float::float_modulo(width, a, b),
        TermOp::BvUlt => return Some(Constant::Bool(a < b)),
        TermOp::BvUle => return Some(Constant::Bool(a <= b)),
        TermOp::BvSlt => return Some(Constant::Bool(signed(a) < signed(b))),
        TermOp::BvSle => return Some(Constant::Bool(signed(a) <= signed(b))),
        TermOp::FpEq => return Some(Constant::Bool(float::float_equal(width, a, b))),
        TermOp::FpLt => return Some(Constant::Bool(float::float_less_than(width, a, b))),
        TermOp::FpLe => {
            return Some(Constant::Bool(
                float::float_less_than(width, a, b) || float::float_equal(width, a, b),
            ));
        }
        _ => return None,
    };
    Some(Constant::Bv { width, value: value & width_mask(width) })
}
