//! A run on the inputs of a certificate, each given only where it is asked for.

use std::time::Instant;

use ouro_evidence::{Input, Place};
use ouro_machine::{At, ChoiceRequest, End, Environment, Machine, Provenance, State, Stop, Value};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_term::{Sort, Term, Terms};

use crate::Rejection;
use crate::fair::Passed;

/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;

/// The inputs of the claim, each given only where it fits.
pub(crate) struct Given<'a> {
    inputs: &'a [Input],
    /// How many were given.
    pub(crate) taken: usize,
    /// When all were taken, those from here on come again.
    pub(crate) repeat_from: Option<usize>,
    /// The events passed; who wants only those of a part of the run clears it.
    pub(crate) passed: Passed,
    /// Why the run is not the claimed one, if it is not.
    wrong: Option<String>,
}

impl<'a> Given<'a> {
    /// These inputs, if each fits its width.
    pub(crate) fn new(inputs: &'a [Input]) -> Result<Self, Rejection> {
        for (i, input) in inputs.iter().enumerate() {
            let Input { width, bits, .. } = *input;
            if width == 0 || width > 128 || bits & !ouro_term::mask(width) != 0 {
                return Err(Rejection::new(format!("input {i} does not fit its width")));
            }
        }
        Ok(Given { inputs, taken: 0, repeat_from: None, passed: Passed::default(), wrong: None })
    }

    /// Why the run is not the claimed one, if it is not.
    pub(crate) fn wrong(&mut self) -> Option<String> {
        self.wrong.take()
    }
}

impl Environment for Given<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        if self.taken == self.inputs.len()
            && let Some(from) = self.repeat_from
        {
            self.taken = from;
        }
        let input = self.inputs.get(self.taken)?;
        if input.width != request.width || input.source != *request.source {
            self.wrong = Some(format!("input {} is not what is asked for", self.taken));
            return None;
        }
        if request.range.is_some_and(|range| !range.admits(input.width, input.bits)) {
            self.wrong = Some(format!("input {} is no value of its type", self.taken));
            return None;
        }
        self.taken += 1;
        let term = terms.bv(input.width, input.bits);
        Some(Value::from_term(terms, term))
    }

    /// A value that nobody knows stays a symbol, so that nothing can depend on it unnoticed.
    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let term = terms.fresh("unknown", sort);
        Some(Value::symbolic(term, Provenance::None))
    }

    fn assume(&mut self, _condition: Term) {
        self.wrong = Some("the run depends on a value that the model does not know".to_owned());
    }

    fn restrict(&mut self, condition: Term, _why: &str) {
        self.assume(condition);
    }

    fn event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }
}

/// A run on given inputs.
pub(crate) struct Replay<'a> {
    pub(crate) program: &'a Program,
    pub(crate) machine: &'a Machine,
    pub(crate) terms: &'a mut Terms,
    pub(crate) deadline: Instant,
}

impl Replay<'_> {
    /// Runs up to a number of steps in all; a run that ends before is not the claimed one.
    pub(crate) fn run(
        &mut self,
        surroundings: &mut Given<'_>,
        state: &mut State,
        until: u64,
    ) -> Result<(), Rejection> {
        match self.follow(surroundings, state, until)? {
            None => Ok(()),
            Some((end, at)) => Err(self.ended(state, &end, at)),
        }
    }

    /// The same for a run that is known to go on: a limit of the model, such as memory that a leak fills,
    /// says nothing for it and nothing against it.
    pub(crate) fn run_on(
        &mut self,
        surroundings: &mut Given<'_>,
        state: &mut State,
        until: u64,
    ) -> Result<(), Rejection> {
        match self.follow(surroundings, state, until)? {
            None | Some((End::Limit(_), _)) => Ok(()),
            Some((end, at)) => Err(self.ended(state, &end, at)),
        }
    }

    fn ended(&self, state: &State, end: &End, at: At) -> Rejection {
        let how = describe(self.program, end, at);
        Rejection::new(format!("the run ends after {} steps: {how}", state.steps))
    }

    /// Runs up to a number of steps in all, or to an end before.
    fn follow(
        &mut self,
        surroundings: &mut Given<'_>,
        state: &mut State,
        until: u64,
    ) -> Result<Option<(End, At)>, Rejection> {
        while state.steps < until {
            if clock::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let next = until.min(state.steps + SLICE);
            let stop = self.machine.run(state, self.terms, surroundings, next);
            if let Some(wrong) = surroundings.wrong() {
                return Err(Rejection::new(wrong));
            }
            match stop {
                Stop::Steps | Stop::Mark => {}
                Stop::End(end, at) => return Ok(Some((end, at))),
                Stop::Fork(_, at) | Stop::Concretise(_, at) => {
                    let place = Place::of(self.program, at.function, at.span);
                    return Err(Rejection::new(format!(
                        "a decision depends on a value that the model does not know ({place})"
                    )));
                }
            }
        }
        Ok(None)
    }
}

/// How a run ended, in words.
pub(crate) fn describe(program: &Program, end: &End, at: At) -> String {
    let place = Place::of(program, at.function, at.span);
    match end {
        End::Exit(_) => format!("it exits ({place})"),
        End::Violation(number) => match program.obligations.get(*number as usize) {
            Some(obligation) => format!("it breaks {} ({place})", obligation.name),
            None => format!("it breaks obligation {number} ({place})"),
        },
        End::Abort(why) => format!("{why} ({place})"),
        End::Undefined(what) => format!("undefined: {what} ({place})"),
        End::Blocked => format!("an assumption is false ({place})"),
        End::Limit(what) => format!("not covered by the model: {what} ({place})"),
        End::NeedsInput(what) => format!("an input is missing: {what} ({place})"),
    }
}
