//! Engines that look at transition systems.
//!
//! Each is written as one search that goes on until its time is over. It lives on a thread of its own and pauses between
//! slices, so that it never begins anew.

use std::io;

use ouro_engine::recurrent::{self, FoundRecurrentSet, RecurrentSetMethod};
use ouro_engine::transition::TransitionInvariantAnswer;
use ouro_engine::{EngineSettings, ranking, transition};
use ouro_evidence::{
    Evidence, Explanation, IntegerSemantics, ProgramQuestion, SystemRanking, Verdict,
};
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock::{self, PiecewiseWork, WorkPiece};

use super::found_nothing;
use crate::engine::{CpuSlice, EngineFinding, EngineKind, EngineName, EngineOutcome, ProofEngine};
use crate::limits::LIMITS;

/// Makes an engine.
pub(super) fn make_system_engine<'p>(
    kind: EngineKind,
    system: &'p TransitionSystem,
    methods: Vec<RecurrentSetMethod>,
    named: &[EngineName],
) -> Box<dyn ProofEngine + 'p> {
    let method = match kind {
        EngineKind::Explore | EngineKind::Parts => return Box::new(NoProgram),
        EngineKind::QuickRanking | EngineKind::Ranking => SystemMethod::Ranking,
        EngineKind::TransitionInvariants => {
            let follows_lassos = named.is_empty() || !methods.is_empty();
            SystemMethod::TransitionInvariants { follows_lassos }
        }
        EngineKind::EasyRecurrentSets | EngineKind::RecurrentSets => {
            SystemMethod::RecurrentSets(methods)
        }
    };
    Box::new(SystemEngine { system, method, search: None })
}

/// In the place of an engine that runs programs.
struct NoProgram;

impl ProofEngine for NoProgram {
    fn search(&mut self, _slice: &CpuSlice) -> EngineOutcome {
        let what = "explore works on programs, and this is a transition system";
        EngineOutcome::GaveUp(found_nothing(what))
    }
}

/// How to look at a system.
#[derive(Clone)]
enum SystemMethod {
    /// Ranking functions.
    Ranking,
    /// Transition invariants. A lasso along which nothing gets smaller may be a run that never ends.
    TransitionInvariants {
        /// Whether recurrent sets are asked for as well.
        follows_lassos: bool,
    },
    /// Recurrent sets, by these methods; none means all.
    RecurrentSets(Vec<RecurrentSetMethod>),
}

impl SystemMethod {
    fn find_evidence(
        &self,
        system: &TransitionSystem,
        settings: &EngineSettings,
    ) -> Option<EngineFinding> {
        match self {
            SystemMethod::Ranking => ranking::find_ranking(system, settings)
                .map(|found| ranking_finding(found, EngineName::Ranking)),
            SystemMethod::TransitionInvariants { follows_lassos } => {
                match transition::find_transition_invariants(system, settings) {
                    TransitionInvariantAnswer::Ends(found) => {
                        Some(ranking_finding(found, EngineName::Transition))
                    }
                    TransitionInvariantAnswer::Lasso(edges) if *follows_lassos => {
                        let set = recurrent::find_recurrent_set_along(system, settings, &edges);
                        set.map(set_finding)
                    }
                    TransitionInvariantAnswer::Lasso(_) | TransitionInvariantAnswer::Nothing => {
                        None
                    }
                }
            }
            SystemMethod::RecurrentSets(methods) => {
                recurrent::find_recurrent_set(system, settings, methods).map(set_finding)
            }
        }
    }

    /// What to say if there is nothing.
    fn nothing_found(&self) -> &'static str {
        match self {
            SystemMethod::Ranking => "found no ranking function",
            SystemMethod::TransitionInvariants { .. } => "found no transition invariant",
            SystemMethod::RecurrentSets(_) => "found no recurrent set",
        }
    }
}

fn ranking_finding(ranking: SystemRanking, engine: EngineName) -> EngineFinding {
    evidence_finding(Evidence::Ranked(ranking), engine.word())
}

fn set_finding(set: FoundRecurrentSet) -> EngineFinding {
    evidence_finding(Evidence::Recurrent(set.set), set.method)
}

fn evidence_finding(evidence: Evidence, engine: &'static str) -> EngineFinding {
    EngineFinding {
        verdict: Verdict::from_evidence(ProgramQuestion::Termination, evidence),
        explanation: Explanation::default(),
        engine,
    }
}

struct SystemEngine<'p> {
    system: &'p TransitionSystem,
    method: SystemMethod,
    search: Option<PiecewiseWork<Option<EngineFinding>>>,
}

impl SystemEngine<'_> {
    fn begin_search(&self, slice: &CpuSlice) -> io::Result<PiecewiseWork<Option<EngineFinding>>> {
        let (system, method, slice) = (self.system.clone(), self.method.clone(), *slice);
        PiecewiseWork::new(LIMITS.engine_stack, move || {
            // The ends of slices only make it pause.
            let deadline = clock::budget_now() + slice.limit;
            let whole = CpuSlice { deadline, ..slice };
            method.find_evidence(&system, &whole.settings(IntegerSemantics::Unbounded))
        })
    }
}

impl ProofEngine for SystemEngine<'_> {
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome {
        let time = slice.deadline.saturating_duration_since(clock::budget_now());
        let mut search = match self.search.take().map_or_else(|| self.begin_search(slice), Ok) {
            Ok(search) => search,
            Err(error) => {
                let what = format!("could not start a thread for the search: {error}");
                return EngineOutcome::GaveUp(found_nothing(&what));
            }
        };
        match search.work_for(time) {
            WorkPiece::Done(Some(found)) => EngineOutcome::Found(Box::new(found)),
            WorkPiece::Paused => {
                self.search = Some(search);
                EngineOutcome::OutOfTime
            }
            // Somebody stopped it, or there is nothing to be found.
            WorkPiece::Done(None) if slice.is_over() => EngineOutcome::OutOfTime,
            WorkPiece::Done(None) => {
                EngineOutcome::GaveUp(found_nothing(self.method.nothing_found()))
            }
        }
    }
}
