//! Which inputs of an edge are natural numbers: those that are used as such.
//!
//! A variable of the program has a type that says so; what comes from outside, or out of memory that nobody knows,
//! has none. It is read like what it is compared with or becomes. That is a matter of taste, not of truth: both
//! readings are exact, but a number that is read in two ways is two cases wherever it is met.

use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_term::{Sort, Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use super::BitVectorReading;

/// For each variable, and then for each choice of the edge, whether it is a natural number.
pub(super) fn naturals(
    system: &TransitionSystem,
    edge: Option<&TransitionEdge>,
    choices: &[Term],
    reading: BitVectorReading<'_>,
) -> Vec<bool> {
    let mut all: Vec<bool> =
        (0..system.variables.len()).map(|at| reading.is_natural(at as u32)).collect();
    let Some(edge) = edge.filter(|_| !choices.is_empty()) else {
        return all;
    };
    let variables = system.variables.iter().map(|variable| variable.symbol);
    let natural: FxHashSet<Term> =
        variables.zip(&all).filter(|(_, natural)| **natural).map(|(symbol, _)| symbol).collect();
    let mut uses = Uses::default();
    for (update, natural) in edge.update.iter().zip(&all) {
        if matches!(system.terms.sort(*update), Sort::BitVec(_)) {
            uses.note(*update, *natural);
        }
    }
    uses.look(&system.terms, &natural, edge);
    all.extend(choices.iter().map(|choice| uses.is_natural(*choice)));
    all
}

/// How terms are used.
#[derive(Default)]
struct Uses {
    /// As a natural number, and as one with a sign.
    uses: FxHashMap<Term, (bool, bool)>,
}

impl Uses {
    fn note(&mut self, term: Term, natural: bool) {
        let (unsigned, signed) = self.uses.entry(term).or_default();
        *if natural { unsigned } else { signed } = true;
    }

    fn is_natural(&self, term: Term) -> bool {
        self.uses.get(&term) == Some(&(true, false))
    }

    fn look(&mut self, terms: &TermStore, natural: &FxHashSet<Term>, edge: &TransitionEdge) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut pending: Vec<Term> = edge.update.iter().copied().chain([edge.guard]).collect();
        while let Some(term) = pending.pop() {
            if !seen.insert(term) {
                continue;
            }
            let args = terms.args(term);
            pending.extend(args);
            match terms.op(term) {
                TermOp::BvUle
                | TermOp::BvUlt
                | TermOp::BvUdiv
                | TermOp::BvUrem
                | TermOp::BvLshr => {
                    args.iter().for_each(|arg| self.note(*arg, true));
                }
                TermOp::ZeroExtend(_) => self.note(args[0], true),
                TermOp::BvSle
                | TermOp::BvSlt
                | TermOp::BvSdiv
                | TermOp::BvSrem
                | TermOp::BvAshr => {
                    args.iter().for_each(|arg| self.note(*arg, false));
                }
                TermOp::SignExtend(_) => self.note(args[0], false),
                TermOp::Eq if args.iter().any(|arg| natural.contains(arg)) => {
                    args.iter().for_each(|arg| self.note(*arg, true));
                }
                _ => {}
            }
        }
    }
}
