//! The answer, and the reasons for having none.

use std::fmt;
use std::time::Duration;

use ouro_model::ProgramQuestion;
use serde::{Deserialize, Serialize};

use crate::{Evidence, SourcePlace};

/// The answer. Evidence is inside the variant: there is no definite verdict without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every run ends, whatever the input.
    Terminates(Evidence),
    /// Some run never ends.
    Loops(Evidence),
    /// No run violates the specification.
    Holds(Evidence),
    /// Some run violates the specification: it breaks an obligation, or never ends and is fair.
    Violated(Evidence),
    /// Neither could be shown.
    Unknown(UnknownReason),
}

impl Verdict {
    /// The verdict that some evidence is for, as the answer to a question.
    pub fn from_evidence(question: ProgramQuestion, evidence: Evidence) -> Verdict {
        match evidence.claim(question) {
            Claim::Terminates => Verdict::Terminates(evidence),
            Claim::Loops => Verdict::Loops(evidence),
            Claim::Holds => Verdict::Holds(evidence),
            Claim::Violated => Verdict::Violated(evidence),
        }
    }

    /// Its evidence, if definite.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Verdict::Terminates(evidence)
            | Verdict::Loops(evidence)
            | Verdict::Holds(evidence)
            | Verdict::Violated(evidence) => Some(evidence),
            Verdict::Unknown(_) => None,
        }
    }

    /// What it claims, if definite.
    pub fn claim(&self) -> Option<Claim> {
        match self {
            Verdict::Terminates(_) => Some(Claim::Terminates),
            Verdict::Loops(_) => Some(Claim::Loops),
            Verdict::Holds(_) => Some(Claim::Holds),
            Verdict::Violated(_) => Some(Claim::Violated),
            Verdict::Unknown(_) => None,
        }
    }

    /// The word of the JSON report.
    pub fn json_word(&self) -> &'static str {
        self.claim().map_or("unknown", Claim::json_word)
    }
}

/// What a certificate claims.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// Every run ends.
    Terminates,
    /// Some run never ends.
    Loops,
    /// No run violates the specification.
    Holds,
    /// Some run violates the specification.
    Violated,
}

impl Claim {
    /// The word of the JSON report and the certificate.
    pub fn json_word(self) -> &'static str {
        match self {
            Claim::Terminates => "terminates",
            Claim::Loops => "loops",
            Claim::Holds => "holds",
            Claim::Violated => "violated",
        }
    }

    /// The words for people: the verdict as it is called everywhere.
    pub fn phrase(self) -> &'static str {
        match self {
            Claim::Loops => "loops forever",
            other => other.json_word(),
        }
    }

    /// The question that it answers.
    pub fn question(self) -> ProgramQuestion {
        match self {
            Claim::Terminates | Claim::Loops => ProgramQuestion::Termination,
            Claim::Holds | Claim::Violated => ProgramQuestion::Liveness,
        }
    }
}

/// Why there is no definite verdict, with the number that ran out.
/// [`fmt::Display`] gives one sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum UnknownReason {
    /// The time ran out: the limit that was given.
    Time { limit: Duration },
    /// The memory ran out: the limit that was given.
    Memory { mib: u64 },
    /// The program does something that the model does not cover (inline assembly, a thread).
    Limit { what: String, place: SourcePlace },
    /// A method went as far as it goes; `what` says which bound was met, with its number.
    Incomplete { what: String, place: SourcePlace },
    /// What happens depends on where objects lie in memory.
    LayoutDependent { place: SourcePlace },
    /// The loop runs on only until a signed integer overflows, which is undefined.
    SignedOverflow { place: SourcePlace },
    /// The solver gave no answer; `what` is its own word for it.
    Solver { what: String, place: SourcePlace },
    /// An engine offered evidence that the checker did not accept: a mistake in Ouro.
    Rejected { claim: Claim, why: String },
}

impl UnknownReason {
    /// Where it happened, if at one place.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            UnknownReason::Limit { place, .. }
            | UnknownReason::Incomplete { place, .. }
            | UnknownReason::LayoutDependent { place }
            | UnknownReason::SignedOverflow { place }
            | UnknownReason::Solver { place, .. } => Some(place),
            UnknownReason::Time { .. }
            | UnknownReason::Memory { .. }
            | UnknownReason::Rejected { .. } => None,
        }
    }

    /// The reason without its place.
    pub fn describe_cause(&self) -> String {
        match self {
            UnknownReason::Time { limit } => {
                format!("the time limit of {} s was reached", limit.as_secs_f64())
            }
            UnknownReason::Memory { mib } => format!("the memory limit of {mib} MiB was reached"),
            UnknownReason::Limit { what, .. } => format!("{what} is not covered by the model"),
            UnknownReason::Incomplete { what, .. } => what.clone(),
            UnknownReason::LayoutDependent { .. } => {
                "the run depends on where objects are placed in memory".to_owned()
            }
            UnknownReason::SignedOverflow { .. } => {
                "only a signed overflow ends it, which is undefined behaviour".to_owned()
            }
            UnknownReason::Solver { what, .. } => format!("the solver gave no answer: {what}"),
            UnknownReason::Rejected { claim, why } => format!(
                "the checker rejected the evidence for '{}', which is a bug in Ouro: {why}",
                claim.phrase()
            ),
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe_cause())?;
        match self.place() {
            Some(place) if place.is_known() => write!(f, " ({place})"),
            _ => Ok(()),
        }
    }
}
