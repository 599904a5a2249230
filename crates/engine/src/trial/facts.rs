//! What is tried as an invariant: conditions that stand in guards, and what variables start with. Those that some edge
//! breaks are dropped, until none is.

use ouro_model::ids::TypedId as _;
use ouro_solver::SolverAnswer;
use ouro_term::{Sort, Term, TermEvaluator, TermOp};
use rustc_hash::FxHashMap;

use super::TrialSearch;

/// More facts than this are not tried.
const FACTS: usize = 60;

impl TrialSearch<'_> {
    /// Finds what holds at each location; whether that is anything.
    pub(super) fn find_facts(&mut self) -> bool {
        let candidates = self.candidate_facts();
        let initial = self.system.initial.index();
        for at in 0..self.facts.len() {
            self.facts[at] = if at == initial { Vec::new() } else { candidates.clone() };
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for at in 0..self.edges.len() {
                changed |= self.drop_broken_facts(at);
                if self.is_out_of_time() {
                    return false;
                }
            }
        }
        self.facts.iter().any(|facts| !facts.is_empty())
    }

    /// What stands in guards about the state before or after an edge, and what variables start with.
    fn candidate_facts(&mut self) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        for at in 0..self.edges.len() {
            // An input that becomes a variable: what is said of the one holds of the other.
            let mut names: FxHashMap<Term, Term> = FxHashMap::default();
            let mut values: Vec<(Term, Term)> =
                self.edges[at].values.iter().map(|(symbol, value)| (*symbol, *value)).collect();
            values.sort_unstable();
            for (symbol, value) in values {
                if matches!(self.terms.op(value), TermOp::Symbol(_)) {
                    names.entry(value).or_insert(symbol);
                } else if self.terms.as_bv(value).is_some() {
                    all.extend([
                        self.terms.bv_sle(value, symbol),
                        self.terms.bv_sle(symbol, value),
                        self.terms.bv_ule(value, symbol),
                        self.terms.bv_ule(symbol, value),
                    ]);
                    if matches!(self.terms.sort(symbol), Sort::BitVec(32 | 64)) {
                        let (up, down) =
                            (self.terms.fp_le(value, symbol), self.terms.fp_le(symbol, value));
                        all.extend([up, down]);
                    }
                }
            }
            for condition in self.edges[at].conditions.clone() {
                let renamed = self.terms.substitute(condition, &names);
                all.extend([condition, renamed]);
            }
        }
        let mut unique: Vec<Term> = Vec::new();
        for fact in all {
            if self.is_about_state(fact)
                && self.terms.as_bool(fact).is_none()
                && !unique.contains(&fact)
            {
                unique.push(fact);
            }
        }
        unique.truncate(FACTS);
        unique
    }

    /// Drops what does not hold after an edge; whether there was something.
    fn drop_broken_facts(&mut self, at: usize) -> bool {
        let mut changed = false;
        loop {
            let (to, values) = (self.edges[at].to, self.edges[at].values.clone());
            let goals: Vec<Term> = (self.facts[to].clone().into_iter())
                .map(|fact| self.terms.substitute(fact, &values))
                .collect();
            let all = self.terms.and_all(&goals);
            if self.terms.as_bool(all) == Some(true) || self.is_out_of_time() {
                return changed;
            }
            let before = self.conditions_of(at);
            let mut query = before.clone();
            query.push(self.terms.not(all));
            let holds: Vec<bool> = match self.ask(&query) {
                SolverAnswer::Unsat => return changed,
                SolverAnswer::Sat(values) => {
                    let mut evaluator = TermEvaluator::new(&self.terms, &values);
                    goals
                        .iter()
                        .map(|goal| evaluator.evaluate_formula(*goal) == Some(true))
                        .collect()
                }
                SolverAnswer::Unknown(_) => vec![false; goals.len()],
            };
            let holds = match holds.iter().any(|holds| !holds) && holds.iter().any(|holds| *holds) {
                true => holds,
                // Nothing was learned: one by one.
                false => {
                    let mut one_by_one = Vec::new();
                    for goal in &goals {
                        let mut query = before.clone();
                        query.push(self.terms.not(*goal));
                        one_by_one.push(self.ask(&query) == SolverAnswer::Unsat);
                    }
                    one_by_one
                }
            };
            let mut next = holds.iter();
            self.facts[to].retain(|_| next.next() == Some(&true));
            changed = true;
        }
    }
}
