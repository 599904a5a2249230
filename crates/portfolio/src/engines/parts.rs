//! Proofs by parts: each loop is made a program of its own, and a ranking is looked for there.
//!
//! A loop that ends whatever happened before it needs nothing of the rest of the program, however large that is. A
//! program all of whose loops are so, and in which no function calls itself, is proved without ever being followed
//! from its start; one without loops needs no ranking at all. It misses loops that end because of what happened before
//! them, in their callers above all. One such loop is enough to give up, so all that may help with a loop is tried
//! before the next one is looked at.

use std::collections::BTreeMap;
use std::time::Duration;

use ouro_check::{PartwiseChecker, ProgramLoop};
use ouro_engine::ranking::RankingEffort;
use ouro_engine::{EngineSettings, ProgramRankingSearch, RankingOutcome, TerminationArgument};
use ouro_evidence::{
    Evidence, Explanation, IntegerSemantics, LoopPart, LoopView, PartwiseTermination, Verdict,
};
use ouro_model::Program;
use ouro_model::ids::TypedId as _;
use ouro_solver::clock;

use super::found_nothing;
use crate::engine::{CpuSlice, EngineFinding, EngineName, EngineOutcome, ProofEngine};
use crate::limits::LIMITS;

/// Proofs by parts.
pub(super) struct PartsEngine<'p> {
    program: &'p Program,
    ints: IntegerSemantics,
    state: SearchState<'p>,
}

enum SearchState<'p> {
    New,
    Open(Box<PartSearch<'p>>),
    Impossible(String),
}

impl<'p> PartsEngine<'p> {
    pub(super) fn new(program: &'p Program, ints: IntegerSemantics) -> Self {
        PartsEngine { program, ints, state: SearchState::New }
    }
}

impl ProofEngine for PartsEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        if let SearchState::New = self.state {
            self.state = match PartwiseChecker::new(self.program) {
                Ok(checker) => SearchState::Open(Box::new(PartSearch::new(checker, self.ints))),
                Err(why) => SearchState::Impossible(why.to_string()),
            };
        }
        let search = match &mut self.state {
            SearchState::Open(search) => search,
            SearchState::Impossible(why) => return EngineOutcome::GaveUp(found_nothing(why)),
            SearchState::New => return EngineOutcome::OutOfTime,
        };
        match search.run(slice) {
            LoopSearch::Proved => {}
            LoopSearch::GaveUp(why) => return EngineOutcome::GaveUp(found_nothing(&why)),
            LoopSearch::OutOfTime => return EngineOutcome::OutOfTime,
        }
        let evidence = Evidence::Partwise(PartwiseTermination { parts: search.parts.clone() });
        let assumptions = self.program.assumptions.clone();
        EngineOutcome::Found(Box::new(EngineFinding {
            verdict: Verdict::from_evidence(self.program.question, evidence),
            explanation: Explanation { assumptions, ..Explanation::default() },
            engine: EngineName::Parts.word(),
        }))
    }
}

/// How it stands with a loop, or with all of them.
enum LoopSearch {
    Proved,
    /// More time would not help.
    GaveUp(String),
    OutOfTime,
}

/// A way to look at a loop: whether loops inside are cut, which view, and how hard.
type LoopLook = (usize, bool, LoopView, RankingEffort);

/// How a look ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LookEnd {
    Nothing,
    /// It was too short, at this length.
    TooShort(Duration),
}

struct PartSearch<'p> {
    checker: PartwiseChecker<'p>,
    ints: IntegerSemantics,
    loops: Vec<ProgramLoop>,
    parts: Vec<LoopPart>,
    looks: BTreeMap<LookKey, LookEnd>,
}

/// A look in an order: by loop, then as in [`LoopLook`].
type LookKey = (usize, bool, LoopView, bool);

impl<'p> PartSearch<'p> {
    fn new(checker: PartwiseChecker<'p>, ints: IntegerSemantics) -> Self {
        let loops = checker.loops();
        PartSearch { checker, ints, loops, parts: Vec::new(), looks: BTreeMap::new() }
    }

    /// Whether a part is about a loop.
    fn is_covered(&self, index: usize) -> bool {
        let one = &self.loops[index];
        self.parts.iter().any(|part| self.checker.covers(&self.loops, part, one))
    }

    fn run(&mut self, slice: &CpuSlice) -> LoopSearch {
        for index in 0..self.loops.len() {
            if self.is_covered(index) {
                continue;
            }
            match self.prove_loop(index, slice) {
                LoopSearch::Proved => {}
                other => return other,
            }
        }
        LoopSearch::Proved
    }

    /// Looks for a part about a loop: with the loops inside cut, with them, and from the loops around it.
    fn prove_loop(&mut self, index: usize, slice: &CpuSlice) -> LoopSearch {
        let has_inner =
            (0..self.loops.len()).any(|other| other != index && self.surrounds(index, other));
        let mut around: Vec<usize> = (0..self.loops.len())
            .filter(|other| *other != index && self.surrounds(*other, index))
            .collect();
        around.sort_by_key(|other| self.loops[*other].found.body.len());
        let mut is_short = false;
        for effort in [RankingEffort::Quick, RankingEffort::Thorough] {
            let cut = has_inner.then_some((index, true));
            let uncut = [index].into_iter().chain(around.iter().copied()).map(|one| (one, false));
            for (subject, cuts) in cut.into_iter().chain(uncut) {
                for (view, made) in self.views(subject, cuts) {
                    match self.look((subject, cuts, view, effort), &made, slice) {
                        LoopSearch::Proved => return LoopSearch::Proved,
                        LoopSearch::OutOfTime => is_short = true,
                        LoopSearch::GaveUp(_) => {}
                    }
                    if slice.is_over() {
                        return LoopSearch::OutOfTime;
                    }
                }
            }
        }
        match is_short {
            true => LoopSearch::OutOfTime,
            false => {
                let place = &self.loops[index].place;
                LoopSearch::GaveUp(format!(
                    "no reason was found why the loop at {place} ends, whatever happened before it"
                ))
            }
        }
    }

    fn surrounds(&self, outer: usize, inner: usize) -> bool {
        self.loops[outer].surrounds(&self.loops[inner])
    }

    fn views(&self, index: usize, cuts: bool) -> Vec<(LoopView, Program)> {
        let ProgramLoop { function, found, .. } = &self.loops[index];
        let mut all: Vec<(LoopView, Program)> = Vec::new();
        for (view, made) in self.checker.views(function.0, found.head.0, cuts) {
            if all.iter().all(|(_, known)| *known != made) {
                all.push((view, made));
            }
        }
        all
    }

    /// Looks for a ranking of one view of a loop, and asks the checker about it.
    fn look(
        &mut self,
        (index, cuts, view, effort): LoopLook,
        made: &Program,
        slice: &CpuSlice,
    ) -> LoopSearch {
        let key = (index, cuts, view, effort == RankingEffort::Thorough);
        let now = clock::budget_now();
        let left = slice.deadline.saturating_duration_since(now);
        let time = left / LIMITS.view_share;
        match self.looks.get(&key) {
            Some(LookEnd::Nothing) => return LoopSearch::GaveUp(String::new()),
            Some(LookEnd::TooShort(before)) if time < before.saturating_mul(LIMITS.view_growth) => {
                return LoopSearch::OutOfTime;
            }
            _ => {}
        }
        let settings = EngineSettings { deadline: now + time, ..slice.settings(self.ints) };
        let found = ProgramRankingSearch::new(made, self.ints, slice.memory_mib)
            .map(|mut search| search.run(TerminationArgument::Ranking(effort), &settings));
        let end = match found {
            Some(RankingOutcome::Found(found)) => match found.verdict.evidence() {
                Some(Evidence::RankedProgram(ranking)) => {
                    let ProgramLoop { function, found, place } = &self.loops[index];
                    let part = LoopPart {
                        place: place.clone(),
                        function: u32::try_from(function.index()).unwrap_or(u32::MAX),
                        head: found.head.0,
                        cuts,
                        view,
                        ranking: ranking.clone(),
                    };
                    let deadline = clock::budget_now() + left / 2;
                    match self.checker.check_part(self.ints, &part, false, deadline) {
                        Ok(_) => {
                            self.parts.push(part);
                            return LoopSearch::Proved;
                        }
                        Err(why) if why.out_of_time => LookEnd::TooShort(time),
                        Err(_) => LookEnd::Nothing,
                    }
                }
                _ => LookEnd::Nothing,
            },
            Some(RankingOutcome::OutOfTime) => LookEnd::TooShort(time),
            Some(RankingOutcome::GaveUp) | None => LookEnd::Nothing,
        };
        self.looks.insert(key, end);
        match end {
            LookEnd::Nothing => LoopSearch::GaveUp(String::new()),
            LookEnd::TooShort(_) => LoopSearch::OutOfTime,
        }
    }
}
