//! Which invariants an iteration keeps (Houdini): whatever one iteration can break is dropped, until the rest
//! is kept by all. `templates` says what is tried.

use std::time::{Duration, Instant};

use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, SymbolId, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::FxHashSet;

use crate::check::iteration_substitution;
use crate::iteration::LoopIteration;

/// Values of the cells at the head, seen one after the other.
pub(crate) type CellHistory = Vec<Vec<u64>>;

/// Cells that the conditions depend on, directly or through earlier iterations.
pub(crate) fn relevant_cells(
    terms: &TermStore,
    symbols: &[Term],
    iterations: &[LoopIteration],
) -> Vec<usize> {
    let id = |symbol: Term| match terms.op(symbol) {
        TermOp::Symbol(id) => *id,
        _ => SymbolId(u32::MAX),
    };
    let mut found: FxHashSet<usize> = FxHashSet::default();
    let mut pending: Vec<Term> =
        iterations.iter().flat_map(|i| i.conditions.iter().map(|c| c.term)).collect();
    while let Some(term) = pending.pop() {
        for used in terms.symbols_of(term) {
            if let Some(at) = symbols.iter().position(|s| id(*s) == used)
                && found.insert(at)
            {
                pending.extend(iterations.iter().filter_map(|i| i.ends[at]));
            }
        }
    }
    let mut all: Vec<usize> = found.into_iter().collect();
    all.sort_unstable();
    all
}

/// The cells' symbols with these values.
pub(crate) fn assign_cells(terms: &TermStore, symbols: &[Term], values: &[u64]) -> Assignment {
    let mut assignment = Assignment::new();
    for (symbol, value) in symbols.iter().zip(values) {
        if let TermOp::Symbol(id) = terms.op(*symbol) {
            let width = terms.width(*symbol);
            assignment.set(*id, Constant::Bv { width, value: u128::from(*value) });
        }
    }
    assignment
}

/// Drops candidates until every iteration keeps the rest.
pub(crate) fn retain_inductive(
    terms: &mut TermStore,
    symbols: &[Term],
    iterations: &[LoopIteration],
    mut candidates: Vec<Term>,
    deadline: Instant,
) -> Option<Vec<Term>> {
    let limits = SessionLimits {
        query: Duration::from_secs(3),
        deadline: Some(deadline),
        ..SessionLimits::default()
    };
    let mut session = Session::new(limits);
    let maps: Vec<_> =
        iterations.iter().map(|i| iteration_substitution(terms, symbols, i)).collect();
    let guards: Vec<Vec<Term>> =
        iterations.iter().map(|i| i.conditions.iter().map(|c| c.term).collect()).collect();
    loop {
        let before = candidates.len();
        for (map, guard) in maps.iter().zip(&guards) {
            loop {
                if Instant::now() >= deadline {
                    return None;
                }
                let after: Vec<Term> =
                    candidates.iter().map(|c| terms.substitute(*c, map)).collect();
                // What is the same formula, or no formula at all, needs no solver.
                let open: Vec<usize> = (0..candidates.len())
                    .filter(|i| {
                        after[*i] != candidates[*i] && terms.as_bool(after[*i]) != Some(true)
                    })
                    .collect();
                let broken: Vec<Term> = open.iter().map(|i| terms.not(after[*i])).collect();
                let some_broken = terms.or_all(&broken);
                let mut formulas = candidates.clone();
                formulas.extend(guard);
                formulas.push(some_broken);
                match session.check_sat(terms, &formulas) {
                    SolverAnswer::Unsat => break,
                    SolverAnswer::Sat(model) => {
                        let mut evaluator = TermEvaluator::new(terms, &model);
                        let count = candidates.len();
                        let mut i = 0;
                        candidates.retain(|_| {
                            i += 1;
                            evaluator.evaluate_formula(after[i - 1]) == Some(true)
                        });
                        if candidates.len() == count {
                            return None;
                        }
                    }
                    SolverAnswer::Unknown(_) => {
                        // One by one: what cannot be decided goes.
                        let Some(&drop) = open.iter().find(|i| {
                            let mut formulas = candidates.clone();
                            formulas.extend(guard);
                            formulas.push(terms.not(after[**i]));
                            !session.check_sat(terms, &formulas).is_unsat()
                        }) else {
                            break;
                        };
                        candidates.remove(drop);
                    }
                }
            }
        }
        if candidates.len() == before {
            return Some(candidates);
        }
    }
}
