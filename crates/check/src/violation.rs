//! A run breaks an obligation: replay it to its end.

use std::time::Instant;

use ouro_evidence::{ObligationViolation, SourcePlace};
use ouro_machine::{Machine, MachineStop, RunEnd};
use ouro_model::Program;
use ouro_term::TermStore;

use crate::over::{CheckResult, reject_evidence};
use crate::replay::{CertificateReplay, GivenInputs, describe_end};

pub(crate) fn check_violation(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    claim: &ObligationViolation,
    deadline: Instant,
) -> CheckResult<()> {
    let mut surroundings = GivenInputs::new(&claim.inputs)?;
    let mut state = machine.start_state();
    let mut replay = CertificateReplay { program, machine, terms, deadline };
    replay.run_to_step(&mut surroundings, &mut state, claim.steps)?;
    let next = claim.steps.saturating_add(1);
    let stop = machine.run_until(&mut state, terms, &mut surroundings, next);
    if let Some(wrong) = surroundings.take_mismatch() {
        return reject_evidence(wrong);
    }
    match stop {
        MachineStop::End(RunEnd::Violation(number), _) if number == claim.obligation => {}
        MachineStop::End(end, at) => {
            return reject_evidence(format!(
                "the run ends differently: {}",
                describe_end(program, &end, at)
            ));
        }
        _ => return reject_evidence(format!("the run goes on after {} steps", claim.steps)),
    }
    if surroundings.taken != claim.inputs.len() {
        return reject_evidence(format!(
            "{} inputs were taken, not {}",
            surroundings.taken,
            claim.inputs.len()
        ));
    }
    if state.memory.layout_observed().is_some() {
        return reject_evidence("the run depends on where objects are placed in memory");
    }
    let mut calls = machine.call_stack_positions(&state);
    if !calls.any(|at| SourcePlace::of_span(program, at.function, at.span) == claim.place) {
        return reject_evidence(format!("the run does not end at {}", claim.place));
    }
    Ok(())
}
