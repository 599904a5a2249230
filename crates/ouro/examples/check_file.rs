//! Checks one C file with the library and says what came of it:
//! `cargo run --release -p ouro --example check_file examples/bsearch.c`.
//! The work is done by the program `ouro`, so build that, too.

use std::process::ExitCode;
use std::time::Duration;

use ouro::options::LimitOptions;
use ouro::{CheckOptions, ReportVerdict, check};

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: check_file FILE");
        return ExitCode::FAILURE;
    };
    let limits = LimitOptions { timeout: Duration::from_secs(20), ..LimitOptions::default() };
    let options = CheckOptions { limits, ..CheckOptions::new(file) };
    let report = match check(&options) {
        Ok(outcome) => outcome.report,
        Err(failure) => {
            eprintln!("{failure}");
            return ExitCode::FAILURE;
        }
    };
    match report.verdict {
        ReportVerdict::Loops => println!("it can run forever, with {} inputs", report.inputs.len()),
        ReportVerdict::Terminates => println!("every run ends"),
        _ => println!("unknown: {}", report.reason.unwrap_or_default()),
    }
    for one in &report.loops {
        println!("  {}: {} ({})", one.location, one.status, one.reason);
    }
    ExitCode::SUCCESS
}
