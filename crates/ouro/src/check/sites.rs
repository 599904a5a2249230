//! All call sites that break a promise, each once.
//!
//! After the first violation the program is explored again, without promises at the call sites that are
//! known, until nothing more is found. Each further violation is evidence of its own, about the same
//! program, and is checked like the first.

use std::time::Duration;

use ouro_evidence::{IntegerSemantics, SourcePlace, Verdict};
use ouro_model::Program;
use ouro_solver::clock;

use crate::limits::LIMITS;
use crate::pipeline::{self, EngineBudget};

/// Violations that begin at other call sites than a first one, each accepted by the checker. The search
/// for them takes no longer than twice the time that was needed so far.
pub(super) fn find_other_sites(
    program: &Program,
    ints: IntegerSemantics,
    first: &Verdict,
    budget: &EngineBudget,
    needed: Duration,
) -> Vec<Verdict> {
    let mut known: Vec<SourcePlace> = broken_site(first).into_iter().collect();
    let deadline =
        budget.deadline.min(clock::budget_now() + (needed * 2).max(LIMITS.least_site_time));
    let budget = EngineBudget { deadline, ..budget.clone() };
    let mut found = Vec::new();
    while !known.is_empty()
        && found.len() < LIMITS.violating_sites
        && clock::budget_now() < deadline
    {
        let other = pipeline::explore_other_call_sites(program, ints, &known, &budget);
        let (Some(claim), Some(evidence)) = (other.claim(), other.evidence()) else { break };
        let Some(site) = broken_site(&other).filter(|site| !known.contains(site)) else { break };
        if ouro_check::check_program_evidence(program, ints, claim, evidence, deadline).is_err() {
            break;
        }
        known.push(site);
        found.push(other);
    }
    found
}

/// Where what is broken begins: where the promise was made, or where a rule is broken.
fn broken_site(verdict: &Verdict) -> Option<SourcePlace> {
    let Verdict::Violated(evidence) = verdict else { return None };
    evidence.promise_place().or_else(|| evidence.place()).filter(|place| place.is_known()).cloned()
}
