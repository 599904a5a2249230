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

use ouro_evidence::{
    Evidence, Explanation, FunctionSummary, IntegerSemantics, ProgramRanking, Verdict,
};
use ouro_machine::{Machine, OverflowSemantics, SummaryFormula};
use ouro_model::Program;
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits};
use ouro_term::TermStore;
use ouro_transform::walk::AssumedSummaries;
use ouro_transform::{LoweredProgram, LoweringBounds, lower_all_growing, lower_whole_program};

use crate::limits::PROGRAM_RANKING_LIMITS;
use crate::paths::lower::BitVectorReading;
use crate::ranking::RankingEffort;
use crate::transition::TransitionInvariantAnswer;
use crate::{EngineSettings, UncheckedFinding, ranking, summaries, transition, trial};

/// Which rankings are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminationArgument {
    /// Lexicographic ones (`ranking`).
    Ranking(RankingEffort),
    /// Those with transition invariants (`transition`).
    Transition,
}

/// How a search for rankings ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RankingOutcome {
    /// Every run ends; nobody has checked it.
    Found(Box<UncheckedFinding>),
    /// There is no such ranking, as far as this method goes: more time would not help.
    GaveUp,
    /// The time was over before everything was tried.
    OutOfTime,
}

/// Looks for a reason why every run of a program ends.
pub fn find_program_ranking(
    program: &Program,
    settings: &EngineSettings,
    argument: TerminationArgument,
) -> Option<UncheckedFinding> {
    let mut search = ProgramRankingSearch::new(program, settings.ints, settings.memory_mib)?;
    match search.run(argument, settings) {
        RankingOutcome::Found(finding) => Some(*finding),
        RankingOutcome::GaveUp | RankingOutcome::OutOfTime => None,
    }
}

/// A search for rankings of one program that can be asked again, with more time or for other arguments: the transition
/// systems of the program are made once, and what gave up on one of them is not tried there again.
pub struct ProgramRankingSearch<'p> {
    program: &'p Program,
    ints: IntegerSemantics,
    terms: TermStore,
    machine: Machine,
    session: Session,
    /// The system with memory as it is.
    exact: KeptLowering,
    /// Those with vague memory: each call of a recursion like any other, and the first ones followed exactly.
    vague: [VagueLowerings; 2],
}

/// The systems of a program with vague memory.
#[derive(Default)]
struct VagueLowerings {
    plain: KeptLowering,
    /// With what calls return: bounds, and bounds under conditions.
    promised: [Option<(Vec<FunctionSummary>, KeptLowering)>; 2],
}

/// A transition system of the program, once it was made.
#[derive(Default)]
struct KeptLowering {
    state: LoweringState,
    /// The arguments that gave up on it by themselves.
    settled: Vec<TerminationArgument>,
    /// The time that there was to make it.
    time: Duration,
}

#[derive(Default)]
enum LoweringState {
    /// Not tried, or not for long enough.
    #[default]
    Open,
    Done(Box<LoweredProgram>),
    /// A usual bound was met; larger ones were not tried.
    TooLarge,
    /// A bound was met that more time does not move.
    Impossible,
}

impl KeptLowering {
    /// Makes the system unless it is there or known not to be had with bounds that grow so far; says whether only the
    /// time was too short.
    fn fill(
        &mut self,
        deadline: Instant,
        factors: &'static [usize],
        lower: impl FnOnce(LoweringBounds, &'static [usize]) -> Option<LoweredProgram>,
    ) -> bool {
        let (is_open, factors) = match (&self.state, factors) {
            (LoweringState::Open, _) => (true, factors),
            // The first factor is known not to be enough.
            (LoweringState::TooLarge, [_, larger @ ..]) => (!larger.is_empty(), larger),
            (LoweringState::Done(lowered), _) => (lowered.unanswered > 0, factors),
            _ => (false, factors),
        };
        let time = deadline.saturating_duration_since(clock::budget_now());
        let is_done = matches!(self.state, LoweringState::Done(_));
        if !is_open || (is_done && time < self.time * PROGRAM_RANKING_LIMITS.more_time) {
            return false;
        }
        let lowered = lower(LoweringBounds::until(deadline), factors);
        self.time = time;
        if is_done && lowered.is_none() {
            return clock::budget_now() >= deadline;
        }
        self.settled.clear();
        let is_cut = lowered.is_none() && clock::budget_now() >= deadline;
        self.state = match lowered {
            Some(lowered) => LoweringState::Done(Box::new(lowered)),
            None if is_cut => LoweringState::Open,
            None if factors == USUAL_BOUNDS => LoweringState::TooLarge,
            None => LoweringState::Impossible,
        };
        is_cut
    }

    fn lowered(&self) -> Option<&LoweredProgram> {
        match &self.state {
            LoweringState::Done(lowered) => Some(lowered),
            LoweringState::Open | LoweringState::TooLarge | LoweringState::Impossible => None,
        }
    }

    /// A ranking of the system, unless it is known that this argument finds none.
    fn rank(
        &mut self,
        settings: &EngineSettings,
        argument: TerminationArgument,
    ) -> Option<ProgramRanking> {
        if self.settled.contains(&argument) {
            return None;
        }
        let mut is_cut = false;
        let found = rank_lowered_program(self.lowered()?, settings, argument, &mut is_cut);
        if found.is_none() && !is_cut && clock::budget_now() < settings.deadline {
            self.settled.push(argument);
        }
        found
    }
}

impl<'p> ProgramRankingSearch<'p> {
    /// A search that has found nothing yet; nothing if the program is too large for the machine.
    pub fn new(program: &'p Program, ints: IntegerSemantics, memory_mib: u64) -> Option<Self> {
        let overflow = match ints {
            IntegerSemantics::C => OverflowSemantics::Undefined,
            IntegerSemantics::Wrap => OverflowSemantics::Wraps,
            IntegerSemantics::Unbounded => OverflowSemantics::Unbounded,
        };
        let mut terms = TermStore::new();
        let machine = Machine::new(program, &mut terms, overflow, true).ok()?;
        let session = Session::new(SessionLimits {
            query: PROGRAM_RANKING_LIMITS.query,
            deadline: None,
            memory_mib: u32::try_from(memory_mib).unwrap_or(u32::MAX),
        });
        let (exact, vague) = (KeptLowering::default(), Default::default());
        Some(ProgramRankingSearch { program, ints, terms, machine, session, exact, vague })
    }

    /// Looks for one kind of argument until the deadline.
    pub fn run(
        &mut self,
        argument: TerminationArgument,
        settings: &EngineSettings,
    ) -> RankingOutcome {
        debug_assert_eq!(settings.ints, self.ints, "a search is about one meaning of integers");
        self.session.set_deadline(settings.deadline);
        let mut is_cut = false;
        match self.find(argument, settings, &mut is_cut) {
            Some(ranking) => {
                let assumptions = self.program.assumptions.clone();
                let explanation = Explanation { assumptions, ..Explanation::default() };
                let evidence = Evidence::RankedProgram(ranking);
                let verdict = Verdict::from_evidence(self.program.question, evidence);
                RankingOutcome::Found(Box::new(UncheckedFinding { verdict, explanation }))
            }
            None if is_cut || clock::budget_now() >= settings.deadline => RankingOutcome::OutOfTime,
            None => RankingOutcome::GaveUp,
        }
    }

    fn find(
        &mut self,
        argument: TerminationArgument,
        settings: &EngineSettings,
        is_cut: &mut bool,
    ) -> Option<ProgramRanking> {
        let ProgramRankingSearch { program, terms, machine, session, exact, .. } = self;
        // What is in memory may matter, so that is looked at first.
        *is_cut |= exact.fill(half_of_time_left(settings.deadline), USUAL_BOUNDS, |bounds, _| {
            lower_whole_program(
                program,
                machine,
                terms,
                session,
                bounds,
                false,
                &AssumedSummaries::new(),
            )
        });
        if exact.lowered().is_some() {
            let found = exact.rank(settings, argument);
            return found.or_else(|| self.with_summaries(argument, settings, false, is_cut));
        }
        if machine.has_first_calls() {
            // What the first call of a recursion does may matter, too.
            let first = EngineSettings {
                deadline: half_of_time_left(settings.deadline),
                ..settings.clone()
            };
            let found = self.in_vague_memory(argument, &first, true, is_cut);
            if let Some(found) = found {
                return Some(ProgramRanking { first_calls: true, ..found });
            }
            *is_cut |= clock::budget_now() >= first.deadline;
        }
        self.in_vague_memory(argument, settings, false, is_cut)
    }

    /// Looks for rankings of the system with vague memory.
    fn in_vague_memory(
        &mut self,
        argument: TerminationArgument,
        settings: &EngineSettings,
        first_calls: bool,
        is_cut: &mut bool,
    ) -> Option<ProgramRanking> {
        let ProgramRankingSearch { program, terms, machine, session, vague, .. } = self;
        machine.follow_first_calls(first_calls);
        let plain = &mut vague[usize::from(first_calls)].plain;
        *is_cut |= plain.fill(
            half_of_time_left(settings.deadline),
            growth(argument),
            |bounds, factors| {
                let none = AssumedSummaries::new();
                lower_all_growing(program, machine, terms, session, bounds, true, &none, factors)
            },
        );
        plain.lowered()?;
        let found = plain.rank(settings, argument);
        found.or_else(|| self.with_summaries(argument, settings, first_calls, is_cut))
    }

    /// Perhaps it matters what calls return. Bounds under conditions say more, but make more cases.
    fn with_summaries(
        &mut self,
        argument: TerminationArgument,
        settings: &EngineSettings,
        first_calls: bool,
        is_cut: &mut bool,
    ) -> Option<ProgramRanking> {
        let ProgramRankingSearch { program, terms, machine, session, exact, vague, .. } = self;
        machine.follow_first_calls(first_calls);
        let VagueLowerings { plain, promised } = &mut vague[usize::from(first_calls)];
        let lowered = exact.lowered().or(plain.lowered())?;
        let mut before = Vec::new();
        for (conditions, kept) in [false, true].into_iter().zip(promised) {
            let (summaries, kept) = match kept {
                Some((summaries, kept)) => (&*summaries, kept),
                none => {
                    let share = half_of_time_left(settings.deadline);
                    let found =
                        summaries::find_summaries(lowered, machine, session, conditions, share);
                    if found.is_empty() && clock::budget_now() >= share {
                        *is_cut = true;
                        continue;
                    }
                    let (summaries, kept) = none.insert((found, KeptLowering::default()));
                    (&*summaries, kept)
                }
            };
            if *summaries == before {
                continue;
            }
            let promises = parse_summaries(machine, terms, program, summaries);
            *is_cut |=
                kept.fill(half_of_time_left(settings.deadline), USUAL_BOUNDS, |bounds, _| {
                    lower_whole_program(program, machine, terms, session, bounds, true, &promises)
                });
            if let Some(found) = kept.rank(settings, argument) {
                return Some(ProgramRanking { summaries: summaries.clone(), ..found });
            }
            before.clone_from(summaries);
        }
        None
    }
}

/// Half of the time that is left.
fn half_of_time_left(deadline: Instant) -> Instant {
    let now = clock::budget_now();
    now + deadline.saturating_duration_since(now) / 2
}

/// Bounds that do not grow.
const USUAL_BOUNDS: &[usize] = &[1];

/// By how much bounds grow where they were met.
fn growth(argument: TerminationArgument) -> &'static [usize] {
    match argument {
        TerminationArgument::Ranking(RankingEffort::Quick) => USUAL_BOUNDS,
        TerminationArgument::Ranking(RankingEffort::Thorough) | TerminationArgument::Transition => {
            &[1, 4, 12]
        }
    }
}

/// What summaries promise, in a store.
fn parse_summaries(
    machine: &Machine,
    terms: &mut TermStore,
    program: &Program,
    summaries: &[FunctionSummary],
) -> AssumedSummaries {
    let mut promises = AssumedSummaries::new();
    for function in program.functions.ids() {
        let summary =
            summaries.iter().find(|summary| summary.function == machine.function_name(function));
        let promise = summary.and_then(|summary| {
            SummaryFormula::parse(machine, terms, function, &summary.formula).ok()
        });
        promises.extend(promise.map(|promise| (function, promise)));
    }
    promises
}

/// A ranking of a lowered program; says whether a part of the search had too little time.
fn rank_lowered_program(
    lowered: &LoweredProgram,
    settings: &EngineSettings,
    argument: TerminationArgument,
    is_cut: &mut bool,
) -> Option<ProgramRanking> {
    let is_thorough = argument == TerminationArgument::Ranking(RankingEffort::Thorough);
    // What has to do with bits is tried on the bits first, all else only in the end.
    let tries_first = is_thorough && trial::speaks_of_bits(&lowered.system);
    if tries_first {
        let now = clock::budget_now();
        let share = settings.deadline.saturating_duration_since(now) / TRIAL;
        let first = EngineSettings { deadline: now + share, ..settings.clone() };
        if let Some(found) = rank_by_trial(lowered, &first, is_cut) {
            return Some(found);
        }
    }
    let found = rank_in_readings(lowered, settings, argument);
    match found {
        None if is_thorough && !tries_first => rank_by_trial(lowered, settings, is_cut),
        found => found,
    }
}

/// The part of the time that levels are tried for on the bits.
const TRIAL: u32 = 2;

fn rank_by_trial(
    lowered: &LoweredProgram,
    settings: &EngineSettings,
    is_cut: &mut bool,
) -> Option<ProgramRanking> {
    let found = trial::find_ranking_by_trial(&lowered.system, settings, is_cut)?;
    lowered.back.translate_ranking(&lowered.system, &found)
}

/// A ranking of a lowered program over integers.
fn rank_in_readings(
    lowered: &LoweredProgram,
    settings: &EngineSettings,
    argument: TerminationArgument,
) -> Option<ProgramRanking> {
    let (all, narrow) = lowered.back.unsigned_variables(&lowered.system);
    // Runs without overflow are runs on numbers without bounds. That all of those end is more than
    // is asked for, and says that no loop waits for an overflow to end it.
    let boundless = settings.ints == IntegerSemantics::C;
    let reads = lowered.system.edges.iter().any(|edge| !edge.choices.is_empty());
    let both = [&all, &narrow];
    let choices = if all == narrow { &both[1..] } else { &both[..] };
    let mut readings = Vec::new();
    // Rankings that need not know how large a type is are shorter, so those are looked for first.
    for bounded_inputs in [false, true] {
        // Differences of sizes are often meant to have a sign, and numbers of 64 bits seldom go round. So both are
        // tried.
        if bounded_inputs && !(boundless && reads) {
            break;
        }
        for naturals in choices.iter().copied() {
            let limits = crate::Limits::USUAL;
            readings.push(BitVectorReading { naturals, boundless, bounded_inputs, limits });
        }
    }
    let last = readings.pop()?;
    for reading in readings {
        let first =
            EngineSettings { deadline: half_of_time_left(settings.deadline), ..settings.clone() };
        if let Some(found) = rank_reading(lowered, &first, argument, reading) {
            return Some(found);
        }
    }
    rank_reading(lowered, settings, argument, last)
}

/// The same with one reading of bit-vectors.
fn rank_reading(
    lowered: &LoweredProgram,
    settings: &EngineSettings,
    argument: TerminationArgument,
    reading: BitVectorReading<'_>,
) -> Option<ProgramRanking> {
    let found = match argument {
        TerminationArgument::Ranking(effort) => {
            ranking::find_ranking_with_reading(&lowered.system, reading, settings, effort)
        }
        TerminationArgument::Transition => {
            match transition::find_with_reading(&lowered.system, reading, settings) {
                TransitionInvariantAnswer::Ends(found) => Some(found),
                // The system can do more than the program, so a lasso of it is none of the program.
                TransitionInvariantAnswer::Lasso(_) | TransitionInvariantAnswer::Nothing => None,
            }
        }
    }?;
    lowered.back.translate_ranking(&lowered.system, &found)
}
