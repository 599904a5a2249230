//! A run in the making: a state with the conditions under which it is reached.

use std::collections::{BTreeSet, VecDeque};

use ouro_machine::MachineState;
use ouro_machine::path::PathCondition;
use ouro_model::Span;
use ouro_term::{Term, TermStore};

use super::feasible::PathWitness;
use super::symbolic::ExploredChoices;
use super::tree::DecisionNodeId;

/// A run that has not ended.
#[derive(Clone)]
pub(crate) struct ExplorationRun {
    pub(crate) state: MachineState,
    /// Conditions on what is visible in the state; others are only in the tree.
    pub(crate) path: PathCondition,
    pub(crate) witness: PathWitness,
    pub(crate) choices: ExploredChoices,
    /// All conditions met since the parent.
    pub(crate) conditions: Vec<Term>,
    /// The fewest calls in progress since the parent, up to the current stretch.
    pub(crate) low: usize,
    /// Events passed since the parent.
    pub(crate) passed: BTreeSet<u32>,
    pub(crate) parent: Option<DecisionNodeId>,
    /// Which decision of the parent led here.
    pub(crate) decision: usize,
    /// How often the run was looked at since it last parted: each time it is left alone for longer.
    pub(crate) looks: u32,
    /// Loop heads and recursive calls passed.
    pub(crate) marks: u64,
    /// Conditions that no signed operation overflows, since the run was last known to be possible.
    pub(crate) no_overflow: Vec<(Term, Span)>,
    /// Decisions to take, instead of all possible ones: the run follows a suspected cycle.
    pub(crate) guide: VecDeque<usize>,
}

impl ExplorationRun {
    pub(crate) fn new(state: MachineState) -> ExplorationRun {
        let low = state.depth();
        ExplorationRun {
            state,
            path: PathCondition::default(),
            witness: PathWitness { current: true, ..PathWitness::default() },
            choices: ExploredChoices::default(),
            conditions: Vec::new(),
            low,
            passed: BTreeSet::new(),
            parent: None,
            decision: 0,
            looks: 0,
            marks: 0,
            no_overflow: Vec::new(),
            guide: VecDeque::new(),
        }
    }

    /// Adds a condition that may make the run impossible.
    pub(crate) fn assume_condition(&mut self, terms: &TermStore, condition: Term) {
        self.path.add_condition(terms, condition);
        self.conditions.push(condition);
        self.witness.current = false;
    }

    /// Starts a new stretch below a node.
    pub(crate) fn descend_below(&mut self, node: DecisionNodeId, decision: usize) {
        self.parent = Some(node);
        self.decision = decision;
        self.conditions.clear();
        self.passed.clear();
        self.low = self.state.depth();
        self.state.low = self.state.depth();
    }
}
