//! A state recurs: replay, compare, run on.
//!
//! Why it is enough. Between the two moments the run took some inputs. Both states agree on all
//! that the rest of the run can see: with the same inputs again, it does the same again, and so
//! forever. Only the innermost calls are compared, down to the lowest one in which the run was
//! between the two moments; what is below cannot have been looked at. If the second state is deeper
//! than the first, each turn adds calls that never return.

use std::time::Instant;

use ouro_evidence::{Input, Place, Recurrence};
use ouro_machine::{At, ChoiceRequest, End, Environment, Machine, Provenance, State, Stop, Value};
use ouro_model::Program;
use ouro_term::{Sort, Term, Terms};

use crate::Rejection;

/// How far the run is followed after the second moment.
const FURTHER: u64 = 1_000_000;
/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;

pub(crate) fn check(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    claim: &Recurrence,
    deadline: Instant,
) -> Result<(), Rejection> {
    if claim.first_step >= claim.second_step {
        return Err(Rejection::new("the second moment does not come after the first"));
    }
    if claim.cycle_inputs > claim.inputs.len() {
        return Err(Rejection::new("the cycle starts after the last input"));
    }
    for (i, input) in claim.inputs.iter().enumerate() {
        if input.width == 0 || input.width > 128 || input.bits & !ouro_term::mask(input.width) != 0
        {
            return Err(Rejection::new(format!("input {i} does not fit its width")));
        }
    }
    let mut surroundings = Given::new(&claim.inputs);
    let mut state = machine.start();
    let mut replay = Replay { program, machine, terms, deadline };

    replay.run(&mut surroundings, &mut state, claim.first_step)?;
    if surroundings.taken != claim.cycle_inputs {
        return Err(Rejection::new(format!(
            "{} inputs were taken before the first moment, not {}",
            surroundings.taken, claim.cycle_inputs
        )));
    }
    let first = state.clone();
    state.low = state.depth();
    replay.run(&mut surroundings, &mut state, claim.second_step)?;
    if surroundings.taken != claim.inputs.len() {
        return Err(Rejection::new(format!(
            "{} inputs were taken before the second moment, not {}",
            surroundings.taken,
            claim.inputs.len()
        )));
    }
    if state.depth() < first.depth() || (state.depth() > first.depth()) != claim.recursion {
        return Err(Rejection::new("the calls in progress are not as claimed"));
    }
    let frames = first.depth() - state.low.min(first.depth()) + 1;
    if !machine.same(&first, &state, frames) {
        return Err(Rejection::new("the two states differ"));
    }
    if !passes(program, machine, &first, &claim.place) && !replay.in_cycle(claim)? {
        return Err(Rejection::new(format!("the cycle does not pass {}", claim.place)));
    }
    surroundings.repeat_from = Some(claim.cycle_inputs);
    let end = claim.second_step.saturating_add(FURTHER);
    replay.run(&mut surroundings, &mut state, end)
}

/// The inputs of the claim, each given only where it fits.
struct Given<'a> {
    inputs: &'a [Input],
    taken: usize,
    /// When all were taken, those from here on come again.
    repeat_from: Option<usize>,
    /// Why the run is not the claimed one, if it is not.
    wrong: Option<String>,
}

impl<'a> Given<'a> {
    fn new(inputs: &'a [Input]) -> Self {
        Given { inputs, taken: 0, repeat_from: None, wrong: None }
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
}

/// Whether the next instruction of a state is at a place.
fn passes(program: &Program, machine: &Machine, state: &State, place: &Place) -> bool {
    Place::of(program, state.position().0, machine.place(state)) == *place
}

struct Replay<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut Terms,
    deadline: Instant,
}

impl Replay<'_> {
    /// Runs up to a number of steps in all; a run that ends before is not the claimed one.
    fn run(
        &mut self,
        surroundings: &mut Given<'_>,
        state: &mut State,
        until: u64,
    ) -> Result<(), Rejection> {
        while state.steps < until {
            if Instant::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let next = until.min(state.steps + SLICE);
            let stop = self.machine.run(state, self.terms, surroundings, next);
            if let Some(wrong) = surroundings.wrong.take() {
                return Err(Rejection::new(wrong));
            }
            match stop {
                Stop::Steps | Stop::Mark => {}
                Stop::End(end, at) => {
                    return Err(Rejection::new(format!(
                        "the run ends after {} steps: {}",
                        state.steps,
                        self.describe(&end, at)
                    )));
                }
                Stop::Fork(_, at) | Stop::Concretise(_, at) => {
                    let place = Place::of(self.program, at.function, at.span);
                    return Err(Rejection::new(format!(
                        "a decision depends on a value that the model does not know ({place})"
                    )));
                }
            }
        }
        Ok(())
    }

    fn describe(&self, end: &End, at: At) -> String {
        let place = Place::of(self.program, at.function, at.span);
        match end {
            End::Exit(_) => format!("it exits ({place})"),
            End::Abort(why) => format!("{why} ({place})"),
            End::Undefined(what) => format!("undefined: {what} ({place})"),
            End::Blocked => format!("an assumption is false ({place})"),
            End::Limit(what) => format!("not covered by the model: {what} ({place})"),
            End::NeedsInput(what) => format!("an input is missing: {what} ({place})"),
        }
    }

    /// Whether the claimed place lies on the cycle, looked for step by step.
    fn in_cycle(&mut self, claim: &Recurrence) -> Result<bool, Rejection> {
        let mut surroundings = Given::new(&claim.inputs);
        let mut state = self.machine.start();
        self.run(&mut surroundings, &mut state, claim.first_step)?;
        while state.steps < claim.second_step {
            if passes(self.program, self.machine, &state, &claim.place) {
                return Ok(true);
            }
            let next = state.steps + 1;
            self.run(&mut surroundings, &mut state, next)?;
        }
        Ok(false)
    }
}
