//! The operators and their signatures.

use std::fmt;

use num_bigint::BigInt;

use crate::{Sort, SymbolId};

/// What a term does with its arguments. The comment of each operator gives its SMT-LIB name.
///
/// Division and remainder by zero follow SMT-LIB (`bvudiv x 0` is all ones); whoever lowers a
/// program must exclude that case first. Floating point operators round to nearest, ties to even,
/// work on IEEE bit patterns of 32, 64, 80 (x87 extended) or 128 bits, and give one fixed NaN.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A free constant.
    Symbol(SymbolId),
    /// `true`
    True,
    /// `false`
    False,
    /// An integer numeral.
    Int(BigInt),
    /// `(_ bvV W)`; bits above the width are zero.
    Bv {
        /// Number of bits.
        width: u32,
        /// The value, unsigned.
        value: u128,
    },
    /// `not`
    Not,
    /// `and`, of any number of arguments
    And,
    /// `or`, of any number of arguments
    Or,
    /// `=`
    Eq,
    /// `ite`
    Ite,
    /// `+` on integers
    IntAdd,
    /// `*` on integers
    IntMul,
    /// `<=` on integers
    IntLe,
    /// `div` on integers (Euclidean, as SMT-LIB)
    IntDiv,
    /// `mod` on integers (Euclidean, as SMT-LIB)
    IntMod,
    /// `bvnot`
    BvNot,
    /// `bvneg`
    BvNeg,
    /// `bvadd`
    BvAdd,
    /// `bvmul`
    BvMul,
    /// `bvudiv`
    BvUdiv,
    /// `bvurem`
    BvUrem,
    /// `bvsdiv`
    BvSdiv,
    /// `bvsrem`
    BvSrem,
    /// `bvand`
    BvAnd,
    /// `bvor`
    BvOr,
    /// `bvxor`
    BvXor,
    /// `bvshl`
    BvShl,
    /// `bvlshr`
    BvLshr,
    /// `bvashr`
    BvAshr,
    /// `bvult`
    BvUlt,
    /// `bvule`
    BvUle,
    /// `bvslt`
    BvSlt,
    /// `bvsle`
    BvSle,
    /// `concat`, most significant part first
    Concat,
    /// `(_ extract high low)`
    Extract {
        /// Highest bit taken.
        high: u32,
        /// Lowest bit taken.
        low: u32,
    },
    /// `(_ zero_extend n)` to the given *total* width
    ZeroExtend(u32),
    /// `(_ sign_extend n)` to the given *total* width
    SignExtend(u32),
    /// `bv2nat`: the unsigned value as an integer
    BvToNat,
    /// `(_ int2bv w)`
    IntToBv(u32),
    /// `fp.add`
    FpAdd,
    /// `fp.sub`
    FpSub,
    /// `fp.mul`
    FpMul,
    /// `fp.div`
    FpDiv,
    /// `fp.sqrt`
    FpSqrt,
    /// C's `fmod`: exact remainder of the truncated quotient
    FpMod,
    /// `fp.eq`: false on NaN, true on zeros of either sign
    FpEq,
    /// `fp.lt`
    FpLt,
    /// `fp.leq`
    FpLe,
    /// `fp.isNaN`
    FpIsNan,
    /// From one format to another, of the given width
    FpToFp(u32),
    /// Toward zero, to a signed integer of the given width; out of range is unspecified
    FpToSbv(u32),
    /// Toward zero, to an unsigned integer of the given width; out of range is unspecified
    FpToUbv(u32),
    /// From a signed integer to a float of the given width
    SbvToFp(u32),
    /// From an unsigned integer to a float of the given width
    UbvToFp(u32),
}

/// Why an application was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllSorted {
    /// The operator.
    pub op: Op,
    /// The sorts it was given.
    pub sorts: Vec<Sort>,
}

impl fmt::Display for IllSorted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} cannot be applied to (", self.op)?;
        for (i, sort) in self.sorts.iter().enumerate() {
            write!(f, "{}{sort}", if i == 0 { "" } else { " " })?;
        }
        f.write_str(")")
    }
}

impl std::error::Error for IllSorted {}

fn is_float(width: u32) -> bool {
    matches!(width, 32 | 64 | 80 | 128)
}

impl Op {
    /// The sort of `op` applied to arguments of these sorts, or `None` if it refuses them.
    /// Symbols are not covered: their sort is in the store.
    pub(crate) fn result(&self, sorts: &[Sort]) -> Option<Sort> {
        use Sort::{BitVec, Bool, Int};
        let valid = |width: u32| (1..=Sort::MAX_WIDTH).contains(&width);
        match (self, sorts) {
            (Op::True | Op::False, []) => Some(Bool),
            (Op::Int(_), []) => Some(Int),
            (Op::Bv { width, value }, [])
                if valid(*width) && *value & !crate::mask(*width) == 0 =>
            {
                Some(BitVec(*width))
            }
            (Op::Not, [Bool]) => Some(Bool),
            (Op::And | Op::Or, all) if all.iter().all(|s| *s == Bool) => Some(Bool),
            (Op::Eq, [a, b]) if a == b => Some(Bool),
            (Op::Ite, [Bool, a, b]) if a == b => Some(*a),
            (Op::IntAdd | Op::IntMul, all) if !all.is_empty() && all.iter().all(|s| *s == Int) => {
                Some(Int)
            }
            (Op::IntLe, [Int, Int]) => Some(Bool),
            (Op::IntDiv | Op::IntMod, [Int, Int]) => Some(Int),
            (Op::BvNot | Op::BvNeg, [BitVec(w)]) => Some(BitVec(*w)),
            (
                Op::BvAdd
                | Op::BvMul
                | Op::BvUdiv
                | Op::BvUrem
                | Op::BvSdiv
                | Op::BvSrem
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::BvShl
                | Op::BvLshr
                | Op::BvAshr,
                [BitVec(a), BitVec(b)],
            ) if a == b => Some(BitVec(*a)),
            (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [BitVec(a), BitVec(b)]) if a == b => {
                Some(Bool)
            }
            (Op::Concat, [BitVec(a), BitVec(b)]) if valid(a + b) => Some(BitVec(a + b)),
            (Op::Extract { high, low }, [BitVec(w)]) if low <= high && high < w => {
                Some(BitVec(high - low + 1))
            }
            (Op::ZeroExtend(to) | Op::SignExtend(to), [BitVec(w)]) if w <= to && valid(*to) => {
                Some(BitVec(*to))
            }
            (Op::BvToNat, [BitVec(_)]) => Some(Int),
            (Op::IntToBv(w), [Int]) if valid(*w) => Some(BitVec(*w)),
            (Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpMod, [BitVec(a), BitVec(b)])
                if a == b && is_float(*a) =>
            {
                Some(BitVec(*a))
            }
            (Op::FpSqrt, [BitVec(a)]) if is_float(*a) => Some(BitVec(*a)),
            (Op::FpEq | Op::FpLt | Op::FpLe, [BitVec(a), BitVec(b)]) if a == b && is_float(*a) => {
                Some(Bool)
            }
            (Op::FpIsNan, [BitVec(a)]) if is_float(*a) => Some(Bool),
            (Op::FpToFp(to), [BitVec(a)]) if is_float(*a) && is_float(*to) => Some(BitVec(*to)),
            (Op::FpToSbv(to) | Op::FpToUbv(to), [BitVec(a)]) if is_float(*a) && valid(*to) => {
                Some(BitVec(*to))
            }
            (Op::SbvToFp(to) | Op::UbvToFp(to), [BitVec(_)]) if is_float(*to) => Some(BitVec(*to)),
            _ => None,
        }
    }
}
