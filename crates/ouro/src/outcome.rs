//! What a command came to: the report, the same for people, and the files that were asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::outputs;

/// What a command came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CommandOutcome<R> {
    /// The report, as `docs/report.md` describes it.
    pub report: R,
    /// The same in words.
    pub text: String,
    /// What to say besides, a line each: notes, and mistakes of Ouro that cost a verdict.
    pub messages: Vec<String>,
    /// The files that were asked for, such as the certificate. The functions of this library have written them.
    pub files: Vec<OutputFile>,
    /// What the program `ouro` exits with.
    pub exit_code: u8,
}

/// A file that was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutputFile {
    /// Where.
    pub path: PathBuf,
    /// What is in it.
    pub text: String,
}

impl<R> CommandOutcome<R> {
    /// An outcome without files and messages.
    pub(crate) fn new(report: R, text: String, exit_code: u8) -> CommandOutcome<R> {
        CommandOutcome { report, text, messages: Vec::new(), files: Vec::new(), exit_code }
    }

    /// Adds a file.
    pub(crate) fn add_file(&mut self, path: impl Into<PathBuf>, text: String) {
        self.files.push(OutputFile { path: path.into(), text });
    }

    /// Writes the files, each whole or not at all.
    pub(crate) fn write_files(&self) -> Result<(), Failure> {
        outputs::write_all(&self.files).map_err(Failure::from)
    }
}
