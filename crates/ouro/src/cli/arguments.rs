//! What the user may ask.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::options::{AttachOptions, CheckOptions, ProgramOptions, VerifyOptions, duration};
use crate::scan::options::{MergeOptions, ScanOptions};

/// Does it ever stop?
///
/// Ouro reads a C program and proves that it always terminates, or that it can loop forever, and
/// shows the input that makes it so. Integer transition systems are read as well.
#[derive(Parser, Clone, Debug)]
#[command(name = "ouro", version, max_term_width = 100)]
#[command(after_help = "Examples:
  ouro check prog.c                     terminates, loops forever, or unknown
  ouro check prog.c --function parse    the same for one function, whatever its arguments
  ouro check prog.c --report pages      with pages for a browser
  ouro attach 4711                      will this process ever leave its loop?
  ouro doctor                           is everything installed?")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Clone, Debug)]
pub(crate) enum Command {
    /// Check whether a program terminates or loops forever, or whether it keeps its promises.
    #[command(
        after_help = "Exit codes: 0 terminates or holds, 1 loops forever or violated, 2 invalid \
                      input or command, 3 unknown, 70 internal error. With --every-loop, 1 also \
                      if a loop is not proved to terminate. `--help` lists all options and has \
                      examples.",
        after_long_help = "\
Examples:
  ouro check prog.c                                      does it terminate?
  ouro check a.c b.c --certificate c.json -- -DNDEBUG    two files and an option for clang
  ouro check prog.c --format sarif > ouro.sarif          for a code host
  ouro check prog.c --spec lock.slic                     are all promises kept?

Exit codes: 0 terminates or holds, 1 loops forever or violated, 2 invalid input or command,
3 unknown, 70 internal error. With --every-loop, 1 also if a loop is not proved to terminate."
    )]
    Check(CheckArguments),
    /// Will this process ever leave its loop?
    #[command(
        after_help = "Exit codes: 0 it will leave the loop, 1 loops forever, 2 invalid input or \
                      command,\n3 unknown, or it waits, or it talks to the outside,\n5 loops until a \
                      signal arrives, 70 internal error."
    )]
    Attach(AttachArguments),
    /// Run the program on given inputs.
    #[command(after_help = "Exit codes: the program's own; 134 it was aborted, 132 undefined \
                            behaviour,\n2 an input is missing or invalid, 3 it used something \
                            that Ouro does not support,\n70 internal error.")]
    Run(RunArguments),
    /// Check every loop of a project.
    #[command(
        after_help = "Exit codes: 0 nothing denied was found, 1 something denied was found, 2 \
                      invalid input or command,\n4 some files were skipped, 70 internal error."
    )]
    Scan(ScanOptions),
    /// Join the results of several scans.
    #[command(after_help = "Exit codes: the same as for scan.")]
    Merge(MergeOptions),
    /// Do what is asked on standard input: a worker of the other commands.
    #[command(hide = true)]
    Worker,
    /// Check a certificate again.
    #[command(after_help = "Exit codes: 0 accepted, 2 rejected or not a certificate, 3 undecided \
                            within the limits,\n70 internal error.")]
    Verify(VerifyArguments),
    /// Check that everything Ouro needs is installed.
    #[command(after_help = "Exit codes: 0 Ouro works, 2 something is missing.")]
    Doctor,
    /// Print completions for a shell.
    #[command(after_help = "For example: ouro completions bash > \
                            ~/.local/share/bash-completion/completions/ouro")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "For example: ouro man | man -l -")]
    Man,
}

/// `ouro check`: what is asked, and how the answer is printed.
#[derive(Args, Clone, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) options: CheckOptions,
    /// Format of the answer
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, conflicts_with = "termcomp")]
    pub(crate) format: ReportFormat,
    /// Report progress on standard error
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// `ouro attach`: which process, and how the answer is printed.
#[derive(Args, Clone, Debug)]
#[command(group(clap::ArgGroup::new("subject").required(true).args(["pid", "core", "snapshot", "all"])))]
pub(crate) struct AttachArguments {
    #[command(flatten)]
    pub(crate) options: AttachOptions,
    /// List the processes that use the CPU and let you choose one
    #[arg(long)]
    pub(crate) all: bool,
    /// Wait until the process has been busy for this long
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["core", "snapshot"])]
    pub(crate) watch: Option<Duration>,
    /// Format of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// The same as `ouro verify FILE --snapshot` or `--core`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pid", "all", "certificate", "save"])]
    #[arg(hide = true)]
    pub(crate) check: Option<PathBuf>,
}

impl AttachArguments {
    /// The question of `ouro verify`, if that is what was asked.
    pub(crate) fn as_verify(&self) -> Option<VerifyArguments> {
        let AttachOptions { core, snapshot, exe, limits, worker, .. } = self.options.clone();
        let certificate = self.check.clone()?;
        let options =
            VerifyOptions { certificate, snapshot, core, exe, solver: None, limits, worker };
        Some(VerifyArguments { options, format: self.format })
    }
}

/// `ouro verify`: which certificate, and how the answer is printed.
#[derive(Args, Clone, Debug)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    pub(crate) options: VerifyOptions,
    /// Format of the answer
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// `ouro run`.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) program: ProgramOptions,
    /// The next value that the environment decides; may be repeated
    #[arg(long = "input", value_name = "N", allow_hyphen_values = true)]
    pub(crate) inputs: Vec<String>,
}

/// How `attach` and `verify` print an answer.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        use clap::CommandFactory as _;
        Arguments::command().debug_assert();
    }
}
