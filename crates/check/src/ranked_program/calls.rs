//! Calls of functions that may call themselves: taken to have returned, and held to their summaries.

use ouro_machine::{MachineState, ReturnedCall};
use ouro_term::Term;

use super::environment::OpenEnvironment;
use super::{ProgramRankingChecker, ProgramRankingRun};
use crate::over::{CheckResult, reject_evidence};

impl ProgramRankingChecker<'_> {
    /// The run if the call that it has just begun returned.
    pub(super) fn run_after_return(
        &mut self,
        run: &ProgramRankingRun,
    ) -> CheckResult<ProgramRankingRun> {
        let mut run = run.clone();
        run.passed.others = true;
        let mut surroundings = OpenEnvironment {
            conditions: Vec::new(),
            choices: &mut run.choices,
            unknowns: &mut self.questions.unknowns,
            passed: &mut run.passed,
            vague: true,
            awaited: [None; 2],
            results: None,
        };
        match self.machine.havoc_call(&mut run.state, self.terms, &mut surroundings) {
            Some(outcome) => {
                if let Some(promise) = self.promises.get(&outcome.function) {
                    let promised = promise.formula_for_call(self.terms, &outcome);
                    self.promised.extend(promised);
                    run.path.extend(promised);
                }
                Ok(run)
            }
            None => reject_evidence("it is not known what a call returns"),
        }
    }

    /// Whether the call in which a run left from a head, and which returns, returns what was promised.
    pub(super) fn check_activation_end(
        &mut self,
        from: Option<usize>,
        run: &mut ProgramRankingRun,
        results: Option<Vec<Option<Term>>>,
    ) -> CheckResult<()> {
        self.note_returned(run);
        let Some(head) = from.and_then(|index| self.heads[index].as_ref()) else { return Ok(()) };
        let first = &head.pattern.state;
        let begins = first.depth() == self.floor + 1 && self.machine.has_begun_activation(first);
        let arguments = match begins {
            true => self.machine.call_arguments(self.terms, first),
            // What it was given is not known any more.
            false => Vec::new(),
        };
        let function = first.function_at(self.floor);
        let results = results.unwrap_or_default();
        self.check_summary(from, run, &ReturnedCall { function, arguments, results })
    }

    /// Whether a call that returns on a run returns what was promised.
    pub(super) fn check_summary(
        &mut self,
        from: Option<usize>,
        run: &mut ProgramRankingRun,
        call: &ReturnedCall,
    ) -> CheckResult<()> {
        let Some(promise) = self.promises.get(&call.function) else { return Ok(()) };
        let kept = match promise.formula_for_call(self.terms, call) {
            Some(formula) => self.questions.all_entailed(self.terms, &run.path, &[formula])?,
            None => false,
        };
        match kept {
            true => Ok(()),
            false => {
                let name = self.machine.function_name(call.function);
                self.refuse_run(
                    from,
                    run,
                    &format!("a call of {name} returns something that its summary excludes"),
                )
            }
        }
    }

    /// Calls in progress that a state of a head is compared on.
    pub(super) fn compared_frames(&self, state: &MachineState) -> usize {
        if self.claim.vague { self.machine.activation_depth(state) } else { state.depth() }
    }
}
