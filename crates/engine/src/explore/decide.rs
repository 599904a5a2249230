//! Decisions: which ways a run can go on, and going them.

use ouro_evidence::UnknownReason;
use ouro_machine::{ForkAlternative, NeededValue, RunPosition};
use ouro_term::{Term, TermEvaluator};

use super::feasible::{ConditionFeasibility, PathWitness};
use super::look_back::StateVisit;
use super::run::ExplorationRun;
use super::search::{ExplorationOutcome, ProgramExploration};
use super::tree::DecisionNodeId;

/// Values of one symbolic address or size that are tried.
const MOST_VALUES: usize = 64;

/// A decision that is possible.
pub(crate) struct FeasibleDecision {
    decision: usize,
    pub(crate) condition: Term,
    witness: PathWitness,
    kind: DecisionKind,
}

#[derive(Clone, Copy)]
enum DecisionKind {
    Take(ForkAlternative),
    Give(NeededValue, u64),
}

/// Whether the run that was split is followed further.
pub(super) enum RunSplit {
    Done(Option<Box<ExplorationOutcome>>),
    Continue,
}

impl ProgramExploration<'_> {
    /// The possible ways on from a fork; `None` if the run is impossible.
    pub(super) fn feasible_alternatives(
        &mut self,
        run: &mut ExplorationRun,
        alternatives: &[ForkAlternative],
        at: RunPosition,
    ) -> Option<Vec<FeasibleDecision>> {
        if let Ok(false) = self.is_feasible(run) {
            return None;
        }
        let mut ways = Vec::new();
        let known = self.is_at_known_site(run);
        for (decision, alternative) in alternatives.iter().enumerate() {
            let kind = DecisionKind::Take(*alternative);
            let condition = alternative.condition;
            if known && self.is_promise_condition(run, condition) {
                continue;
            }
            match self.oracle.condition_feasibility(self.terms, &run.path, &run.witness, condition)
            {
                ConditionFeasibility::Yes(witness) => {
                    ways.push(FeasibleDecision { decision, condition, witness, kind });
                }
                ConditionFeasibility::No => {}
                ConditionFeasibility::Unknown(what) => {
                    let place = self.place_at(run, at);
                    self.note_obstruction(UnknownReason::Solver { what, place });
                    let witness = PathWitness { current: false, ..run.witness.clone() };
                    ways.push(FeasibleDecision { decision, condition, witness, kind });
                }
            }
        }
        Some(ways)
    }

    /// The possible values of a term that an instruction needs; `None` if there are none.
    pub(super) fn feasible_values(
        &mut self,
        run: &mut ExplorationRun,
        need: NeededValue,
        at: RunPosition,
    ) -> Option<Vec<FeasibleDecision>> {
        if let Some(allowed) = need.allowed {
            // Other values end in undefined behaviour.
            run.assume_condition(self.terms, allowed);
        }
        match self.is_feasible(run) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(what) => {
                let place = self.place_at(run, at);
                self.note_obstruction(UnknownReason::Solver { what, place });
                return None;
            }
        }
        let mut ways = Vec::new();
        let mut rest = run.path.clone();
        let mut witness = run.witness.clone();
        loop {
            let value = TermEvaluator::new(self.terms, &witness.values).evaluate_term(need.term);
            let Some((value, bits)) =
                value.and_then(|v| NeededValue::concrete_bits(&v).map(|bits| (v, bits)))
            else {
                let what = "an address or size whose value cannot be computed".to_owned();
                let place = self.place_at(run, at);
                self.note_obstruction(UnknownReason::Incomplete { what, place });
                return Some(ways);
            };
            let constant = self.terms.constant(value);
            let condition = self.terms.eq(need.term, constant);
            ways.push(FeasibleDecision {
                decision: bits as usize,
                condition,
                witness: witness.clone(),
                kind: DecisionKind::Give(need, bits),
            });
            let other = self.terms.not(condition);
            match self.oracle.condition_feasibility(self.terms, &rest, &witness, other) {
                ConditionFeasibility::No => return Some(ways),
                ConditionFeasibility::Yes(next) if ways.len() < MOST_VALUES => {
                    rest.add_condition(self.terms, other);
                    witness = next;
                }
                ConditionFeasibility::Yes(_) => {
                    let what =
                        format!("an address or size with more than {MOST_VALUES} possible values");
                    let place = self.place_at(run, at);
                    self.note_obstruction(UnknownReason::Incomplete { what, place });
                    return Some(ways);
                }
                ConditionFeasibility::Unknown(what) => {
                    let place = self.place_at(run, at);
                    self.note_obstruction(UnknownReason::Solver { what, place });
                    return Some(ways);
                }
            }
        }
    }

    /// Goes on in all possible ways.
    pub(super) fn split_run(
        &mut self,
        run: &mut ExplorationRun,
        mut ways: Vec<FeasibleDecision>,
    ) -> RunSplit {
        if ways.len() > 1 && !run.guide.is_empty() {
            let wanted = run.guide.pop_front().expect("not empty");
            ways.retain(|way| way.decision == wanted);
            if ways.is_empty() {
                return RunSplit::Done(None);
            }
            return match self.search_earlier_states(run) {
                Some(outcome) => RunSplit::Done(Some(Box::new(outcome))),
                None => {
                    let node = self.add_node(run, run.path.clone(), true);
                    let way = ways.pop().expect("one is left");
                    self.take_decision(run, way, Some(node));
                    if run.guide.is_empty() { RunSplit::Done(None) } else { RunSplit::Continue }
                }
            };
        }
        match ways.len() {
            0 => RunSplit::Done(None),
            1 => {
                let way = ways.pop().expect("one");
                match way.kind {
                    // The condition follows from the others.
                    DecisionKind::Take(alternative) => {
                        self.machine.take_alternative(&mut run.state, alternative);
                    }
                    DecisionKind::Give(..) => self.take_decision(run, way, None),
                }
                RunSplit::Continue
            }
            _ => {
                let node = match self.visit_state(run, &ways) {
                    StateVisit::Found(outcome) => return RunSplit::Done(Some(outcome)),
                    StateVisit::Merged => return RunSplit::Done(None),
                    StateVisit::New(node) => node,
                };
                self.forks += ways.len() as u64 - 1;
                for way in ways {
                    let mut next = run.clone();
                    next.looks = 0;
                    self.take_decision(&mut next, way, Some(node));
                    self.queue.push_back(next);
                }
                RunSplit::Done(None)
            }
        }
    }

    /// Takes one way.
    fn take_decision(
        &mut self,
        run: &mut ExplorationRun,
        way: FeasibleDecision,
        node: Option<DecisionNodeId>,
    ) {
        if let Some(node) = node {
            run.descend_below(node, way.decision);
        }
        match way.kind {
            DecisionKind::Take(alternative) => {
                self.machine.take_alternative(&mut run.state, alternative);
            }
            DecisionKind::Give(need, bits) => {
                self.machine.concretise_need(&mut run.state, need, bits);
            }
        }
        run.assume_condition(self.terms, way.condition);
        run.witness = way.witness;
    }
}
