//! `ouro run`: the program runs in Ouro's own machine, prints what it prints and exits as it exits.

mod surroundings;

use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use ouro_evidence::{Ints, Place};
use ouro_machine::{At, End, Machine, Overflow, Stop};
use ouro_term::Terms;
use surroundings::Surroundings;

use super::arguments::RunArguments;
use crate::exit::{self, BadInput};
use crate::pipeline::{self, NotCompiled, Subject};
use crate::sources::{self, Kind};
use crate::worker;

/// clang gets this long; the run itself has no limit, as it would have none outside of Ouro.
const COMPILE: Duration = Duration::from_secs(300);

/// Runs the program.
pub(crate) fn run(asked: &RunArguments) -> ExitCode {
    let asked = asked.clone();
    let runner = thread::Builder::new().stack_size(worker::STACK).spawn(move || answer(&asked));
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

fn answer(asked: &RunArguments) -> Result<u8, BadInput> {
    sources::read(Kind::Program, &asked.program.files)?;
    let subject = Subject::from(&asked.program);
    let program = match pipeline::compile(&subject, Instant::now() + COMPILE) {
        Ok(program) => program,
        Err(NotCompiled::BadInput(bad) | NotCompiled::TooSlow(bad)) => return Err(bad),
        Err(NotCompiled::Mistake(what)) => {
            eprintln!("error: Ouro failed: {what}; this is a mistake in Ouro, please report it");
            return Ok(exit::CRASH);
        }
    };
    let mut terms = Terms::new();
    let overflow = match subject.ints {
        Ints::C => Overflow::Undefined,
        Ints::Wrap => Overflow::Wraps,
        Ints::Unbounded => Overflow::Unbounded,
    };
    let machine = Machine::new(&program, &mut terms, overflow, false).map_err(|large| {
        BadInput(format!("'{}' of {} bytes has no room in memory", large.name, large.size))
    })?;
    let mut state = machine.start();
    let mut surroundings = Surroundings::new(&asked.inputs);
    let stop = machine.run(&mut state, &mut terms, &mut surroundings, u64::MAX);
    surroundings.flush();
    if let Some(why) = &surroundings.unwritten {
        return Err(BadInput(format!("standard output cannot be written: {why}")));
    }
    // What goes wrong in the C library goes wrong where the program called it.
    let mut places = machine.places(&state);
    let user = places.find(|at| program.functions[at.function].user);
    let place = |at: At| {
        let at = user.unwrap_or(at);
        Place::of(&program, at.function, at.span)
    };
    Ok(match stop {
        Stop::End(end, at) => ended(end, &place(at), surroundings)?,
        Stop::Fork(_, at) | Stop::Concretise(_, at) => {
            eprintln!("unknown: {}: what happens depends on an unknown value", place(at));
            exit::UNKNOWN
        }
        // Nothing asks for marks, and nobody lives to see so many steps.
        Stop::Steps | Stop::Mark => exit::UNKNOWN,
    })
}

/// What is said about the end of a run, and its exit code.
fn ended(end: End, place: &Place, surroundings: Surroundings<'_>) -> Result<u8, BadInput> {
    match end {
        // A parent sees the low eight bits of a status.
        End::Exit(Some(status)) => Ok(status.to_le_bytes()[0]),
        End::Exit(None) => {
            eprintln!("unknown: {place}: the exit status depends on an unknown value");
            Ok(exit::UNKNOWN)
        }
        End::Violation(_) => {
            eprintln!("{place}: an obligation of the specification is broken");
            Ok(exit::ABORTED)
        }
        End::Abort(why) => {
            eprintln!("{place}: aborted: {why}");
            Ok(exit::ABORTED)
        }
        End::Undefined(what) => {
            eprintln!("{place}: undefined behaviour: {what}");
            Ok(exit::UNDEFINED)
        }
        End::Limit(what) => {
            eprintln!("unknown: {place}: {what} is not covered by the model");
            Ok(exit::UNKNOWN)
        }
        End::Blocked => {
            Err(BadInput(format!("{place}: the program assumes that it does not get these inputs")))
        }
        End::NeedsInput(what) => Err(BadInput(match surroundings.wrong {
            Some(wrong) => format!("{place}: {wrong}"),
            None => format!(
                "{place}: the program asks for another input ({what}); add --input N, number {}",
                surroundings.taken() + 1
            ),
        })),
    }
}
