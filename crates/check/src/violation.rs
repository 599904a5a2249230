//! A run breaks an obligation: replay it to its end.

use std::time::Instant;

use ouro_evidence::{Place, Violation};
use ouro_machine::{End, Machine, Stop};
use ouro_model::Program;
use ouro_term::Terms;

use crate::over::{Checked, reject};
use crate::replay::{Given, Replay, describe};

pub(crate) fn check(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    claim: &Violation,
    deadline: Instant,
) -> Checked<()> {
    let mut surroundings = Given::new(&claim.inputs)?;
    let mut state = machine.start();
    let mut replay = Replay { program, machine, terms, deadline };
    replay.run(&mut surroundings, &mut state, claim.steps)?;
    let next = claim.steps.saturating_add(1);
    let stop = machine.run(&mut state, terms, &mut surroundings, next);
    if let Some(wrong) = surroundings.wrong() {
        return reject(wrong);
    }
    match stop {
        Stop::End(End::Violation(number), _) if number == claim.obligation => {}
        Stop::End(end, at) => {
            return reject(format!("the run ends otherwise: {}", describe(program, &end, at)));
        }
        _ => return reject(format!("the run goes on after {} steps", claim.steps)),
    }
    if surroundings.taken != claim.inputs.len() {
        return reject(format!(
            "{} inputs were taken, not {}",
            surroundings.taken,
            claim.inputs.len()
        ));
    }
    if state.memory.layout_observed().is_some() {
        return reject("the run depends on where objects lie in memory");
    }
    let mut calls = machine.calls(&state);
    if !calls.any(|at| Place::of(program, at.function, at.span) == claim.place) {
        return reject(format!("the run is not at {} in the end", claim.place));
    }
    Ok(())
}
