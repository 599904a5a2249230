//! Edges as the solver is asked about them: conditions one by one, and what variables become.

use ouro_model::ids::TypedId as _;
use ouro_model::transition::TransitionSystem;
use ouro_solver::SolverAnswer;
use ouro_term::{SymbolId, Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use super::TrialSearch;
use crate::paths::lower::exact_operation;

/// An edge.
pub(super) struct TrialEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// What holds where it is taken.
    pub(super) conditions: Vec<Term>,
    /// What variables become that change.
    pub(super) values: FxHashMap<Term, Term>,
}

/// The edges of a system.
pub(super) fn trial_edges(system: &TransitionSystem, terms: &mut TermStore) -> Vec<TrialEdge> {
    let mut all = Vec::new();
    for edge in system.edges.iter() {
        let changed = system.variables.iter().zip(&edge.update);
        all.push(TrialEdge {
            from: edge.from.index(),
            to: edge.to.index(),
            conditions: literals_of(terms, edge.guard),
            values: (changed.map(|(variable, value)| (variable.symbol, *value)))
                .filter(|(symbol, value)| symbol != value)
                .collect(),
        });
    }
    all
}

/// The parts of a conjunction, negations drawn in.
pub(super) fn literals_of(terms: &mut TermStore, formula: Term) -> Vec<Term> {
    let mut all = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        let args = terms.args(formula).to_vec();
        match terms.op(formula) {
            TermOp::True => {}
            TermOp::And => open.extend(args.into_iter().rev()),
            TermOp::Not if *terms.op(args[0]) == TermOp::Or => {
                for part in terms.args(args[0]).to_vec() {
                    open.push(terms.not(part));
                }
            }
            _ => all.push(formula),
        }
    }
    all
}

impl TrialSearch<'_> {
    /// Leaves out of the edges what only says that nothing overflows, where it may, and all that this touches: the
    /// checker asks for an argument that holds without.
    pub(super) fn leave_out_what_overflows(&mut self) {
        let mut touched: FxHashSet<SymbolId> = FxHashSet::default();
        loop {
            let before = touched.len();
            self.spread_touch(&mut touched);
            for at in 0..self.edges.len() {
                self.touch_by_overflow(at, &mut touched);
            }
            if touched.len() == before {
                break;
            }
        }
        for at in 0..self.edges.len() {
            let mut edge = std::mem::take(&mut self.edges[at].conditions);
            edge.retain(|condition| !self.is_touched(*condition, &touched));
            self.edges[at].conditions = edge;
            let touches: Vec<Term> = (self.edges[at].values.keys().copied())
                .filter(|symbol| self.is_touched(*symbol, &touched))
                .collect();
            for symbol in touches {
                // What it becomes is not looked at: no level speaks of it.
                let any = self.terms.fresh_symbol("touched", self.terms.sort(symbol));
                self.edges[at].values.insert(symbol, any);
            }
        }
    }

    fn spread_touch(&self, touched: &mut FxHashSet<SymbolId>) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (symbol, value) in self.edges.iter().flat_map(|edge| &edge.values) {
                if self.is_touched(*value, touched) {
                    for id in self.terms.symbols_of(*symbol) {
                        changed |= touched.insert(id);
                    }
                }
            }
        }
    }

    fn touch_by_overflow(&mut self, at: usize, touched: &mut FxHashSet<SymbolId>) {
        let mut before: Vec<Term> = Vec::new();
        for condition in self.edges[at].conditions.clone() {
            if self.is_touched(condition, touched) {
                continue;
            }
            if exact_operation(&self.terms, condition).is_some() {
                let mut query = before.clone();
                query.push(self.terms.not(condition));
                if self.ask(&query) != SolverAnswer::Unsat {
                    touched.extend(self.terms.symbols_of(condition));
                    continue;
                }
            }
            before.push(condition);
        }
    }

    fn is_touched(&self, term: Term, touched: &FxHashSet<SymbolId>) -> bool {
        let mut found = false;
        self.terms.visit_symbols(&[term], |id| found |= touched.contains(&id));
        found
    }
}
