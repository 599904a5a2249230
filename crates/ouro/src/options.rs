//! What the library and the command line can be asked: plain structs, each defined once. The command line fills them
//! from its arguments, a library user by hand, and they are sent to the worker as they are.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ouro_model::{Allocations, DataModel, Externs, InputExtent, IntegerSemantics};
use ouro_portfolio::EngineName;
use serde::{Deserialize, Serialize};

pub use crate::worker::WorkerProgram;

/// Which program, and what its text means.
#[derive(Args, Clone, Debug, Serialize, Deserialize)]
pub struct ProgramOptions {
    /// Source files: C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM (.bc, .ll); several are linked.
    /// Or one integer transition system (.smt2, .koat, .t2)
    #[arg(required = true, value_name = "FILE", verbatim_doc_comment)]
    pub files: Vec<PathBuf>,
    /// Start at this function, with any arguments
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub function: String,
    /// Meaning of integers: c (as in C), wrap (two's complement, as with -fwrapv), unbounded
    /// [default: c, and also wrap where only an overflow ends a run]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    pub ints: Option<IntegerSemantics>,
    /// Sizes of C's types: lp64 (64-bit), ilp32 (32-bit)
    /// [default: as the clang options say, else lp64]
    #[arg(long, value_name = "MODEL", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub data_model: Option<DataModel>,
    /// Result of a function without a body: choice (the environment's), unknown (any value)
    #[arg(long, value_name = "KIND", default_value_t = Externs::Choice)]
    #[arg(hide_short_help = true)]
    pub externs: Externs,
    /// Memory allocation: may-fail (malloc may return NULL), succeed (it never does)
    /// [default: succeed if the program uses SV-COMP's functions, else may-fail]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub allocations: Option<Allocations>,
    /// More options for clang
    #[arg(last = true, value_name = "CLANG OPTION")]
    pub clang: Vec<String>,
}

impl ProgramOptions {
    /// What integers are, if nothing is said as in C.
    pub fn ints(&self) -> IntegerSemantics {
        self.ints.unwrap_or(IntegerSemantics::C)
    }
}

/// How much a question may cost.
#[derive(Args, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LimitOptions {
    /// Time limit, such as 500ms, 20s, 2m or 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    #[arg(allow_hyphen_values = true)]
    pub timeout: Duration,
    /// Memory limit, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    #[arg(value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    #[arg(hide_short_help = true)]
    pub memory: u64,
}

/// What the program has to do; to terminate if nothing is said.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
pub struct PropertyOptions {
    /// Check this specification (.slic) instead of termination; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ltl", "prop"])]
    pub spec: Vec<PathBuf>,
    /// Check only this obligation of the specifications
    #[arg(long, value_name = "NAME", requires = "spec")]
    #[arg(hide_short_help = true)]
    pub obligation: Option<String>,
    /// Check this LTL formula, with C expressions in quotes: 'G("lock == 1" -> F "lock == 0")'
    #[arg(long, value_name = "FORMULA", conflicts_with = "prop")]
    pub ltl: Option<String>,
    /// Check the property in this SV-COMP property file: termination or an LTL formula
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true)]
    pub prop: Option<PathBuf>,
}

/// What `ouro check` is asked; see [`check`](crate::check()).
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
pub struct CheckOptions {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramOptions,
    /// What it has to do.
    #[command(flatten)]
    pub property: PropertyOptions,
    /// How much it may cost.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Input: any (files and streams may be endless), ends (finitely many bytes,
    /// then end of file or the same error forever)
    /// [default: any; endless runs on finite input are looked for first]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub input: Option<InputExtent>,
    /// Use only this engine; may be repeated
    #[arg(long, value_name = "NAME")]
    #[arg(hide_short_help = true)]
    pub engine: Vec<Engine>,
    /// Exit with 1 unless every loop is proved to terminate, even if the verdict is unknown
    #[arg(long)]
    pub every_loop: bool,
    /// Print YES, NO or MAYBE and the proof, in TermComp's format
    #[arg(long, conflicts_with_all = ["spec", "ltl"], hide_short_help = true)]
    pub termcomp: bool,
    /// Write HTML pages to this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Write the certificate to this file, for `ouro verify`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write a C file that makes the program hang
    #[arg(long, value_name = "FILE")]
    pub reproducer: Option<PathBuf>,
    /// Draw the endless run, its states and its memory: .svg, or .dot for Graphviz
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
    /// Write an SV-COMP witness: YAML 2.1, or GraphML 1.0 if the name ends in .graphml
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub witness: Option<PathBuf>,
    /// Which program does the work.
    #[arg(skip)]
    #[serde(skip)]
    pub worker: WorkerProgram,
}

/// What `ouro attach` is asked; see [`attach`](crate::attach()).
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
pub struct AttachOptions {
    /// The process
    #[arg(value_name = "PID", value_parser = clap::value_parser!(i32).range(1..))]
    pub pid: Option<i32>,
    /// The core dump of a process
    #[arg(long, value_name = "FILE")]
    pub core: Option<PathBuf>,
    /// A snapshot that --save wrote
    #[arg(long, value_name = "FILE")]
    pub snapshot: Option<PathBuf>,
    /// The executable of the core, if it has moved
    #[arg(long, value_name = "FILE", requires = "core")]
    pub exe: Option<PathBuf>,
    /// How much it may cost.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Save the snapshot to this file, for `ouro attach --snapshot`
    #[arg(long, value_name = "FILE", conflicts_with = "snapshot")]
    pub save: Option<PathBuf>,
    /// Write the certificate to this file, for `ouro verify --snapshot FILE`
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Which program does the work.
    #[arg(skip)]
    #[serde(skip)]
    pub worker: WorkerProgram,
}

/// What `ouro verify` is asked; see [`verify`](crate::verify()).
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize)]
pub struct VerifyOptions {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub certificate: PathBuf,
    /// The snapshot that the certificate of a process is about (`ouro attach --save`)
    #[arg(long, value_name = "FILE", conflicts_with = "core")]
    pub snapshot: Option<PathBuf>,
    /// The core dump that the certificate of a process is about
    #[arg(long, value_name = "FILE")]
    pub core: Option<PathBuf>,
    /// The executable of the core, if it has moved
    #[arg(long, value_name = "FILE", requires = "core")]
    pub exe: Option<PathBuf>,
    /// Confirm each answer of Z3 with this solver as well: cvc5
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    pub solver: Option<OtherSolver>,
    /// How much it may cost.
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Which program does the work.
    #[arg(skip)]
    #[serde(skip)]
    pub worker: WorkerProgram,
}

/// A solver that is installed beside Ouro and reads SMT-LIB.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OtherSolver {
    /// Debian's package cvc5
    Cvc5,
}

/// A method of proof.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Engine {
    /// Symbolic execution: states that recur, or paths that all end
    Explore,
    /// Recurrent sets: states that one loop never leaves
    Lasso,
    /// Recurrent sets that several loops together never leave
    Closed,
    /// Recurrent sets found in a graph of abstract states
    Forward,
    /// Ranking functions: a number that gets smaller with every iteration
    Ranking,
    /// Transition invariants: between any two iterations some number gets smaller
    Transition,
    /// Rankings of each loop on its own, whatever happened before it
    Parts,
}

impl Engine {
    /// The engine that it names.
    pub(crate) fn name(self) -> EngineName {
        match self {
            Engine::Explore => EngineName::Explore,
            Engine::Lasso => EngineName::Lasso,
            Engine::Closed => EngineName::Closed,
            Engine::Forward => EngineName::Forward,
            Engine::Ranking => EngineName::Ranking,
            Engine::Transition => EngineName::Transition,
            Engine::Parts => EngineName::Parts,
        }
    }
}

impl Default for ProgramOptions {
    /// No file yet, and everything else as on the command line.
    fn default() -> ProgramOptions {
        ProgramOptions {
            files: Vec::new(),
            function: "main".to_owned(),
            ints: None,
            data_model: None,
            externs: Externs::default(),
            allocations: None,
            clang: Vec::new(),
        }
    }
}

impl Default for LimitOptions {
    /// A minute and 4 GiB.
    fn default() -> LimitOptions {
        LimitOptions { timeout: Duration::from_secs(60), memory: 4096 }
    }
}

impl CheckOptions {
    /// Does the program in this file, or the transition system, terminate?
    pub fn new(file: impl Into<PathBuf>) -> CheckOptions {
        let program = ProgramOptions { files: vec![file.into()], ..ProgramOptions::default() };
        CheckOptions { program, ..CheckOptions::default() }
    }
}

impl VerifyOptions {
    /// Does this certificate hold?
    pub fn new(certificate: impl Into<PathBuf>) -> VerifyOptions {
        VerifyOptions { certificate: certificate.into(), ..VerifyOptions::default() }
    }
}

/// A time such as `20s`; a plain number is seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 20s, 2m or 1h".to_owned()),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    let seconds = match number.parse::<f64>() {
        Ok(number) if plain => number * scale,
        _ => return Err("expected a time such as 500ms, 20s, 2m or 1h".to_owned()),
    };
    if seconds <= 0.0 {
        return Err("it must be greater than 0".to_owned());
    }
    // A year: more is a slip of the finger, and clocks need not count that far.
    if seconds > 31_536_000.0 {
        return Err("it must be at most a year".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds).max(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let ok = |text: &str| duration(text).expect(text).as_millis();
        assert_eq!(ok("20s"), 20_000);
        assert_eq!(ok("20"), 20_000);
        assert_eq!(ok("500ms"), 500);
        assert_eq!(ok("1.5s"), 1_500);
        assert_eq!(ok("2m"), 120_000);
        assert_eq!(ok("1h"), 3_600_000);
        for text in
            ["", "s", "0", "0s", "-5", "-5s", "nan", "inf", "1e9", "20 s", "20x", "1d", "99999h"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
