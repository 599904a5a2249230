//! The answer, and the reasons for having none.

use std::fmt;
use std::time::Duration;

use ouro_model::Question;
use serde::{Deserialize, Serialize};

use crate::{Evidence, Place};

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
    Unknown(Reason),
}

impl Verdict {
    /// The verdict that some evidence is for, as the answer to a question.
    pub fn of(question: Question, evidence: Evidence) -> Verdict {
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
    pub fn word(&self) -> &'static str {
        self.claim().map_or("unknown", Claim::word)
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
    pub fn word(self) -> &'static str {
        match self {
            Claim::Terminates => "terminates",
            Claim::Loops => "loops",
            Claim::Holds => "holds",
            Claim::Violated => "violated",
        }
    }

    /// The question that it answers.
    pub fn question(self) -> Question {
        match self {
            Claim::Terminates | Claim::Loops => Question::Termination,
            Claim::Holds | Claim::Violated => Question::Liveness,
        }
    }
}

/// Why there is no definite verdict, with the number that ran out.
/// [`fmt::Display`] gives one sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum Reason {
    /// The time ran out: the limit that was given.
    Time { limit: Duration },
    /// The memory ran out: the limit that was given.
    Memory { mib: u64 },
    /// The program does something that the model does not cover (inline assembly, a thread).
    Limit { what: String, place: Place },
    /// A method went as far as it goes; `what` says which bound was met, with its number.
    Incomplete { what: String, place: Place },
    /// What happens depends on where objects lie in memory.
    LayoutDependent { place: Place },
    /// The loop runs on only until a signed integer overflows, which is undefined.
    SignedOverflow { place: Place },
    /// The solver gave no answer; `what` is its own word for it.
    Solver { what: String, place: Place },
    /// An engine offered evidence that the checker did not accept: a mistake in Ouro.
    Rejected { claim: Claim, why: String },
}

impl Reason {
    /// Where it happened, if at one place.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Reason::Limit { place, .. }
            | Reason::Incomplete { place, .. }
            | Reason::LayoutDependent { place }
            | Reason::SignedOverflow { place }
            | Reason::Solver { place, .. } => Some(place),
            Reason::Time { .. } | Reason::Memory { .. } | Reason::Rejected { .. } => None,
        }
    }

    /// The reason without its place.
    pub fn what(&self) -> String {
        match self {
            Reason::Time { limit } => {
                format!("the time limit of {} s was reached", limit.as_secs_f64())
            }
            Reason::Memory { mib } => format!("the memory limit of {mib} MiB was reached"),
            Reason::Limit { what, .. } => format!("{what} is not covered by the model"),
            Reason::Incomplete { what, .. } => what.clone(),
            Reason::LayoutDependent { .. } => {
                "what happens depends on where objects lie in memory".to_owned()
            }
            Reason::SignedOverflow { .. } => {
                "runs until signed overflow, which is undefined behaviour".to_owned()
            }
            Reason::Solver { what, .. } => format!("the solver gave no answer: {what}"),
            Reason::Rejected { claim, why } => format!(
                "the checker did not accept the evidence for '{}', which is a mistake in Ouro: {why}",
                claim.word()
            ),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        match self.place() {
            Some(place) if place.is_known() => write!(f, " ({place})"),
            _ => Ok(()),
        }
    }
}
