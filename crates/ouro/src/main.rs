//! The command line: arguments, pipeline, exit codes, nothing else.
//!
//! `check` and `verify` do their work in a second process, because a solver or clang may ignore
//! every limit it was given and only a process can really be stopped:
//!
//! ```text
//!  ouro check prog.c            supervise: waits, kills, writes files, prints, exits
//!   └── ouro check prog.c       worker: compiles, explores, checks; sends one message
//!        └── clang …
//! ```
//!
//! | file | one idea |
//! | --- | --- |
//! | `arguments` | what the user may ask |
//! | `exit` | exit codes, and failures that are the user's to mend |
//! | `supervise` | the first process: limits that hold |
//! | `message` | what the second process tells the first |
//! | `worker` | the second process |
//! | `memory` | what happens when memory runs out |
//! | `pipeline` | the way from a C file to a checked verdict |
//! | `check`, `attach`, `verify`, `run` | the commands |
//! | `doctor` | is everything installed? |
//! | `manual` | completions and the page of the manual |
//! | `verbose` | what is being tried |
//! | `scan` | every loop of a project |
//! | `questions` | termination, or what a specification says |
//! | `sources` | the files of a question |
//! | `formats` | what is made from findings: SARIF, JUnit, pages |
//! | `outputs` | files written whole or not at all |

mod arguments;
mod attach;
mod check;
mod doctor;
mod exit;
mod formats;
mod manual;
mod memory;
mod message;
mod outputs;
mod picture;
mod pipeline;
mod questions;
mod run;
mod scan;
mod sources;
mod supervise;
mod verbose;
mod verify;
mod worker;

use std::process::ExitCode;

use arguments::{CommandLine, OuroCommand};
use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = CommandLine::parse();
    if matches!(&arguments.command, OuroCommand::Check(asked) if asked.verbose) {
        verbose::enable_verbose();
    }
    if let Some(limits) = worker::WorkerLimits::from_environment() {
        return worker::run_as_worker(&arguments, limits);
    }
    match &arguments.command {
        OuroCommand::Check(asked) => supervise::supervise_check(asked),
        OuroCommand::Attach(asked) => supervise::supervise_attach(asked),
        OuroCommand::Verify(asked) => supervise::supervise_verify(asked),
        OuroCommand::Run(asked) => run::run_program(asked),
        OuroCommand::Doctor => doctor::run_doctor(),
        OuroCommand::Completions { shell } => manual::print_completions(*shell),
        OuroCommand::Man => manual::print_manual(),
        OuroCommand::Scan(asked) => scan::run_scan(asked),
        OuroCommand::Merge(asked) => scan::run_merge(asked),
        // It is a worker, and has no supervisor.
        OuroCommand::Unit(_) => ExitCode::from(exit::BAD_INPUT),
    }
}
