//! Looking back: has this state been met before, on this run or on another?

use ouro_evidence::{Ints, Reason};
use ouro_machine::At;
use ouro_machine::path::covers;
use ouro_solver::Answer;
use ouro_term::{SymbolId, Term};
use rustc_hash::FxHashSet;

use super::feasible::Oracle;
use super::recur::{self, Suspicion};
use super::run::Run;
use super::search::{Outcome, Search, Way};
use super::symbolic::Snapshot;
use super::tree::NodeId;

/// Nodes looked at when a merge may close a cycle.
const MOST_WAY: usize = 20_000;
/// Earlier states that one state is compared with.
const MOST_ANCESTORS: usize = 12;
/// Pairs of terms that may have to be equal for two states to be the same.
const MOST_PAIRS: usize = 256;

/// How far a run that recurs is followed, where integers are unbounded.
const FURTHER: u64 = 1_000_000;

/// Inputs up to here are tried before others, where integers are unbounded: what is computed from
/// them may leave C's.
const SMALL: i128 = 1000;

/// What a look at a state says.
pub(crate) enum Visit {
    Found(Box<Outcome>),
    Merged,
    New(NodeId),
}

/// What became of a suspicion.
enum Settled {
    Found(Outcome),
    /// There is no such run.
    Impossible,
    /// Nobody knows; why.
    Open(String),
}

impl Search<'_> {
    /// Looks at a state where runs part: has it been here before, on this run or on another?
    pub(super) fn visit(&mut self, run: &mut Run, ways: &[Way]) -> Visit {
        let (print, visible) = self.machine.fingerprint(self.terms, &mut self.shapes, &run.state);
        let mut symbols: FxHashSet<SymbolId> = FxHashSet::default();
        for term in visible.iter().chain(ways.iter().map(|w| &w.condition)) {
            symbols.extend(self.oracle.symbols.of(self.terms, *term).iter().copied());
        }
        if run.witness.current {
            self.forget(run, &symbols);
        }
        if let Some(outcome) = self.revisit(run) {
            return Visit::Found(Box::new(outcome));
        }
        let above: FxHashSet<NodeId> = self.tree.upward(run.parent).collect();
        for candidate in self.table.get(&print).cloned().unwrap_or_default() {
            if above.contains(&candidate) {
                continue;
            }
            let other = self.tree.get(candidate);
            if other.state.depth() != run.state.depth() {
                continue;
            }
            let depth = other.state.depth();
            let Some(comparison) =
                self.machine.compare(self.terms, &other.state, &run.state, depth)
            else {
                continue;
            };
            let outer = other.path.clone();
            if covers(self.terms, &mut self.oracle.symbols, &comparison, &outer, &run.path) {
                if let Some(parent) = run.parent {
                    self.close_cycle(run, candidate, parent);
                    self.tree.link(parent, run.decision, candidate);
                }
                return Visit::Merged;
            }
        }
        let node = self.add_node(run, run.path.clone());
        self.table.entry(print).or_default().push(node);
        Visit::New(node)
    }

    /// If the covering node leads to this run's parent, following the circle may find a lasso.
    fn close_cycle(&mut self, run: &Run, candidate: NodeId, parent: NodeId) {
        let Some(way) = self.tree.way(candidate, parent, MOST_WAY) else { return };
        let mut guided = run.clone();
        for _ in 0..2 {
            guided.guide.extend(way.iter().copied());
            guided.guide.push_back(run.decision);
        }
        // One more decision, so that the state after the last turn is looked at.
        if let Some(first) = way.first() {
            guided.guide.push_back(*first);
        }
        self.queue.push_back(guided);
    }

    /// Forgets conditions and values that have nothing to do with what is visible.
    fn forget(&mut self, run: &mut Run, symbols: &FxHashSet<SymbolId>) {
        let index = &mut self.oracle.symbols;
        run.path.keep_relevant(self.terms, index, symbols.iter().copied());
        let mut known: FxHashSet<SymbolId> = symbols.clone();
        for condition in run.path.conditions() {
            known.extend(index.of(self.terms, *condition).iter().copied());
        }
        let mut values = ouro_term::Assignment::new();
        for symbol in known {
            if let Some(value) = run.witness.values.get(symbol) {
                values.set(symbol, value.clone());
            }
        }
        run.witness.values = values;
    }

    /// Compares a state with earlier ones of the same run at the same place.
    pub(super) fn revisit(&mut self, run: &Run) -> Option<Outcome> {
        let position = run.state.position();
        let mut low = run.low;
        let mut tried = 0;
        let mut nodes: Vec<(NodeId, usize)> = Vec::new();
        for id in self.tree.upward(run.parent) {
            let node = self.tree.get(id);
            let depth = node.state.depth();
            if node.state.position() == position
                && node.state.steps < run.state.steps
                && depth <= run.state.depth()
                && low >= 1
            {
                nodes.push((id, depth - low.min(depth) + 1));
                tried += 1;
                if tried >= MOST_ANCESTORS {
                    break;
                }
            }
            low = low.min(node.low);
        }
        for (id, frames) in nodes {
            let node = self.tree.get(id);
            let compared = self.machine.compare(self.terms, &node.state, &run.state, frames);
            let Some(comparison) = compared else { continue };
            if comparison.pairs.len() > MOST_PAIRS {
                continue;
            }
            let node = self.tree.get(id);
            let (first_step, first_choices) = (node.state.steps, node.choices);
            let mut conditions = self.tree.conditions(run.parent);
            conditions.extend(run.conditions.iter().copied());
            for (a, b) in &comparison.pairs {
                conditions.push(self.terms.eq(*a, *b));
            }
            let suspicion = Suspicion {
                first_step,
                second_step: run.state.steps,
                first_choices,
                choices: &run.choices,
                conditions,
            };
            if let Settled::Found(outcome) = self.settle(&suspicion) {
                return Some(outcome);
            }
        }
        None
    }

    /// A stretch without decisions came back to an earlier state of its own: it goes round forever,
    /// unless there is no such run.
    pub(super) fn came_back(&mut self, run: &mut Run, snapshot: &Snapshot) -> Option<Outcome> {
        let mut conditions = self.tree.conditions(run.parent);
        conditions.extend(run.conditions.iter().copied());
        let suspicion = Suspicion {
            first_step: snapshot.state.steps,
            second_step: run.state.steps,
            first_choices: snapshot.choices,
            choices: &run.choices,
            conditions,
        };
        match self.settle(&suspicion) {
            Settled::Found(outcome) => Some(outcome),
            Settled::Impossible => {
                // Notes why, if it is a signed overflow that makes it so.
                let _ = self.possible(run);
                None
            }
            Settled::Open(what) => {
                let at =
                    At { function: run.state.position().0, span: self.machine.place(&run.state) };
                let place = self.place(at);
                self.obstruct(Reason::Incomplete { what, place });
                None
            }
        }
    }

    fn settle(&mut self, suspicion: &Suspicion<'_>) -> Settled {
        for condition in &suspicion.conditions {
            let symbols = self.oracle.symbols.of(self.terms, *condition);
            if symbols.iter().any(|s| self.unknowns.contains(s)) {
                let what = "a state recurs, but whether it is reached depends on an unknown value";
                return Settled::Open(what.to_owned());
            }
        }
        let mut open = match self.attempt(suspicion, &suspicion.conditions) {
            Settled::Open(why) => why,
            settled => return settled,
        };
        // Unbounded integers may be beyond C's, or lead there: small ones first.
        for most in [SMALL, i128::MAX] {
            let symbols = &mut self.oracle.symbols;
            let fitting = recur::inputs_fit(self.terms, symbols, suspicion, most);
            if fitting.is_empty() {
                break;
            }
            let conditions = [&suspicion.conditions[..], &fitting[..]].concat();
            match self.attempt(suspicion, &conditions) {
                Settled::Found(outcome) => return Settled::Found(outcome),
                Settled::Open(why) => open = why,
                Settled::Impossible if most == SMALL => {}
                Settled::Impossible => {
                    open = "a state recurs, but only for inputs beyond C's integers".to_owned();
                }
            }
        }
        Settled::Open(open)
    }

    /// Looks for inputs under conditions, and tries them out.
    fn attempt(&mut self, suspicion: &Suspicion<'_>, conditions: &[Term]) -> Settled {
        let Oracle { session, symbols } = &mut self.oracle;
        let values = match recur::solve(session, symbols, self.terms, conditions) {
            Answer::Sat(values) => values,
            Answer::Unsat => return Settled::Impossible,
            Answer::Unknown(why) => {
                return Settled::Open(format!("a state recurs, but no input is known: {why}"));
            }
        };
        let further = if self.settings.ints == Ints::Unbounded { FURTHER } else { 0 };
        match recur::confirm(self.program, self.machine, self.terms, &values, suspicion, further) {
            Some((evidence, explanation)) => Settled::Found(Outcome::Found(evidence, explanation)),
            None => Settled::Open("a state recurs symbolically, but not in a run".to_owned()),
        }
    }
}
