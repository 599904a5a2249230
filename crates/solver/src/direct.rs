//! Answers that need no solver: constants, contradictions on sight, and comparisons of a single
//! symbol with constants.

use std::collections::BTreeSet;

use ouro_term::{Assignment, Constant, Op, Sort, SymbolId, Term, Terms, mask};

use crate::core::{Found, holds};

/// More formulas than this on one symbol are left to Z3.
const MAX_FORMULAS: usize = 24;

/// The conjuncts of these formulas, sorted, each once, without `true`.
pub(crate) fn conjuncts(terms: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut all = Vec::with_capacity(formulas.len());
    for formula in formulas {
        match terms.op(*formula) {
            Op::True => {}
            // Construction flattens conjunctions: there is no other one inside.
            Op::And => all.extend_from_slice(terms.args(*formula)),
            _ => all.push(*formula),
        }
    }
    all.sort();
    all.dedup();
    all
}

/// What can be seen at once about sorted conjuncts.
pub(crate) fn on_sight(terms: &Terms, conjuncts: &[Term]) -> Option<Found> {
    if conjuncts.is_empty() {
        return Some(Found::Sat(Assignment::new()));
    }
    for conjunct in conjuncts {
        match terms.op(*conjunct) {
            Op::False => return Some(Found::Unsat(vec![*conjunct])),
            Op::Not => {
                let inner = terms.args(*conjunct)[0];
                if conjuncts.binary_search(&inner).is_ok() {
                    return Some(Found::Unsat(vec![inner, *conjunct]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Decides conjuncts that all compare one and the same symbol with constants.
///
/// The values that satisfy them all form intervals. The least value of such an interval is the least
/// of its sort, or a constant that occurs, or one more than it; so if none of these values satisfies
/// the conjuncts, none does.
pub(crate) fn one_symbol(terms: &Terms, conjuncts: &[Term]) -> Option<Found> {
    if conjuncts.len() > MAX_FORMULAS {
        return None;
    }
    let mut symbol = None;
    let mut constants = Vec::new();
    for conjunct in conjuncts {
        let (of, constant) = comparison(terms, *conjunct)?;
        if *symbol.get_or_insert(of) != of {
            return None;
        }
        constants.extend(constant);
    }
    let symbol = symbol?;
    for value in candidates(terms.symbol_of(symbol).sort, &constants) {
        let mut model = Assignment::new();
        model.set(symbol, value);
        if holds(terms, &model, conjuncts) {
            return Some(Found::Sat(model));
        }
    }
    Some(Found::Unsat(conjuncts.to_vec()))
}

/// The symbol and the constant that a conjunct compares; a boolean symbol stands alone.
fn comparison(terms: &Terms, conjunct: Term) -> Option<(SymbolId, Option<Constant>)> {
    let atom = match terms.op(conjunct) {
        Op::Not => terms.args(conjunct)[0],
        _ => conjunct,
    };
    match terms.op(atom) {
        Op::Symbol(symbol) => Some((*symbol, None)),
        Op::Eq | Op::IntLe | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle => {
            let [a, b] = terms.args(atom) else { return None };
            let (symbol, constant) = match (terms.op(*a), terms.op(*b)) {
                (Op::Symbol(symbol), _) => (*symbol, *b),
                (_, Op::Symbol(symbol)) => (*symbol, *a),
                _ => return None,
            };
            Some((symbol, Some(terms.as_constant(constant)?)))
        }
        _ => None,
    }
}

fn candidates(sort: Sort, constants: &[Constant]) -> Vec<Constant> {
    match sort {
        Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Sort::BitVec(width) => {
            // Least unsigned and least signed.
            let mut values = BTreeSet::from([0, 1u128 << (width - 1)]);
            for value in constants.iter().filter_map(Constant::as_bv) {
                values.insert(value);
                values.insert(value.wrapping_add(1) & mask(width));
            }
            values.into_iter().map(|value| Constant::Bv { width, value }).collect()
        }
        Sort::Int => {
            // An interval without a least value reaches below every constant.
            let mut values = BTreeSet::from([0.into()]);
            for constant in constants {
                if let Constant::Int(value) = constant {
                    values.extend([value - 1, value.clone(), value + 1]);
                }
            }
            values.into_iter().map(Constant::Int).collect()
        }
    }
}
