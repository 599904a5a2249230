//! Findings: what is known about each loop, recursion or program, as plain data.
//!
//! A [`ReportFinding`] is what all formats for other tools are made from (`sarif`, `junit`, `html`), and what
//! is kept between runs. It has no part of a program or an engine in it, only the user's words: names,
//! lines, values. `finding/of_report` makes findings from the answer to one question.
//!
//! The names of the fields are a promise to scripts, as those of `json` are.

mod fingerprint;
mod of_report;

use serde::{Deserialize, Serialize};

pub use fingerprint::loop_fingerprint;
pub use of_report::findings_of_report;

/// What is known about the loops and functions of a project, or of one program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FindingCollection {
    /// The version of Ouro.
    pub tool_version: String,
    /// The folder that file names are relative to; empty if they are as the user gave them.
    pub root: String,
    /// In the order of files and lines.
    pub findings: Vec<ReportFinding>,
    /// What else is to be said, a sentence each: exceptions without a use, code that is beyond the model.
    pub notes: Vec<String>,
    /// Files that should have been looked at and were not, or not to their end: nothing that is said about
    /// the whole counts for them.
    #[serde(default)]
    pub skipped: Vec<SkippedFile>,
}

/// A file that was not looked at, or not to its end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct SkippedFile {
    /// The file, as in findings.
    pub file: String,
    /// Why.
    pub reason: String,
}

impl SkippedFile {
    /// In one sentence, without a full stop.
    pub fn text(&self) -> String {
        format!("{} was left out: {}", self.file, self.reason)
    }
}

/// What is known about one loop, recursion, function or program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReportFinding {
    /// The file, as the user named it.
    pub file: String,
    /// Line, from 1; 0 when not known.
    pub line: u32,
    /// Column, from 1; 0 when not known.
    pub column: u32,
    /// The function it is in.
    pub function: String,
    /// What the finding is about.
    pub kind: FindingKind,
    /// What is known.
    pub verdict: FindingAnswer,
    /// Why nothing is known, for [`FindingAnswer::Unknown`].
    #[serde(default)]
    pub reason: Option<String>,
    /// Whether nothing is known because the time was over: more time may help, and another run may say more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timed_out: bool,
    /// Why it ends or never does, in words: what gets smaller, or the states that the run stays in.
    #[serde(default)]
    pub argument: Option<String>,
    /// The overflow without which the run that never ends would have ended by C's rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_overflow: Option<FindingPlace>,
    /// What had to be assumed, one sentence each without a full stop.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What the environment decides on the run that never ends, in order.
    #[serde(default)]
    pub inputs: Vec<FindingInput>,
    /// The way to the loop: where the environment decided something, in order.
    #[serde(default)]
    pub stem: Vec<FindingPlace>,
    /// What one turn passes, in order, the head first.
    #[serde(default)]
    pub cycle: Vec<FindingPlace>,
    /// The states that the run stays in and the memory it has there, drawn: an `svg` element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// What the checker said.
    #[serde(default)]
    pub certificate: FindingCertificate,
    /// How long it took.
    #[serde(default)]
    pub seconds: f64,
    /// The reason of a reviewed exception in the source, if there is one.
    #[serde(default)]
    pub excepted: Option<String>,
    /// The same for the same loop after lines were moved; see [`fingerprint()`].
    pub fingerprint: String,
}

impl ReportFinding {
    /// A finding about something of which nothing is known yet.
    pub fn new_undecided(
        file: String,
        line: u32,
        column: u32,
        function: &str,
        kind: FindingKind,
    ) -> ReportFinding {
        ReportFinding {
            file,
            line,
            column,
            function: function.to_owned(),
            kind,
            verdict: FindingAnswer::Unknown,
            reason: None,
            timed_out: false,
            argument: None,
            after_overflow: None,
            assumed: Vec::new(),
            inputs: Vec::new(),
            stem: Vec::new(),
            cycle: Vec::new(),
            picture: None,
            certificate: FindingCertificate::default(),
            seconds: 0.0,
            excepted: None,
            fingerprint: String::new(),
        }
    }

    /// `file:line in function`, as far as it is known.
    pub fn place_text(&self) -> String {
        let line = if self.line == 0 { String::new() } else { format!(":{}", self.line) };
        match self.function.as_str() {
            "" => format!("{}{line}", self.file),
            function => format!("{}{line} in {function}", self.file),
        }
    }

    /// What it is about and what is known, as the start of a sentence: `this loop never ends`.
    pub fn headline(&self) -> String {
        let what = match self.kind {
            FindingKind::Loop => "this loop",
            FindingKind::Recursion => "this recursion",
            FindingKind::Function => "this function",
            FindingKind::Program => "the program",
        };
        let end = match (self.verdict, &self.after_overflow) {
            (FindingAnswer::Loops, Some(_)) => " once a signed integer has overflowed",
            _ => "",
        };
        match (self.verdict, self.kind) {
            (FindingAnswer::Terminates, _) => format!("{what} always ends"),
            (FindingAnswer::Loops, FindingKind::Program | FindingKind::Function) => {
                format!("{what} can run forever{end}")
            }
            (FindingAnswer::Loops, _) => format!("{what} can go on forever{end}"),
            (FindingAnswer::Unknown, _) => format!("{what} is not proved to end"),
            (FindingAnswer::Holds, _) => "the specification holds".to_owned(),
            (FindingAnswer::Violated, _) => "the specification is violated".to_owned(),
        }
    }
}

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingKind {
    /// A loop.
    Loop,
    /// A function that calls itself, perhaps through others.
    Recursion,
    /// A function as a whole.
    Function,
    /// A program or a transition system as a whole.
    Program,
}

impl FindingKind {
    /// Its word in reports.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Loop => "loop",
            FindingKind::Recursion => "recursion",
            FindingKind::Function => "function",
            FindingKind::Program => "program",
        }
    }
}

/// What is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FindingAnswer {
    /// It ends in every run.
    Terminates,
    /// Some run stays in it forever.
    Loops,
    /// Neither could be shown.
    Unknown,
    /// The specification holds.
    Holds,
    /// The specification is violated.
    Violated,
}

impl FindingAnswer {
    /// All of them, the worst first.
    pub const ALL: [FindingAnswer; 5] = [
        FindingAnswer::Loops,
        FindingAnswer::Violated,
        FindingAnswer::Unknown,
        FindingAnswer::Terminates,
        FindingAnswer::Holds,
    ];

    /// Its word in reports.
    pub fn word(self) -> &'static str {
        match self {
            FindingAnswer::Terminates => "terminates",
            FindingAnswer::Loops => "loops",
            FindingAnswer::Unknown => "unknown",
            FindingAnswer::Holds => "holds",
            FindingAnswer::Violated => "violated",
        }
    }

    /// Whether it is good news.
    pub fn is_good(self) -> bool {
        matches!(self, FindingAnswer::Terminates | FindingAnswer::Holds)
    }

    /// Whether it is bad news: a mistake in the program was found.
    pub fn is_bad(self) -> bool {
        matches!(self, FindingAnswer::Loops | FindingAnswer::Violated)
    }
}

/// A value that the environment decides.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FindingInput {
    /// Where it is asked for; `text` is the line.
    pub place: FindingPlace,
    /// What it is: `getchar()`, `argc`.
    pub name: String,
    /// As its user would write it.
    pub value: String,
    /// Whether it is the same in every turn of the cycle.
    #[serde(default)]
    pub again: bool,
}

/// A place in the source and what there is to see.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FindingPlace {
    /// The file, as the user named it; empty when not known.
    pub file: String,
    /// Line, from 1; 0 when not known.
    pub line: u32,
    /// Column, from 1; 0 when not known.
    pub column: u32,
    /// What happens there, or the line itself.
    pub text: String,
}

/// What the checker said about a finding's evidence, and where that is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FindingCertificate {
    /// Whether it was accepted.
    pub status: EvidenceStatus,
    /// Its file, if it was written.
    #[serde(default)]
    pub file: Option<String>,
}

/// Whether there is evidence. There is no word for evidence that was not accepted: that is *unknown*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EvidenceStatus {
    /// The checker accepted it.
    Accepted,
    /// There is none.
    #[default]
    None,
}
