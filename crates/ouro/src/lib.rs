//! Does it ever stop? Proofs that a C program terminates or loops forever, as a library.
//!
//! Four functions answer what the commands of the program `ouro` answer: [`check()`] asks about one program or
//! transition system, [`scan()`] about every loop of a project, [`attach()`] about a running process, [`verify()`] about a
//! certificate. Each takes plain options and returns a [`CommandOutcome`] with a plain report, whose fields
//! `docs/report.md` of the repository describes. Reports serialize to the JSON of the command line, by the schema
//! `docs/schema/ouro-report.schema.json`.
//!
//! ```
//! use ouro::{CheckOptions, ReportVerdict, WorkerProgram, check};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("ouro-example-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let file = folder.join("counts.koat");
//! std::fs::write(&file, "(GOAL COMPLEXITY)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n\
//!                        f(x) -> f(x - 1) :|: x > 0\n)\n")?;
//! // Without a second process, the limits hold only as far as solvers keep to them.
//! let options = CheckOptions { worker: WorkerProgram::InProcess, ..CheckOptions::new(&file) };
//! let outcome = check(&options)?;
//! assert_eq!(outcome.report.verdict, ReportVerdict::Terminates);
//! assert!(outcome.text.starts_with("terminates"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! The work is done in a second process, because a solver or clang may ignore every limit it was given and only a
//! process can really be stopped:
//!
//! ```text
//!  your program, or ouro check prog.c      supervise: sends the request, waits, kills, writes files
//!   └── ouro worker                        worker: read, lower, prove, check, report; sends one answer
//!        └── clang …
//! ```
//!
//! So the program `ouro` of the same version has to be installed: beside yours, in the folder above, on `PATH`, or where
//! [`WorkerProgram::At`] says.
//!
//! | file | one idea |
//! | --- | --- |
//! | `options` | what can be asked |
//! | `outcome`, `failure` | what comes of it |
//! | `supervise` | the first process: limits that hold |
//! | `message` | what the two processes say to each other |
//! | `worker` | the second process |
//! | `pipeline` | the way from a file to a checked verdict |
//! | `check`, `attach`, `verify`, `scan` | the commands, in the worker |
//! | `report` | the last stage: from an answer to its report |
//! | `picture` | what is in the pictures of endless runs |
//! | `verbose` | what is being tried |
//! | `questions` | termination, or what a specification says |
//! | `sources` | the files of a question |
//! | `outputs` | files written whole or not at all |
//! | `memory` | what happens when memory runs out |
//! | `exit` | exit codes, and failures that are the user's to mend |
//! | `cli` | the program `ouro` |
//! | `limits` | how far everything goes, in one place |

mod attach;
mod check;
#[doc(hidden)]
pub mod cli;
mod exit;
mod failure;
mod limits;
mod message;
pub mod options;
mod outcome;
mod outputs;
mod picture;
mod pipeline;
mod questions;
mod report;
mod scan;
mod sources;
mod supervise;
mod verbose;
mod verify;
mod worker;

use std::time::Instant;

pub use failure::Failure;
pub use message::Stage;
pub use options::{AttachOptions, CheckOptions, VerifyOptions};
pub use ouro_report::{
    AttachReport, CheckReport, ReportCommand, ReportFinding, ReportVerdict, ScanReport,
    VerifyReport, json,
};
pub use outcome::{CommandOutcome, OutputFile};
pub use scan::options::{Deny, ScanFormat, ScanOptions, ScanOutputs, Shard};
pub use supervise::{Listener, ProgressEvent};
pub use worker::WorkerProgram;

use ouro_report::schema::seconds;

use crate::message::{WorkerAnswer, WorkerJob};
use crate::supervise::{WorkerEnd, run_worker};

/// Does the program terminate, or can it loop forever? Does it keep to its specification?
///
/// # Errors
/// If the input is wrong or Ouro fails. That nothing could be proved is a report: *unknown*, and why.
pub fn check(options: &CheckOptions) -> Result<CommandOutcome<CheckReport>, Failure> {
    check_listening(options, &mut silent_listener(&mut |_| {}))
}

/// [`check()`], with somebody who hears what is being done.
///
/// # Errors
/// As those of [`check()`].
pub fn check_listening(
    options: &CheckOptions,
    listener: &mut Listener<'_>,
) -> Result<CommandOutcome<CheckReport>, Failure> {
    let start = Instant::now();
    let job = WorkerJob::Check(options.clone());
    let mut outcome = match run_worker(&options.worker, job, start, listener) {
        WorkerEnd::Answered(Ok(WorkerAnswer::Check(outcome))) => outcome,
        WorkerEnd::Limit(reason, progress) => check::outcome_when_stopped(
            options,
            reason,
            &progress,
            start.elapsed(),
            listener.colour,
        ),
        end => return Err(failure_of_end(end)),
    };
    check::add_pages(options, &mut outcome);
    outcome.write_files()?;
    Ok(outcome)
}

/// Which loops of a project end, and which can loop forever? Workers are needed: [`WorkerProgram::InProcess`] is refused.
///
/// # Errors
/// If the input is wrong or Ouro fails. Files that could not be looked at are in the report.
pub fn scan(options: &ScanOptions) -> Result<CommandOutcome<ScanReport>, Failure> {
    let outcome = scan::scan_project(options)?;
    outcome.write_files()?;
    Ok(outcome)
}

/// Will this process ever leave its loop? A worker is needed: [`WorkerProgram::InProcess`] is refused.
///
/// # Errors
/// If there is no such process or snapshot, or Ouro fails.
pub fn attach(options: &AttachOptions) -> Result<CommandOutcome<AttachReport>, Failure> {
    attach_listening(options, &mut silent_listener(&mut |_| {}))
}

/// [`attach()`], with somebody who hears what is being done.
///
/// # Errors
/// As those of [`attach()`].
pub fn attach_listening(
    options: &AttachOptions,
    listener: &mut Listener<'_>,
) -> Result<CommandOutcome<AttachReport>, Failure> {
    let start = Instant::now();
    let job = WorkerJob::Attach(options.clone());
    let outcome = match run_worker(&options.worker, job, start, listener) {
        WorkerEnd::Answered(Ok(WorkerAnswer::Attach(outcome))) => outcome,
        WorkerEnd::Limit(reason, _) => {
            let text = format!("unknown: {reason}\n");
            let seconds = seconds(start.elapsed());
            let report = AttachReport::unknown(Some(reason.to_string()), seconds);
            CommandOutcome::new(report, text, exit::UNKNOWN)
        }
        end => return Err(failure_of_end(end)),
    };
    outcome.write_files()?;
    Ok(outcome)
}

/// Does this certificate hold? A worker is needed: [`WorkerProgram::InProcess`] is refused.
///
/// # Errors
/// If it is no certificate, its files are not there or have changed, or Ouro fails. One that does not hold is a report:
/// [`ReportVerdict::Rejected`].
pub fn verify(options: &VerifyOptions) -> Result<CommandOutcome<VerifyReport>, Failure> {
    verify_listening(options, &mut silent_listener(&mut |_| {}))
}

/// [`verify()`], with somebody who hears what is being done.
///
/// # Errors
/// As those of [`verify()`].
pub fn verify_listening(
    options: &VerifyOptions,
    listener: &mut Listener<'_>,
) -> Result<CommandOutcome<VerifyReport>, Failure> {
    let start = Instant::now();
    let job = WorkerJob::Verify(options.clone());
    match run_worker(&options.worker, job, start, listener) {
        WorkerEnd::Answered(Ok(WorkerAnswer::Verify(outcome))) => Ok(outcome),
        WorkerEnd::Limit(reason, _) => {
            let mut report = verify::undecided_because(options, reason.to_string());
            report.seconds = seconds(start.elapsed());
            Ok(verify::verify_outcome(report))
        }
        end => Err(failure_of_end(end)),
    }
}

/// Nobody hears anything.
fn silent_listener<'a>(hear: &'a mut dyn FnMut(ProgressEvent<'_>)) -> Listener<'a> {
    Listener { colour: false, verbose: false, hear }
}

/// Why a worker has not answered the question.
fn failure_of_end(end: WorkerEnd) -> Failure {
    match end {
        WorkerEnd::Answered(Err(failure)) | WorkerEnd::Failed(failure) => failure,
        WorkerEnd::Answered(Ok(_)) => {
            Failure::Internal("the worker answered a different question".to_owned())
        }
        WorkerEnd::Limit(reason, _) => Failure::Internal(reason.to_string()),
    }
}
