//! What the user may ask of `ouro scan` and `ouro merge`.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ouro_evidence::DataModel;

use crate::arguments::{LimitArguments, parse_duration};

#[derive(Args, Clone, Debug)]
pub(crate) struct ScanArguments {
    /// A folder with C files, or a compile_commands.json
    #[arg(value_name = "DIR|FILE")]
    pub(crate) project: PathBuf,
    /// How many checks run at once [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: Option<u32>,
    /// How long to try with each loop: 500ms, 20s, 2m
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) timeout: Duration,
    /// How much memory each check may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    #[arg(value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    pub(crate) memory: u64,
    /// Sizes of C's types: lp64 (64-bit), ilp32 (32-bit)
    /// [default: as each file's command says, else lp64]
    #[arg(long, value_name = "MODEL", verbatim_doc_comment)]
    pub(crate) data_model: Option<DataModel>,
    /// Look only at part K of N, for several machines; `ouro merge` joins the results
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<WorkShard>,
    /// Where results are kept between runs [default: ouro/scan in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub(crate) cache: Option<PathBuf>,
    /// Neither use nor keep results
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Write the certificates of loops that end into this folder, for `ouro verify`
    #[arg(long, value_name = "DIR")]
    pub(crate) certificates: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) outcome: OutcomeArguments,
    /// Further options for clang
    #[arg(last = true, value_name = "CLANG OPTION")]
    pub(crate) clang: Vec<String>,
}

impl ScanArguments {
    /// What each check may use.
    pub(crate) fn limit_arguments(&self) -> LimitArguments {
        LimitArguments { timeout: self.timeout, memory: self.memory }
    }
}

/// What is done with the findings.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutcomeArguments {
    /// What makes the command fail; may be repeated [default: loops]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) deny: Vec<DeniedAnswer>,
    /// Leave out what is in this result of an earlier run (--format json)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// How to print the findings
    #[arg(long, value_enum, default_value_t = ScanFormat::Text)]
    pub(crate) format: ScanFormat,
    /// Write the findings here instead of printing them
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write pages for a browser into this folder, too
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Do not fail because files could not be looked at
    #[arg(long)]
    pub(crate) allow_skipped: bool,
    /// List the loops that are proved to end, too
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct MergeArguments {
    /// Results of `ouro scan --format json`
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) outcome: OutcomeArguments,
}

/// A worker of `ouro scan`: one file of the project.
#[derive(Args, Clone, Debug)]
pub(crate) struct UnitArguments {
    /// The file
    pub(crate) file: PathBuf,
    /// The folder that names are relative to
    #[arg(long)]
    pub(crate) root: PathBuf,
    /// Look at this function as a whole, not at single loops
    #[arg(long)]
    pub(crate) entry: Option<String>,
    /// Send certificates as well
    #[arg(long)]
    pub(crate) certificates: bool,
    /// The first loop to look at
    #[arg(long, default_value_t = 0)]
    pub(crate) from: usize,
    #[arg(long)]
    pub(crate) data_model: Option<DataModel>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[arg(last = true)]
    pub(crate) clang: Vec<String>,
}

/// What makes a scan fail.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DeniedAnswer {
    /// A loop that can run forever
    Loops,
    /// A loop that is not proved to end, unless an exception says why it does
    Unknown,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScanFormat {
    /// For people
    Text,
    /// For `ouro merge`, --baseline and tools
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit's XML, for continuous integration
    Junit,
}

/// One of several parts of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct WorkShard {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) count: usize,
}

impl WorkShard {
    /// Whether it has the piece of work at an index.
    pub(crate) fn has(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

impl FromStr for WorkShard {
    type Err = String;

    fn from_str(text: &str) -> Result<WorkShard, String> {
        let wrong = || "it should look like 2/8: the second of eight parts".to_owned();
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let number: usize = number.parse().map_err(|_| wrong())?;
        let count: usize = count.parse().map_err(|_| wrong())?;
        if number == 0 || number > count {
            return Err(wrong());
        }
        Ok(WorkShard { number, count })
    }
}

#[cfg(test)]
mod tests {
    use super::WorkShard;

    #[test]
    fn every_piece_is_in_one_part() {
        let parts: Vec<WorkShard> = (1..=3).map(|k| format!("{k}/3").parse().unwrap()).collect();
        for index in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(index)).count(), 1);
        }
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/3"] {
            assert!(text.parse::<WorkShard>().is_err(), "{text}");
        }
    }
}
