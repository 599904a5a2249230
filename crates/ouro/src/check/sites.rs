//! All call sites that break a promise, each once.
//!
//! After the first violation the program is explored again, without promises at the call sites that are
//! known, until nothing more is found. Each further violation is evidence of its own, about the same
//! program, and is checked like the first.

use std::time::Duration;

use ouro_evidence::{Ints, Place, Verdict};
use ouro_model::Program;
use ouro_solver::clock;

use crate::pipeline::{self, Budget};

/// More call sites than this are hardly read.
const MOST: usize = 20;
/// What the search for others may take at least.
const LEAST: Duration = Duration::from_secs(1);

/// Violations that begin at other call sites than a first one, each accepted by the checker. The search
/// for them takes no longer than twice the time that was needed so far.
pub(super) fn others(
    program: &Program,
    ints: Ints,
    first: &Verdict,
    budget: &Budget,
    needed: Duration,
) -> Vec<Verdict> {
    let mut known: Vec<Place> = site(first).into_iter().collect();
    let deadline = budget.deadline.min(clock::now() + (needed * 2).max(LEAST));
    let budget = Budget { deadline, ..budget.clone() };
    let mut found = Vec::new();
    while !known.is_empty() && found.len() < MOST && clock::now() < deadline {
        let other = pipeline::explore_others(program, ints, &known, &budget);
        let (Some(claim), Some(evidence)) = (other.claim(), other.evidence()) else { break };
        let Some(site) = site(&other).filter(|site| !known.contains(site)) else { break };
        if pipeline::check(program, ints, claim, evidence, deadline).is_err() {
            break;
        }
        known.push(site);
        found.push(other);
    }
    found
}

/// Where what is broken begins: where the promise was made, or where a rule is broken.
fn site(verdict: &Verdict) -> Option<Place> {
    let Verdict::Violated(evidence) = verdict else { return None };
    evidence.promised().or_else(|| evidence.place()).filter(|place| place.is_known()).cloned()
}
