//! A constructor by name for each operator. Ill-sorted arguments are a bug of the caller here;
//! text and files go through [`TermStore::apply`].

use num_bigint::BigInt;

use crate::{Constant, Sort, Term, TermOp, TermStore, width_mask};

impl TermStore {
    fn apply_well_sorted(&mut self, op: TermOp, args: &[Term]) -> Term {
        match self.apply_operator(op, args) {
            Ok(term) => term,
            Err(refused) => panic!("ill-sorted term: {refused}"),
        }
    }

    /// A boolean constant.
    pub fn bool(&mut self, value: bool) -> Term {
        self.apply_well_sorted(if value { TermOp::True } else { TermOp::False }, &[])
    }

    /// An integer constant.
    pub fn int(&mut self, value: impl Into<BigInt>) -> Term {
        self.apply_well_sorted(TermOp::Int(value.into()), &[])
    }

    /// A bit-vector constant; bits above the width are cut off.
    pub fn bv(&mut self, width: u32, value: u128) -> Term {
        self.apply_well_sorted(TermOp::Bv { width, value: value & width_mask(width) }, &[])
    }

    /// A constant of any sort.
    pub fn constant(&mut self, value: Constant) -> Term {
        match value {
            Constant::Bool(b) => self.bool(b),
            Constant::Int(i) => self.int(i),
            Constant::Bv { width, value } => self.bv(width, value),
        }
    }

    /// The constant that a term is, if it is one.
    pub fn as_constant(&self, term: Term) -> Option<Constant> {
        match self.op(term) {
            TermOp::True => Some(Constant::Bool(true)),
            TermOp::False => Some(Constant::Bool(false)),
            TermOp::Int(i) => Some(Constant::Int(i.clone())),
            TermOp::Bv { width, value } => Some(Constant::Bv { width: *width, value: *value }),
            _ => None,
        }
    }

    /// The value of a bit-vector constant.
    pub fn as_bv(&self, term: Term) -> Option<u128> {
        match self.op(term) {
            TermOp::Bv { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int(&self, term: Term) -> Option<&BigInt> {
        match self.op(term) {
            TermOp::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a boolean constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.op(term) {
            TermOp::True => Some(true),
            TermOp::False => Some(false),
            _ => None,
        }
    }

    /// `not a`
    pub fn not(&mut self, a: Term) -> Term {
        self.apply_well_sorted(TermOp::Not, &[a])
    }

    /// `a and b`
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.apply_well_sorted(TermOp::And, &[a, b])
    }

    /// The conjunction of all; `true` if there are none.
    pub fn and_all(&mut self, all: &[Term]) -> Term {
        self.apply_well_sorted(TermOp::And, all)
    }

    /// `a or b`
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.apply_well_sorted(TermOp::Or, &[a, b])
    }

    /// The disjunction of all; `false` if there are none.
    pub fn or_all(&mut self, all: &[Term]) -> Term {
        self.apply_well_sorted(TermOp::Or, all)
    }

    /// `a implies b`
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// `a = b`
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.apply_well_sorted(TermOp::Eq, &[a, b])
    }

    /// `a != b`
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// `if c then a else b`
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        self.apply_well_sorted(TermOp::Ite, &[c, a, b])
    }

    /// `a - b` on integers: `a + (-1) * b`, so that sums have one shape.
    pub fn int_sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.int_neg(b);
        self.int_add(a, negated)
    }

    /// `-a` on integers.
    pub fn int_neg(&mut self, a: Term) -> Term {
        let minus_one = self.int(-1);
        self.int_mul(minus_one, a)
    }

    /// `a < b` on integers: `a + 1 <= b`.
    pub fn int_lt(&mut self, a: Term, b: Term) -> Term {
        let one = self.int(1);
        let next = self.int_add(a, one);
        self.int_le(next, b)
    }

    /// `a - b` on bit-vectors: `a + (-b)`, so that sums have one shape.
    pub fn bv_sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.bv_neg(b);
        self.bv_add(a, negated)
    }

    /// Bits `high` down to `low`.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.apply_well_sorted(TermOp::Extract { high, low }, &[a])
    }

    /// The low `width` bits.
    pub fn truncate(&mut self, width: u32, a: Term) -> Term {
        self.extract(width - 1, 0, a)
    }

    /// Widened with zeros to `width` bits in total.
    pub fn zero_extend(&mut self, width: u32, a: Term) -> Term {
        self.apply_well_sorted(TermOp::ZeroExtend(width), &[a])
    }

    /// Widened with copies of the sign to `width` bits in total.
    pub fn sign_extend(&mut self, width: u32, a: Term) -> Term {
        self.apply_well_sorted(TermOp::SignExtend(width), &[a])
    }

    /// A boolean as a bit-vector, 1 or 0.
    pub fn bool_to_bv(&mut self, width: u32, a: Term) -> Term {
        let one = self.bv(width, 1);
        let zero = self.bv(width, 0);
        self.ite(a, one, zero)
    }

    /// Whether a bit-vector is not zero.
    pub fn bv_is_nonzero(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let zero = self.bv(width, 0);
        self.ne(a, zero)
    }

    /// A new bit-vector symbol.
    pub fn fresh_bv(&mut self, stem: &str, width: u32) -> Term {
        self.fresh_symbol(stem, Sort::BitVec(width))
    }
}

macro_rules! unary {
    ($($name:ident $op:ident $doc:literal;)*) => {
        impl TermStore { $(#[doc = $doc] pub fn $name(&mut self, a: Term) -> Term { self.apply_well_sorted(TermOp::$op, &[a]) })* }
    };
}

macro_rules! binary {
    ($($name:ident $op:ident $doc:literal;)*) => {
        impl TermStore { $(#[doc = $doc] pub fn $name(&mut self, a: Term, b: Term) -> Term { self.apply_well_sorted(TermOp::$op, &[a, b]) })* }
    };
}

macro_rules! converting {
    ($($name:ident $op:ident $doc:literal;)*) => {
        impl TermStore { $(#[doc = $doc] pub fn $name(&mut self, width: u32, a: Term) -> Term { self.apply_well_sorted(TermOp::$op(width), &[a]) })* }
    };
}

unary! {
    bv_not BvNot "Bitwise complement.";
    bv_neg BvNeg "Two's complement negation.";
    bv_to_nat BvToNat "The unsigned value as an integer.";
    fp_sqrt FpSqrt "Square root.";
    fp_is_nan FpIsNan "Whether a float is not a number.";
}

binary! {
    int_add IntAdd "Sum of integers.";
    int_mul IntMul "Product of integers.";
    int_le IntLe "At most, on integers.";
    int_div IntDiv "Euclidean quotient.";
    int_mod IntMod "Euclidean remainder.";
    bv_add BvAdd "Sum, modulo the width.";
    bv_mul BvMul "Product, modulo the width.";
    bv_udiv BvUdiv "Unsigned quotient.";
    bv_urem BvUrem "Unsigned remainder.";
    bv_sdiv BvSdiv "Signed quotient, toward zero.";
    bv_srem BvSrem "Signed remainder, with the sign of the dividend.";
    bv_and BvAnd "Bitwise and.";
    bv_or BvOr "Bitwise or.";
    bv_xor BvXor "Bitwise exclusive or.";
    bv_shl BvShl "Shift left; zero when the count reaches the width.";
    bv_lshr BvLshr "Logical shift right.";
    bv_ashr BvAshr "Arithmetic shift right.";
    bv_ult BvUlt "Less than, unsigned.";
    bv_ule BvUle "At most, unsigned.";
    bv_slt BvSlt "Less than, signed.";
    bv_sle BvSle "At most, signed.";
    concat Concat "The first argument gives the high bits.";
    fp_add FpAdd "Sum of floats.";
    fp_sub FpSub "Difference of floats.";
    fp_mul FpMul "Product of floats.";
    fp_div FpDiv "Quotient of floats.";
    fp_mod FpMod "C's `fmod`.";
    fp_eq FpEq "Equality of floats.";
    fp_lt FpLt "Less than, on floats.";
    fp_le FpLe "At most, on floats.";
}

converting! {
    int_to_bv IntToBv "An integer modulo 2 to the width.";
    fp_to_fp FpToFp "To the float format of that width.";
    fp_to_sbv FpToSbv "Toward zero, to a signed integer.";
    fp_to_ubv FpToUbv "Toward zero, to an unsigned integer.";
    sbv_to_fp SbvToFp "A signed integer as a float.";
    ubv_to_fp UbvToFp "An unsigned integer as a float.";
}
