//! The tree of decisions: a node for each state at which the run could go on in more than one way.

use std::collections::BTreeSet;

use ouro_machine::MachineState;
use ouro_machine::path::PathCondition;
use ouro_term::Term;

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct DecisionNodeId(pub(crate) u32);

/// A state at which a decision was due.
pub(crate) struct DecisionNode {
    pub(crate) parent: Option<DecisionNodeId>,
    /// The state, before the decision.
    pub(crate) state: MachineState,
    /// Conditions on what is visible in the state.
    pub(crate) path: PathCondition,
    /// Conditions met since the parent, all of them.
    pub(crate) conditions: Vec<Term>,
    /// The fewest calls in progress since the parent.
    pub(crate) low: usize,
    /// Choices made up to here.
    pub(crate) choices: usize,
    /// Which decision of the parent led here.
    pub(crate) decision: usize,
    /// Whether there was more than one way on.
    pub(crate) forks: bool,
    /// Events passed since the parent.
    pub(crate) passed: BTreeSet<u32>,
    /// Where each decision led, as far as it is known: nowhere if the run ended.
    pub(crate) next: Vec<DecisionStep>,
}

/// Where a decision led.
pub(crate) struct DecisionStep {
    pub(crate) decision: usize,
    pub(crate) to: DecisionNodeId,
    /// Events passed on the way.
    pub(crate) passed: BTreeSet<u32>,
}

/// All nodes.
#[derive(Default)]
pub(crate) struct DecisionTree {
    nodes: Vec<DecisionNode>,
}

impl DecisionTree {
    pub(crate) fn add_node(&mut self, node: DecisionNode) -> DecisionNodeId {
        let id = DecisionNodeId(self.nodes.len() as u32);
        if let Some(parent) = node.parent {
            let (decision, passed) = (node.decision, node.passed.clone());
            self.nodes[parent.0 as usize].next.push(DecisionStep { decision, to: id, passed });
        }
        self.nodes.push(node);
        id
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn get(&self, id: DecisionNodeId) -> &DecisionNode {
        &self.nodes[id.0 as usize]
    }

    /// Notes that a step led to a state that another node covers.
    pub(crate) fn add_covered_step(&mut self, from: DecisionNodeId, step: DecisionStep) {
        self.nodes[from.0 as usize].next.push(step);
    }

    /// A node and those above it, nearest first.
    pub(crate) fn node_and_ancestors(
        &self,
        from: Option<DecisionNodeId>,
    ) -> impl Iterator<Item = DecisionNodeId> + '_ {
        std::iter::successors(from, |id| self.get(*id).parent)
    }

    /// The conditions of the whole path to a node.
    pub(crate) fn path_conditions(&self, to: Option<DecisionNodeId>) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::new();
        for id in self.node_and_ancestors(to) {
            all.extend(self.get(id).conditions.iter().rev());
        }
        all.reverse();
        all
    }

    /// The decisions on a way from one node to another, if there is one; `most` nodes are looked
    /// at.
    pub(crate) fn find_decision_path(
        &self,
        from: DecisionNodeId,
        to: DecisionNodeId,
        most: usize,
    ) -> Option<Vec<usize>> {
        let mut came: rustc_hash::FxHashMap<DecisionNodeId, Option<(DecisionNodeId, usize)>> =
            rustc_hash::FxHashMap::default();
        came.insert(from, None);
        let mut pending = std::collections::VecDeque::from([from]);
        while let Some(next) = pending.pop_front() {
            if next == to {
                let mut decisions = Vec::new();
                let mut at = to;
                while let Some((previous, decision)) = came[&at] {
                    decisions.push(decision);
                    at = previous;
                }
                decisions.reverse();
                return Some(decisions);
            }
            if came.len() > most {
                return None;
            }
            for step in &self.get(next).next {
                came.entry(step.to).or_insert_with(|| {
                    pending.push_back(step.to);
                    Some((next, step.decision))
                });
            }
        }
        None
    }

    /// Whether any run could go round in the graph.
    pub(crate) fn has_cycle(&self) -> bool {
        // Nodes whose successors are all done are done; what is left over lies on or before a cycle.
        let mut open: Vec<usize> = self.nodes.iter().map(|n| n.next.len()).collect();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for step in &node.next {
                before[step.to.0 as usize].push(id as u32);
            }
        }
        let mut done: Vec<u32> =
            (0..self.nodes.len() as u32).filter(|id| open[*id as usize] == 0).collect();
        let mut count = 0;
        while let Some(id) = done.pop() {
            count += 1;
            for previous in &before[id as usize] {
                open[*previous as usize] -= 1;
                if open[*previous as usize] == 0 {
                    done.push(*previous);
                }
            }
        }
        count < self.nodes.len()
    }
}
