//! What the user may ask.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ouro_evidence::{Allocations, DataModel, Externs, InputExtent, IntegerSemantics};
use ouro_portfolio::EngineName;

use crate::scan::arguments::{MergeArguments, ScanArguments, UnitArguments};

/// Does it ever stop?
///
/// Ouro reads a C program and proves that it always terminates, or that it can run forever, and
/// shows the input that makes it so. Integer transition systems are read as well.
#[derive(Parser, Clone, Debug)]
#[command(name = "ouro", version, max_term_width = 100)]
#[command(after_help = "Examples:
  ouro check prog.c                     terminates, loops forever, or unknown
  ouro check prog.c --function parse    the same for one function, whatever its arguments
  ouro check prog.c --report pages      with pages for a browser
  ouro attach 4711                      will this process ever come out of its loop?
  ouro doctor                           is everything installed?")]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: OuroCommand,
}

#[derive(Subcommand, Clone, Debug)]
pub(crate) enum OuroCommand {
    /// Does the program terminate, or can it run forever? Does it keep its promises?
    #[command(
        after_help = "Exit codes: 0 terminates or holds, 1 loops forever or violated, 2 the input \
                            or the command is wrong, 3 unknown, 70 Ouro itself failed. With \
                            --every-loop, 1 also if a loop is not proved to end. `--help` has all \
                            options, and examples.",
        after_long_help = "\
Examples:
  ouro check prog.c                                      does it terminate?
  ouro check a.c b.c --certificate c.json -- -DNDEBUG    two files and an option for clang
  ouro check prog.c --format sarif > ouro.sarif          for a code host
  ouro check prog.c --spec lock.slic                     are all promises kept?

Exit codes: 0 terminates or holds, 1 loops forever or violated, 2 the input or the command is
wrong, 3 unknown, 70 Ouro itself failed. With --every-loop, 1 also if a loop is not proved to end."
    )]
    Check(CheckArguments),
    /// Will this process ever come out of its loop?
    #[command(
        after_help = "Exit codes: 0 it ends, 1 loops forever, 2 the input or the command is \
                            wrong,\n3 not proven, or it waits, or it talks to the outside, 70 Ouro \
                            itself failed.\nWith --check: 0 accepted, 2 not accepted, 3 not decided."
    )]
    Attach(AttachArguments),
    /// Run the program on given inputs.
    #[command(after_help = "Exit codes: the program's own; 134 it was aborted, 132 it did \
                            something undefined,\n2 an input is missing or wrong, 3 it did \
                            something that the model does not cover,\n70 Ouro itself failed.")]
    Run(RunArguments),
    /// Check every loop of a project.
    #[command(
        after_help = "Exit codes: 0 nothing that is denied was found, 1 something was, 2 the \
                            input or the command\nis wrong, 70 Ouro itself failed."
    )]
    Scan(ScanArguments),
    /// Join the results of several scans.
    #[command(after_help = "Exit codes: as of scan.")]
    Merge(MergeArguments),
    /// A worker of scan.
    #[command(hide = true)]
    Unit(UnitArguments),
    /// Check a certificate again.
    #[command(after_help = "Exit codes: 0 accepted, 2 not accepted or no certificate, 3 not \
                            decided within the limits,\n70 Ouro itself failed.")]
    Verify(VerifyArguments),
    /// Is everything installed that Ouro needs?
    #[command(after_help = "Exit codes: 0 Ouro works, 2 something is missing.")]
    Doctor,
    /// Print completions for a shell.
    #[command(after_help = "For example: ouro completions bash > \
                            ~/.local/share/bash-completion/completions/ouro")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the page of the manual.
    #[command(after_help = "For example: ouro man | man -l -")]
    Man,
}

/// Which program, and what its text means.
#[derive(Args, Clone, Debug)]
pub(crate) struct ProgramArguments {
    /// Source files: C (.c, .i), C++ (.cpp, .cc, .cxx) or LLVM (.bc, .ll); several are linked.
    /// Or one integer transition system (.smt2, .koat, .t2)
    #[arg(required = true, value_name = "FILE", verbatim_doc_comment)]
    pub(crate) files: Vec<PathBuf>,
    /// Start here; the arguments may be anything
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) function: String,
    /// Integers as in C, two's complement throughout, or mathematical: c, wrap, unbounded
    /// [default: c, and wrap besides where only an overflow ends a run]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    pub(crate) ints: Option<IntegerSemantics>,
    /// Sizes of C's types: lp64 (64-bit), ilp32 (32-bit)
    /// [default: as the options for clang say, else lp64]
    #[arg(long, value_name = "MODEL", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub(crate) data_model: Option<DataModel>,
    /// What a function without body returns: choice (the environment's), unknown (nobody's)
    #[arg(long, value_name = "KIND", default_value_t = Externs::Choice)]
    #[arg(hide_short_help = true)]
    pub(crate) externs: Externs,
    /// Whether memory can run out: may-fail (malloc may return NULL), succeed (it never does)
    /// [default: succeed if the program uses SV-COMP's functions, else may-fail]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub(crate) allocations: Option<Allocations>,
    /// Further options for clang
    #[arg(last = true, value_name = "CLANG OPTION")]
    pub(crate) clang: Vec<String>,
}

impl ProgramArguments {
    /// What integers are, if nothing is said as in C.
    pub(crate) fn integer_semantics(&self) -> IntegerSemantics {
        self.ints.unwrap_or(IntegerSemantics::C)
    }
}

/// How much a question may cost.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArguments {
    /// How long to try: 500ms, 20s, 2m, 1h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) timeout: Duration,
    /// How much memory to use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4096)]
    #[arg(value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    #[arg(hide_short_help = true)]
    pub(crate) memory: u64,
}

/// What the program has to do; to terminate if nothing is said.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PropertyArguments {
    /// Check the promises of this specification (.slic) instead of termination; may be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["ltl", "prop"])]
    pub(crate) spec: Vec<PathBuf>,
    /// Of the specifications, check only this obligation
    #[arg(long, value_name = "NAME", requires = "spec")]
    #[arg(hide_short_help = true)]
    pub(crate) obligation: Option<String>,
    /// Check this formula, with C expressions in quotes: 'G("lock == 1" -> F "lock == 0")'
    #[arg(long, value_name = "FORMULA", conflicts_with = "prop")]
    pub(crate) ltl: Option<String>,
    /// Check what this property file of SV-COMP asks for: termination, or a formula
    #[arg(long, value_name = "FILE")]
    #[arg(hide_short_help = true)]
    pub(crate) prop: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) property: PropertyArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// How far what is read reaches: any (it may go on forever), ends (finitely many bytes,
    /// then the end of file or the same error forever)
    /// [default: any; a run that never ends is looked for without endless input first]
    #[arg(long, value_name = "KIND", verbatim_doc_comment)]
    #[arg(hide_short_help = true)]
    pub(crate) input: Option<InputExtent>,
    /// Use only this method; may be repeated
    #[arg(long, value_name = "NAME")]
    #[arg(hide_short_help = true)]
    pub(crate) engine: Vec<EngineChoice>,
    /// Exit with 1 unless every loop is proved to end, also if the verdict is unknown
    #[arg(long)]
    pub(crate) every_loop: bool,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
    /// Print YES, NO or MAYBE and the proof, as TermComp has it
    #[arg(long, conflicts_with_all = ["format", "spec", "ltl"], hide_short_help = true)]
    pub(crate) termcomp: bool,
    /// Write pages for a browser into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Write the certificate here, for `ouro verify`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Write a C file here that makes the program hang
    #[arg(long, value_name = "FILE")]
    pub(crate) reproducer: Option<PathBuf>,
    /// Draw the run that never ends, its states and its memory, here: .svg, or .dot for Graphviz
    #[arg(long, value_name = "FILE")]
    pub(crate) graph: Option<PathBuf>,
    /// Write SV-COMP's witness here: YAML 2.1, or GraphML 1.0 if the name ends in .graphml
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) witness: Option<PathBuf>,
    /// Say on standard error what is being tried
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Args, Clone, Debug)]
#[command(group(clap::ArgGroup::new("subject").required(true).args(["pid", "core", "snapshot", "all"])))]
pub(crate) struct AttachArguments {
    /// The process
    #[arg(value_name = "PID", value_parser = clap::value_parser!(i32).range(1..))]
    pub(crate) pid: Option<i32>,
    /// The core dump of a process
    #[arg(long, value_name = "FILE")]
    pub(crate) core: Option<PathBuf>,
    /// A snapshot that --save wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) snapshot: Option<PathBuf>,
    /// List the processes that use the CPU, and ask which
    #[arg(long)]
    pub(crate) all: bool,
    /// The program of the core, if it lies elsewhere now
    #[arg(long, value_name = "FILE", requires = "core")]
    pub(crate) exe: Option<PathBuf>,
    /// Look only once the process has been busy for so long
    #[arg(long, value_name = "TIME", value_parser = parse_duration, conflicts_with_all = ["core", "snapshot"])]
    pub(crate) watch: Option<Duration>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    pub(crate) format: OutputFormat,
    /// Keep the snapshot here, for `ouro attach --snapshot`
    #[arg(long, value_name = "FILE", conflicts_with = "snapshot")]
    pub(crate) save: Option<PathBuf>,
    /// Write the proof here, for `ouro verify --snapshot FILE`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Check this proof about the snapshot or core, and do nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pid", "all", "certificate", "save"])]
    pub(crate) check: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    /// The next value that the environment decides; may be repeated
    #[arg(long = "input", value_name = "N", allow_hyphen_values = true)]
    pub(crate) inputs: Vec<String>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct VerifyArguments {
    /// The certificate
    #[arg(value_name = "FILE")]
    pub(crate) certificate: PathBuf,
    /// The snapshot that the certificate of a process is about (`ouro attach --save`)
    #[arg(long, value_name = "FILE", conflicts_with = "core")]
    pub(crate) snapshot: Option<PathBuf>,
    /// The core dump that the certificate of a process is about
    #[arg(long, value_name = "FILE")]
    pub(crate) core: Option<PathBuf>,
    /// The program of the core, if it lies elsewhere now
    #[arg(long, value_name = "FILE", requires = "core")]
    pub(crate) exe: Option<PathBuf>,
    /// Ask this solver as well, about each answer that Z3 gives: cvc5
    #[arg(long, value_name = "NAME", hide_possible_values = true)]
    pub(crate) solver: Option<SecondSolver>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// A solver that is installed beside Ouro and reads SMT-LIB.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SecondSolver {
    /// Debian's package cvc5
    Cvc5,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OutputFormat {
    /// For people
    Text,
    /// One object, for tools
    Json,
}

/// How `check` prints an answer.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// One object, for tools
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit's XML, for continuous integration
    Junit,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EngineChoice {
    /// Symbolic execution of programs: states that recur, paths that all end
    Explore,
    /// Sets of states that one loop never leaves
    Lasso,
    /// Sets of states that several loops together never leave
    Closed,
    /// The same by a graph of abstract states
    Forward,
    /// Rankings: something gets smaller with every turn
    Ranking,
    /// Transition invariants: between any two turns, one of several gets smaller
    Transition,
}

impl EngineChoice {
    /// The engine that it names.
    pub(crate) fn name(self) -> EngineName {
        match self {
            EngineChoice::Explore => EngineName::Explore,
            EngineChoice::Lasso => EngineName::Lasso,
            EngineChoice::Closed => EngineName::Closed,
            EngineChoice::Forward => EngineName::Forward,
            EngineChoice::Ranking => EngineName::Ranking,
            EngineChoice::Transition => EngineName::Transition,
        }
    }
}

/// A time such as `20s`; a plain number is seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let scale = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("it should look like 500ms, 20s, 2m or 1h".to_owned()),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    let seconds = match number.parse::<f64>() {
        Ok(number) if plain => number * scale,
        _ => return Err("it should look like 500ms, 20s, 2m or 1h".to_owned()),
    };
    if seconds <= 0.0 {
        return Err("it should be more than 0".to_owned());
    }
    // A year: more is a slip of the finger, and clocks need not count that far.
    if seconds > 31_536_000.0 {
        return Err("it should be at most a year".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds).max(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory as _;
        CommandLine::command().debug_assert();
    }

    #[test]
    fn durations() {
        let ok = |text: &str| parse_duration(text).expect(text).as_millis();
        assert_eq!(ok("20s"), 20_000);
        assert_eq!(ok("20"), 20_000);
        assert_eq!(ok("500ms"), 500);
        assert_eq!(ok("1.5s"), 1_500);
        assert_eq!(ok("2m"), 120_000);
        assert_eq!(ok("1h"), 3_600_000);
        for text in
            ["", "s", "0", "0s", "-5", "-5s", "nan", "inf", "1e9", "20 s", "20x", "1d", "99999h"]
        {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
