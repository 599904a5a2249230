//! A run on the inputs of a certificate, each given only where it is asked for.

use std::time::Instant;

use ouro_evidence::{RunInput, SourcePlace};
use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, Provenance, RunEnd,
    RunEnvironment, RunPosition,
};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_term::{Sort, Term, TermStore};

use crate::EvidenceRejection;
use crate::fair::PassedEvents;
use crate::limits::LIMITS;

/// The inputs of the claim, each given only where it fits.
pub(crate) struct GivenInputs<'a> {
    inputs: &'a [RunInput],
    /// How many were given.
    pub(crate) taken: usize,
    /// When all were taken, those from here on come again.
    pub(crate) repeat_from: Option<usize>,
    /// The events passed; who wants only those of a part of the run clears it.
    pub(crate) passed: PassedEvents,
    /// Why the run is not the claimed one, if it is not.
    wrong: Option<String>,
}

impl<'a> GivenInputs<'a> {
    /// These inputs, if each fits its width.
    pub(crate) fn new(inputs: &'a [RunInput]) -> Result<Self, EvidenceRejection> {
        for (i, input) in inputs.iter().enumerate() {
            let RunInput { width, bits, .. } = *input;
            if width == 0 || width > 128 || bits & !ouro_term::width_mask(width) != 0 {
                return Err(EvidenceRejection::new(format!("input {i} does not fit its width")));
            }
        }
        Ok(GivenInputs {
            inputs,
            taken: 0,
            repeat_from: None,
            passed: PassedEvents::default(),
            wrong: None,
        })
    }

    /// Why the run is not the claimed one, if it is not.
    pub(crate) fn take_mismatch(&mut self) -> Option<String> {
        self.wrong.take()
    }
}

impl RunEnvironment for GivenInputs<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        if self.taken == self.inputs.len()
            && let Some(from) = self.repeat_from
        {
            self.taken = from;
        }
        let input = self.inputs.get(self.taken)?;
        if input.width != request.width || input.source != *request.source {
            self.wrong =
                Some(format!("input {} is not the one that the program asks for", self.taken));
            return None;
        }
        if request.range.is_some_and(|range| !range.admits_bits(input.width, input.bits)) {
            self.wrong = Some(format!("input {} is not a value of its type", self.taken));
            return None;
        }
        self.taken += 1;
        let term = terms.bv(input.width, input.bits);
        Some(MachineValue::from_term(terms, term))
    }

    /// A value that nobody knows stays a symbol, so that nothing can depend on it unnoticed.
    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let term = terms.fresh_symbol("unknown", sort);
        Some(MachineValue::symbolic(term, Provenance::None))
    }

    fn assume(&mut self, _condition: Term) {
        self.wrong = Some("the run depends on a value that the model does not know".to_owned());
    }

    fn restrict_coverage(&mut self, condition: Term, _why: &str) {
        self.assume(condition);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }
}

/// A run on given inputs.
pub(crate) struct CertificateReplay<'a> {
    pub(crate) program: &'a Program,
    pub(crate) machine: &'a Machine,
    pub(crate) terms: &'a mut TermStore,
    pub(crate) deadline: Instant,
}

impl CertificateReplay<'_> {
    /// Runs up to a number of steps in all; a run that ends before is not the claimed one.
    pub(crate) fn run_to_step(
        &mut self,
        surroundings: &mut GivenInputs<'_>,
        state: &mut MachineState,
        until: u64,
    ) -> Result<(), EvidenceRejection> {
        match self.follow_to_step(surroundings, state, until)? {
            None => Ok(()),
            Some((end, at)) => Err(self.rejection_at_end(state, &end, at)),
        }
    }

    /// The same for a run that is known to go on: a limit of the model, such as memory that a leak fills,
    /// says nothing for it and nothing against it.
    pub(crate) fn run_onward(
        &mut self,
        surroundings: &mut GivenInputs<'_>,
        state: &mut MachineState,
        until: u64,
    ) -> Result<(), EvidenceRejection> {
        match self.follow_to_step(surroundings, state, until)? {
            None | Some((RunEnd::Limit(_), _)) => Ok(()),
            Some((end, at)) => Err(self.rejection_at_end(state, &end, at)),
        }
    }

    fn rejection_at_end(
        &self,
        state: &MachineState,
        end: &RunEnd,
        at: RunPosition,
    ) -> EvidenceRejection {
        let how = describe_end(self.program, end, at);
        EvidenceRejection::new(format!("the run ends after {} steps: {how}", state.steps))
    }

    /// Runs up to a number of steps in all, or to an end before.
    fn follow_to_step(
        &mut self,
        surroundings: &mut GivenInputs<'_>,
        state: &mut MachineState,
        until: u64,
    ) -> Result<Option<(RunEnd, RunPosition)>, EvidenceRejection> {
        while state.steps < until {
            if clock::budget_now() >= self.deadline {
                return Err(EvidenceRejection::time_ran_out());
            }
            let next = until.min(state.steps + LIMITS.replayed_between_looks);
            let stop = self.machine.run_until(state, self.terms, surroundings, next);
            if let Some(wrong) = surroundings.take_mismatch() {
                return Err(EvidenceRejection::new(wrong));
            }
            match stop {
                MachineStop::Steps | MachineStop::Mark => {}
                MachineStop::End(end, at) => return Ok(Some((end, at))),
                MachineStop::Fork(_, at) | MachineStop::Concretise(_, at) => {
                    let place = SourcePlace::of_span(self.program, at.function, at.span);
                    return Err(EvidenceRejection::new(format!(
                        "a decision depends on a value that the model does not know ({place})"
                    )));
                }
            }
        }
        Ok(None)
    }
}

/// How a run ended, in words.
pub(crate) fn describe_end(program: &Program, end: &RunEnd, at: RunPosition) -> String {
    let place = SourcePlace::of_span(program, at.function, at.span);
    match end {
        RunEnd::Exit(_) => format!("it exits ({place})"),
        RunEnd::Violation(number) => match program.obligations.get(*number as usize) {
            Some(obligation) => format!("it breaks {} ({place})", obligation.name),
            None => format!("it breaks obligation {number} ({place})"),
        },
        RunEnd::Abort(why) => format!("{why} ({place})"),
        RunEnd::Undefined(what) => format!("undefined: {what} ({place})"),
        RunEnd::Blocked => format!("an assumption is false ({place})"),
        RunEnd::Limit(what) => format!("not covered by the model: {what} ({place})"),
        RunEnd::NeedsInput(what) => format!("an input is missing: {what} ({place})"),
    }
}
