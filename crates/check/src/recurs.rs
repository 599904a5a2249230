//! A state recurs: replay, compare, run on.
//!
//! Why it is enough. Between the two moments the run took some inputs. Both states agree on all
//! that the rest of the run can see: with the same inputs again, it does the same again, and so
//! forever. Only the innermost calls are compared, down to the lowest one in which the run was
//! between the two moments; what is below cannot have been looked at. If the second state is deeper
//! than the first, each turn adds calls that never return.

use std::time::Instant;

use ouro_evidence::{Place, Recurrence};
use ouro_machine::concrete::{self, Concrete, Inputs};
use ouro_machine::{At, End, Machine, State};
use ouro_model::Program;
use ouro_term::Terms;

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
    let mut inputs = Inputs::new(claim.inputs.iter().map(|i| i.bits).collect());
    if claim.cycle_inputs < claim.inputs.len() {
        inputs.repeat_from = Some(claim.cycle_inputs);
    }
    let mut silent = |_: u32, _: &[u8]| {};
    let mut surroundings = Concrete::new(inputs, &mut silent);
    let mut state = machine.start();
    let mut replay = Replay { program, machine, terms, deadline };

    replay.run(&mut surroundings, &mut state, claim.first_step)?;
    if surroundings.inputs.taken() != claim.cycle_inputs {
        return Err(Rejection::new(format!(
            "{} inputs were taken before the first moment, not {}",
            surroundings.inputs.taken(),
            claim.cycle_inputs
        )));
    }
    let first = state.clone();
    state.low = state.depth();
    replay.run(&mut surroundings, &mut state, claim.second_step)?;
    if surroundings.inputs.taken() != claim.inputs.len() {
        return Err(Rejection::new(format!(
            "{} inputs were taken before the second moment, not {}",
            surroundings.inputs.taken(),
            claim.inputs.len()
        )));
    }
    if surroundings.undecided {
        return Err(Rejection::new("the run depends on a value that the model does not know"));
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
    let end = claim.second_step.saturating_add(FURTHER);
    replay.run(&mut surroundings, &mut state, end)
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
        surroundings: &mut Concrete<'_>,
        state: &mut State,
        until: u64,
    ) -> Result<(), Rejection> {
        while state.steps < until {
            if Instant::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let next = until.min(state.steps + SLICE);
            let ended = concrete::run(self.machine, self.terms, surroundings, state, next);
            if let Some((end, at)) = ended {
                return Err(Rejection::new(format!(
                    "the run ends after {} steps: {}",
                    state.steps,
                    self.describe(&end, at)
                )));
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
        let inputs = Inputs::new(claim.inputs.iter().map(|i| i.bits).collect());
        let mut silent = |_: u32, _: &[u8]| {};
        let mut surroundings = Concrete::new(inputs, &mut silent);
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
