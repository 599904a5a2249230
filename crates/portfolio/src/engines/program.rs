//! Engines that look at programs.

use std::cell::RefCell;
use std::rc::Rc;

use ouro_engine::ranking::RankingEffort;
use ouro_engine::recurrent::RecurrentSetMethod;
use ouro_engine::{
    ClosedSetOutcome, ClosedSetSearch, Exploration, ProgramRankingSearch, RankingOutcome,
    SetEffort, TerminationArgument,
};
use ouro_evidence::{Evidence, IntegerSemantics, UnknownReason, Verdict};
use ouro_model::Program;

use super::parts::PartsEngine;
use super::{SharedSearches, found_nothing};
use crate::engine::{CpuSlice, EngineFinding, EngineKind, EngineName, EngineOutcome, ProofEngine};

/// Makes an engine. If `explore` runs as well, what it says better is left to it.
pub(super) fn make_program_engine<'p>(
    kind: EngineKind,
    program: &'p Program,
    ints: IntegerSemantics,
    methods: Vec<RecurrentSetMethod>,
    shared: &SharedSearches<'p>,
    explores: bool,
) -> Box<dyn ProofEngine + 'p> {
    let ranking = |argument| RankingEngine {
        program,
        ints,
        argument,
        leaves_plain: explores,
        search: Rc::clone(&shared.rankings),
    };
    let sets =
        |effort| RecurrentSetEngine { program, ints, effort, search: Rc::clone(&shared.sets) };
    match kind {
        EngineKind::Explore => {
            Box::new(ExploreEngine { ints, exploration: Exploration::new(program) })
        }
        EngineKind::Parts => Box::new(PartsEngine::new(program, ints)),
        EngineKind::QuickRanking => {
            Box::new(ranking(TerminationArgument::Ranking(RankingEffort::Quick)))
        }
        EngineKind::Ranking => {
            Box::new(ranking(TerminationArgument::Ranking(RankingEffort::Thorough)))
        }
        EngineKind::TransitionInvariants => Box::new(ranking(TerminationArgument::Transition)),
        EngineKind::EasyRecurrentSets => Box::new(sets(SetEffort::Easy)),
        EngineKind::RecurrentSets => Box::new(sets(SetEffort::Thorough(methods))),
    }
}

/// Symbolic execution.
struct ExploreEngine<'p> {
    ints: IntegerSemantics,
    exploration: Exploration<'p>,
}

impl ProofEngine for ExploreEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let found = self.exploration.run(&slice.settings(self.ints), &[]);
        match found.verdict {
            Verdict::Unknown(UnknownReason::Time { .. }) => EngineOutcome::OutOfTime,
            Verdict::Unknown(reason) => EngineOutcome::GaveUp(reason),
            verdict => EngineOutcome::Found(Box::new(EngineFinding {
                verdict,
                explanation: found.explanation,
                engine: EngineName::Explore.word(),
            })),
        }
    }
}

/// Ranking functions, with and without transition invariants.
struct RankingEngine<'p> {
    program: &'p Program,
    ints: IntegerSemantics,
    argument: TerminationArgument,
    /// Whether a proof without any loop is left to `explore`, which can say where the ends are.
    leaves_plain: bool,
    search: Rc<RefCell<Option<Option<ProgramRankingSearch<'p>>>>>,
}

impl ProofEngine for RankingEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let RankingEngine { program, ints, argument, leaves_plain, search } = self;
        let mut search = search.borrow_mut();
        let search = search
            .get_or_insert_with(|| ProgramRankingSearch::new(program, *ints, slice.memory_mib));
        let Some(search) = search else {
            return EngineOutcome::GaveUp(found_nothing("an object is too large for the model"));
        };
        let found = match search.run(*argument, &slice.settings(*ints)) {
            RankingOutcome::Found(found) => *found,
            RankingOutcome::OutOfTime => return EngineOutcome::OutOfTime,
            RankingOutcome::GaveUp => {
                return EngineOutcome::GaveUp(found_nothing(match argument {
                    TerminationArgument::Ranking(_) => "found no ranking function",
                    TerminationArgument::Transition => "found no transition invariant",
                }));
            }
        };
        if let Some(Evidence::RankedProgram(ranking)) = found.verdict.evidence()
            && *argument == TerminationArgument::Ranking(RankingEffort::Quick)
            && *leaves_plain
            && ranking.heads.is_empty()
        {
            let what = "no loop is left to rank; following all paths to their ends is a better \
                        proof";
            return EngineOutcome::GaveUp(found_nothing(what));
        }
        let engine = match argument {
            TerminationArgument::Ranking(_) => EngineName::Ranking,
            TerminationArgument::Transition => EngineName::Transition,
        };
        EngineOutcome::Found(Box::new(EngineFinding {
            verdict: found.verdict,
            explanation: found.explanation,
            engine: engine.word(),
        }))
    }
}

/// Recurrent sets of the program seen from its loop heads.
struct RecurrentSetEngine<'p> {
    program: &'p Program,
    ints: IntegerSemantics,
    effort: SetEffort,
    search: Rc<RefCell<Option<Option<ClosedSetSearch<'p>>>>>,
}

impl ProofEngine for RecurrentSetEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let RecurrentSetEngine { program, ints, effort, search } = self;
        let mut search = search.borrow_mut();
        let search =
            search.get_or_insert_with(|| ClosedSetSearch::new(program, *ints, slice.memory_mib));
        let Some(search) = search else {
            return EngineOutcome::GaveUp(found_nothing("an object is too large for the model"));
        };
        match search.run(effort, &slice.settings(*ints)) {
            ClosedSetOutcome::Found(found, engine) => {
                let ouro_engine::UncheckedFinding { verdict, explanation } = *found;
                let finding = EngineFinding { verdict, explanation, engine };
                EngineOutcome::Found(Box::new(finding))
            }
            ClosedSetOutcome::OutOfTime => EngineOutcome::OutOfTime,
            ClosedSetOutcome::GaveUp => {
                EngineOutcome::GaveUp(found_nothing("found no recurrent set"))
            }
        }
    }
}
