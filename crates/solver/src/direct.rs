//! Answers that need no solver: constants, contradictions on sight, and comparisons of a single
//! symbol with constants.

use std::collections::BTreeSet;

use ouro_term::{Assignment, Constant, Sort, SymbolId, Term, TermOp, TermStore, width_mask};

use crate::core::{ConjunctionAnswer, model_satisfies};
use crate::limits::LIMITS;

/// The conjuncts of these formulas, sorted, each once, without `true`.
pub(crate) fn flatten_conjuncts(terms: &TermStore, formulas: &[Term]) -> Vec<Term> {
    let mut all = Vec::with_capacity(formulas.len());
    for formula in formulas {
        match terms.op(*formula) {
            TermOp::True => {}
            // Construction flattens conjunctions: there is no other one inside.
            TermOp::And => all.extend_from_slice(terms.args(*formula)),
            _ => all.push(*formula),
        }
    }
    all.sort();
    all.dedup();
    all
}

/// What can be seen at once about sorted conjuncts.
pub(crate) fn decide_trivially(terms: &TermStore, conjuncts: &[Term]) -> Option<ConjunctionAnswer> {
    if conjuncts.is_empty() {
        return Some(ConjunctionAnswer::Sat(Assignment::new()));
    }
    for conjunct in conjuncts {
        match terms.op(*conjunct) {
            TermOp::False => return Some(ConjunctionAnswer::Unsat(vec![*conjunct])),
            TermOp::Not => {
                let inner = terms.args(*conjunct)[0];
                if conjuncts.binary_search(&inner).is_ok() {
                    return Some(ConjunctionAnswer::Unsat(vec![inner, *conjunct]));
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
pub(crate) fn decide_one_symbol(
    terms: &TermStore,
    conjuncts: &[Term],
) -> Option<ConjunctionAnswer> {
    if conjuncts.len() > LIMITS.one_symbol_formulas {
        return None;
    }
    let mut symbol = None;
    let mut constants = Vec::new();
    for conjunct in conjuncts {
        let (of, constant) = compared_symbol(terms, *conjunct)?;
        if *symbol.get_or_insert(of) != of {
            return None;
        }
        constants.extend(constant);
    }
    let symbol = symbol?;
    for value in candidate_values(terms.symbol_declaration(symbol).sort, &constants) {
        let mut model = Assignment::new();
        model.set(symbol, value);
        if model_satisfies(terms, &model, conjuncts) {
            return Some(ConjunctionAnswer::Sat(model));
        }
    }
    Some(ConjunctionAnswer::Unsat(conjuncts.to_vec()))
}

/// The symbol and the constant that a conjunct compares; a boolean symbol stands alone.
fn compared_symbol(terms: &TermStore, conjunct: Term) -> Option<(SymbolId, Option<Constant>)> {
    let atom = match terms.op(conjunct) {
        TermOp::Not => terms.args(conjunct)[0],
        _ => conjunct,
    };
    match terms.op(atom) {
        TermOp::Symbol(symbol) => Some((*symbol, None)),
        TermOp::Eq
        | TermOp::IntLe
        | TermOp::BvUlt
        | TermOp::BvUle
        | TermOp::BvSlt
        | TermOp::BvSle => {
            let [a, b] = terms.args(atom) else { return None };
            let (symbol, constant) = match (terms.op(*a), terms.op(*b)) {
                (TermOp::Symbol(symbol), _) => (*symbol, *b),
                (_, TermOp::Symbol(symbol)) => (*symbol, *a),
                _ => return None,
            };
            Some((symbol, Some(terms.as_constant(constant)?)))
        }
        _ => None,
    }
}

fn candidate_values(sort: Sort, constants: &[Constant]) -> Vec<Constant> {
    match sort {
        Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Sort::BitVec(width) => {
            // Least unsigned and least signed.
            let mut values = BTreeSet::from([0, 1u128 << (width - 1)]);
            for value in constants.iter().filter_map(Constant::as_bv) {
                values.insert(value);
                values.insert(value.wrapping_add(1) & width_mask(width));
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
