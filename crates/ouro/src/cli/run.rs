//! `ouro run`: the program runs in Ouro's own machine, prints what it prints and exits as it exits.

mod surroundings;

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use ouro_evidence::{IntegerSemantics, SourcePlace};
use ouro_machine::{Machine, MachineStop, OverflowSemantics, RunEnd, RunPosition};
use ouro_term::TermStore;
use surroundings::RunSurroundings;

use super::arguments::RunArguments;
use crate::exit::{self, BadInput};
use crate::pipeline::{self, AskedProgram, CompileFailure};
use crate::sources::{self, SubjectKind};
use crate::worker;

/// clang gets this long; the run itself has no limit, as it would have none outside of Ouro.
const COMPILE: Duration = Duration::from_secs(300);

/// Runs the program.
pub(crate) fn run_program(asked: &RunArguments) -> ExitCode {
    let asked = asked.clone();
    let runner =
        thread::Builder::new().stack_size(worker::STACK).spawn(move || run_to_exit_code(&asked));
    let code = match runner.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(code))) => code,
        Ok(Ok(Err(bad))) => {
            eprintln!("{bad}");
            exit::BAD_INPUT
        }
        // A panic has printed its message.
        Ok(Err(_)) => exit::CRASH,
        Err(error) => {
            eprintln!("error: cannot set up the machine: {error}");
            exit::CRASH
        }
    };
    ExitCode::from(code)
}

fn run_to_exit_code(asked: &RunArguments) -> Result<u8, BadInput> {
    sources::read_input_files(SubjectKind::Program, &asked.program.files)?;
    let subject = AskedProgram::from(&asked.program);
    let program = match pipeline::compile_subject(&subject, Instant::now() + COMPILE) {
        Ok(program) => program,
        Err(CompileFailure::BadInput(bad) | CompileFailure::TooSlow(bad)) => return Err(bad),
        Err(CompileFailure::Mistake(what)) => {
            eprintln!("error: internal error: {what}; this is a bug in Ouro, please report it");
            return Ok(exit::CRASH);
        }
    };
    let mut terms = TermStore::new();
    let overflow = match subject.ints {
        IntegerSemantics::C => OverflowSemantics::Undefined,
        IntegerSemantics::Wrap => OverflowSemantics::Wraps,
        IntegerSemantics::Unbounded => OverflowSemantics::Unbounded,
    };
    let machine = Machine::new(&program, &mut terms, overflow, false).map_err(|large| {
        BadInput(format!("'{}' ({} bytes) does not fit into memory", large.name, large.size))
    })?;
    let mut state = machine.start_state();
    let mut surroundings = RunSurroundings::new(&asked.inputs);
    let stop = machine.run_until(&mut state, &mut terms, &mut surroundings, u64::MAX);
    surroundings.flush();
    if let Some(why) = &surroundings.unwritten {
        return Err(BadInput(format!("cannot write to standard output: {why}")));
    }
    // What goes wrong in the C library goes wrong where the program called it.
    let mut places = machine.call_positions(&state);
    let user = places.find(|at| program.functions[at.function].user);
    let place = |at: RunPosition| {
        let at = user.unwrap_or(at);
        SourcePlace::of_span(&program, at.function, at.span)
    };
    Ok(match stop {
        MachineStop::End(end, at) => exit_code_of_end(end, &place(at), surroundings)?,
        MachineStop::Fork(_, at) | MachineStop::Concretise(_, at) => {
            eprintln!("unknown: {}: the next step depends on an unknown value", place(at));
            exit::UNKNOWN
        }
        // Nothing asks for marks, and nobody lives to see so many steps.
        MachineStop::Steps | MachineStop::Mark => exit::UNKNOWN,
    })
}

/// What is said about the end of a run, and its exit code.
fn exit_code_of_end(
    end: RunEnd,
    place: &SourcePlace,
    surroundings: RunSurroundings<'_>,
) -> Result<u8, BadInput> {
    match end {
        // A parent sees the low eight bits of a status.
        RunEnd::Exit(Some(status)) => Ok(status.to_le_bytes()[0]),
        RunEnd::Exit(None) => {
            eprintln!("unknown: {place}: the exit status depends on an unknown value");
            Ok(exit::UNKNOWN)
        }
        RunEnd::Violation(_) => {
            eprintln!("{place}: an obligation of the specification is broken");
            Ok(exit::ABORTED)
        }
        RunEnd::Abort(why) => {
            eprintln!("{place}: aborted: {why}");
            Ok(exit::ABORTED)
        }
        RunEnd::Undefined(what) => {
            eprintln!("{place}: undefined behaviour: {what}");
            Ok(exit::UNDEFINED)
        }
        RunEnd::Limit(what) => {
            eprintln!("unknown: {place}: {what} is not covered by the model");
            Ok(exit::UNKNOWN)
        }
        RunEnd::Blocked => {
            Err(BadInput(format!("{place}: the program assumes that these inputs do not occur")))
        }
        RunEnd::NeedsInput(what) => Err(BadInput(match surroundings.wrong {
            Some(wrong) => format!("{place}: {wrong}"),
            None => format!(
                "{place}: the program needs another input ({what}); add --input N as number {}",
                surroundings.taken() + 1
            ),
        })),
    }
}
