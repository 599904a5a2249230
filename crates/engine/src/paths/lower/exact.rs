//! Sums and products of which the guard says that they do not wrap.

use ouro_term::{Op, Term, Terms, sign_extend};

/// The bit-vector of which a condition says that it is as large as another, which is wide enough for
/// the exact result: the machine asks for that where signed operations may not overflow.
pub(super) fn exact(terms: &Terms, condition: Term) -> Option<(Term, Term)> {
    let (Op::Eq, &[a, b]) = (terms.op(condition), terms.args(condition)) else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(extended, wide)| {
        let (Op::SignExtend(_), &[narrow]) = (terms.op(extended), terms.args(extended)) else {
            return None;
        };
        let computed = matches!(terms.op(narrow), Op::BvAdd | Op::BvMul | Op::BvNeg);
        let exact = matches!(terms.op(wide), Op::BvAdd | Op::BvMul | Op::BvNeg);
        (computed && exact && fits(terms, wide)).then_some((narrow, wide))
    })
}

/// Whether an operation on signed numbers cannot leave its sort, whatever the operands are.
pub(super) fn fits(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term).iter();
    let bounds: Option<Vec<(i128, i128)>> = args.map(|arg| bounds(terms, *arg)).collect();
    let Some(bounds) = bounds else { return false };
    let result = match terms.op(term) {
        Op::BvAdd => bounds.into_iter().try_fold((0, 0), sum),
        Op::BvMul => bounds.into_iter().try_fold((1, 1), extremes),
        Op::BvNeg => extremes(bounds[0], (-1, -1)),
        _ => None,
    };
    let Some((least, most)) = result else { return false };
    match terms.width(term) {
        128.. => true,
        width => least >= -(1 << (width - 1)) && most < 1 << (width - 1),
    }
}

/// Between which numbers a bit-vector is, by how it is made.
fn bounds(terms: &Terms, term: Term) -> Option<(i128, i128)> {
    let width = terms.width(term);
    let half = |width: u32| (width < 128).then(|| 1_i128 << (width - 1));
    match (terms.op(term), terms.args(term)) {
        (Op::Bv { value, .. }, _) => Some((sign_extend(width, *value), sign_extend(width, *value))),
        (Op::SignExtend(_), &[inner]) => half(terms.width(inner)).map(|half| (-half, half - 1)),
        (Op::ZeroExtend(_), &[inner]) if terms.width(inner) < width => {
            Some((0, half(terms.width(inner) + 1)? - 1))
        }
        // Sums of products of what was widened, and not deeper.
        (Op::BvMul, &[a, b]) if is_leaf(terms, a) && is_leaf(terms, b) && fits(terms, term) => {
            extremes(bounds(terms, a)?, bounds(terms, b)?)
        }
        (Op::BvNeg, &[a]) if is_leaf(terms, a) && fits(terms, term) => {
            extremes(bounds(terms, a)?, (-1, -1))
        }
        _ => half(width).map(|half| (-half, half - 1)),
    }
}

fn is_leaf(terms: &Terms, term: Term) -> bool {
    !matches!(terms.op(term), Op::BvAdd | Op::BvMul | Op::BvNeg)
}

fn sum(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

/// Between which numbers a product is.
fn extremes(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}
