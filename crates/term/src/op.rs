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
pub enum TermOp {
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
    pub op: TermOp,
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

fn is_float_width(width: u32) -> bool {
    matches!(width, 32 | 64 | 80 | 128)
}

impl TermOp {
    /// The sort of `op` applied to arguments of these sorts, or `None` if it refuses them.
    /// Symbols are not covered: their sort is in the store.
    pub(crate) fn result_sort(&self, sorts: &[Sort]) -> Option<Sort> {
        use Sort::{BitVec, Bool, Int};
        let valid = |width: u32| (1..=Sort::MAX_WIDTH).contains(&width);
        match (self, sorts) {
            (TermOp::True | TermOp::False, []) => Some(Bool),
            (TermOp::Int(_), []) => Some(Int),
            (TermOp::Bv { width, value }, [])
                if valid(*width) && *value & !crate::width_mask(*width) == 0 =>
            {
                Some(BitVec(*width))
            }
            (TermOp::Not, [Bool]) => Some(Bool),
            (TermOp::And | TermOp::Or, all) if all.iter().all(|s| *s == Bool) => Some(Bool),
            (TermOp::Eq, [a, b]) if a == b => Some(Bool),
            (TermOp::Ite, [Bool, a, b]) if a == b => Some(*a),
            (TermOp::IntAdd | TermOp::IntMul, all)
                if !all.is_empty() && all.iter().all(|s| *s == Int) =>
            {
                Some(Int)
            }
            (TermOp::IntLe, [Int, Int]) => Some(Bool),
            (TermOp::IntDiv | TermOp::IntMod, [Int, Int]) => Some(Int),
            (TermOp::BvNot | TermOp::BvNeg, [BitVec(w)]) => Some(BitVec(*w)),
            (
                TermOp::BvAdd
                | TermOp::BvMul
                | TermOp::BvUdiv
                | TermOp::BvUrem
                | TermOp::BvSdiv
                | TermOp::BvSrem
                | TermOp::BvAnd
                | TermOp::BvOr
                | TermOp::BvXor
                | TermOp::BvShl
                | TermOp::BvLshr
                | TermOp::BvAshr,
                [BitVec(a), BitVec(b)],
            ) if a == b => Some(BitVec(*a)),
            (
                TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle,
                [BitVec(a), BitVec(b)],
            ) if a == b => Some(Bool),
            (TermOp::Concat, [BitVec(a), BitVec(b)]) if valid(a + b) => Some(BitVec(a + b)),
            (TermOp::Extract { high, low }, [BitVec(w)]) if low <= high && high < w => {
                Some(BitVec(high - low + 1))
            }
            (TermOp::ZeroExtend(to) | TermOp::SignExtend(to), [BitVec(w)])
                if w <= to && valid(*to) =>
            {
                Some(BitVec(*to))
            }
            (TermOp::BvToNat, [BitVec(_)]) => Some(Int),
            (TermOp::IntToBv(w), [Int]) if valid(*w) => Some(BitVec(*w)),
            (
                TermOp::FpAdd | TermOp::FpSub | TermOp::FpMul | TermOp::FpDiv | TermOp::FpMod,
                [BitVec(a), BitVec(b)],
            ) if a == b && is_float_width(*a) => Some(BitVec(*a)),
            (TermOp::FpSqrt, [BitVec(a)]) if is_float_width(*a) => Some(BitVec(*a)),
            (TermOp::FpEq | TermOp::FpLt | TermOp::FpLe, [BitVec(a), BitVec(b)])
                if a == b && is_float_width(*a) =>
            {
                Some(Bool)
            }
            (TermOp::FpIsNan, [BitVec(a)]) if is_float_width(*a) => Some(Bool),
            (TermOp::FpToFp(to), [BitVec(a)]) if is_float_width(*a) && is_float_width(*to) => {
                Some(BitVec(*to))
            }
            (TermOp::FpToSbv(to) | TermOp::FpToUbv(to), [BitVec(a)])
                if is_float_width(*a) && valid(*to) =>
            {
                Some(BitVec(*to))
            }
            (TermOp::SbvToFp(to) | TermOp::UbvToFp(to), [BitVec(_)]) if is_float_width(*to) => {
                Some(BitVec(*to))
            }
            _ => None,
        }
    }
}
