//! Operators applied to constants. This file is the meaning of every operator.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use crate::{Op, Sort, float};

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
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The signed value of the low `width` bits.
pub fn sign_extend(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    (value << unused).cast_signed() >> unused
}

/// `op` applied to constants of fitting sorts; `None` where the result is not specified.
pub(crate) fn fold(op: &Op, args: &[Constant]) -> Option<Constant> {
    use Constant::{Bool, Bv, Int};
    let bv = |width: u32, value: u128| Some(Bv { width, value: value & mask(width) });
    Some(match (op, args) {
        (Op::True, []) => Bool(true),
        (Op::False, []) => Bool(false),
        (Op::Int(i), []) => Int(i.clone()),
        (Op::Bv { width, value }, []) => Bv { width: *width, value: *value },
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, all) => Bool(all.iter().all(|a| *a == Bool(true))),
        (Op::Or, all) => Bool(all.contains(&Bool(true))),
        (Op::Eq, [a, b]) => Bool(a == b),
        (Op::Ite, [Bool(c), a, b]) => if *c { a } else { b }.clone(),
        (Op::IntAdd, all) => Int(all.iter().map(int).sum()),
        (Op::IntMul, all) => Int(all.iter().map(int).product()),
        (Op::IntLe, [Int(a), Int(b)]) => Bool(a <= b),
        (Op::IntDiv, [Int(a), Int(b)]) if !b.is_zero() => {
            let floor = a.mod_floor(b);
            let remainder = if floor.sign() == Sign::Minus { floor - b } else { floor };
            Int((a - remainder) / b)
        }
        (Op::IntMod, [Int(a), Int(b)]) if !b.is_zero() => {
            let floor = a.mod_floor(b);
            Int(if floor.sign() == Sign::Minus { floor - b } else { floor })
        }
        (Op::BvNot, [Bv { width, value }]) => return bv(*width, !value),
        (Op::BvNeg, [Bv { width, value }]) => return bv(*width, value.wrapping_neg()),
        (Op::Concat, [Bv { width: high, value: h }, Bv { width: low, value: l }]) => {
            return bv(high + low, (h << low) | l);
        }
        (Op::Extract { high, low }, [Bv { value, .. }]) => return bv(high - low + 1, value >> low),
        (Op::ZeroExtend(to), [Bv { value, .. }]) => return bv(*to, *value),
        (Op::SignExtend(to), [Bv { width, value }]) => {
            return bv(*to, sign_extend(*width, *value).cast_unsigned());
        }
        (Op::BvToNat, [Bv { value, .. }]) => Int(BigInt::from(*value)),
        (Op::IntToBv(width), [Int(i)]) => {
            let modulus = BigInt::from(1) << *width;
            return bv(*width, i.mod_floor(&modulus).to_u128()?);
        }
        (Op::FpSqrt, [Bv { width, value }]) => return bv(*width, float::sqrt(*width, *value)),
        (Op::FpIsNan, [Bv { width, value }]) => Bool(float::is_nan(*width, *value)),
        (Op::FpToFp(to), [Bv { width, value }]) => {
            return bv(*to, float::convert(*width, *to, *value));
        }
        (Op::FpToSbv(to), [Bv { width, value }]) => {
            return bv(*to, float::to_integer(*width, *value, *to, true)?);
        }
        (Op::FpToUbv(to), [Bv { width, value }]) => {
            return bv(*to, float::to_integer(*width, *value, *to, false)?);
        }
        (Op::SbvToFp(to), [Bv { width, value }]) => {
            return bv(*to, float::from_integer(sign_extend(*width, *value), *to));
        }
        (Op::UbvToFp(to), [Bv { value, .. }]) => return bv(*to, float::from_unsigned(*value, *to)),
        (op, [Bv { width, value: a }, Bv { value: b, .. }]) => {
            return fold_pair(op, *width, *a, *b);
        }
        _ => return None,
    })
}

fn int(constant: &Constant) -> &BigInt {
    match constant {
        Constant::Int(i) => i,
        _ => unreachable!("sorts were checked"),
    }
}

/// Operators on two bit-vectors of one width.
fn fold_pair(op: &Op, width: u32, a: u128, b: u128) -> Option<Constant> {
    let signed = |value| sign_extend(width, value);
    let shift = |by: u128| u32::try_from(by).ok().filter(|by| *by < width);
    let value = match op {
        Op::BvAdd => a.wrapping_add(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvUdiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv if b == 0 => {
            if signed(a) < 0 {
                1
            } else {
                u128::MAX
            }
        }
        Op::BvSdiv => signed(a).wrapping_div(signed(b)).cast_unsigned(),
        Op::BvSrem if b == 0 => a,
        Op::BvSrem => signed(a).wrapping_rem(signed(b)).cast_unsigned(),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvShl => shift(b).map_or(0, |by| a << by),
        Op::BvLshr => shift(b).map_or(0, |by| a >> by),
        Op::BvAshr => (signed(a) >> shift(b).unwrap_or(width - 1)).cast_unsigned(),
        Op::FpAdd => float::add(width, a, b),
        Op::FpSub => float::sub(width, a, b),
        Op::FpMul => float::mul(width, a, b),
        Op::FpDiv => float::div(width, a, b),
        Op::FpMod => float::modulo(width, a, b),
        Op::BvUlt => return Some(Constant::Bool(a < b)),
        Op::BvUle => return Some(Constant::Bool(a <= b)),
        Op::BvSlt => return Some(Constant::Bool(signed(a) < signed(b))),
        Op::BvSle => return Some(Constant::Bool(signed(a) <= signed(b))),
        Op::FpEq => return Some(Constant::Bool(float::eq(width, a, b))),
        Op::FpLt => return Some(Constant::Bool(float::lt(width, a, b))),
        Op::FpLe => return Some(Constant::Bool(float::lt(width, a, b) || float::eq(width, a, b))),
        _ => return None,
    };
    Some(Constant::Bv { width, value: value & mask(width) })
}
