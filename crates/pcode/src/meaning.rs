//! Each operation as a term.

use ouro_term::{Term, Terms};

use crate::op::{Code, Op};

/// What an operation gives.
pub(crate) enum Meaning {
    /// A bit-vector of the result's size.
    Value(Term),
    /// A truth value, which P-code keeps in a byte.
    Truth(Term),
    /// A float; the term is right unless it is not a number.
    Float(Term),
    /// A quotient; it is right if the condition holds.
    Guarded(Term, Term),
    /// Not worth a term: nobody may look at it.
    Opaque,
    /// There is no term for it.
    None,
}

/// The meaning of an operation on these arguments, which have the sizes that the operation says.
pub(crate) fn meaning(terms: &mut Terms, op: &Op, a: Term, b: Option<Term>) -> Meaning {
    let width = |size: u8| 8 * u32::from(size);
    let (out, size) = (width(op.out.size), width(op.a.size));
    if out > 128 || size > 128 {
        return Meaning::None;
    }
    let unary = match op.code {
        Code::Copy => Some(a),
        Code::Negate => Some(terms.bv_neg(a)),
        Code::Not => Some(terms.bv_not(a)),
        Code::ZeroExtend => Some(terms.zero_extend(out, a)),
        Code::SignExtend => Some(terms.sign_extend(out, a)),
        _ => None,
    };
    if let Some(term) = unary {
        return Meaning::Value(term);
    }
    match op.code {
        Code::Popcount | Code::LzCount => return Meaning::Opaque,
        Code::FloatIsNan => return Meaning::Truth(terms.fp_is_nan(a)),
        Code::IntToFloat if out == 64 || out == 32 => {
            return Meaning::Value(terms.sbv_to_fp(out, a));
        }
        Code::FloatSqrt => return Meaning::Float(terms.fp_sqrt(a)),
        _ => {}
    }
    let Some(b) = b else { return Meaning::None };
    let any_size =
        matches!(op.code, Code::Shl | Code::Lshr | Code::Ashr | Code::Piece | Code::Subpiece);
    if op.a.size != op.b.size && !any_size {
        return Meaning::None;
    }
    let value = match op.code {
        Code::Add => terms.bv_add(a, b),
        Code::Sub => terms.bv_sub(a, b),
        Code::Mul => terms.bv_mul(a, b),
        Code::And => terms.bv_and(a, b),
        Code::Or => terms.bv_or(a, b),
        Code::Xor => terms.bv_xor(a, b),
        Code::Shl | Code::Lshr | Code::Ashr => {
            // Counts may be narrower or wider than what is shifted; all bits of them count.
            let count_width = width(op.b.size);
            let wide = size.max(count_width);
            let count = terms.zero_extend(wide, b);
            let shifted = match op.code {
                Code::Ashr => {
                    let value = terms.sign_extend(wide, a);
                    terms.bv_ashr(value, count)
                }
                Code::Shl => {
                    let value = terms.zero_extend(wide, a);
                    terms.bv_shl(value, count)
                }
                _ => {
                    let value = terms.zero_extend(wide, a);
                    terms.bv_lshr(value, count)
                }
            };
            terms.truncate(size, shifted)
        }
        Code::Piece => terms.concat(a, b),
        Code::Subpiece => {
            let Some(skipped) = terms.as_bv(b).and_then(|bytes| u32::try_from(bytes).ok()) else {
                return Meaning::None;
            };
            let low = 8 * skipped;
            if low >= size {
                terms.bv(out, 0)
            } else {
                let high = (low + out).min(size) - 1;
                let part = terms.extract(high, low, a);
                terms.zero_extend(out, part)
            }
        }
        Code::Udiv | Code::Urem | Code::Sdiv | Code::Srem => {
            let zero = terms.bv(size, 0);
            let mut defined = terms.ne(b, zero);
            let value = match op.code {
                Code::Udiv => terms.bv_udiv(a, b),
                Code::Urem => terms.bv_urem(a, b),
                Code::Sdiv => terms.bv_sdiv(a, b),
                _ => terms.bv_srem(a, b),
            };
            // DIV and IDIV compute in twice the width and fault if the quotient does not fit.
            if matches!(op.code, Code::Udiv | Code::Sdiv) {
                let half = terms.truncate(size / 2, value);
                let back = if op.code == Code::Udiv {
                    terms.zero_extend(size, half)
                } else {
                    terms.sign_extend(size, half)
                };
                let fits = terms.eq(back, value);
                defined = terms.and(defined, fits);
            }
            return Meaning::Guarded(value, defined);
        }
        _ => return truth_or_float(terms, op, a, b),
    };
    Meaning::Value(value)
}

fn truth_or_float(terms: &mut Terms, op: &Op, a: Term, b: Term) -> Meaning {
    let float = |term: Term| Meaning::Float(term);
    Meaning::Truth(match op.code {
        Code::FloatAdd => return float(terms.fp_add(a, b)),
        Code::FloatSub => return float(terms.fp_sub(a, b)),
        Code::FloatMul => return float(terms.fp_mul(a, b)),
        Code::FloatDiv => return float(terms.fp_div(a, b)),
        Code::Eq => terms.eq(a, b),
        Code::Ne => terms.ne(a, b),
        Code::Ult => terms.bv_ult(a, b),
        Code::Ule => terms.bv_ule(a, b),
        Code::Slt => terms.bv_slt(a, b),
        Code::Sle => terms.bv_sle(a, b),
        Code::Carry => {
            let sum = terms.bv_add(a, b);
            terms.bv_ult(sum, a)
        }
        Code::SignedCarry => {
            let sum = terms.bv_add(a, b);
            let (x, y) = (terms.bv_xor(a, sum), terms.bv_xor(b, sum));
            negative(terms, x, y)
        }
        Code::SignedBorrow => {
            let difference = terms.bv_sub(a, b);
            let (x, y) = (terms.bv_xor(a, b), terms.bv_xor(a, difference));
            negative(terms, x, y)
        }
        Code::FloatEq => terms.fp_eq(a, b),
        Code::FloatNe => {
            let equal = terms.fp_eq(a, b);
            terms.not(equal)
        }
        Code::FloatLt => terms.fp_lt(a, b),
        Code::FloatLe => terms.fp_le(a, b),
        _ => return Meaning::None,
    })
}

fn negative(terms: &mut Terms, x: Term, y: Term) -> Term {
    let both = terms.bv_and(x, y);
    let width = terms.width(both);
    let zero = terms.bv(width, 0);
    terms.bv_slt(both, zero)
}
