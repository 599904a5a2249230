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
//! | each loop ends on its own | that no function calls itself and no loop is left out is looked up; each loop is made a program of its own again (`ouro-isolate`) and has a ranking as any program (`partwise`) |
//! | every path ended, or goes round unfairly | the program is executed symbolically again, depth first (`exhausted`) |
//! | an obligation is broken | the inputs are replayed to the end of the run (`violation`) |
//!
//! | file | one idea |
//! | --- | --- |
//! | `recurs`, `replay` | a state recurs: the run on the inputs of a certificate |
//! | `closed`, `strategy`, `pattern`, `onward` | a program stays in a set of states |
//! | `recurrent`, `over` | a system stays in a set of states; reading the terms of evidence |
//! | `ranked`, `ranked_program` | the paths between locations of a system, or loop heads of a program |
//! | `decrease`, `levels`, `parts` | what gets smaller on each path, component by component |
//! | `overflow`, `boundless` | that no proof rests on a signed overflow; `overflow/untouched`: that none touches it |
//! | `partwise` | each loop terminates on its own |
//! | `summaries` | what recursive calls return |
//! | `exhausted` | every path ended |
//! | `violation` | an obligation is broken |
//! | `fair` | what a piece of a run does for the pairs of fairness |
//! | `questions` | what the solver is asked about paths |
//! | `undefined` | undefined behaviour by the way |
//! | `limits` | how far evidence is followed |
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
mod limits;
mod onward;
mod over;
mod overflow;
mod parts;
mod partwise;
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

use ouro_evidence::{Claim, ClosedSet, Evidence, IntegerSemantics, UndefinedBehaviour};
use ouro_machine::{Machine, OverflowSemantics};
use ouro_model::transition::{self, TransitionSystem};
use ouro_model::{Program, ProgramQuestion};
pub use ouro_solver::loaded_version as solver_version;
pub use ouro_solver::second::{OpinionTally, SecondOpinion};
use ouro_term::TermStore;

pub use crate::partwise::{PartwiseChecker, ProgramCycle};
use crate::ranked_program::UnknownOrigin;
use crate::undefined::UndefinedNaming;

/// Why evidence was not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvidenceRejection {
    /// What does not hold.
    pub why: String,
    /// Whether it was only the time that ran out.
    pub out_of_time: bool,
    /// Whether it was only more work than the evidence says.
    pub out_of_steps: bool,
    /// Whether a run goes on until a signed integer overflows, which a proof must not rest on.
    pub only_overflow: bool,
}

impl EvidenceRejection {
    fn new(why: impl Into<String>) -> Self {
        EvidenceRejection {
            why: why.into(),
            out_of_time: false,
            out_of_steps: false,
            only_overflow: false,
        }
    }

    fn overflow(place: &str) -> Self {
        let why = format!("a run ends only because of {} ({place})", ouro_machine::SIGNED_OVERFLOW);
        EvidenceRejection { only_overflow: true, ..EvidenceRejection::new(why) }
    }

    fn time_ran_out() -> Self {
        EvidenceRejection {
            out_of_time: true,
            ..EvidenceRejection::new("out of time while checking")
        }
    }

    fn steps_exceeded(what: &str) -> Self {
        let why = format!("more {what} are needed than the certificate claims");
        EvidenceRejection { out_of_steps: true, ..EvidenceRejection::new(why) }
    }
}

impl fmt::Display for EvidenceRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for EvidenceRejection {}

/// Accepts evidence for a claim about a program, or says why not.
pub fn check_program_evidence(
    program: &Program,
    ints: IntegerSemantics,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), EvidenceRejection> {
    let origin = UnknownOrigin::Anywhere;
    judge_program_evidence(program, ints, claim, evidence, (false, origin), deadline).map(drop)
}

/// As [`check`], and finds out which undefined behaviour is taken to end runs (`undefined`).
pub fn check_and_name_undefined(
    program: &Program,
    ints: IntegerSemantics,
    claim: Claim,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<Vec<UndefinedBehaviour>, EvidenceRejection> {
    let origin = UnknownOrigin::Anywhere;
    judge_program_evidence(program, ints, claim, evidence, (true, origin), deadline)
}

/// As [`check_and_name_undefined`], if undefined behaviour is to be named, for a loop that was made a program of its own:
/// other code is left out, and what it computes has bounds only as signed integers have (`overflow`).
pub fn check_isolated_loop(
    program: &Program,
    evidence: &Evidence,
    names_undefined: bool,
    deadline: Instant,
) -> Result<Vec<UndefinedBehaviour>, EvidenceRejection> {
    let how = (names_undefined, UnknownOrigin::OtherCode);
    let (ints, claim) = (IntegerSemantics::C, Claim::Terminates);
    judge_program_evidence(program, ints, claim, evidence, how, deadline)
}

fn judge_program_evidence(
    program: &Program,
    ints: IntegerSemantics,
    claim: Claim,
    evidence: &Evidence,
    (naming, unknowns): (bool, UnknownOrigin),
    deadline: Instant,
) -> Result<Vec<UndefinedBehaviour>, EvidenceRejection> {
    if let Err(violations) = ouro_model::wellformed::check_wellformed_program(program) {
        let first = violations.first().map(ToString::to_string).unwrap_or_default();
        return Err(EvidenceRejection::new(format!("the program is not well-formed: {first}")));
    }
    if claim.question() != program.question {
        let asked = match program.question {
            ProgramQuestion::Termination => "whether it terminates",
            ProgramQuestion::Liveness => "whether its specification holds",
        };
        let word = claim.phrase();
        return Err(EvidenceRejection::new(format!(
            "the question is {asked}, but the claim is '{word}'"
        )));
    }
    if claim != evidence.claim(program.question) {
        return Err(EvidenceRejection::new(format!(
            "the evidence does not fit the claim '{}'",
            claim.phrase()
        )));
    }
    if let Evidence::Partwise(proof) = evidence {
        return PartwiseChecker::new(program)?.check_proof(ints, proof, naming, deadline);
    }
    let overflow = overflow_semantics(ints);
    let mut terms = TermStore::new();
    let marks = matches!(
        evidence,
        Evidence::Closed(_) | Evidence::RankedProgram(_) | Evidence::Exhausted(_)
    );
    let mut machine = make_machine(program, &mut terms, overflow, marks)?;
    if let Evidence::RankedProgram(ranking) = evidence {
        machine.follow_first_calls(ranking.first_calls);
    }
    let naming = UndefinedNaming::new(program, naming, deadline);
    let named = match evidence {
        Evidence::Recurs(recurrence) => {
            recurs::check_recurrence(program, &machine, &mut terms, recurrence, deadline)?;
            Vec::new()
        }
        Evidence::Violation(violation) => match program.question {
            ProgramQuestion::Liveness => {
                violation::check_violation(program, &machine, &mut terms, violation, deadline)?;
                Vec::new()
            }
            ProgramQuestion::Termination => {
                return Err(EvidenceRejection::new("there is no specification to violate"));
            }
        },
        Evidence::Exhausted(exhaustion) => exhausted::check_exhaustion(
            program, &machine, &mut terms, exhaustion, naming, deadline,
        )?,
        Evidence::Closed(set) => {
            closed::check_closed_set(program, &machine, &mut terms, set, overflow, deadline)?;
            Vec::new()
        }
        Evidence::RankedProgram(ranking) => ranked_program::check_program_ranking(
            program,
            &machine,
            &mut terms,
            ranking,
            naming,
            (overflow, unknowns),
            deadline,
        )?,
        Evidence::Recurrent(_) | Evidence::Ranked(_) | Evidence::Partwise(_) => {
            return Err(EvidenceRejection::new(
                "the evidence is about a transition system, not a program",
            ));
        }
    };
    Ok(named)
}

/// Which head of a set that a program never leaves leads to which, each pair once. It is what
/// [`check`] finds out about accepted evidence, for those who draw it.
pub fn closed_set_paths(
    program: &Program,
    ints: IntegerSemantics,
    set: &ClosedSet,
    deadline: Instant,
) -> Result<Vec<(usize, usize)>, EvidenceRejection> {
    let overflow = overflow_semantics(ints);
    let mut terms = TermStore::new();
    let machine = make_machine(program, &mut terms, overflow, true)?;
    let ways = closed::check_closed_set(program, &machine, &mut terms, set, overflow, deadline)?;
    let pairs: BTreeSet<(usize, usize)> = ways.iter().map(|way| (way.from, way.to)).collect();
    Ok(pairs.into_iter().collect())
}

fn overflow_semantics(ints: IntegerSemantics) -> OverflowSemantics {
    match ints {
        IntegerSemantics::C => OverflowSemantics::Undefined,
        IntegerSemantics::Wrap => OverflowSemantics::Wraps,
        IntegerSemantics::Unbounded => OverflowSemantics::Unbounded,
    }
}

fn make_machine(
    program: &Program,
    terms: &mut TermStore,
    overflow: OverflowSemantics,
    marks: bool,
) -> Result<Machine, EvidenceRejection> {
    Machine::new(program, terms, overflow, marks).map_err(|large| {
        EvidenceRejection::new(format!("the object {} has {} bytes", large.name, large.size))
    })
}

/// Accepts evidence about a transition system, or says why not.
pub fn check_system_evidence(
    system: &TransitionSystem,
    evidence: &Evidence,
    deadline: Instant,
) -> Result<(), EvidenceRejection> {
    if let Err(violations) = transition::check_wellformed_system(system) {
        let first = violations.first().cloned().unwrap_or_default();
        return Err(EvidenceRejection::new(format!("the system is not well-formed: {first}")));
    }
    match evidence {
        Evidence::Recurrent(set) => recurrent::check_recurrent_set(system, set, deadline),
        Evidence::Ranked(ranking) => ranked::check_system_ranking(system, ranking, deadline),
        Evidence::Recurs(_)
        | Evidence::Exhausted(_)
        | Evidence::Closed(_)
        | Evidence::Violation(_)
        | Evidence::Partwise(_)
        | Evidence::RankedProgram(_) => {
            Err(EvidenceRejection::new("the evidence is about a program, not a transition system"))
        }
    }
}
