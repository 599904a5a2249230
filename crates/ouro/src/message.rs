//! What the worker tells the supervisor: lines of JSON through a pipe.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use ouro_evidence::SourcePlace;
use ouro_report::ReportFinding;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerMessage {
    /// What is being done now.
    Phase(WorkPhase),
    /// Where the loops of the program are, once it was compiled.
    Loops(Vec<SourcePlace>),
    /// The files that were read for a file of a project, what is to be looked at in it (findings of which
    /// nothing is known yet), and what cannot be looked at.
    Plan(Vec<PathBuf>, Vec<Value>, Vec<String>),
    /// What is known of the finding of this number.
    Judged(usize, Value),
    /// The certificate of a loop: the name of its file, and the text.
    Certificate(String, String),
    /// The work is done; nothing follows.
    Done(WorkerResult),
}

/// What the worker is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum WorkPhase {
    /// clang and the front end.
    Compile,
    /// The reader of transition systems.
    Read,
    /// The engines for programs.
    Explore,
    /// The engines for transition systems.
    Search,
    /// A process is looked at, and run ahead of.
    Ahead,
    /// The loop of a process is sought and closed.
    Close,
    /// The checker.
    Check,
}

impl WorkPhase {
    /// What the user sees while it lasts.
    pub(crate) fn text(self) -> &'static str {
        match self {
            WorkPhase::Compile => "compiling",
            WorkPhase::Read => "reading",
            WorkPhase::Explore => "exploring",
            WorkPhase::Search => "searching",
            WorkPhase::Ahead => "running ahead of the process",
            WorkPhase::Close => "proving that the loop is closed",
            WorkPhase::Check => "checking the certificate",
        }
    }
}

/// What the supervisor has to do before it exits. It is sent whole, so that a worker that is
/// stopped leaves nothing half-written.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WorkerResult {
    /// The exit code.
    pub(crate) code: u8,
    /// What to print.
    pub(crate) stdout: String,
    /// What to say besides.
    pub(crate) stderr: String,
    /// Files to write.
    pub(crate) files: Vec<(PathBuf, String)>,
    /// What was found, for the formats that are made from findings; none if there is no verdict.
    pub(crate) findings: Vec<ReportFinding>,
}

/// The worker's end of the pipe.
pub(crate) struct MessageSender(File);

impl MessageSender {
    /// Takes the pipe over.
    pub(crate) fn new(pipe: File) -> MessageSender {
        MessageSender(pipe)
    }

    /// Sends a line. If nobody listens any more, there is nothing left to do.
    pub(crate) fn send(&mut self, message: &WorkerMessage) -> io::Result<()> {
        let mut line = serde_json::to_string(message)?;
        line.push('\n');
        self.0.write_all(line.as_bytes())
    }

    /// Says where the loops are, should this process be stopped before it has an answer.
    pub(crate) fn send_loops(&mut self, places: &[SourcePlace]) {
        let _ = self.send(&WorkerMessage::Loops(places.to_owned()));
    }

    /// Says what is being done now.
    pub(crate) fn send_phase(&mut self, phase: WorkPhase) {
        let _ = self.send(&WorkerMessage::Phase(phase));
    }
}
