//! A state recurs: replay, compare, run on.
//!
//! Why it is enough. Between the two moments the run took some inputs. Both states agree on all
//! that the rest of the run can see: with the same inputs again, it does the same again, and so
//! forever. Only the innermost calls are compared, down to the lowest one in which the run was
//! between the two moments; what is below cannot have been looked at. If the second state is deeper
//! than the first, each iteration adds calls that never return. What the run passes between the two
//! moments it passes again and again, and nothing else: so it is fair if that meets each pair.

use std::time::Instant;

use ouro_evidence::{SourcePlace, StateRecurrence};
use ouro_machine::{Machine, MachineState};
use ouro_model::Program;
use ouro_term::TermStore;

use crate::EvidenceRejection;
use crate::fair::PassedEvents;
use crate::limits::LIMITS;
use crate::replay::{CertificateReplay, GivenInputs};

pub(crate) fn check_recurrence(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    claim: &StateRecurrence,
    deadline: Instant,
) -> Result<(), EvidenceRejection> {
    if claim.first_step >= claim.second_step {
        return Err(EvidenceRejection::new("the second moment does not come after the first"));
    }
    if claim.cycle_inputs > claim.inputs.len() {
        return Err(EvidenceRejection::new("the cycle starts after the last input"));
    }
    let mut surroundings = GivenInputs::new(&claim.inputs)?;
    let mut state = machine.start_state();
    let mut replay = CertificateReplay { program, machine, terms, deadline };

    replay.run_to_step(&mut surroundings, &mut state, claim.first_step)?;
    if surroundings.taken != claim.cycle_inputs {
        return Err(EvidenceRejection::new(format!(
            "{} inputs were taken before the first moment, not {}",
            surroundings.taken, claim.cycle_inputs
        )));
    }
    let first = state.clone();
    surroundings.passed = PassedEvents::default();
    state.low = state.depth();
    replay.run_to_step(&mut surroundings, &mut state, claim.second_step)?;
    if surroundings.taken != claim.inputs.len() {
        return Err(EvidenceRejection::new(format!(
            "{} inputs were taken before the second moment, not {}",
            surroundings.taken,
            claim.inputs.len()
        )));
    }
    for (pair, meets) in program.fairness.iter().zip(surroundings.passed.pair_progress(program)) {
        if meets.p && !meets.q {
            return Err(EvidenceRejection::new(format!("the cycle is not fair: {}", pair.name)));
        }
    }
    if state.depth() < first.depth() || (state.depth() > first.depth()) != claim.recursion {
        return Err(EvidenceRejection::new("the calls in progress are not as claimed"));
    }
    let frames = first.depth() - state.low.min(first.depth()) + 1;
    if !machine.subsumes_exactly(&first, &state, frames) {
        return Err(EvidenceRejection::new("the two states differ"));
    }
    if !is_at_place(program, machine, &first, &claim.place) && !place_on_cycle(&mut replay, claim)?
    {
        return Err(EvidenceRejection::new(format!("the cycle does not pass {}", claim.place)));
    }
    surroundings.repeat_from = Some(claim.cycle_inputs);
    let end = claim.second_step.saturating_add(LIMITS.further_steps);
    replay.run_onward(&mut surroundings, &mut state, end)
}

/// Whether the next instruction of a state is at a place.
fn is_at_place(
    program: &Program,
    machine: &Machine,
    state: &MachineState,
    place: &SourcePlace,
) -> bool {
    SourcePlace::of_span(program, state.position().0, machine.next_instruction_span(state))
        == *place
}

/// Whether the claimed place lies on the cycle, looked for step by step.
fn place_on_cycle(
    replay: &mut CertificateReplay<'_>,
    claim: &StateRecurrence,
) -> Result<bool, EvidenceRejection> {
    let mut surroundings = GivenInputs::new(&claim.inputs)?;
    let mut state = replay.machine.start_state();
    replay.run_to_step(&mut surroundings, &mut state, claim.first_step)?;
    while state.steps < claim.second_step {
        if is_at_place(replay.program, replay.machine, &state, &claim.place) {
            return Ok(true);
        }
        let next = state.steps + 1;
        replay.run_to_step(&mut surroundings, &mut state, next)?;
    }
    Ok(false)
}
