//! Findings: what is known about each loop, recursion or program, as plain data.
//!
//! A [`ReportFinding`] is what all formats for other tools are made from (`sarif`, `junit`, `html`), and what
//! is kept between runs. It has no part of a program or an engine in it, only the user's words: names,
//! lines, values. `finding/of_report` makes findings from the answer to one question.
//!
//! The names of the fields are a promise to scripts, as those of `json` are.

mod fingerprint;
mod of_report;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use fingerprint::loop_fingerprint;
pub use of_report::findings_of_report;

use crate::schema::{ReportCommand, ReportVerdict, SCHEMA_VERSION, seconds};

/// What is known about the loops and functions of a project, or of one program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct FindingCollection {
    /// The version of Ouro.
    pub tool_version: String,
    /// The folder that file names are relative to; empty if they are as the user gave them.
    pub root: String,
    /// In the order of files and lines.
    pub findings: Vec<ReportFinding>,
    /// What else is to be said, a sentence each: suppressions without a use, code that is beyond the model.
    pub notes: Vec<String>,
    /// Files that should have been looked at and were not, or not to their end: nothing that is said about
    /// the whole counts for them.
    #[serde(default)]
    pub skipped: Vec<SkippedFile>,
}

/// What `ouro scan` says about a project.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScanReport {
    /// The version of the schema.
    pub schema_version: u32,
    /// Always [`ReportCommand::Scan`].
    pub command: ReportCommand,
    /// The worst of the findings.
    pub verdict: ReportVerdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// How long the findings took, all together.
    pub seconds: f64,
    /// What is known.
    #[serde(flatten)]
    pub findings: FindingCollection,
}

impl ScanReport {
    /// The report of findings.
    pub fn new(findings: FindingCollection) -> ScanReport {
        let all = &findings.findings;
        let open = all.iter().filter(|finding| finding.verdict == FindingAnswer::Unknown).count();
        let skipped = findings.skipped.len();
        let verdict = if all.iter().any(|finding| finding.verdict.is_bad()) {
            ReportVerdict::Loops
        } else if open > 0 || skipped > 0 {
            ReportVerdict::Unknown
        } else {
            ReportVerdict::Terminates
        };
        let reason = (verdict == ReportVerdict::Unknown)
            .then(|| format!("{open} findings are unknown and {skipped} files were skipped"));
        ScanReport {
            schema_version: SCHEMA_VERSION,
            command: ReportCommand::Scan,
            verdict,
            reason,
            seconds: seconds(all.iter().map(|f| Duration::from_secs_f64(f.seconds.max(0.0))).sum()),
            findings,
        }
    }
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
        format!("{} was skipped: {}", self.file, self.reason)
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
    /// What one iteration passes, in order, the head first.
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
    /// The reason that a suppression in the source gives, if there is one.
    #[serde(default, alias = "excepted")]
    pub suppressed: Option<String>,
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
            suppressed: None,
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
            (FindingAnswer::Terminates, _) => format!("{what} always terminates"),
            (FindingAnswer::Loops, FindingKind::Program | FindingKind::Function) => {
                format!("{what} loops forever{end}")
            }
            (FindingAnswer::Loops, _) => format!("{what} never ends{end}"),
            (FindingAnswer::Unknown, _) => format!("no termination argument found for {what}"),
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

    /// Its word for tools: in JSON and SARIF.
    pub fn word(self) -> &'static str {
        match self {
            FindingAnswer::Terminates => "terminates",
            FindingAnswer::Loops => "loops",
            FindingAnswer::Unknown => "unknown",
            FindingAnswer::Holds => "holds",
            FindingAnswer::Violated => "violated",
        }
    }

    /// Its words for people: the verdict as it is called everywhere.
    pub fn phrase(self) -> &'static str {
        match self {
            FindingAnswer::Loops => "loops forever",
            other => other.word(),
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
    /// Whether it is the same in every iteration of the cycle.
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
