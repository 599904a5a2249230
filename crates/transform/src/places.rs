//! Where a run is, in the user's words.

use ouro_evidence::SourcePlace;
use ouro_machine::{Machine, MachineState};
use ouro_model::Program;
use ouro_model::monitor::{HOOK, OWN};

/// Where the innermost call of the user's code is.
pub fn user_place(program: &Program, machine: &Machine, state: &MachineState) -> SourcePlace {
    let mut calls = machine.call_stack_positions(state);
    calls
        .find(|at| program.functions[at.function].user && at.span.is_known())
        .or_else(|| machine.call_stack_positions(state).next())
        .map_or_else(
            || SourcePlace { file: String::new(), line: 0, function: String::new() },
            |at| SourcePlace::of_span(program, at.function, at.span),
        )
}

/// Where the function is called at which a specification is looking right now: the user's *call site*.
/// `None` if the code of the specification is not running, or runs for another reason.
pub fn call_site(
    program: &Program,
    machine: &Machine,
    state: &MachineState,
) -> Option<SourcePlace> {
    let mut calls = machine.call_stack_positions(state);
    let mut looks = false;
    // The outermost function of the monitor is the one that was called for the program; what it was
    // called in is the function that the specification names.
    loop {
        let name = &program.functions[calls.next()?.function].name;
        if !name.starts_with(OWN) {
            break;
        }
        looks = name.starts_with(HOOK);
    }
    if !looks {
        return None;
    }
    let at = calls.find(|at| program.functions[at.function].user && at.span.is_known())?;
    Some(SourcePlace::of_span(program, at.function, at.span))
}
