//! A state recurs: replay, compare, run on.
//!
//! Why it is enough. Between the two moments the run took some inputs. Both states agree on all
//! that the rest of the run can see: with the same inputs again, it does the same again, and so
//! forever. Only the innermost calls are compared, down to the lowest one in which the run was
//! between the two moments; what is below cannot have been looked at. If the second state is deeper
//! than the first, each turn adds calls that never return. What the run passes between the two
//! moments it passes again and again, and nothing else: so it is fair if that meets each pair.

use std::time::Instant;

use ouro_evidence::{Place, Recurrence};
use ouro_machine::{Machine, State};
use ouro_model::Program;
use ouro_term::Terms;

use crate::Rejection;
use crate::fair::Passed;
use crate::replay::{Given, Replay};

/// How far the run is followed after the second moment.
const FURTHER: u64 = 1_000_000;

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
    let mut surroundings = Given::new(&claim.inputs)?;
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
    surroundings.passed = Passed::default();
    state.low = state.depth();
    replay.run(&mut surroundings, &mut state, claim.second_step)?;
    if surroundings.taken != claim.inputs.len() {
        return Err(Rejection::new(format!(
            "{} inputs were taken before the second moment, not {}",
            surroundings.taken,
            claim.inputs.len()
        )));
    }
    for (pair, meets) in program.fairness.iter().zip(surroundings.passed.meets(program)) {
        if meets.p && !meets.q {
            return Err(Rejection::new(format!("the cycle is not fair: {}", pair.name)));
        }
    }
    if state.depth() < first.depth() || (state.depth() > first.depth()) != claim.recursion {
        return Err(Rejection::new("the calls in progress are not as claimed"));
    }
    let frames = first.depth() - state.low.min(first.depth()) + 1;
    if !machine.same(&first, &state, frames) {
        return Err(Rejection::new("the two states differ"));
    }
    if !passes(program, machine, &first, &claim.place) && !in_cycle(&mut replay, claim)? {
        return Err(Rejection::new(format!("the cycle does not pass {}", claim.place)));
    }
    surroundings.repeat_from = Some(claim.cycle_inputs);
    let end = claim.second_step.saturating_add(FURTHER);
    replay.run_on(&mut surroundings, &mut state, end)
}

/// Whether the next instruction of a state is at a place.
fn passes(program: &Program, machine: &Machine, state: &State, place: &Place) -> bool {
    Place::of(program, state.position().0, machine.place(state)) == *place
}

/// Whether the claimed place lies on the cycle, looked for step by step.
fn in_cycle(replay: &mut Replay<'_>, claim: &Recurrence) -> Result<bool, Rejection> {
    let mut surroundings = Given::new(&claim.inputs)?;
    let mut state = replay.machine.start();
    replay.run(&mut surroundings, &mut state, claim.first_step)?;
    while state.steps < claim.second_step {
        if passes(replay.program, replay.machine, &state, &claim.place) {
            return Ok(true);
        }
        let next = state.steps + 1;
        replay.run(&mut surroundings, &mut state, next)?;
    }
    Ok(false)
}
