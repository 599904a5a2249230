//! What the reports of all commands share: the version of their schema (`docs/schema/ouro-report.schema.json`), the
//! command, and one vocabulary of verdicts.

use ouro_evidence::Verdict;
use std::time::Duration;

use ouro_evidence::process::{ProcessAnalysis, ProcessAnswer};
use serde::{Deserialize, Serialize};

/// The version of the schema. It changes when a field changes its meaning or goes; new fields do not change it.
pub const SCHEMA_VERSION: u32 = 2;

/// The version of Ouro, for reports.
pub const TOOL_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The word for evidence that the checker accepted.
pub(crate) const CHECKED: &str = "checked";

/// Which command a report is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReportCommand {
    /// `ouro check`
    Check,
    /// `ouro scan` or `ouro merge`
    #[default]
    Scan,
    /// `ouro attach`
    Attach,
    /// `ouro verify`
    Verify,
}

/// The verdicts of all commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportVerdict {
    /// Every run ends.
    Terminates,
    /// Some run never ends.
    Loops,
    /// Every run keeps to the specification.
    Holds,
    /// Some run breaks the specification.
    Violated,
    /// Nothing was shown, and `reason` says why.
    #[default]
    Unknown,
    /// `attach`: it comes out of its loop only if a signal arrives.
    LoopsUntilSignal,
    /// `attach`: it leaves its loop.
    Leaves,
    /// `attach`: it waits in a system call.
    Waits,
    /// `attach`: it makes system calls, and the outside decides.
    Talks,
    /// `verify`: the certificate holds.
    Accepted,
    /// `verify`: the certificate does not hold.
    Rejected,
}

impl ReportVerdict {
    /// The word for a verdict about a program or a transition system.
    pub fn of(verdict: &Verdict) -> ReportVerdict {
        match verdict {
            Verdict::Terminates(_) => ReportVerdict::Terminates,
            Verdict::Loops(_) => ReportVerdict::Loops,
            Verdict::Holds(_) => ReportVerdict::Holds,
            Verdict::Violated(_) => ReportVerdict::Violated,
            Verdict::Unknown(_) => ReportVerdict::Unknown,
        }
    }

    /// The word for an answer about a process.
    pub fn of_process(answer: &ProcessAnswer) -> ReportVerdict {
        match answer {
            ProcessAnswer::LoopsForever(_) => ReportVerdict::Loops,
            ProcessAnswer::LoopsUntil { .. } => ReportVerdict::LoopsUntilSignal,
            ProcessAnswer::Unknown { .. } => ReportVerdict::Unknown,
            ProcessAnswer::WillLeave { .. } => ReportVerdict::Leaves,
            ProcessAnswer::Waits { .. } => ReportVerdict::Waits,
            ProcessAnswer::TalksToTheOutside { .. } => ReportVerdict::Talks,
        }
    }
}

/// The answer of `ouro attach`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AttachReport {
    /// The version of the schema.
    pub schema_version: u32,
    /// Always [`ReportCommand::Attach`].
    pub command: ReportCommand,
    /// The version of Ouro.
    pub tool_version: String,
    /// The answer.
    pub verdict: ReportVerdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// How the proof goes: `recurrence`, `projection` or `closed set`.
    pub engine: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// Where the loop begins again, or where the process comes to.
    pub location: Option<ProcessLocation>,
    /// `checked` if there is a proof.
    pub certificate: Option<String>,
    /// The premises that nobody could look up, a sentence each.
    pub assumptions: Vec<String>,
    /// The signals that may let it out of its loop.
    pub signals: Vec<String>,
    /// All that was seen; `None` where a limit was reached before that.
    #[serde(flatten)]
    pub analysis: Option<ProcessAnalysis>,
}

/// A place in the code of a process, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessLocation {
    /// The source file, or the file of the code.
    pub file: Option<String>,
    /// The line, if the source is known.
    pub line: Option<u32>,
    /// The function.
    pub function: Option<String>,
}

impl AttachReport {
    /// What is known after an analysis.
    pub fn new(analysis: ProcessAnalysis) -> AttachReport {
        let unseen = analysis.premises.iter().filter(|premise| premise.holds.is_none());
        let assumptions = unseen.map(|premise| premise.what.clone()).collect();
        let verdict = ReportVerdict::of_process(&analysis.answer);
        let seconds = seconds(analysis.elapsed);
        let mut report = AttachReport { verdict, seconds, ..AttachReport::unknown(None, seconds) };
        match &analysis.answer {
            ProcessAnswer::LoopsForever(proof) | ProcessAnswer::LoopsUntil { proof, .. } => {
                report.engine = Some(proof.method.clone());
                report.certificate = Some(CHECKED.to_owned());
                report.location = Some(location(&proof.head));
                report.assumptions = assumptions;
            }
            ProcessAnswer::Unknown { reason } => report.reason = Some(reason.clone()),
            ProcessAnswer::WillLeave { place, .. }
            | ProcessAnswer::TalksToTheOutside { place, .. } => {
                report.location = Some(location(place));
            }
            ProcessAnswer::Waits { .. } => {}
        }
        if let ProcessAnswer::LoopsUntil { signals, .. } = &analysis.answer {
            report.signals.clone_from(signals);
        }
        report.analysis = Some(analysis);
        report
    }

    /// What is known where a limit was reached.
    pub fn unknown(reason: Option<String>, seconds: f64) -> AttachReport {
        AttachReport {
            schema_version: SCHEMA_VERSION,
            command: ReportCommand::Attach,
            tool_version: TOOL_VERSION.to_owned(),
            verdict: ReportVerdict::Unknown,
            reason,
            engine: None,
            seconds,
            location: None,
            certificate: None,
            assumptions: Vec::new(),
            signals: Vec::new(),
            analysis: None,
        }
    }
}

fn location(place: &ouro_evidence::process::CodePlace) -> ProcessLocation {
    let (file, line) = match &place.line {
        Some((file, line)) => (Some(file.clone()), Some(*line)),
        None => (place.module.clone(), None),
    };
    ProcessLocation { file, line, function: place.function.as_ref().map(|(name, _)| name.clone()) }
}

/// The answer of `ouro verify`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct VerifyReport {
    /// The version of the schema.
    pub schema_version: u32,
    /// Always [`ReportCommand::Verify`].
    pub command: ReportCommand,
    /// The version of Ouro.
    pub tool_version: String,
    /// [`Accepted`](ReportVerdict::Accepted), [`Rejected`](ReportVerdict::Rejected) or
    /// [`Unknown`](ReportVerdict::Unknown).
    pub verdict: ReportVerdict,
    /// Why it is not accepted, or not decided.
    pub reason: Option<String>,
    /// How long it took.
    pub seconds: f64,
    /// The file of the certificate.
    pub certificate_file: String,
    /// What the certificate claims, in a few words.
    pub claim: Option<String>,
    /// What the claim is about, and how its text was read.
    pub checked: Option<String>,
    /// What the claim rests on, a sentence each.
    pub assumptions: Vec<String>,
    /// What another solver said about the checker's queries, if one was asked.
    pub second_opinion: Option<String>,
}

impl VerifyReport {
    /// An answer about a certificate of which nothing else is known.
    pub fn new(certificate_file: String, verdict: ReportVerdict) -> VerifyReport {
        VerifyReport {
            schema_version: SCHEMA_VERSION,
            command: ReportCommand::Verify,
            tool_version: TOOL_VERSION.to_owned(),
            verdict,
            reason: None,
            seconds: 0.0,
            certificate_file,
            claim: None,
            checked: None,
            assumptions: Vec::new(),
            second_opinion: None,
        }
    }
}

/// A time in seconds. Microseconds are more than anyone measures, and read better than 17 digits; and so few digits are
/// the same after they were written and read.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// A report as one JSON object on one line, with a line break at its end.
pub fn json<R: Serialize>(report: &R) -> String {
    let mut text = serde_json::to_string(report).expect("no map has keys but strings");
    text.push('\n');
    text
}
