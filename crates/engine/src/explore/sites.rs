//! Call sites that need no further evidence: no promise is made there any more.

use ouro_model::ChoiceSource;
use ouro_term::{Assignment, Sort, Term, TermEvaluator};
use ouro_transform::call_site;

use super::run::ExplorationRun;
use super::search::ProgramExploration;

impl ProgramExploration<'_> {
    /// Whether the specification is looking at a call that needs no further evidence.
    pub(super) fn is_at_known_site(&self, run: &ExplorationRun) -> bool {
        let site = || call_site(self.program, self.machine, &run.state);
        !self.known.is_empty() && site().is_some_and(|site| self.known.contains(&site))
    }

    /// Whether a condition says that the last guess of the specification was not 0: *this one*.
    pub(super) fn is_promise_condition(&mut self, run: &ExplorationRun, condition: Term) -> bool {
        let Some(guess) = run.choices.last().filter(|last| last.source == ChoiceSource::Guess)
        else {
            return false;
        };
        let zero = match self.terms.sort(guess.symbol) {
            Sort::Int => self.terms.int(0),
            Sort::BitVec(width) => self.terms.bv(width, 0),
            Sort::Bool => self.terms.bool(false),
        };
        let mut no = Assignment::new();
        for symbol in self.terms.symbols_of(guess.symbol) {
            no.set(symbol, self.terms.as_constant(zero).expect("it is one"));
        }
        TermEvaluator::new(self.terms, &no).evaluate_formula(condition) == Some(false)
    }
}
