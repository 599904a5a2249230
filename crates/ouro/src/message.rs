//! What supervisor and worker say to each other. The supervisor writes one [`WorkerRequest`] to the worker's standard
//! input; the worker answers with [`WorkerMessage`]s, one JSON object on each line of a pipe. Both name the version of
//! this protocol, and whatever does not parse is an error: nothing is dropped.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use ouro_evidence::SourcePlace;
use ouro_report::{AttachReport, CheckReport, ReportFinding, VerifyReport};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::options::{AttachOptions, CheckOptions, VerifyOptions};
use crate::outcome::CommandOutcome;
use crate::scan::options::UnitOptions;

/// The version of what is said. A worker of another version is refused.
pub(crate) const PROTOCOL: u32 = 1;

/// What a worker has to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WorkerRequest {
    pub(crate) protocol: u32,
    /// The version of Ouro that asks.
    pub(crate) tool_version: String,
    /// The process that asks.
    pub(crate) supervisor: u32,
    /// When the supervisor stops it.
    pub(crate) milliseconds: u64,
    /// Whether the text may have colours: the worker cannot see the terminal.
    pub(crate) colour: bool,
    /// Whether somebody wants to know what is being tried.
    pub(crate) verbose: bool,
    pub(crate) job: WorkerJob,
}

/// The question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerJob {
    Check(CheckOptions),
    Attach(AttachOptions),
    Verify(VerifyOptions),
    /// One file of a scan.
    Unit(UnitOptions),
}

/// One line of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerMessage {
    /// The first line: who speaks.
    Hello { protocol: u32, tool_version: String },
    /// What is being done now.
    Stage(Stage),
    /// What is being tried, for `-v`.
    Attempt { seconds: f64, text: String },
    /// Where the loops of the program are, once it was lowered.
    Loops(Vec<SourcePlace>),
    /// What there is to look at in a file of a project.
    Plan(UnitPlan),
    /// What is known of the finding of this number.
    Judged { number: usize, finding: Box<ReportFinding> },
    /// The certificate of a loop: the name of its file, and the text.
    Certificate { name: String, text: String },
    /// The work is done; nothing follows.
    Done(Box<Result<WorkerAnswer, Failure>>),
}

/// What there is to look at in a file of a project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct UnitPlan {
    /// The files that were read for it.
    pub(crate) read: Vec<PathBuf>,
    /// Findings of which nothing is known yet.
    pub(crate) findings: Vec<ReportFinding>,
    /// What cannot be looked at.
    pub(crate) notes: Vec<String>,
}

/// The answer. It is sent whole, so that a worker that is stopped leaves nothing half-written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum WorkerAnswer {
    Check(CommandOutcome<CheckReport>),
    Attach(CommandOutcome<AttachReport>),
    Verify(CommandOutcome<VerifyReport>),
    Unit(UnitEnd),
}

/// How the look at a file of a project ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum UnitEnd {
    /// Everything was looked at.
    Complete,
    /// The time was over.
    OutOfTime,
}

/// The stages of every question, from its files to its report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stage {
    /// Files, a process or a certificate are read.
    Read,
    /// What was read is made a program or a transition system: clang and the front end.
    Lower,
    /// The engines look for evidence.
    Prove,
    /// The checker looks at the evidence.
    Check,
    /// The answer is put into words.
    Report,
}

impl Stage {
    /// What people see while it lasts.
    pub fn text(self) -> &'static str {
        match self {
            Stage::Read => "reading",
            Stage::Lower => "compiling",
            Stage::Prove => "looking for a proof",
            Stage::Check => "checking the certificate",
            Stage::Report => "writing the report",
        }
    }
}

/// The worker's end of the pipe; several threads may have one.
#[derive(Clone)]
pub(crate) struct MessageSender(Option<Arc<Mutex<File>>>);

impl MessageSender {
    /// Takes the pipe over.
    pub(crate) fn new(pipe: File) -> MessageSender {
        MessageSender(Some(Arc::new(Mutex::new(pipe))))
    }

    /// Speaks to nobody: the work is done in the process that asked.
    pub(crate) fn to_nobody() -> MessageSender {
        MessageSender(None)
    }

    /// Sends a line. If nobody listens any more, there is nothing left to do.
    pub(crate) fn send(&self, message: &WorkerMessage) -> io::Result<()> {
        let Some(pipe) = &self.0 else { return Ok(()) };
        let mut line = serde_json::to_string(message)?;
        line.push('\n');
        pipe.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }

    /// Says where the loops are, should this process be stopped before it has an answer.
    pub(crate) fn send_loops(&self, places: &[SourcePlace]) {
        let _ = self.send(&WorkerMessage::Loops(places.to_owned()));
    }

    /// Says what is being done now.
    pub(crate) fn enter(&self, stage: Stage) {
        let _ = self.send(&WorkerMessage::Stage(stage));
    }
}
