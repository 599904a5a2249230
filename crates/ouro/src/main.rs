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

use arguments::{Arguments, Command};
use clap::Parser as _;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if matches!(&arguments.command, Command::Check(asked) if asked.verbose) {
        verbose::ask();
    }
    if let Some(limits) = worker::Limits::from_environment() {
        return worker::work(&arguments, limits);
    }
    match &arguments.command {
        Command::Check(asked) => supervise::check(asked),
        Command::Attach(asked) => supervise::attach(asked),
        Command::Verify(asked) => supervise::verify(asked),
        Command::Run(asked) => run::run(asked),
        Command::Doctor => doctor::doctor(),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man => manual::man(),
        Command::Scan(asked) => scan::scan(asked),
        Command::Merge(asked) => scan::merge(asked),
        // It is a worker, and has no supervisor.
        Command::Unit(_) => ExitCode::from(exit::BAD_INPUT),
    }
}
