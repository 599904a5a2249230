//! What is seen of a term without a solver: that it is less or greater than zero. A run that is replayed
//! with plain numbers has no solver, and meets unknown numbers of a known sign.

use ouro_model::CompareOp;
use ouro_term::{Term, TermOp, TermStore, width_mask};

use crate::MachineValue;

/// `a op b`, if one of them is zero and the other is seen to be less or greater.
pub(crate) fn compare_with_zero(
    terms: &TermStore,
    op: CompareOp,
    a: MachineValue,
    b: MachineValue,
) -> Option<bool> {
    let zero = MachineValue::plain(0);
    let (term, swapped) = match (a.term(), b.term()) {
        (Some(term), None) if b == zero => (term, false),
        (None, Some(term)) if a == zero => (term, true),
        _ => return None,
    };
    let negative = is_negative(terms, term);
    let nonzero = is_nonzero(terms, term);
    match op {
        CompareOp::Eq => nonzero.then_some(false),
        CompareOp::Ne => nonzero.then_some(true),
        // `term < 0`
        CompareOp::Slt if !swapped => negative,
        // `0 <= term`
        CompareOp::Sle if swapped => negative.map(|negative| !negative),
        // `0 < term`, and `term <= 0`, which is its opposite
        CompareOp::Slt | CompareOp::Sle => {
            let positive = match negative {
                Some(true) => false,
                Some(false) if nonzero => true,
                _ => return None,
            };
            Some(if swapped { positive } else { !positive })
        }
        _ => None,
    }
}

fn constant_and_other(terms: &TermStore, term: Term) -> Option<(u128, Term)> {
    let [a, b] = *terms.args(term) else { return None };
    match (terms.as_bv(a), terms.as_bv(b)) {
        (Some(constant), None) => Some((constant, b)),
        (None, Some(constant)) => Some((constant, a)),
        _ => None,
    }
}

fn is_nonzero(terms: &TermStore, term: Term) -> bool {
    match terms.op(term) {
        TermOp::Bv { value, .. } => *value != 0,
        TermOp::BvOr => {
            let args = terms.args(term);
            let fills = |one: &Term| args.iter().any(|other| says_zero(terms, *one, *other));
            args.iter().any(|one| is_nonzero(terms, *one) || fills(one))
        }
        TermOp::Ite => match *terms.args(term) {
            [condition, then, other] => {
                let is_other =
                    is_nonzero(terms, other) || compares_with_zero(terms, condition, other);
                is_nonzero(terms, then) && is_other
            }
            _ => false,
        },
        TermOp::SignExtend(_) | TermOp::ZeroExtend(_) => is_nonzero(terms, terms.args(term)[0]),
        TermOp::BvAdd => is_negative(terms, term) == Some(true),
        _ => false,
    }
}

/// Whether a formula says that a number is zero.
fn compares_with_zero(terms: &TermStore, formula: Term, number: Term) -> bool {
    let number = without_extension(terms, number);
    *terms.op(formula) == TermOp::Eq
        && matches!(*terms.args(formula), [a, b]
            if (without_extension(terms, a) == number && terms.as_bv(b) == Some(0))
                || (without_extension(terms, b) == number && terms.as_bv(a) == Some(0)))
}

/// The term that is extended: it is zero where the extended one is.
fn without_extension(terms: &TermStore, term: Term) -> Term {
    match terms.op(term) {
        TermOp::ZeroExtend(_) | TermOp::SignExtend(_) => {
            without_extension(terms, terms.args(term)[0])
        }
        _ => term,
    }
}

/// Whether a term is not zero where a number is.
fn says_zero(terms: &TermStore, term: Term, number: Term) -> bool {
    match (terms.op(term), terms.args(term)) {
        (TermOp::ZeroExtend(_) | TermOp::SignExtend(_), [inner]) => {
            says_zero(terms, *inner, number)
        }
        (TermOp::Ite, [condition, then, _]) => {
            is_nonzero(terms, *then) && compares_with_zero(terms, *condition, number)
        }
        _ => false,
    }
}

/// Whether the topmost bit is set, if that is seen.
fn is_negative(terms: &TermStore, term: Term) -> Option<bool> {
    match terms.op(term) {
        TermOp::SignExtend(_) => is_negative(terms, terms.args(term)[0]),
        TermOp::ZeroExtend(to) if *to > terms.width(terms.args(term)[0]) => Some(false),
        TermOp::Bv { width, value } => Some(value >> (width - 1) & 1 == 1),
        TermOp::Ite => {
            let (then, other) = (terms.args(term)[1], terms.args(term)[2]);
            is_negative(terms, then).filter(|sign| is_negative(terms, other) == Some(*sign))
        }
        // `-1 - y` flips the sign of `y`.
        TermOp::BvAdd => {
            let (constant, other) = constant_and_other(terms, term)?;
            let is_flipped =
                constant == width_mask(terms.width(term)) && *terms.op(other) == TermOp::BvNeg;
            let sign = is_negative(terms, *terms.args(other).first()?)?;
            is_flipped.then_some(!sign)
        }
        TermOp::BvOr if constant_and_other(terms, term).is_none() => {
            let mut signs = terms.args(term).iter().map(|one| is_negative(terms, *one));
            signs.all(|sign| sign == Some(false)).then_some(false)
        }
        TermOp::BvOr | TermOp::BvAnd => {
            let (constant, other) = constant_and_other(terms, term)?;
            let top = constant >> (terms.width(term) - 1) & 1 == 1;
            match (terms.op(term), top) {
                (TermOp::BvOr, true) => Some(true),
                (TermOp::BvAnd, false) => Some(false),
                _ => is_negative(terms, other),
            }
        }
        _ => None,
    }
}
