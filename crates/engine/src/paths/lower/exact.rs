//! Sums and products of which the guard says that they do not wrap.

use ouro_term::{Term, TermOp, TermStore, sign_extend};

/// The bit-vector of which a condition says that it is as large as another, which is wide enough for
/// the exact result: the machine asks for that where signed operations may not overflow.
pub(crate) fn exact_operation(terms: &TermStore, condition: Term) -> Option<(Term, Term)> {
    let (TermOp::Eq, &[a, b]) = (terms.op(condition), terms.args(condition)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(extended, wide)| {
        let (TermOp::SignExtend(_), &[narrow]) = (terms.op(extended), terms.args(extended)) else {
            return None;
        };
        let computed = matches!(terms.op(narrow), TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg);
        let exact = matches!(terms.op(wide), TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg);
        (computed && exact && cannot_overflow(terms, wide)).then_some((narrow, wide))
    })
}

/// Whether an operation on signed numbers cannot leave its sort, whatever the operands are.
pub(super) fn cannot_overflow(terms: &TermStore, term: Term) -> bool {
    let args = terms.args(term).iter();
    let bounds: Option<Vec<(i128, i128)>> =
        args.map(|arg| bit_vector_bounds(terms, *arg)).collect();
    let Some(bounds) = bounds else { return false };
    let result = match terms.op(term) {
        TermOp::BvAdd => bounds.into_iter().try_fold((0, 0), sum_bounds),
        TermOp::BvMul => bounds.into_iter().try_fold((1, 1), product_bounds),
        TermOp::BvNeg => product_bounds(bounds[0], (-1, -1)),
        _ => None,
    };
    let Some((least, most)) = result else { return false };
    match terms.width(term) {
        128.. => true,
        width => least >= -(1 << (width - 1)) && most < 1 << (width - 1),
    }
}

/// Between which numbers a bit-vector is, by how it is made.
fn bit_vector_bounds(terms: &TermStore, term: Term) -> Option<(i128, i128)> {
    let width = terms.width(term);
    let half = |width: u32| (width < 128).then(|| 1_i128 << (width - 1));
    match (terms.op(term), terms.args(term)) {
        (TermOp::Bv { value, .. }, _) => {
            Some((sign_extend(width, *value), sign_extend(width, *value)))
        }
        (TermOp::SignExtend(_), &[inner]) => half(terms.width(inner)).map(|half| (-half, half - 1)),
        (TermOp::ZeroExtend(_), &[inner]) if terms.width(inner) < width => {
            Some((0, half(terms.width(inner) + 1)? - 1))
        }
        // Sums of products of what was widened, and not deeper.
        (TermOp::BvMul, &[a, b])
            if is_leaf(terms, a) && is_leaf(terms, b) && cannot_overflow(terms, term) =>
        {
            product_bounds(bit_vector_bounds(terms, a)?, bit_vector_bounds(terms, b)?)
        }
        (TermOp::BvNeg, &[a]) if is_leaf(terms, a) && cannot_overflow(terms, term) => {
            product_bounds(bit_vector_bounds(terms, a)?, (-1, -1))
        }
        _ => half(width).map(|half| (-half, half - 1)),
    }
}

fn is_leaf(terms: &TermStore, term: Term) -> bool {
    !matches!(terms.op(term), TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg)
}

fn sum_bounds(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

/// Between which numbers a product is.
fn product_bounds(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}
