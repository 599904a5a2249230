//! What `ouro scan` and `ouro merge` can be asked.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueEnum};
use ouro_model::DataModel;
use serde::{Deserialize, Serialize};

use crate::options::{LimitOptions, WorkerProgram, duration};

/// What `ouro scan` is asked; see [`scan`](crate::scan()).
#[derive(Args, Clone, Debug)]
pub struct ScanOptions {
    /// A folder with C files, or a compile_commands.json
    #[arg(value_name = "DIR|FILE")]
    pub project: PathBuf,
    /// How many checks run at once [default: one for each processor]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Time limit for each loop, such as 500ms, 20s or 2m
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    #[arg(allow_hyphen_values = true)]
    pub timeout: Duration,
    /// Memory limit for each check, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    #[arg(value_parser = clap::value_parser!(u64).range(64..=1 << 24))]
    pub memory: u64,
    /// Sizes of C's types: lp64 (64-bit), ilp32 (32-bit)
    /// [default: as each file's command says, else lp64]
    #[arg(long, value_name = "MODEL", verbatim_doc_comment)]
    pub data_model: Option<DataModel>,
    /// Check only part K of N, to spread a scan over machines; `ouro merge` joins the results
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Folder of the cache [default: ouro/scan in the user's cache folder]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    pub cache: Option<PathBuf>,
    /// Do not use the cache
    #[arg(long)]
    pub no_cache: bool,
    /// Write the certificates of terminating loops to this folder, for `ouro verify`
    #[arg(long, value_name = "DIR")]
    pub certificates: Option<PathBuf>,
    /// What is done with the findings.
    #[command(flatten)]
    pub outcome: ScanOutputs,
    /// More options for clang
    #[arg(last = true, value_name = "CLANG OPTION")]
    pub clang: Vec<String>,
    /// Which program does the work.
    #[arg(skip)]
    pub worker: WorkerProgram,
}

impl ScanOptions {
    /// Every loop of the project in this folder, or of this compile_commands.json.
    pub fn new(project: impl Into<PathBuf>) -> ScanOptions {
        ScanOptions {
            project: project.into(),
            jobs: None,
            timeout: Duration::from_secs(5),
            memory: 2048,
            data_model: None,
            shard: None,
            cache: None,
            no_cache: false,
            certificates: None,
            outcome: ScanOutputs::default(),
            clang: Vec::new(),
            worker: WorkerProgram::default(),
        }
    }

    /// What each check may use.
    pub(crate) fn limits(&self) -> LimitOptions {
        LimitOptions { timeout: self.timeout, memory: self.memory }
    }
}

/// What is done with the findings.
#[derive(Args, Clone, Debug, Default)]
pub struct ScanOutputs {
    /// Findings that make the command fail; may be repeated [default: loops]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub deny: Vec<Deny>,
    /// Leave out findings that are in this earlier result (--format json)
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Format of the findings
    #[arg(long, value_enum, default_value_t = ScanFormat::Text)]
    pub format: ScanFormat,
    /// Write the findings to this file instead of printing them
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write HTML pages to this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Do not fail because of files that were skipped
    #[arg(long)]
    pub allow_skipped: bool,
    /// Also list the loops that are proved to terminate
    #[arg(long)]
    pub all: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct MergeOptions {
    /// Results of `ouro scan --format json`
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) outcome: ScanOutputs,
}

/// A job for a worker of `ouro scan`: one file of the project.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct UnitOptions {
    /// The file.
    pub(crate) file: PathBuf,
    /// The folder that names are relative to.
    pub(crate) root: PathBuf,
    /// Look at this function as a whole, not at single loops.
    pub(crate) entry: Option<String>,
    /// Send certificates as well.
    pub(crate) certificates: bool,
    /// The first loop to look at.
    pub(crate) from: usize,
    pub(crate) data_model: Option<DataModel>,
    pub(crate) limits: LimitOptions,
    pub(crate) clang: Vec<String>,
}

/// What makes a scan fail.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deny {
    /// A loop that loops forever
    Loops,
    /// A loop that is not proved to terminate, unless it is suppressed
    Unknown,
}

/// How findings are printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScanFormat {
    /// For people
    #[default]
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
pub struct Shard {
    /// From 1.
    pub number: usize,
    /// How many there are.
    pub count: usize,
}

impl Shard {
    /// Whether it has the piece of work at an index.
    pub fn has(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || "expected K/N, such as 2/8 for the second of eight parts".to_owned();
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let number: usize = number.parse().map_err(|_| wrong())?;
        let count: usize = count.parse().map_err(|_| wrong())?;
        if number == 0 || number > count {
            return Err(wrong());
        }
        Ok(Shard { number, count })
    }
}

#[cfg(test)]
mod tests {
    use super::Shard;

    #[test]
    fn every_piece_is_in_one_part() {
        let parts: Vec<Shard> = (1..=3).map(|k| format!("{k}/3").parse().unwrap()).collect();
        for index in 0..20 {
            assert_eq!(parts.iter().filter(|part| part.has(index)).count(), 1);
        }
        for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "-1/3"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
