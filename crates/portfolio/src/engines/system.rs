//! Engines that look at transition systems.

use ouro_engine::recurrent::{self, FoundRecurrentSet, RecurrentSetMethod};
use ouro_engine::transition::TransitionInvariantAnswer;
use ouro_engine::{ranking, transition};
use ouro_evidence::{
    Evidence, Explanation, IntegerSemantics, ProgramQuestion, SystemRanking, Verdict,
};
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock::{self, PiecewiseWork, WorkPiece};

use super::found_nothing;
use crate::engine::{CpuSlice, EngineFinding, EngineKind, EngineName, EngineOutcome, ProofEngine};
use crate::lanes::STACK;

/// Makes an engine.
pub(super) fn make_system_engine<'p>(
    kind: EngineKind,
    system: &'p TransitionSystem,
    methods: Vec<RecurrentSetMethod>,
    named: &[EngineName],
) -> Box<dyn ProofEngine + 'p> {
    match kind {
        EngineKind::Explore | EngineKind::Parts => Box::new(NoProgram),
        EngineKind::QuickRanking | EngineKind::Ranking => {
            Box::new(SystemRankingEngine { system, search: None })
        }
        EngineKind::TransitionInvariants => {
            let follows_lassos = named.is_empty() || !methods.is_empty();
            Box::new(TransitionInvariantEngine { system, follows_lassos })
        }
        EngineKind::EasyRecurrentSets | EngineKind::RecurrentSets => {
            Box::new(SystemSetEngine { system, methods })
        }
    }
}

fn ranking_finding(ranking: SystemRanking, engine: EngineName) -> EngineOutcome {
    evidence_finding(Evidence::Ranked(ranking), engine.word())
}

fn set_finding(set: FoundRecurrentSet) -> EngineOutcome {
    evidence_finding(Evidence::Recurrent(set.set), set.method)
}

fn evidence_finding(evidence: Evidence, engine: &'static str) -> EngineOutcome {
    EngineOutcome::Found(Box::new(EngineFinding {
        verdict: Verdict::from_evidence(ProgramQuestion::Termination, evidence),
        explanation: Explanation::default(),
        engine,
    }))
}

/// What no engine found: the time was over, or there is nothing to be found.
fn outcome_of_nothing(slice: &CpuSlice, what: &str) -> EngineOutcome {
    match slice.is_over() {
        true => EngineOutcome::OutOfTime,
        false => EngineOutcome::GaveUp(found_nothing(what)),
    }
}

/// In the place of an engine that runs programs.
struct NoProgram;

impl ProofEngine for NoProgram {
    fn search(&mut self, _slice: &CpuSlice) -> EngineOutcome {
        let what = "explore works on programs, and this is a transition system";
        EngineOutcome::GaveUp(found_nothing(what))
    }
}

/// Ranking functions. The search is written as one that goes on until its time is over, and pauses between slices.
struct SystemRankingEngine<'p> {
    system: &'p TransitionSystem,
    search: Option<PiecewiseWork<Option<SystemRanking>>>,
}

impl ProofEngine for SystemRankingEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let time = slice.deadline.saturating_duration_since(clock::budget_now());
        let search = self.search.get_or_insert_with(|| {
            let (system, slice) = (self.system.clone(), *slice);
            PiecewiseWork::new(STACK, move || {
                // Slices end it, or what stops this thread.
                let deadline = clock::budget_now() + slice.limit;
                let slice = CpuSlice { deadline, ..slice };
                ranking::find_ranking(&system, &slice.settings(IntegerSemantics::Unbounded))
            })
        });
        let piece = search.work_for(time);
        if !matches!(piece, WorkPiece::Paused) {
            self.search = None;
        }
        match piece {
            WorkPiece::Done(Some(ranking)) => ranking_finding(ranking, EngineName::Ranking),
            WorkPiece::Paused => EngineOutcome::OutOfTime,
            WorkPiece::Done(None) | WorkPiece::Broken => {
                outcome_of_nothing(slice, "found no ranking function")
            }
        }
    }
}

/// Transition invariants. A lasso along which nothing gets smaller may be a run that never ends.
struct TransitionInvariantEngine<'p> {
    system: &'p TransitionSystem,
    /// Whether recurrent sets are asked for as well.
    follows_lassos: bool,
}

impl ProofEngine for TransitionInvariantEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let settings = slice.settings(IntegerSemantics::Unbounded);
        let set = match transition::find_transition_invariants(self.system, &settings) {
            TransitionInvariantAnswer::Ends(ranking) => {
                return ranking_finding(ranking, EngineName::Transition);
            }
            TransitionInvariantAnswer::Lasso(edges) if self.follows_lassos => {
                recurrent::find_recurrent_set_along(self.system, &settings, &edges)
            }
            TransitionInvariantAnswer::Lasso(_) | TransitionInvariantAnswer::Nothing => None,
        };
        match set {
            Some(set) => set_finding(set),
            None => outcome_of_nothing(slice, "found no transition invariant"),
        }
    }
}

/// Recurrent sets.
struct SystemSetEngine<'p> {
    system: &'p TransitionSystem,
    methods: Vec<RecurrentSetMethod>,
}

impl ProofEngine for SystemSetEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let settings = slice.settings(IntegerSemantics::Unbounded);
        match recurrent::find_recurrent_set(self.system, &settings, &self.methods) {
            Some(set) => set_finding(set),
            None => outcome_of_nothing(slice, "found no recurrent set"),
        }
    }
}
