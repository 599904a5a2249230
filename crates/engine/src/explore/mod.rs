//! Exploration: symbolic execution of the whole program, bit-precise, memory included.
//!
//! **How it works.** Runs start with symbols for inputs. Where control depends on a symbol, the run
//! parts into the ways that the solver finds possible. Two things end the search. A run that comes
//! back to a state it has been in (on everything that the rest of the run can see) goes round
//! forever: the solver gives the inputs. And when every run has ended, or has reached a state that
//! another one covers, and nothing goes round, the program terminates.
//!
//! With a specification, a run that breaks an obligation ends the search as well, and a run that goes
//! round does so only if it is fair. If it is not, the search goes on: it may be a part of one that is. When
//! every run has been followed and none goes round fairly, the specification holds.
//!
//! **What it misses.** Loops that never come back to a state (counters that grow), loops with more
//! iterations than there is time to follow one by one.
//!
//! **What could mislead it.** Unknown values are not inputs: a recurrence that depends on one is
//! dropped. A condition that stands for "this did not overflow" is only asked about when something
//! depends on it, so a run may be followed that does not exist: that costs time, and a recurrence
//! on it is found impossible before it is reported.
//!
//! | file | one idea |
//! | --- | --- |
//! | `search` | the queue, and how runs go on and part |
//! | `look_back` | comparing a state with earlier ones: merging, recurring |
//! | `run`, `tree` | runs, and the decisions that led to them |
//! | `fair` | circles that a fair run can go round |
//! | `symbolic` | inputs as symbols, loops without decisions |
//! | `feasible` | what the conditions of a run leave possible |
//! | `recur` | from a suspicion to inputs that were tried out |
//! | `sites` | call sites that are known |
//! | `shown` | values in the user's terms |

mod decide;
mod fair;
mod feasible;
mod look_back;
mod recur;
mod run;
mod search;
mod shown;
mod sites;
mod symbolic;
mod tree;

use std::time::Duration;

use ouro_evidence::{
    Evidence, Explanation, IntegerSemantics, LoopStatus, SourcePlace, UnknownReason, Verdict,
};
use ouro_machine::{Machine, OverflowSemantics};
use ouro_model::Program;
use ouro_model::flow::FunctionFlow;
use ouro_solver::{Session, SessionLimits};
use ouro_term::TermStore;

use crate::{EngineSettings, UncheckedFinding};
use feasible::FeasibilityOracle;
use search::{ExplorationOutcome, ProgramExploration, SearchProgress};

/// What overflow means under each meaning of integers.
pub fn overflow_semantics(ints: IntegerSemantics) -> OverflowSemantics {
    match ints {
        IntegerSemantics::C => OverflowSemantics::Undefined,
        IntegerSemantics::Wrap => OverflowSemantics::Wraps,
        IntegerSemantics::Unbounded => OverflowSemantics::Unbounded,
    }
}

/// Explores a program.
pub fn explore_program(program: &Program, settings: &EngineSettings) -> UncheckedFinding {
    explore_other_sites(program, settings, &[])
}

/// Explores a program for a violation that begins elsewhere: no promise is made at these call sites, and
/// what is broken there is not looked at.
pub fn explore_other_sites(
    program: &Program,
    settings: &EngineSettings,
    known: &[SourcePlace],
) -> UncheckedFinding {
    Exploration::new(program).run(settings, known)
}

/// The exploration of one program, slice by slice: each goes on where the last one was.
pub struct Exploration<'p> {
    program: &'p Program,
    /// Nothing before the first slice, and where the last one left nothing to go on with.
    kept: Option<KeptExploration>,
}

struct KeptExploration {
    terms: TermStore,
    machine: Machine,
    progress: SearchProgress,
}

/// What is kept between two slices may take one over this of the memory.
const KEPT_MEMORY: u64 = 4;

impl KeptExploration {
    /// The start of the program; nothing if that is too large for the machine, and why.
    fn new(program: &Program, settings: &EngineSettings) -> Result<KeptExploration, UnknownReason> {
        let mut terms = TermStore::new();
        let machine = Machine::new(program, &mut terms, overflow_semantics(settings.ints), true);
        let machine = machine.map_err(|large| {
            let what = format!("the object {} of {} bytes", large.name, large.size);
            let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
            UnknownReason::Limit { what, place }
        })?;
        let limits = SessionLimits {
            query: Duration::from_secs(5),
            deadline: None,
            memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
        };
        let progress = SearchProgress::new(&machine, FeasibilityOracle::new(Session::new(limits)));
        Ok(KeptExploration { terms, machine, progress })
    }
}

impl<'p> Exploration<'p> {
    /// Nothing is explored yet.
    pub fn new(program: &'p Program) -> Self {
        Exploration { program, kept: None }
    }

    /// Goes on until the deadline; call sites that are known are left alone. Integers mean the same in all slices.
    pub fn run(&mut self, settings: &EngineSettings, known: &[SourcePlace]) -> UncheckedFinding {
        let program = self.program;
        let kept = self.kept.take().map_or_else(|| KeptExploration::new(program, settings), Ok);
        let KeptExploration { mut terms, machine, progress } = match kept {
            Ok(kept) => kept,
            Err(reason) => {
                let explanation = Explanation::default();
                return UncheckedFinding { verdict: Verdict::Unknown(reason), explanation };
            }
        };
        let mut search = ProgramExploration::new(program, &machine, &mut terms, settings, progress);
        search.oracle.session.set_deadline(settings.deadline);
        search.known = known;
        let unanswered = search.oracle.session.statistics().unknown;
        let outcome = search.run_to_outcome();
        let (verdict, mut explanation) = match outcome {
            ExplorationOutcome::Found(evidence, explanation) => {
                (Verdict::from_evidence(program.question, evidence), explanation)
            }
            ExplorationOutcome::Nothing(reason) => {
                (Verdict::Unknown(reason), Explanation::default())
            }
        };
        explanation.assumptions = program.assumptions.clone();
        // Under fairness a loop may be one that no fair run stays in.
        if let Some(Evidence::Exhausted(_)) = verdict.evidence()
            && program.fairness.is_empty()
        {
            explanation.loops = collect_loop_statuses(program, &machine, &search.visits);
        }
        // Where the solver had too little time, runs were followed that may not exist, and an obstacle was noted that
        // may be none; and who waits must not keep others from memory.
        let is_sound = search.oracle.session.statistics().unknown == unanswered;
        let is_small =
            search::resident_mib().is_none_or(|mib| mib <= settings.memory_mib / KEPT_MEMORY);
        if let Verdict::Unknown(UnknownReason::Time { .. }) = verdict
            && is_sound
            && is_small
        {
            let progress = search.into_progress();
            self.kept = Some(KeptExploration { terms, machine, progress });
        }
        UncheckedFinding { verdict, explanation }
    }
}

/// Each loop of the user's and what became of it.
fn collect_loop_statuses(
    program: &Program,
    machine: &Machine,
    visits: &symbolic::HeadVisitCounts,
) -> Vec<LoopStatus> {
    let mut all = Vec::new();
    for (id, function) in program.functions.enumerate() {
        if !function.user {
            continue;
        }
        for found in FunctionFlow::of_function(function).loops() {
            let count: u64 = visits
                .iter()
                .filter(|((f, pc), _)| *f == id && machine.block_at(*f, *pc) == found.head)
                .map(|(_, count)| *count)
                .sum();
            let status = match count {
                0 => "never entered".to_owned(),
                _ => "every path leaves it".to_owned(),
            };
            all.push(LoopStatus { place: SourcePlace::of_span(program, id, found.span), status });
        }
    }
    all.sort_by(|a, b| a.place.cmp(&b.place));
    all.dedup();
    all
}
