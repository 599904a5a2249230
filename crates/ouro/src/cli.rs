//! The program `ouro`: it parses arguments, calls the library, prints, and exits. Nothing here decides anything.

pub(crate) mod arguments;
mod choose;
mod doctor;
mod formats;
mod manual;
mod progress;
mod run;

use std::env;
use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use arguments::{Arguments, AttachArguments, CheckArguments, Command, Format, VerifyArguments};
use clap::Parser as _;
use ouro_report::{ScanReport, json};
use progress::Progress;
use serde::Serialize;

use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::scan::options::{MergeOptions, ScanOptions, ScanOutputs};
use crate::supervise::{Listener, ProgressEvent, end_by_signal, note_signals};
use crate::{exit, outputs, scan, worker};

/// What a worker exits with when it has no memory left; its allocator has to know.
pub const OUT_OF_MEMORY: u8 = exit::OUT_OF_MEMORY;

/// Does what the command line asks.
pub fn run_command_line() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    if let Command::Worker = command {
        return worker::run_as_worker();
    }
    if let Err(error) = worker::is_ouro() {
        return print_failure(&Failure::Internal(error.to_string()));
    }
    let ended = match &command {
        Command::Check(asked) => run_check(asked),
        Command::Attach(asked) => run_attach(asked),
        Command::Verify(asked) => run_verify(asked),
        Command::Scan(asked) => run_scan(asked),
        Command::Merge(asked) => run_merge(asked),
        Command::Run(asked) => Ok(run::run_program(asked)),
        Command::Doctor => Ok(doctor::diagnose_installation()),
        Command::Completions { shell } => Ok(manual::print_completions(*shell)),
        Command::Man => Ok(manual::print_manual()),
        Command::Worker => Ok(worker::run_as_worker()),
    };
    ended.unwrap_or_else(|failure| print_failure(&failure))
}

fn run_check(asked: &CheckArguments) -> Result<ExitCode, Failure> {
    let outcome =
        with_progress(asked.verbose, |listener| crate::check_listening(&asked.options, listener))?;
    let text = formats::check_text(&outcome, asked.format, asked.options.every_loop);
    Ok(print_outcome(&outcome, &text))
}

fn run_attach(asked: &AttachArguments) -> Result<ExitCode, Failure> {
    if let Some(asked) = asked.as_verify() {
        return run_verify(&asked);
    }
    let pid = choose::choose_process(asked)?;
    let options = crate::AttachOptions { pid, ..asked.options.clone() };
    let outcome = with_progress(false, |listener| crate::attach_listening(&options, listener))?;
    Ok(print_outcome(&outcome, &report_text(&outcome, asked.format)))
}

fn run_verify(asked: &VerifyArguments) -> Result<ExitCode, Failure> {
    let outcome =
        with_progress(false, |listener| crate::verify_listening(&asked.options, listener))?;
    Ok(print_outcome(&outcome, &report_text(&outcome, asked.format)))
}

fn run_scan(asked: &ScanOptions) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let outcome = scan(asked)?;
    Ok(finish_scan(&outcome, &asked.outcome))
}

fn run_merge(asked: &MergeOptions) -> Result<ExitCode, Failure> {
    let outcome = scan::merge_scans(asked)?;
    outcome.write_files()?;
    Ok(finish_scan(&outcome, &asked.outcome))
}

/// Prints findings, unless they are in a file.
fn finish_scan(outcome: &CommandOutcome<ScanReport>, asked: &ScanOutputs) -> ExitCode {
    match asked.output {
        Some(_) => print_outcome(outcome, ""),
        None => print_outcome(outcome, &scan::findings_text(outcome, asked)),
    }
}

/// Has a question answered while the terminal shows what is being done.
fn with_progress<T>(
    verbose: bool,
    ask: impl FnOnce(&mut Listener<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    heed_signals()?;
    let mut progress = Progress::new(verbose);
    let mut hear = |event: ProgressEvent<'_>| match event {
        ProgressEvent::Stage(stage) => progress.show(stage),
        ProgressEvent::Attempt { seconds, text } => eprintln!("{seconds:8.2} s  {text}"),
    };
    ask(&mut Listener { colour: has_colours(), verbose, hear: &mut hear })
}

/// From now on a request to end is passed on to workers.
fn heed_signals() -> Result<(), Failure> {
    note_signals().map_err(|error| Failure::Internal(error.to_string()))
}

/// Whether reports may have colours.
fn has_colours() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb");
    io::stdout().is_terminal() && !refused && !dumb
}

fn report_text<R: Serialize>(outcome: &CommandOutcome<R>, format: Format) -> String {
    match format {
        Format::Text => outcome.text.clone(),
        Format::Json => json(&outcome.report),
    }
}

fn print_outcome<R>(outcome: &CommandOutcome<R>, text: &str) -> ExitCode {
    for message in &outcome.messages {
        eprintln!("{message}");
    }
    outputs::print_and_exit(text.as_bytes(), outcome.exit_code)
}

fn print_failure(failure: &Failure) -> ExitCode {
    match failure {
        Failure::Interrupted(signal) => end_by_signal(*signal),
        _ => {
            eprintln!("{failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}
