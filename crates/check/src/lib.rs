//! The checker: does this evidence hold?
//!
//! This is the trusted core, to be read in one sitting. It uses the machine, which says what a
//! program means, and the solver, and nothing of the engines: no search order, no suspicion, no
//! shortcut of theirs. It takes the program and the evidence, and accepts or says why not.
//!
//! | evidence | what is done |
//! | --- | --- |
//! | a state recurs | the inputs are replayed on the concrete machine up to both moments, the two states are compared, and the run goes on for a million steps (`recurs`) |
//! | a program stays in a set of states | the inputs are replayed up to the set, and the symbolic machine shows that it is closed (`closed`, `strategy`); the run goes on for a million steps (`onward`) |
//! | a recurrent set of a transition system | the stem is followed, and one query a location shows that the set is closed (`recurrent`) |
//! | rankings of a transition system | the paths between places are found again; on each, the invariant is kept (`ranked`) and the ranking gets smaller (`decrease`) |
//! | rankings of a program | the symbolic machine follows all paths between loop heads; on each, the invariant is kept (`ranked_program`) and the ranking gets smaller (`decrease`), also if signed integers had no bounds (`overflow`, `boundless`) |
//! | every path ended, or goes round unfairly | the program is executed symbolically again, depth first (`exhausted`) |
//! | an obligation is broken | the inputs are replayed to the end of the run (`violation`) |
//!
//! A program asks whether all runs end, or whether none violates its specification. The second
//! question takes the same evidence; a run that never ends counts only if it is fair (`fair`,
//! `levels`), and none may break an obligation.

mod boundless;
mod closed;
mod decrease;
mod exhausted;
mod fair;
mod levels;
mod onward;
mod over;
mod overflow;
mod parts;
mod pattern;
mod questions;
mod ranked;
mod ranked_program;
mod recurrent;
mod recurs;
mod replay;
mod strategy;
mod summaries;
mod undefined;
mod violation;

use std::collections::BTreeSet;
use std::fmt;
use std::time::Instant;

use ouro_evidence::{Claim, ClosedSet, Evidence, Ints, Undefined};
use ouro_machine::{Machine, Overflow};
use ouro_model::transition::{self, TransitionSystem};
use ouro_model::{Program, Question};
pub use ouro_solver::second::{Opinion, SecondOpinion};
pub use ouro_solver::version as solver_version;
use ouro_term::Terms;

use crate::undefined::Naming;

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// What does not hold.
    pub why: String,
    /// Whether it was only the time that ran out.
    pub out_of_time: bool,
    /// Whether it was only more work than the evidence says.
    pub out_of_steps: bool,
    /// Whether a run goes on until a signed integer overflows, which a proof must not rest on.
    pub only_overflow: bool,
}

impl Rejection {
    fn new(why: impl Into<String>) -> Self {
        Rejection { why: why.into(), out_of_time: false, out_of_steps: false, only_overflow: false }
    }

    fn overflow(place: &str) -> Self {
        let why = format!("a run goes on only until {} ({place})", ouro_machine::SIGNED_OVERFLOW);
        Rejection { only_overflow: true, ..Rejection::new(why) }
    }

    fn time() -> Self {
        Rejection { out_of_time: true, ..Rejection::new("the time ran out while checking") }
    }

    fn steps(what: &str) -> Self {
        let why = format!("more {what} are needed than the certificate claims");
        Rejection { out_of_steps: true, ..Rejection::new(why) }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Rejection {}

/// Accepts evidence for a claim about a program, or says why not.
pub fn check(
    program: &Program,
    ints: Ints,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), Rejection> {
    judge(program, ints, claim, evidence, deadline, false).map(drop)
}

/// As [`check`], and finds out which undefined behaviour is taken to end runs (`undefined`).
pub fn check_and_name(
    program: &Program,
    ints: Ints,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<Vec<Undefined>, Rejection> {
    judge(program, ints, claim, evidence, deadline, true)
}

fn judge(
    program: &Program,
    ints: Ints,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
    naming: bool,
) -> Result<Vec<Undefined>, Rejection> {
    if let Err(violations) = ouro_model::wellformed::check(program) {
        let first = violations.first().map(ToString::to_string).unwrap_or_default();
        return Err(Rejection::new(format!("the program is not well-formed: {first}")));
    }
    if claim.question() != program.question {
        let asked = match program.question {
            Question::Termination => "whether it terminates",
            Question::Liveness => "whether its specification holds",
        };
        let word = claim.word();
        return Err(Rejection::new(format!("it is asked {asked}, and the claim is '{word}'")));
    }
    if claim != evidence.claim(program.question) {
        return Err(Rejection::new(format!("the evidence is not for '{}'", claim.word())));
    }
    let overflow = overflow(ints);
    let mut terms = Terms::new();
    let marks = matches!(
        evidence,
        Evidence::Closed(_) | Evidence::RankedProgram(_) | Evidence::Exhausted(_)
    );
    let mut machine = machine(program, &mut terms, overflow, marks)?;
    if let Evidence::RankedProgram(ranking) = evidence {
        machine.follow_first_calls(ranking.first_calls);
    }
    let naming = Naming::new(program, naming);
    let named = match evidence {
        Evidence::Recurs(recurrence) => {
            recurs::check(program, &machine, &mut terms, recurrence, deadline)?;
            Vec::new()
        }
        Evidence::Violation(violation) => match program.question {
            Question::Liveness => {
                violation::check(program, &machine, &mut terms, violation, deadline)?;
                Vec::new()
            }
            Question::Termination => {
                return Err(Rejection::new("there is no specification to violate"));
            }
        },
        Evidence::Exhausted(exhaustion) => {
            exhausted::check(program, &machine, &mut terms, exhaustion, naming, deadline)?
        }
        Evidence::Closed(set) => {
            closed::check(program, &machine, &mut terms, set, overflow, deadline)?;
            Vec::new()
        }
        Evidence::RankedProgram(ranking) => ranked_program::check(
            program, &machine, &mut terms, ranking, naming, overflow, deadline,
        )?,
        Evidence::Recurrent(_) | Evidence::Ranked(_) => {
            return Err(Rejection::new("the evidence is about a transition system, not a program"));
        }
    };
    Ok(named)
}

/// Which head of a set that a program never leaves leads to which, each pair once. It is what
/// [`check`] finds out about accepted evidence, for those who draw it.
pub fn ways(
    program: &Program,
    ints: Ints,
    set: &ClosedSet,
    deadline: Instant,
) -> Result<Vec<(usize, usize)>, Rejection> {
    let overflow = overflow(ints);
    let mut terms = Terms::new();
    let machine = machine(program, &mut terms, overflow, true)?;
    let ways = closed::check(program, &machine, &mut terms, set, overflow, deadline)?;
    let pairs: BTreeSet<(usize, usize)> = ways.iter().map(|way| (way.from, way.to)).collect();
    Ok(pairs.into_iter().collect())
}

fn overflow(ints: Ints) -> Overflow {
    match ints {
        Ints::C => Overflow::Undefined,
        Ints::Wrap => Overflow::Wraps,
        Ints::Unbounded => Overflow::Unbounded,
    }
}

fn machine(
    program: &Program,
    terms: &mut Terms,
    overflow: Overflow,
    marks: bool,
) -> Result<Machine, Rejection> {
    Machine::new(program, terms, overflow, marks).map_err(|large| {
        Rejection::new(format!("the object {} has {} bytes", large.name, large.size))
    })
}

/// Accepts evidence about a transition system, or says why not.
pub fn check_system(
    system: &TransitionSystem,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), Rejection> {
    if let Err(violations) = transition::check(system) {
        let first = violations.first().cloned().unwrap_or_default();
        return Err(Rejection::new(format!("the system is not well-formed: {first}")));
    }
    match evidence {
        Evidence::Recurrent(set) => recurrent::check(system, set, deadline),
        Evidence::Ranked(ranking) => ranked::check(system, ranking, deadline),
        Evidence::Recurs(_)
        | Evidence::Exhausted(_)
        | Evidence::Closed(_)
        | Evidence::Violation(_)
        | Evidence::RankedProgram(_) => {
            Err(Rejection::new("the evidence is about a program, not a transition system"))
        }
    }
}
