//! Programs that end: the transition system of the whole program, and rankings of that.
//!
//! **How it works.** Symbolic execution from the start of the program goes from loop head to loop
//! head until nothing new is met (`ouro-transform`); what it did is a transition system of which
//! every run of the program is a run. `ranking` or `transition` looks for a reason why those end, and what
//! it finds is said about the program again.
//!
//! Lists of any length are *chains* there, and their lengths are numbers like others.
//!
//! Where that fails, bounds on what recursive calls return (`summaries`) may help. Where a program has recursions
//! without loops, their first calls are followed exactly at first, and are like all others only then.
//!
//! **What it misses.** Loops that end because of what is in an array, and most loops that end for a reason
//! that is not linear. Under `c`, a run that overflows a signed
//! integer is none; but a loop that only this ends is not said to end.
//!
//! **What could mislead it.** Nothing that the checker would not notice: it runs the machine again.

use std::time::{Duration, Instant};

use ouro_evidence::{Evidence, Explanation, Ints, ProgramRanking, Summary, Verdict};
use ouro_machine::{Machine, Overflow, Promise};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_solver::{Limits, Session};
use ouro_term::Terms;
use ouro_transform::walk::Promises;
use ouro_transform::{Bounds, Lowered, lower_all, lower_all_growing};

use crate::paths::lower::Reading;
use crate::ranking::Effort;
use crate::transition::Answer;
use crate::{Finding, Settings, ranking, summaries, transition};

/// The longest that one question on the way from head to head may take.
const QUERY: Duration = Duration::from_secs(2);

/// Which rankings are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// Lexicographic ones (`ranking`).
    Ranking(Effort),
    /// Those with transition invariants (`transition`).
    Transition,
}

/// Looks for a reason why every run of a program ends.
pub fn ranked_program(
    program: &Program,
    settings: &Settings,
    argument: Argument,
) -> Option<Finding> {
    let ranking = find(program, settings, argument)?;
    let explanation =
        Explanation { assumptions: program.assumptions.clone(), ..Explanation::default() };
    let verdict = Verdict::of(program.question, Evidence::RankedProgram(ranking));
    Some(Finding { verdict, explanation })
}

fn find(program: &Program, settings: &Settings, argument: Argument) -> Option<ProgramRanking> {
    let overflow = match settings.ints {
        Ints::C => Overflow::Undefined,
        Ints::Wrap => Overflow::Wraps,
        Ints::Unbounded => Overflow::Unbounded,
    };
    let mut terms = Terms::new();
    let mut machine = Machine::new(program, &mut terms, overflow, true).ok()?;
    let mut session = Session::new(Limits {
        query: QUERY,
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    });
    let bounds = Bounds::until(half(settings.deadline));
    // What is in memory may matter, so that is looked at first.
    let exact = lower_all(program, &machine, &terms, &mut session, bounds, false, &Promises::new());
    if exact.is_none() && machine.has_first_calls() {
        // What the first call of a recursion does may matter, too.
        machine.follow_first_calls(true);
        let first = Settings { deadline: half(settings.deadline), ..settings.clone() };
        let found = in_memory(program, &machine, &mut terms, &mut session, &first, argument, None);
        if let Some(found) = found {
            return Some(ProgramRanking { first_calls: true, ..found });
        }
        machine.follow_first_calls(false);
    }
    in_memory(program, &machine, &mut terms, &mut session, settings, argument, exact)
}

/// Half of the time that is left.
fn half(deadline: Instant) -> Instant {
    let now = clock::now();
    now + deadline.saturating_duration_since(now) / 2
}

/// By how much bounds grow where they were met.
fn growth(argument: Argument) -> &'static [usize] {
    match argument {
        Argument::Ranking(Effort::Quick) => &[1],
        Argument::Ranking(Effort::Thorough) | Argument::Transition => &[1, 4, 12],
    }
}

/// Looks for rankings of the system, or of one with vague memory if there is none.
fn in_memory(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    session: &mut Session,
    settings: &Settings,
    argument: Argument,
    exact: Option<Lowered>,
) -> Option<ProgramRanking> {
    let share = || half(settings.deadline);
    let lowered = match exact {
        Some(exact) => exact,
        None => {
            let bounds = Bounds::until(share());
            let (none, factors) = (Promises::new(), growth(argument));
            lower_all_growing(program, machine, terms, session, bounds, true, &none, factors)?
        }
    };
    if let Some(found) = rank(&lowered, settings, argument) {
        return Some(found);
    }
    // Perhaps it matters what calls return. Bounds under conditions say more, but make more cases.
    let mut before = Vec::new();
    for conditions in [false, true] {
        let summaries = summaries::find(&lowered, machine, session, conditions, share());
        if summaries == before {
            continue;
        }
        let promises = promises(machine, terms, program, &summaries);
        let bounds = Bounds::until(share());
        let found = lower_all(program, machine, terms, session, bounds, true, &promises)
            .and_then(|lowered| rank(&lowered, settings, argument));
        if let Some(found) = found {
            return Some(ProgramRanking { summaries, ..found });
        }
        before = summaries;
    }
    None
}

/// What summaries promise, in a store.
fn promises(
    machine: &Machine,
    terms: &mut Terms,
    program: &Program,
    summaries: &[Summary],
) -> Promises {
    let mut promises = Promises::new();
    for function in program.functions.ids() {
        let summary = summaries.iter().find(|summary| summary.function == machine.name(function));
        let promise = summary
            .and_then(|summary| Promise::parse(machine, terms, function, &summary.formula).ok());
        promises.extend(promise.map(|promise| (function, promise)));
    }
    promises
}

/// A ranking of a lowered program.
fn rank(lowered: &Lowered, settings: &Settings, argument: Argument) -> Option<ProgramRanking> {
    let (all, narrow) = lowered.back.unsigned(&lowered.system);
    if all != narrow {
        // Differences of sizes are often meant to have a sign, and numbers of 64 bits seldom go round. So both are
        // tried.
        let first = Settings { deadline: half(settings.deadline), ..settings.clone() };
        if let Some(found) = rank_reading(lowered, &first, argument, &all) {
            return Some(found);
        }
    }
    rank_reading(lowered, settings, argument, &narrow)
}

/// The same where these variables are natural numbers.
fn rank_reading(
    lowered: &Lowered,
    settings: &Settings,
    argument: Argument,
    naturals: &[bool],
) -> Option<ProgramRanking> {
    // Runs without overflow are runs on numbers without bounds. That all of those end is more than
    // is asked for, and says that no loop waits for an overflow to end it.
    let boundless = settings.ints == Ints::C;
    let reading = Reading { naturals, boundless, limits: crate::Limits::USUAL };
    let found = match argument {
        Argument::Ranking(effort) => {
            ranking::rank_reading(&lowered.system, reading, settings, effort)
        }
        Argument::Transition => {
            match transition::find_reading(&lowered.system, reading, settings) {
                Answer::Ends(found) => Some(found),
                // The system can do more than the program, so a lasso of it is none of the program.
                Answer::Lasso(_) | Answer::Nothing => None,
            }
        }
    }?;
    lowered.back.ranking(&lowered.system, &found)
}
