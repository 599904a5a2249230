//! Looking back: has this state been met before, on this run or on another?

use std::rc::Rc;

use ouro_evidence::{IntegerSemantics, SourcePlace, UnknownReason};
use ouro_machine::RunPosition;
use ouro_machine::path::path_subsumes;
use ouro_model::ChoiceSource;
use ouro_solver::SolverAnswer;
use ouro_term::{SymbolId, Term};
use rustc_hash::FxHashSet;

use super::decide::FeasibleDecision;
use super::fair::find_fair_walk;
use super::feasible::FeasibilityOracle;
use super::recur::{self, ReplayConfirmation, RunSuspicion, SuspectedGoal};
use super::run::ExplorationRun;
use super::search::{ExplorationOutcome, ProgramExploration};
use super::symbolic::{ExploredChoice, WatchedState};
use super::tree::{DecisionNodeId, DecisionStep};

/// Nodes looked at when a merge may close a cycle.
const MOST_WAY: usize = 20_000;
/// Earlier states that one state is compared with.
const MOST_ANCESTORS: usize = 12;
/// Pairs of terms that may have to be equal for two states to be the same.
const MOST_PAIRS: usize = 256;

/// How far a run that recurs is followed, where integers are unbounded.
const FURTHER: u64 = 1_000_000;
/// Fair walks that are followed.
const MOST_FAIR_WALKS: usize = 400;

/// Inputs up to here are tried before others, where integers are unbounded: what is computed from
/// them may leave C's.
const SMALL: i128 = 1000;

/// What a look at a state says.
pub(crate) enum StateVisit {
    Found(Box<ExplorationOutcome>),
    Merged,
    New(DecisionNodeId),
}

/// What became of a suspicion.
enum SuspicionOutcome {
    Found(Box<ExplorationOutcome>),
    /// There is no such run.
    Impossible,
    /// There is, but it is not fair.
    Unfair,
    /// Nobody knows; why.
    Open(String),
}

impl ProgramExploration<'_> {
    /// Looks at a state where runs part: has it been here before, on this run or on another?
    pub(super) fn visit_state(
        &mut self,
        run: &mut ExplorationRun,
        ways: &[FeasibleDecision],
    ) -> StateVisit {
        let (print, visible) =
            self.machine.fingerprint_state(self.terms, &mut self.shapes, &run.state);
        let mut symbols: FxHashSet<SymbolId> = FxHashSet::default();
        for term in visible.iter().chain(ways.iter().map(|w| &w.condition)) {
            symbols.extend(self.oracle.symbols.symbols_of(self.terms, *term).iter().copied());
        }
        if run.witness.current {
            self.forget_irrelevant(run, &symbols);
        }
        if let Some(outcome) = self.search_earlier_states(run) {
            return StateVisit::Found(Box::new(outcome));
        }
        let above: FxHashSet<DecisionNodeId> = self.tree.node_and_ancestors(run.parent).collect();
        // Without fairness a run that comes back to one of its own states is found above. With it, the
        // circle may be a part of a fair one.
        let fairly = !self.program.fairness.is_empty();
        let candidates = match fairly && !run.guide.is_empty() {
            true => Vec::new(),
            false => self.table.get(&print).cloned().unwrap_or_default(),
        };
        for candidate in candidates {
            if above.contains(&candidate) && !fairly {
                continue;
            }
            let other = self.tree.get(candidate);
            if other.state.depth() != run.state.depth() {
                continue;
            }
            let depth = other.state.depth();
            let Some(comparison) =
                self.machine.find_subsumption(self.terms, &other.state, &run.state, depth)
            else {
                continue;
            };
            let outer = other.path.clone();
            if path_subsumes(self.terms, &mut self.oracle.symbols, &comparison, &outer, &run.path) {
                if let Some(parent) = run.parent {
                    if !fairly {
                        self.close_cycle(run, candidate, parent);
                    }
                    let (decision, passed) = (run.decision, run.passed.clone());
                    self.tree
                        .add_covered_step(parent, DecisionStep { decision, to: candidate, passed });
                    if fairly {
                        self.close_fair_cycle(run, candidate, parent);
                    }
                }
                return StateVisit::Merged;
            }
        }
        let node = self.add_node(run, run.path.clone(), !ways.is_empty());
        self.table.entry(print).or_default().push(node);
        StateVisit::New(node)
    }

    /// If the covering node leads to this run's parent, following the circle may find a lasso.
    fn close_cycle(
        &mut self,
        run: &ExplorationRun,
        candidate: DecisionNodeId,
        parent: DecisionNodeId,
    ) {
        let Some(way) = self.tree.find_decision_path(candidate, parent, MOST_WAY) else { return };
        let mut guided = run.clone();
        for _ in 0..2 {
            guided.guide.extend(way.iter().copied());
            guided.guide.push_back(run.decision);
        }
        // One more decision, so that the state after the last iteration is looked at.
        if let Some(first) = way.first() {
            guided.guide.push_back(*first);
        }
        self.queue.push_back(guided);
    }

    /// The same where only fair runs count.
    fn close_fair_cycle(
        &mut self,
        run: &ExplorationRun,
        candidate: DecisionNodeId,
        parent: DecisionNodeId,
    ) {
        self.merges += 1;
        if self.fair_walks >= MOST_FAIR_WALKS
            || self.merges < self.next_fair
            || self.tree.find_decision_path(candidate, parent, MOST_WAY).is_none()
        {
            return;
        }
        let walk = find_fair_walk(&self.tree, &self.program.fairness, candidate, MOST_WAY);
        match walk.filter(|walk| !walk.is_empty()) {
            Some(guide) => {
                self.fair_walks += 1;
                self.queue.push_back(ExplorationRun { guide, ..run.clone() });
            }
            // The whole graph was looked at: the larger it gets, the less often.
            None => self.next_fair = self.merges + self.merges / 16,
        }
    }

    /// A run from the start that goes round fairly, if the whole graph has such a walk and it was not
    /// followed yet.
    pub(super) fn run_along_fair_walk(&mut self) -> Option<ExplorationRun> {
        if self.fair_walks >= MOST_FAIR_WALKS {
            return None;
        }
        // Whoever follows all further walks has followed this one.
        self.fair_walks = MOST_FAIR_WALKS;
        let guide =
            find_fair_walk(&self.tree, &self.program.fairness, DecisionNodeId(0), usize::MAX)?;
        let start = ExplorationRun::new(self.machine.start_state());
        (!guide.is_empty()).then_some(ExplorationRun { guide, ..start })
    }

    /// Forgets conditions and values that have nothing to do with what is visible.
    fn forget_irrelevant(&mut self, run: &mut ExplorationRun, symbols: &FxHashSet<SymbolId>) {
        let index = &mut self.oracle.symbols;
        run.path.keep_relevant(self.terms, index, symbols.iter().copied());
        let mut known: FxHashSet<SymbolId> = symbols.clone();
        for condition in run.path.conditions() {
            known.extend(index.symbols_of(self.terms, *condition).iter().copied());
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
    pub(super) fn search_earlier_states(
        &mut self,
        run: &ExplorationRun,
    ) -> Option<ExplorationOutcome> {
        let position = run.state.position();
        let mut low = run.low;
        let mut tried = 0;
        let mut nodes: Vec<(DecisionNodeId, usize)> = Vec::new();
        let mut passed = run.passed.clone();
        for id in self.tree.node_and_ancestors(run.parent) {
            let node = self.tree.get(id);
            let depth = node.state.depth();
            if node.state.position() == position
                && node.state.steps < run.state.steps
                && depth <= run.state.depth()
                && low >= 1
                && self.program.fairness.iter().all(|pair| pair.is_met(&passed))
            {
                nodes.push((id, depth - low.min(depth) + 1));
                tried += 1;
                if tried >= MOST_ANCESTORS {
                    break;
                }
            }
            low = low.min(node.low);
            passed.extend(&node.passed);
        }
        for (id, frames) in nodes {
            let node = self.tree.get(id);
            let compared =
                self.machine.find_subsumption(self.terms, &node.state, &run.state, frames);
            let Some(comparison) = compared else { continue };
            if comparison.pairs.len() > MOST_PAIRS {
                continue;
            }
            let node = self.tree.get(id);
            let (first_step, first_choices) = (node.state.steps, node.choices);
            let mut conditions = self.tree.path_conditions(run.parent);
            conditions.extend(run.conditions.iter().copied());
            for (a, b) in &comparison.pairs {
                conditions.push(self.terms.eq(*a, *b));
            }
            let suspicion = RunSuspicion {
                step: run.state.steps,
                goal: SuspectedGoal::Recurs { first_step, first_choices },
                choices: &run.choices,
                conditions,
            };
            if let SuspicionOutcome::Found(outcome) = self.settle_suspicion(&suspicion) {
                return Some(*outcome);
            }
        }
        None
    }

    /// A stretch without decisions came back to an earlier state of its own: it goes round forever,
    /// unless there is no such run.
    pub(super) fn confirm_recurrence(
        &mut self,
        run: &mut ExplorationRun,
        snapshot: &WatchedState,
    ) -> Option<ExplorationOutcome> {
        let mut conditions = self.tree.path_conditions(run.parent);
        conditions.extend(run.conditions.iter().copied());
        let suspicion = RunSuspicion {
            step: run.state.steps,
            goal: SuspectedGoal::Recurs {
                first_step: snapshot.state.steps,
                first_choices: snapshot.choices,
            },
            choices: &run.choices,
            conditions,
        };
        match self.settle_suspicion(&suspicion) {
            SuspicionOutcome::Found(outcome) => Some(*outcome),
            SuspicionOutcome::Impossible => {
                // Notes why, if it is a signed overflow that makes it so.
                let _ = self.is_feasible(run);
                None
            }
            // It goes round forever, and always in the same way, unfairly: nothing more comes of it.
            SuspicionOutcome::Unfair => None,
            SuspicionOutcome::Open(what) => {
                let place = self.place_of_run(run);
                self.note_obstruction(UnknownReason::Incomplete { what, place });
                None
            }
        }
    }

    /// A run breaks an obligation: an answer, unless there is no such run.
    pub(super) fn confirm_violation(
        &mut self,
        run: &mut ExplorationRun,
        obligation: u32,
        at: RunPosition,
    ) -> Option<ExplorationOutcome> {
        if let Some(span) = run.state.memory.layout_observed() {
            let place = SourcePlace::of_span(self.program, at.function, span);
            self.note_obstruction(UnknownReason::LayoutDependent { place });
            return None;
        }
        let is_guess = |choice: &Rc<ExploredChoice>| choice.source == ChoiceSource::Guess;
        if self.is_at_known_site(run) && !run.choices.in_order().iter().any(is_guess) {
            // Nothing was promised: the rule is broken where that is known.
            return None;
        }
        let mut conditions = self.tree.path_conditions(run.parent);
        conditions.extend(run.conditions.iter().copied());
        let suspicion = RunSuspicion {
            step: run.state.steps,
            goal: SuspectedGoal::Breaks { obligation },
            choices: &run.choices,
            conditions,
        };
        match self.settle_suspicion(&suspicion) {
            SuspicionOutcome::Found(outcome) => return Some(*outcome),
            SuspicionOutcome::Impossible => {
                // Notes why, if it is a signed overflow that makes it so.
                let _ = self.is_feasible(run);
            }
            SuspicionOutcome::Unfair => unreachable!("a run that ends is not asked to be fair"),
            SuspicionOutcome::Open(what) => {
                let place = self.place_at(run, at);
                self.note_obstruction(UnknownReason::Incomplete { what, place });
            }
        }
        None
    }

    /// Where a run is.
    fn place_of_run(&self, run: &ExplorationRun) -> SourcePlace {
        let span = self.machine.next_instruction_span(&run.state);
        self.place_at(run, RunPosition { function: run.state.position().0, span })
    }

    fn settle_suspicion(&mut self, suspicion: &RunSuspicion<'_>) -> SuspicionOutcome {
        for condition in &suspicion.conditions {
            let symbols = self.oracle.symbols.symbols_of(self.terms, *condition);
            if symbols.iter().any(|s| self.unknowns.contains(s)) {
                let what = suspicion.goal.name();
                return SuspicionOutcome::Open(format!(
                    "{what}, but whether the run gets there depends on an unknown value"
                ));
            }
        }
        let mut open = match self.try_conditions(suspicion, &suspicion.conditions) {
            SuspicionOutcome::Open(why) => why,
            settled => return settled,
        };
        // Unbounded integers may be beyond C's, or lead there: small ones first.
        for most in [SMALL, i128::MAX] {
            let symbols = &mut self.oracle.symbols;
            let fitting = recur::input_range_conditions(self.terms, symbols, suspicion, most);
            if fitting.is_empty() {
                break;
            }
            let conditions = [&suspicion.conditions[..], &fitting[..]].concat();
            match self.try_conditions(suspicion, &conditions) {
                settled @ (SuspicionOutcome::Found(_) | SuspicionOutcome::Unfair) => {
                    return settled;
                }
                SuspicionOutcome::Open(why) => open = why,
                SuspicionOutcome::Impossible if most == SMALL => {}
                SuspicionOutcome::Impossible => {
                    let what = suspicion.goal.name();
                    open = format!("{what}, but only for inputs outside the range of C's integers");
                }
            }
        }
        SuspicionOutcome::Open(open)
    }

    /// Looks for inputs under conditions, and tries them out.
    fn try_conditions(
        &mut self,
        suspicion: &RunSuspicion<'_>,
        conditions: &[Term],
    ) -> SuspicionOutcome {
        let FeasibilityOracle { session, symbols } = &mut self.oracle;
        let values = match recur::solve_components(session, symbols, self.terms, conditions) {
            SolverAnswer::Sat(values) => values,
            SolverAnswer::Unsat => return SuspicionOutcome::Impossible,
            SolverAnswer::Unknown(why) => {
                let what = suspicion.goal.name();
                return SuspicionOutcome::Open(format!(
                    "{what}, but no concrete input was found: \
                     {why}"
                ));
            }
        };
        let further = if self.settings.ints == IntegerSemantics::Unbounded { FURTHER } else { 0 };
        match recur::confirm_by_replay(
            self.program,
            self.machine,
            self.terms,
            &values,
            suspicion,
            further,
        ) {
            ReplayConfirmation::Yes(evidence, explanation) => SuspicionOutcome::Found(Box::new(
                ExplorationOutcome::Found(*evidence, *explanation),
            )),
            ReplayConfirmation::Unfair => SuspicionOutcome::Unfair,
            ReplayConfirmation::No => {
                let what = suspicion.goal.name();
                SuspicionOutcome::Open(format!("{what} symbolically, but not in a concrete run"))
            }
        }
    }
}
