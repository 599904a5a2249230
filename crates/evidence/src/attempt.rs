//! Who tried what, for how long, and what came of it. Like an explanation it is for people and tools; nobody trusts
//! it, and it is in no certificate.

use std::fmt;
use std::time::Duration;

use crate::{Claim, IntegerSemantics};

/// One slice of time of one engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttemptRecord {
    /// The engine's name.
    pub engine: &'static str,
    /// How integers behaved in it.
    pub ints: IntegerSemantics,
    /// When it began: the processor time that the engines had used before.
    pub started: Duration,
    /// The processor time that it took, without the checker.
    pub spent: Duration,
    /// How it ended.
    pub outcome: AttemptOutcome,
}

/// How an engine's slice of time ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AttemptOutcome {
    /// With evidence that the checker accepted.
    Accepted(Claim),
    /// With evidence that the checker refused, and why: a mistake in Ouro.
    Refused(Claim, String),
    /// With evidence that the checker had no time for, or that needs more steps than it says.
    Unchecked(Claim, String),
    /// The engine went as far as it goes, and more time would not help; what kept it from an answer.
    GaveUp(String),
    /// The slice was over.
    OutOfTime,
    /// Another engine had the answer meanwhile.
    Cancelled,
}

impl AttemptOutcome {
    /// The word of the JSON report.
    pub fn word(&self) -> &'static str {
        match self {
            AttemptOutcome::Accepted(_) => "accepted",
            AttemptOutcome::Refused(..) => "refused",
            AttemptOutcome::Unchecked(..) => "unchecked",
            AttemptOutcome::GaveUp(_) => "gave up",
            AttemptOutcome::OutOfTime => "out of time",
            AttemptOutcome::Cancelled => "cancelled",
        }
    }

    /// What it claimed, if anything.
    pub fn claim(&self) -> Option<Claim> {
        match self {
            AttemptOutcome::Accepted(claim)
            | AttemptOutcome::Refused(claim, _)
            | AttemptOutcome::Unchecked(claim, _) => Some(*claim),
            AttemptOutcome::GaveUp(_) | AttemptOutcome::OutOfTime | AttemptOutcome::Cancelled => {
                None
            }
        }
    }

    /// Why it came to nothing, if that is known.
    pub fn reason(&self) -> Option<&str> {
        match self {
            AttemptOutcome::Refused(_, why)
            | AttemptOutcome::Unchecked(_, why)
            | AttemptOutcome::GaveUp(why) => Some(why),
            AttemptOutcome::Accepted(_) | AttemptOutcome::OutOfTime | AttemptOutcome::Cancelled => {
                None
            }
        }
    }
}

impl fmt::Display for AttemptRecord {
    /// `ranking, 0.12 s: gave up (found no ranking function)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.2} s: ", self.engine, self.spent.as_secs_f64())?;
        match &self.outcome {
            AttemptOutcome::Accepted(claim) => {
                write!(f, "the checker accepted its evidence for '{}'", claim.phrase())
            }
            AttemptOutcome::Refused(claim, why) => {
                write!(f, "the checker rejected its evidence for '{}': {why}", claim.phrase())
            }
            AttemptOutcome::Unchecked(claim, why) => {
                write!(f, "its evidence for '{}' was not checked: {why}", claim.phrase())
            }
            AttemptOutcome::GaveUp(why) => write!(f, "gave up ({why})"),
            AttemptOutcome::OutOfTime => f.write_str("it ran out of time"),
            AttemptOutcome::Cancelled => f.write_str("another engine answered first"),
        }
    }
}

/// The engines that were tried, each once, with the time of all its slices and how the last one ended.
pub fn attempts_by_engine(attempts: &[AttemptRecord]) -> Vec<AttemptRecord> {
    let mut all: Vec<AttemptRecord> = Vec::new();
    for one in attempts {
        match all.iter_mut().find(|other| other.engine == one.engine && other.ints == one.ints) {
            Some(known) => {
                known.spent += one.spent;
                known.outcome = one.outcome.clone();
            }
            None => all.push(one.clone()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_one_engine_are_added_up() {
        let one = |engine, spent, outcome| AttemptRecord {
            engine,
            ints: IntegerSemantics::C,
            started: Duration::ZERO,
            spent: Duration::from_millis(spent),
            outcome,
        };
        let why = || AttemptOutcome::GaveUp("nothing was found".to_owned());
        let all = attempts_by_engine(&[
            one("explore", 40, AttemptOutcome::OutOfTime),
            one("ranking", 100, why()),
            one("explore", 250, why()),
        ]);
        let said: Vec<String> = all.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "explore, 0.29 s: gave up (nothing was found)",
                "ranking, 0.10 s: gave up (nothing was found)"
            ]
        );
    }
}
