//! The search: runs wait in a queue, each is followed to its next decision.

use std::collections::VecDeque;

use ouro_evidence::{Evidence, Explanation, PathExhaustion, SourcePlace, UnknownReason};
use ouro_machine::path::PathCondition;
use ouro_machine::{Machine, MachineStop, RunEnd, RunPosition, SIGNED_OVERFLOW, TermShapes};
use ouro_model::{Program, Span};
use ouro_solver::SolverAnswer;
use ouro_solver::clock;
use ouro_term::{SymbolId, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use super::decide::RunSplit;
use super::feasible::{ConditionFeasibility, FeasibilityOracle};
use super::look_back::StateVisit;
use super::run::ExplorationRun;
use super::symbolic::{ExplorationEnvironment, HeadVisitCounts, RecurrenceWatch};
use super::tree::{DecisionNode, DecisionNodeId, DecisionTree};
use crate::EngineSettings;

/// Steps between two looks at the clock. Steps on terms are slow.
const SLICE: u64 = 50_000;
/// A run that has passed this many loop heads or recursive calls has gone round, or may have.
const ITERATED: u64 = 2;

/// How the search ended.
#[allow(clippy::large_enum_variant, reason = "a search has one")]
pub(crate) enum ExplorationOutcome {
    Found(Evidence, Explanation),
    Nothing(UnknownReason),
}

pub(crate) struct ProgramExploration<'a> {
    pub(super) program: &'a Program,
    pub(super) machine: &'a Machine,
    pub(super) terms: &'a mut TermStore,
    pub(super) settings: &'a EngineSettings,
    pub(super) oracle: FeasibilityOracle,
    pub(super) shapes: TermShapes,
    pub(super) tree: DecisionTree,
    pub(super) table: FxHashMap<u64, Vec<DecisionNodeId>>,
    pub(super) queue: VecDeque<ExplorationRun>,
    pub(super) unknowns: FxHashSet<SymbolId>,
    pub(crate) visits: HeadVisitCounts,
    /// Why a proof by exhaustion is impossible, if it is: the first reason met.
    obstacle: Option<UnknownReason>,
    pub(super) forks: u64,
    steps: u64,
    turn: u64,
    /// How many fair walks were followed.
    pub(super) fair_walks: usize,
    /// How often states covered each other, and when to look for a fair walk again.
    pub(super) merges: usize,
    pub(super) next_fair: usize,
    /// Call sites that need no further evidence.
    pub(super) known: &'a [SourcePlace],
}

/// What a search has between two slices of time. All terms are of one store.
pub(crate) struct SearchProgress {
    oracle: FeasibilityOracle,
    shapes: TermShapes,
    tree: DecisionTree,
    table: FxHashMap<u64, Vec<DecisionNodeId>>,
    queue: VecDeque<ExplorationRun>,
    unknowns: FxHashSet<SymbolId>,
    visits: HeadVisitCounts,
    obstacle: Option<UnknownReason>,
    counts: [u64; 3],
    fair: [usize; 3],
}

impl SearchProgress {
    /// The start of the program.
    pub(crate) fn new(machine: &Machine, oracle: FeasibilityOracle) -> SearchProgress {
        SearchProgress {
            oracle,
            shapes: TermShapes::default(),
            tree: DecisionTree::default(),
            table: FxHashMap::default(),
            queue: VecDeque::from([ExplorationRun::new(machine.start_state())]),
            unknowns: FxHashSet::default(),
            visits: HeadVisitCounts::default(),
            obstacle: None,
            counts: [0; 3],
            fair: [0; 3],
        }
    }
}

impl<'a> ProgramExploration<'a> {
    /// A search that goes on where it was.
    pub(crate) fn new(
        program: &'a Program,
        machine: &'a Machine,
        terms: &'a mut TermStore,
        settings: &'a EngineSettings,
        progress: SearchProgress,
    ) -> Self {
        let SearchProgress {
            oracle,
            shapes,
            tree,
            table,
            queue,
            unknowns,
            visits,
            obstacle,
            counts: [forks, steps, turn],
            fair: [fair_walks, merges, next_fair],
        } = progress;
        ProgramExploration {
            program,
            machine,
            terms,
            settings,
            oracle,
            shapes,
            tree,
            table,
            queue,
            unknowns,
            visits,
            obstacle,
            forks,
            steps,
            turn,
            fair_walks,
            merges,
            next_fair,
            known: &[],
        }
    }

    /// What there is to go on with.
    pub(crate) fn into_progress(self) -> SearchProgress {
        SearchProgress {
            oracle: self.oracle,
            shapes: self.shapes,
            tree: self.tree,
            table: self.table,
            queue: self.queue,
            unknowns: self.unknowns,
            visits: self.visits,
            obstacle: self.obstacle,
            counts: [self.forks, self.steps, self.turn],
            fair: [self.fair_walks, self.merges, self.next_fair],
        }
    }

    /// Searches until something is found, everything has ended, or the budget is spent.
    pub(crate) fn run_to_outcome(&mut self) -> ExplorationOutcome {
        loop {
            while let Some(run) = self.next_run() {
                if let Some(outcome) = self.follow_run(run) {
                    return outcome;
                }
            }
            // Now the graph is whole, and so are its circles.
            let fairly = !self.program.fairness.is_empty() && self.tree.len() > 0;
            match fairly.then(|| self.run_along_fair_walk()).flatten() {
                Some(run) => self.queue.push_back(run),
                None => break,
            }
        }
        if let Some(reason) = self.obstacle.take() {
            return ExplorationOutcome::Nothing(reason);
        }
        let fairness = &self.program.fairness;
        let goes_round = match fairness.is_empty() {
            true => self.tree.has_cycle(),
            false => super::fair::has_fair_component(&self.tree, fairness),
        };
        if goes_round {
            let what = match fairness.is_empty() {
                true => {
                    "some states subsume each other in a cycle, but no run that repeats the \
                     cycle was found"
                }
                false => "some cyclic runs may be fair, but no fair one was found",
            };
            let (what, place) = (what.to_owned(), unknown_place());
            return ExplorationOutcome::Nothing(UnknownReason::Incomplete { what, place });
        }
        let exhaustion = PathExhaustion {
            states: self.tree.len() as u64,
            forks: self.forks,
            steps: self.steps,
            undefined: Vec::new(),
        };
        ExplorationOutcome::Found(Evidence::Exhausted(exhaustion), Explanation::default())
    }

    /// Shallow runs find short lassos, deep runs get somewhere: take turns.
    fn next_run(&mut self) -> Option<ExplorationRun> {
        self.turn += 1;
        if self.turn.is_multiple_of(2) { self.queue.pop_front() } else { self.queue.pop_back() }
    }

    fn spent_budget(&self) -> Option<UnknownReason> {
        if clock::budget_now() >= self.settings.deadline {
            return Some(UnknownReason::Time { limit: self.settings.time });
        }
        if self.turn.is_multiple_of(64)
            && resident_mib().is_some_and(|mib| mib > self.settings.memory_mib * 9 / 10)
        {
            return Some(UnknownReason::Memory { mib: self.settings.memory_mib });
        }
        None
    }

    pub(super) fn note_obstruction(&mut self, reason: UnknownReason) {
        self.obstacle.get_or_insert(reason);
    }

    /// Where a run is, for people: within the C library, where the program called it.
    pub(super) fn place_at(&self, run: &ExplorationRun, at: RunPosition) -> SourcePlace {
        let is_known = |at: &RunPosition| {
            let function = &self.program.functions[at.function];
            (function.user || function.specification) && at.span.is_known()
        };
        let called = || self.machine.call_stack_positions(&run.state).find(is_known);
        let at = if is_known(&at) { at } else { called().unwrap_or(at) };
        SourcePlace::of_span(self.program, at.function, at.span)
    }

    /// Follows a run to its end or to its next decision.
    fn follow_run(&mut self, mut run: ExplorationRun) -> Option<ExplorationOutcome> {
        let mut watch = RecurrenceWatch::new(run.choices.len(), run.looks);
        loop {
            if let Some(reason) = self.spent_budget() {
                // The next slice goes on with it.
                self.queue.push_back(run);
                return Some(ExplorationOutcome::Nothing(reason));
            }
            let (before, parent) = (run.state.steps, run.parent);
            let stop = self.run_stretch(&mut run, &mut watch);
            self.steps += run.state.steps - before;
            if let Some(snapshot) = watch.recurred.take() {
                return self.confirm_recurrence(&mut run, &snapshot);
            }
            match stop {
                MachineStop::Steps => {}
                MachineStop::Mark => {
                    let merged = self.visit_state(&mut run, &[]);
                    match merged {
                        StateVisit::Found(outcome) => return Some(*outcome),
                        StateVisit::Merged => return None,
                        StateVisit::New(node) => {
                            run.descend_below(node, 0);
                            run.looks += 1;
                        }
                    }
                }
                MachineStop::End(RunEnd::Violation(obligation), at) => {
                    return self.confirm_violation(&mut run, obligation, at);
                }
                MachineStop::End(end, at) => {
                    self.note_run_end(&mut run, end, at);
                    return None;
                }
                MachineStop::Fork(alternatives, at) => {
                    let ways = self.feasible_alternatives(&mut run, &alternatives, at)?;
                    match self.split_run(&mut run, ways) {
                        RunSplit::Done(outcome) => return outcome.map(|o| *o),
                        RunSplit::Continue => watch.decided = true,
                    }
                }
                MachineStop::Concretise(need, at) => {
                    let ways = self.feasible_values(&mut run, need, at)?;
                    match self.split_run(&mut run, ways) {
                        RunSplit::Done(outcome) => return outcome.map(|o| *o),
                        RunSplit::Continue => watch.decided = true,
                    }
                }
            }
            if run.parent != parent {
                watch = RecurrenceWatch::new(run.choices.len(), run.looks);
            }
        }
    }

    /// Runs the machine to the next stop, in slices.
    fn run_stretch(
        &mut self,
        run: &mut ExplorationRun,
        watch: &mut RecurrenceWatch,
    ) -> MachineStop {
        let choices = std::mem::take(&mut run.choices);
        let mut surroundings = ExplorationEnvironment::new(
            self.machine,
            choices,
            &mut self.unknowns,
            &mut self.visits,
            &mut run.passed,
            watch,
        );
        let marks = surroundings.watch.marks;
        let stop = loop {
            let until = run.state.steps + SLICE;
            let stop = self.machine.run_until(&mut run.state, self.terms, &mut surroundings, until);
            if !matches!(stop, MachineStop::Steps) || clock::budget_now() >= self.settings.deadline
            {
                break stop;
            }
        };
        let ExplorationEnvironment { choices, conditions, excluded, restricted, .. } = surroundings;
        run.choices = choices;
        run.marks += watch.marks - marks;
        run.low = run.low.min(watch.low).min(run.state.low);
        let mut excluded = excluded.into_iter().peekable();
        let mut restricted = restricted.into_iter().peekable();
        for (i, condition) in conditions.into_iter().enumerate() {
            if let Some((_, why, span)) = restricted.next_if(|r| r.0 == i)
                && self.is_certain(run, condition, why, span)
            {
                continue;
            }
            if let Some((_, what, span)) = excluded.next_if(|e| e.0 == i)
                && what.starts_with(SIGNED_OVERFLOW)
            {
                run.no_overflow.push((condition, span));
            }
            run.assume_condition(self.terms, condition);
        }
        stop
    }

    /// Whether a condition leaves no run out. If it does, or may, no proof that all runs end is
    /// possible, and nobody asks again.
    fn is_certain(
        &mut self,
        run: &mut ExplorationRun,
        condition: Term,
        otherwise: String,
        span: Span,
    ) -> bool {
        if run.path.conditions().contains(&condition) {
            return true;
        }
        if self.obstacle.is_some() {
            return false;
        }
        let broken = self.terms.not(condition);
        let certain = match self.oracle.refresh_witness(self.terms, &run.path, &mut run.witness) {
            Ok(true) => {
                let possible =
                    self.oracle.condition_feasibility(self.terms, &run.path, &run.witness, broken);
                matches!(possible, ConditionFeasibility::No)
            }
            Ok(false) => true,
            Err(_) => false,
        };
        if !certain {
            let place = match span.is_known() {
                true => self.place_of_span(run, span),
                false => unknown_place(),
            };
            self.note_obstruction(UnknownReason::Limit { what: otherwise, place });
        }
        certain
    }

    /// A place that a run has passed. It may be in another function by now, so only file and line are known.
    fn place_of_span(&self, run: &ExplorationRun, span: Span) -> SourcePlace {
        let here = SourcePlace::of_span(self.program, run.state.position().0, span);
        SourcePlace { function: String::new(), ..here }
    }

    /// Whether a run is possible. One that is not, only because nothing may overflow, has to
    /// overflow: if that is in a loop, the loop goes on until then, which is neither an end that
    /// could be relied on nor an endless run.
    pub(super) fn is_feasible(&mut self, run: &mut ExplorationRun) -> Result<bool, String> {
        let possible = self.oracle.refresh_witness(self.terms, &run.path, &mut run.witness)?;
        let no_overflow = std::mem::take(&mut run.no_overflow);
        if possible || no_overflow.is_empty() || run.marks < ITERATED {
            return Ok(possible);
        }
        let rest: Vec<Term> = run
            .path
            .conditions()
            .iter()
            .copied()
            .filter(|c| no_overflow.iter().all(|(excluded, _)| excluded != c))
            .collect();
        if !matches!(self.oracle.session.check_sat(self.terms, &rest), SolverAnswer::Unsat) {
            let (_, span) = no_overflow.last().expect("not empty");
            let here = SourcePlace::of_span(self.program, run.state.position().0, *span);
            let place = SourcePlace { function: String::new(), ..here };
            self.note_obstruction(UnknownReason::SignedOverflow { place });
        }
        Ok(false)
    }

    fn note_run_end(&mut self, run: &mut ExplorationRun, end: RunEnd, at: RunPosition) {
        let place = self.place_at(run, at);
        let matters =
            matches!(end, RunEnd::Undefined(_) | RunEnd::Limit(_) | RunEnd::NeedsInput(_))
                || run.state.memory.layout_observed().is_some();
        if !matters {
            return;
        }
        if let Ok(false) = self.is_feasible(run) {
            return;
        }
        if let Some(span) = run.state.memory.layout_observed() {
            let place = SourcePlace::of_span(self.program, at.function, span);
            self.note_obstruction(UnknownReason::LayoutDependent { place });
        }
        match end {
            RunEnd::Limit(what) => self.note_obstruction(UnknownReason::Limit { what, place }),
            RunEnd::NeedsInput(what) => {
                self.note_obstruction(UnknownReason::Incomplete { what, place });
            }
            RunEnd::Undefined(what)
                if what.starts_with(SIGNED_OVERFLOW) && run.marks >= ITERATED =>
            {
                self.note_obstruction(UnknownReason::SignedOverflow { place });
            }
            // A broken obligation is an answer, and comes not here.
            RunEnd::Exit(_)
            | RunEnd::Abort(_)
            | RunEnd::Undefined(_)
            | RunEnd::Blocked
            | RunEnd::Violation(_) => {}
        }
    }

    pub(super) fn add_node(
        &mut self,
        run: &ExplorationRun,
        path: PathCondition,
        forks: bool,
    ) -> DecisionNodeId {
        self.tree.add_node(DecisionNode {
            parent: run.parent,
            state: run.state.clone(),
            path,
            conditions: run.conditions.clone(),
            low: run.low,
            choices: run.choices.len(),
            decision: run.decision,
            forks,
            passed: run.passed.clone(),
            next: Vec::new(),
        })
    }
}

fn unknown_place() -> SourcePlace {
    SourcePlace { file: String::new(), line: 0, function: String::new() }
}

/// Memory that the process uses.
pub(super) fn resident_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096 / (1 << 20))
}
