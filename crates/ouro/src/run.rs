//! `ouro run`: the program runs in Ouro's own machine, prints what it prints and exits as it exits.

mod surroundings;

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use ouro_evidence::{IntegerSemantics, SourcePlace};
use ouro_machine::{Machine, MachineStop, OverflowSemantics, RunEnd, RunPosition};
use ouro_term::TermStore;
use surroundings::CommandLineEnvironment;

use crate::arguments::RunArguments;
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
            eprintln!("error: the machine cannot be set up: {error}");
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
            eprintln!("error: Ouro failed: {what}; this is a mistake in Ouro, please report it");
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
        BadInput(format!("'{}' of {} bytes has no room in memory", large.name, large.size))
    })?;
    let mut state = machine.start_state();
    let mut surroundings = CommandLineEnvironment::new(&asked.inputs);
    let stop = machine.run_until(&mut state, &mut terms, &mut surroundings, u64::MAX);
    surroundings.flush();
    if let Some(why) = &surroundings.unwritten {
        return Err(BadInput(format!("standard output cannot be written: {why}")));
    }
    // What goes wrong in the C library goes wrong where the program called it.
    let mut places = machine.call_positions(&state);
    let user = places.find(|at| program.functions[at.function].user);
    let place = |at: RunPosition| {
        let at = user.unwrap_or(at);
        SourcePlace::of_span(&program, at.function, at.span)
    };
    Ok(match stop {
        MachineStop::End(end, at) => report_run_end(end, &place(at), surroundings)?,
        MachineStop::Fork(_, at) | MachineStop::Concretise(_, at) => {
            eprintln!("unknown: {}: what happens depends on an unknown value", place(at));
            exit::UNKNOWN
        }
        // Nothing asks for marks, and nobody lives to see so many steps.
        MachineStop::Steps | MachineStop::Mark => exit::UNKNOWN,
    })
}

/// What is said about the end of a run, and its exit code.
fn report_run_end(
    end: RunEnd,
    place: &SourcePlace,
    surroundings: CommandLineEnvironment<'_>,
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
            Err(BadInput(format!("{place}: the program assumes that it does not get these inputs")))
        }
        RunEnd::NeedsInput(what) => Err(BadInput(match surroundings.wrong {
            Some(wrong) => format!("{place}: {wrong}"),
            None => format!(
                "{place}: the program asks for another input ({what}); add --input N, number {}",
                surroundings.taken_count() + 1
            ),
        })),
    }
}
