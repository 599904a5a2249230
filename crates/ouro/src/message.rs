//! What the worker tells the supervisor: lines of JSON through a pipe.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use ouro_evidence::Place;
use ouro_report::Finding;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// What is being done now.
    Phase(Phase),
    /// Where the loops of the program are, once it was compiled.
    Loops(Vec<Place>),
    /// The files that were read for a file of a project, what is to be looked at in it (findings of which
    /// nothing is known yet), and what cannot be looked at.
    Plan(Vec<PathBuf>, Vec<Value>, Vec<String>),
    /// What is known of the finding of this number.
    Judged(usize, Value),
    /// The certificate of a loop: the name of its file, and the text.
    Certificate(String, String),
    /// The work is done; nothing follows.
    Done(Done),
}

/// What the worker is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Phase {
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

impl Phase {
    /// What the user sees while it lasts.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Phase::Compile => "compiling",
            Phase::Read => "reading",
            Phase::Explore => "exploring",
            Phase::Search => "searching",
            Phase::Ahead => "running ahead of the process",
            Phase::Close => "proving that the loop is closed",
            Phase::Check => "checking the certificate",
        }
    }
}

/// What the supervisor has to do before it exits. It is sent whole, so that a worker that is
/// stopped leaves nothing half-written.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Done {
    /// The exit code.
    pub(crate) code: u8,
    /// What to print.
    pub(crate) stdout: String,
    /// What to say besides.
    pub(crate) stderr: String,
    /// Files to write.
    pub(crate) files: Vec<(PathBuf, String)>,
    /// What was found, for the formats that are made from findings; none if there is no verdict.
    pub(crate) findings: Vec<Finding>,
}

/// The worker's end of the pipe.
pub(crate) struct Sender(File);

impl Sender {
    /// Takes the pipe over.
    pub(crate) fn new(pipe: File) -> Sender {
        Sender(pipe)
    }

    /// Sends a line. If nobody listens any more, there is nothing left to do.
    pub(crate) fn send(&mut self, message: &Message) -> io::Result<()> {
        let mut line = serde_json::to_string(message)?;
        line.push('\n');
        self.0.write_all(line.as_bytes())
    }

    /// Says where the loops are, should this process be stopped before it has an answer.
    pub(crate) fn loops(&mut self, places: &[Place]) {
        let _ = self.send(&Message::Loops(places.to_owned()));
    }

    /// Says what is being done now.
    pub(crate) fn phase(&mut self, phase: Phase) {
        let _ = self.send(&Message::Phase(phase));
    }
}
