//! Proofs by parts: each loop and each recursion is made a program of its own, and a ranking is looked for there.
//!
//! A loop that ends whatever happened before it needs nothing of the rest of the program, however large that is. A
//! program all of whose loops and recursions are so is proved without ever being followed from its start; one without
//! any needs no ranking at all. Where that is not enough, more of the program is looked at bit by bit: all that comes
//! before the loop in its function, the functions that it calls, those that call it (`SCOPES`). It misses what ends
//! because of what happened further away. One such loop is enough to give up, so all that may help with a loop is tried
//! before the next one is looked at.

use std::collections::BTreeMap;
use std::time::Duration;

use ouro_check::{PartwiseChecker, ProgramCycle};
use ouro_engine::ranking::RankingEffort;
use ouro_engine::{EngineSettings, ProgramRankingSearch, RankingOutcome, TerminationArgument};
use ouro_evidence::{
    Evidence, Explanation, IntegerSemantics, LoopPart, LoopView, PartScope, PartwiseTermination,
    Verdict,
};
use ouro_model::Program;
use ouro_solver::clock;

use super::found_nothing;
use crate::engine::{CpuSlice, EngineFinding, EngineName, EngineOutcome, ProofEngine};
use crate::limits::LIMITS;

/// How much of the program around a loop or recursion is looked at, in this order.
const SCOPES: [PartScope; 6] = [
    PartScope { wide: false, callers: 0, inlines: false },
    PartScope { wide: true, callers: 0, inlines: false },
    PartScope { wide: true, callers: 0, inlines: true },
    PartScope { wide: true, callers: 1, inlines: false },
    PartScope { wide: true, callers: 1, inlines: true },
    PartScope { wide: true, callers: 3, inlines: true },
];

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

/// A way to look at a loop or recursion, by its number: whether loops inside are cut, how much around it, which view,
/// and how hard.
type LoopLook = (usize, bool, PartScope, LoopView, RankingEffort);

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
    cycles: Vec<ProgramCycle>,
    parts: Vec<LoopPart>,
    looks: BTreeMap<LookKey, LookEnd>,
}

/// A look in an order: by loop, then as in [`LoopLook`].
type LookKey = (usize, bool, PartScope, LoopView, bool);

impl<'p> PartSearch<'p> {
    fn new(checker: PartwiseChecker<'p>, ints: IntegerSemantics) -> Self {
        let cycles = checker.cycles();
        PartSearch { checker, ints, cycles, parts: Vec::new(), looks: BTreeMap::new() }
    }

    /// Whether a part is about a loop or recursion.
    fn is_covered(&self, index: usize) -> bool {
        let one = &self.cycles[index];
        self.parts.iter().any(|part| self.checker.covers(&self.cycles, part, one))
    }

    fn run(&mut self, slice: &CpuSlice) -> LoopSearch {
        for index in 0..self.cycles.len() {
            if self.is_covered(index) {
                continue;
            }
            match self.prove_cycle(index, slice) {
                LoopSearch::Proved => {}
                other => return other,
            }
        }
        LoopSearch::Proved
    }

    /// Looks for a part about a loop or recursion: with the loops inside cut, with them, and from the loops around it;
    /// first alone, then with more and more of the program.
    fn prove_cycle(&mut self, index: usize, slice: &CpuSlice) -> LoopSearch {
        let count = self.cycles.len();
        let has_inner = (0..count).any(|other| other != index && self.surrounds(index, other));
        let mut around: Vec<usize> =
            (0..count).filter(|other| *other != index && self.surrounds(*other, index)).collect();
        let size = |other: &usize| {
            self.cycles[*other].found.as_ref().map_or(usize::MAX, |found| found.body.len())
        };
        around.sort_by_key(size);
        let mut is_short = false;
        let mut seen: Vec<Program> = Vec::new();
        for effort in [RankingEffort::Quick, RankingEffort::Thorough] {
            seen.clear();
            for scope in SCOPES {
                let cut = has_inner.then_some((index, true));
                let uncut = [index].into_iter().chain(around.iter().copied());
                for (subject, cuts) in cut.into_iter().chain(uncut.map(|one| (one, false))) {
                    for (view, made) in self.views(subject, cuts, scope) {
                        // More of the program is not always something else.
                        if seen.contains(&made) {
                            continue;
                        }
                        match self.look((subject, cuts, scope, view, effort), &made, slice) {
                            LoopSearch::Proved => return LoopSearch::Proved,
                            LoopSearch::OutOfTime => is_short = true,
                            LoopSearch::GaveUp(_) => {}
                        }
                        seen.push(made);
                        if slice.is_over() {
                            return LoopSearch::OutOfTime;
                        }
                    }
                }
            }
        }
        match is_short {
            true => LoopSearch::OutOfTime,
            false => LoopSearch::GaveUp(format!(
                "no reason was found why {} ends, whatever happened before it",
                self.cycles[index].describe()
            )),
        }
    }

    fn surrounds(&self, outer: usize, inner: usize) -> bool {
        self.cycles[inner].is_inside(&self.cycles[outer])
    }

    fn views(&self, index: usize, cuts: bool, scope: PartScope) -> Vec<(LoopView, Program)> {
        let one = &self.cycles[index];
        self.checker.views(one.function.0, one.head(), cuts, scope)
    }

    /// Looks for a ranking of one view of a loop, and asks the checker about it.
    fn look(
        &mut self,
        (index, cuts, scope, view, effort): LoopLook,
        made: &Program,
        slice: &CpuSlice,
    ) -> LoopSearch {
        let key = (index, cuts, scope, view, effort == RankingEffort::Thorough);
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
                    let one = &self.cycles[index];
                    let part = LoopPart {
                        place: one.place.clone(),
                        function: one.function.0,
                        head: one.head(),
                        cuts,
                        scope,
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
