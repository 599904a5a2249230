//! What comes out of a run of the portfolio, and what it tells while it lasts.

use std::time::Duration;

use ouro_evidence::{
    AttemptOutcome, AttemptRecord, Claim, Explanation, IntegerSemantics, UnknownReason, Verdict,
};

use crate::engine::EngineKind;

/// The answer: a verdict whose evidence the checker has accepted, or the reason for having none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PortfolioAnswer {
    /// The verdict. A definite one needs no further check.
    pub verdict: Verdict,
    /// What to tell the user, with the undefined behaviour that the checker has named and all attempts.
    pub explanation: Explanation,
    /// The engine that found it.
    pub engine: Option<&'static str>,
    /// The meaning of integers that it is about.
    pub ints: IntegerSemantics,
    /// The processor time of engines and checker.
    pub spent: Duration,
}

impl PortfolioAnswer {
    /// No answer, and nobody was asked.
    pub fn unknown(reason: UnknownReason, ints: IntegerSemantics) -> PortfolioAnswer {
        PortfolioAnswer {
            verdict: Verdict::Unknown(reason),
            explanation: Explanation::default(),
            engine: None,
            ints,
            spent: Duration::ZERO,
        }
    }

    /// The certificates that the checker refused.
    pub fn refusals(&self) -> impl Iterator<Item = (&AttemptRecord, Claim, &str)> {
        self.explanation.attempts.iter().filter_map(|attempt| match &attempt.outcome {
            AttemptOutcome::Refused(claim, why) => Some((attempt, *claim, why.as_str())),
            _ => None,
        })
    }
}

/// What happens now.
#[derive(Clone, Debug)]
pub enum PortfolioEvent<'a> {
    /// An engine begins a slice of at most this length.
    SliceBegins(EngineKind, IntegerSemantics, Duration),
    /// The checker looks at evidence.
    CheckBegins(Claim),
    /// A slice is over.
    SliceEnds(&'a AttemptRecord),
    /// Something else, in words.
    Says(&'a str),
}

/// Somebody who is told.
pub type PortfolioObserver<'a> = dyn FnMut(PortfolioEvent<'_>) + 'a;
