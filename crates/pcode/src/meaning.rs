//! Each operation as a term.

use ouro_term::{Term, TermStore};

use crate::op::{PcodeOp, PcodeOpcode};

/// What an operation gives.
pub(crate) enum OperationMeaning {
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
pub(crate) fn operation_meaning(
    terms: &mut TermStore,
    op: &PcodeOp,
    a: Term,
    b: Option<Term>,
) -> OperationMeaning {
    let width = |size: u8| 8 * u32::from(size);
    let (out, size) = (width(op.out.size), width(op.a.size));
    if out > 128 || size > 128 {
        return OperationMeaning::None;
    }
    let unary = match op.code {
        PcodeOpcode::Copy => Some(a),
        PcodeOpcode::Negate => Some(terms.bv_neg(a)),
        PcodeOpcode::Not => Some(terms.bv_not(a)),
        PcodeOpcode::ZeroExtend => Some(terms.zero_extend(out, a)),
        PcodeOpcode::SignExtend => Some(terms.sign_extend(out, a)),
        _ => None,
    };
    if let Some(term) = unary {
        return OperationMeaning::Value(term);
    }
    match op.code {
        PcodeOpcode::Popcount | PcodeOpcode::LzCount => return OperationMeaning::Opaque,
        PcodeOpcode::FloatIsNan => return OperationMeaning::Truth(terms.fp_is_nan(a)),
        PcodeOpcode::IntToFloat if out == 64 || out == 32 => {
            return OperationMeaning::Value(terms.sbv_to_fp(out, a));
        }
        PcodeOpcode::FloatSqrt => return OperationMeaning::Float(terms.fp_sqrt(a)),
        _ => {}
    }
    let Some(b) = b else { return OperationMeaning::None };
    let any_size = matches!(
        op.code,
        PcodeOpcode::Shl
            | PcodeOpcode::Lshr
            | PcodeOpcode::Ashr
            | PcodeOpcode::Piece
            | PcodeOpcode::Subpiece
    );
    if op.a.size != op.b.size && !any_size {
        return OperationMeaning::None;
    }
    let value = match op.code {
        PcodeOpcode::Add => terms.bv_add(a, b),
        PcodeOpcode::Sub => terms.bv_sub(a, b),
        PcodeOpcode::Mul => terms.bv_mul(a, b),
        PcodeOpcode::And => terms.bv_and(a, b),
        PcodeOpcode::Or => terms.bv_or(a, b),
        PcodeOpcode::Xor => terms.bv_xor(a, b),
        PcodeOpcode::Shl | PcodeOpcode::Lshr | PcodeOpcode::Ashr => {
            // Counts may be narrower or wider than what is shifted; all bits of them count.
            let count_width = width(op.b.size);
            let wide = size.max(count_width);
            let count = terms.zero_extend(wide, b);
            let shifted = match op.code {
                PcodeOpcode::Ashr => {
                    let value = terms.sign_extend(wide, a);
                    terms.bv_ashr(value, count)
                }
                PcodeOpcode::Shl => {
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
        PcodeOpcode::Piece => terms.concat(a, b),
        PcodeOpcode::Subpiece => {
            let Some(skipped) = terms.as_bv(b).and_then(|bytes| u32::try_from(bytes).ok()) else {
                return OperationMeaning::None;
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
        PcodeOpcode::Udiv | PcodeOpcode::Urem | PcodeOpcode::Sdiv | PcodeOpcode::Srem => {
            let zero = terms.bv(size, 0);
            let mut defined = terms.ne(b, zero);
            let value = match op.code {
                PcodeOpcode::Udiv => terms.bv_udiv(a, b),
                PcodeOpcode::Urem => terms.bv_urem(a, b),
                PcodeOpcode::Sdiv => terms.bv_sdiv(a, b),
                _ => terms.bv_srem(a, b),
            };
            // DIV and IDIV compute in twice the width and fault if the quotient does not fit.
            if matches!(op.code, PcodeOpcode::Udiv | PcodeOpcode::Sdiv) {
                let half = terms.truncate(size / 2, value);
                let back = if op.code == PcodeOpcode::Udiv {
                    terms.zero_extend(size, half)
                } else {
                    terms.sign_extend(size, half)
                };
                let fits = terms.eq(back, value);
                defined = terms.and(defined, fits);
            }
            return OperationMeaning::Guarded(value, defined);
        }
        _ => return comparison_or_float(terms, op, a, b),
    };
    OperationMeaning::Value(value)
}

fn comparison_or_float(terms: &mut TermStore, op: &PcodeOp, a: Term, b: Term) -> OperationMeaning {
    let float = |term: Term| OperationMeaning::Float(term);
    OperationMeaning::Truth(match op.code {
        PcodeOpcode::FloatAdd => return float(terms.fp_add(a, b)),
        PcodeOpcode::FloatSub => return float(terms.fp_sub(a, b)),
        PcodeOpcode::FloatMul => return float(terms.fp_mul(a, b)),
        PcodeOpcode::FloatDiv => return float(terms.fp_div(a, b)),
        PcodeOpcode::Eq => terms.eq(a, b),
        PcodeOpcode::Ne => terms.ne(a, b),
        PcodeOpcode::Ult => terms.bv_ult(a, b),
        PcodeOpcode::Ule => terms.bv_ule(a, b),
        PcodeOpcode::Slt => terms.bv_slt(a, b),
        PcodeOpcode::Sle => terms.bv_sle(a, b),
        PcodeOpcode::Carry => {
            let sum = terms.bv_add(a, b);
            terms.bv_ult(sum, a)
        }
        PcodeOpcode::SignedCarry => {
            let sum = terms.bv_add(a, b);
            let (x, y) = (terms.bv_xor(a, sum), terms.bv_xor(b, sum));
            both_negative(terms, x, y)
        }
        PcodeOpcode::SignedBorrow => {
            let difference = terms.bv_sub(a, b);
            let (x, y) = (terms.bv_xor(a, b), terms.bv_xor(a, difference));
            both_negative(terms, x, y)
        }
        PcodeOpcode::FloatEq => terms.fp_eq(a, b),
        PcodeOpcode::FloatNe => {
            let equal = terms.fp_eq(a, b);
            terms.not(equal)
        }
        PcodeOpcode::FloatLt => terms.fp_lt(a, b),
        PcodeOpcode::FloatLe => terms.fp_le(a, b),
        _ => return OperationMeaning::None,
    })
}

fn both_negative(terms: &mut TermStore, x: Term, y: Term) -> Term {
    let both = terms.bv_and(x, y);
    let width = terms.width(both);
    let zero = terms.bv(width, 0);
    terms.bv_slt(both, zero)
}
