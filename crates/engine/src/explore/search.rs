//! The search: runs wait in a queue, each is followed to its next decision.

use std::collections::VecDeque;

use ouro_evidence::{Evidence, Exhaustion, Explanation, Place, Reason};
use ouro_machine::path::Path;
use ouro_machine::{Alternative, At, End, Machine, Need, SIGNED_OVERFLOW, Shapes, Stop};
use ouro_model::{Program, Span};
use ouro_solver::Answer;
use ouro_solver::clock;
use ouro_term::{Evaluator, SymbolId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::feasible::{Oracle, Possible, Witness};
use super::look_back::Visit;
use super::run::Run;
use super::symbolic::{Symbolic, Visits, Watch};
use super::tree::{Node, NodeId, Tree};
use crate::Settings;

/// Steps between two looks at the clock. Steps on terms are slow.
const SLICE: u64 = 50_000;
/// Values of one symbolic address or size that are tried.
const MOST_VALUES: usize = 64;
/// A run that has passed this many loop heads or recursive calls has gone round, or may have.
const ITERATED: u64 = 2;

/// How the search ended.
#[allow(clippy::large_enum_variant, reason = "a search has one")]
pub(crate) enum Outcome {
    Found(Evidence, Explanation),
    Nothing(Reason),
}

/// A decision that is possible.
pub(crate) struct Way {
    decision: usize,
    pub(crate) condition: Term,
    witness: Witness,
    kind: WayKind,
}

#[derive(Clone, Copy)]
enum WayKind {
    Take(Alternative),
    Give(Need, u64),
}

pub(crate) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) machine: &'a Machine,
    pub(super) terms: &'a mut Terms,
    pub(super) settings: &'a Settings,
    pub(super) oracle: Oracle,
    pub(super) shapes: Shapes,
    pub(super) tree: Tree,
    pub(super) table: FxHashMap<u64, Vec<NodeId>>,
    pub(super) queue: VecDeque<Run>,
    pub(super) unknowns: FxHashSet<SymbolId>,
    pub(crate) visits: Visits,
    /// Why a proof by exhaustion is impossible, if it is: the first reason met.
    obstacle: Option<Reason>,
    forks: u64,
    steps: u64,
    turn: u64,
    /// How many fair walks were followed.
    pub(super) fair_walks: usize,
    /// How often states covered each other, and when to look for a fair walk again.
    pub(super) merges: usize,
    pub(super) next_fair: usize,
    /// Call sites that need no further evidence.
    pub(super) known: &'a [Place],
}

/// What a search has between two slices of time. All terms are of one store.
pub(crate) struct SearchProgress {
    oracle: Oracle,
    shapes: Shapes,
    tree: Tree,
    table: FxHashMap<u64, Vec<NodeId>>,
    queue: VecDeque<Run>,
    unknowns: FxHashSet<SymbolId>,
    visits: Visits,
    obstacle: Option<Reason>,
    counts: [u64; 3],
    fair: [usize; 3],
}

impl SearchProgress {
    /// The start of the program.
    pub(crate) fn new(machine: &Machine, oracle: Oracle) -> SearchProgress {
        SearchProgress {
            oracle,
            shapes: Shapes::default(),
            tree: Tree::default(),
            table: FxHashMap::default(),
            queue: VecDeque::from([Run::new(machine.start())]),
            unknowns: FxHashSet::default(),
            visits: Visits::default(),
            obstacle: None,
            counts: [0; 3],
            fair: [0; 3],
        }
    }
}

impl<'a> Search<'a> {
    /// A search that goes on where it was.
    pub(crate) fn new(
        program: &'a Program,
        machine: &'a Machine,
        terms: &'a mut Terms,
        settings: &'a Settings,
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
        Search {
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
    pub(crate) fn search(&mut self) -> Outcome {
        loop {
            while let Some(run) = self.next_run() {
                if let Some(outcome) = self.follow(run) {
                    return outcome;
                }
            }
            // Now the graph is whole, and so are its circles.
            let fairly = !self.program.fairness.is_empty() && self.tree.len() > 0;
            match fairly.then(|| self.last_fair_walk()).flatten() {
                Some(run) => self.queue.push_back(run),
                None => break,
            }
        }
        if let Some(reason) = self.obstacle.take() {
            return Outcome::Nothing(reason);
        }
        let fairness = &self.program.fairness;
        let goes_round = match fairness.is_empty() {
            true => self.tree.has_cycle(),
            false => super::fair::has_fair_part(&self.tree, fairness),
        };
        if goes_round {
            let what = match fairness.is_empty() {
                true => "states cover each other in a circle, and no run that goes round was found",
                false => "runs go round that may be fair, and none was found that is",
            };
            let (what, place) = (what.to_owned(), nowhere());
            return Outcome::Nothing(Reason::Incomplete { what, place });
        }
        let exhaustion = Exhaustion {
            states: self.tree.len() as u64,
            forks: self.forks,
            steps: self.steps,
            undefined: Vec::new(),
        };
        Outcome::Found(Evidence::Exhausted(exhaustion), Explanation::default())
    }

    /// Shallow runs find short lassos, deep runs get somewhere: take turns.
    fn next_run(&mut self) -> Option<Run> {
        self.turn += 1;
        if self.turn.is_multiple_of(2) { self.queue.pop_front() } else { self.queue.pop_back() }
    }

    fn spent(&self) -> Option<Reason> {
        if clock::now() >= self.settings.deadline {
            return Some(Reason::Time { limit: self.settings.time });
        }
        if self.turn.is_multiple_of(64)
            && resident_mib().is_some_and(|mib| mib > self.settings.memory_mib * 9 / 10)
        {
            return Some(Reason::Memory { mib: self.settings.memory_mib });
        }
        None
    }

    pub(super) fn obstruct(&mut self, reason: Reason) {
        self.obstacle.get_or_insert(reason);
    }

    pub(super) fn place(&self, at: At) -> Place {
        Place::of(self.program, at.function, at.span)
    }

    /// Follows a run to its end or to its next decision.
    fn follow(&mut self, mut run: Run) -> Option<Outcome> {
        let mut watch = Watch::new(run.choices.len(), run.looks);
        loop {
            if let Some(reason) = self.spent() {
                // The next slice goes on with it.
                self.queue.push_back(run);
                return Some(Outcome::Nothing(reason));
            }
            let (before, parent) = (run.state.steps, run.parent);
            let stop = self.stretch(&mut run, &mut watch);
            self.steps += run.state.steps - before;
            if let Some(snapshot) = watch.recurred.take() {
                return self.came_back(&mut run, &snapshot);
            }
            match stop {
                Stop::Steps => {}
                Stop::Mark => {
                    let merged = self.visit(&mut run, &[]);
                    match merged {
                        Visit::Found(outcome) => return Some(*outcome),
                        Visit::Merged => return None,
                        Visit::New(node) => {
                            run.descend(node, 0);
                            run.looks += 1;
                        }
                    }
                }
                Stop::End(End::Violation(obligation), at) => {
                    return self.violated(&mut run, obligation, at);
                }
                Stop::End(end, at) => {
                    self.ended(&mut run, end, at);
                    return None;
                }
                Stop::Fork(alternatives, at) => {
                    let ways = self.alternatives(&mut run, &alternatives, at)?;
                    match self.part(&mut run, ways) {
                        Parting::Done(outcome) => return outcome.map(|o| *o),
                        Parting::Continue => watch.decided = true,
                    }
                }
                Stop::Concretise(need, at) => {
                    let ways = self.values(&mut run, need, at)?;
                    match self.part(&mut run, ways) {
                        Parting::Done(outcome) => return outcome.map(|o| *o),
                        Parting::Continue => watch.decided = true,
                    }
                }
            }
            if run.parent != parent {
                watch = Watch::new(run.choices.len(), run.looks);
            }
        }
    }

    /// Runs the machine to the next stop, in slices.
    fn stretch(&mut self, run: &mut Run, watch: &mut Watch) -> Stop {
        let choices = std::mem::take(&mut run.choices);
        let mut surroundings = Symbolic::new(
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
            let stop = self.machine.run(&mut run.state, self.terms, &mut surroundings, until);
            if !matches!(stop, Stop::Steps) || clock::now() >= self.settings.deadline {
                break stop;
            }
        };
        let Symbolic { choices, conditions, excluded, restricted, .. } = surroundings;
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
            run.assume(self.terms, condition);
        }
        stop
    }

    /// Whether a condition leaves no run out. If it does, or may, no proof that all runs end is
    /// possible, and nobody asks again.
    fn is_certain(
        &mut self,
        run: &mut Run,
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
        let certain = match self.oracle.refresh(self.terms, &run.path, &mut run.witness) {
            Ok(true) => {
                let possible = self.oracle.possible(self.terms, &run.path, &run.witness, broken);
                matches!(possible, Possible::No)
            }
            Ok(false) => true,
            Err(_) => false,
        };
        if !certain {
            let place = match span.is_known() {
                true => self.place_of(run, span),
                false => nowhere(),
            };
            self.obstruct(Reason::Limit { what: otherwise, place });
        }
        certain
    }

    /// A place that a run has passed. It may be in another function by now, so only file and line are known.
    fn place_of(&self, run: &Run, span: Span) -> Place {
        let here = Place::of(self.program, run.state.position().0, span);
        Place { function: String::new(), ..here }
    }

    /// Whether a run is possible. One that is not, only because nothing may overflow, has to
    /// overflow: if that is in a loop, the loop goes on until then, which is neither an end that
    /// could be relied on nor an endless run.
    pub(super) fn possible(&mut self, run: &mut Run) -> Result<bool, String> {
        let possible = self.oracle.refresh(self.terms, &run.path, &mut run.witness)?;
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
        if !matches!(self.oracle.session.check(self.terms, &rest), Answer::Unsat) {
            let (_, span) = no_overflow.last().expect("not empty");
            let here = Place::of(self.program, run.state.position().0, *span);
            let place = Place { function: String::new(), ..here };
            self.obstruct(Reason::SignedOverflow { place });
        }
        Ok(false)
    }

    fn ended(&mut self, run: &mut Run, end: End, at: At) {
        let place = self.place(at);
        let matters = matches!(end, End::Undefined(_) | End::Limit(_) | End::NeedsInput(_))
            || run.state.memory.layout_observed().is_some();
        if !matters {
            return;
        }
        if let Ok(false) = self.possible(run) {
            return;
        }
        if let Some(span) = run.state.memory.layout_observed() {
            let place = Place::of(self.program, at.function, span);
            self.obstruct(Reason::LayoutDependent { place });
        }
        match end {
            End::Limit(what) => self.obstruct(Reason::Limit { what, place }),
            End::NeedsInput(what) => self.obstruct(Reason::Incomplete { what, place }),
            End::Undefined(what) if what.starts_with(SIGNED_OVERFLOW) && run.marks >= ITERATED => {
                self.obstruct(Reason::SignedOverflow { place });
            }
            // A broken obligation is an answer, and comes not here.
            End::Exit(_) | End::Abort(_) | End::Undefined(_) | End::Blocked | End::Violation(_) => {
            }
        }
    }

    /// The possible ways on from a fork; `None` if the run is impossible.
    fn alternatives(
        &mut self,
        run: &mut Run,
        alternatives: &[Alternative],
        at: At,
    ) -> Option<Vec<Way>> {
        if let Ok(false) = self.possible(run) {
            return None;
        }
        let mut ways = Vec::new();
        let known = self.is_known(run);
        for (decision, alternative) in alternatives.iter().enumerate() {
            let kind = WayKind::Take(*alternative);
            let condition = alternative.condition;
            if known && self.is_promise(run, condition) {
                continue;
            }
            match self.oracle.possible(self.terms, &run.path, &run.witness, condition) {
                Possible::Yes(witness) => ways.push(Way { decision, condition, witness, kind }),
                Possible::No => {}
                Possible::Unknown(what) => {
                    let place = self.place(at);
                    self.obstruct(Reason::Solver { what, place });
                    let witness = Witness { current: false, ..run.witness.clone() };
                    ways.push(Way { decision, condition, witness, kind });
                }
            }
        }
        Some(ways)
    }

    /// The possible values of a term that an instruction needs; `None` if there are none.
    fn values(&mut self, run: &mut Run, need: Need, at: At) -> Option<Vec<Way>> {
        if let Some(allowed) = need.allowed {
            // Other values end in undefined behaviour.
            run.assume(self.terms, allowed);
        }
        match self.possible(run) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(what) => {
                let place = self.place(at);
                self.obstruct(Reason::Solver { what, place });
                return None;
            }
        }
        let mut ways = Vec::new();
        let mut rest = run.path.clone();
        let mut witness = run.witness.clone();
        loop {
            let value = Evaluator::new(self.terms, &witness.values).value(need.term);
            let Some((value, bits)) = value.and_then(|v| Need::bits(&v).map(|bits| (v, bits)))
            else {
                let what = "an address or size whose value cannot be computed".to_owned();
                let place = self.place(at);
                self.obstruct(Reason::Incomplete { what, place });
                return Some(ways);
            };
            let constant = self.terms.constant(value);
            let condition = self.terms.eq(need.term, constant);
            ways.push(Way {
                decision: bits as usize,
                condition,
                witness: witness.clone(),
                kind: WayKind::Give(need, bits),
            });
            let other = self.terms.not(condition);
            match self.oracle.possible(self.terms, &rest, &witness, other) {
                Possible::No => return Some(ways),
                Possible::Yes(next) if ways.len() < MOST_VALUES => {
                    rest.add(self.terms, other);
                    witness = next;
                }
                Possible::Yes(_) => {
                    let what =
                        format!("an address or size with more than {MOST_VALUES} possible values");
                    let place = self.place(at);
                    self.obstruct(Reason::Incomplete { what, place });
                    return Some(ways);
                }
                Possible::Unknown(what) => {
                    let place = self.place(at);
                    self.obstruct(Reason::Solver { what, place });
                    return Some(ways);
                }
            }
        }
    }

    /// Goes on in all possible ways.
    fn part(&mut self, run: &mut Run, mut ways: Vec<Way>) -> Parting {
        if ways.len() > 1 && !run.guide.is_empty() {
            let wanted = run.guide.pop_front().expect("not empty");
            ways.retain(|way| way.decision == wanted);
            if ways.is_empty() {
                return Parting::Done(None);
            }
            return match self.revisit(run) {
                Some(outcome) => Parting::Done(Some(Box::new(outcome))),
                None => {
                    let node = self.add_node(run, run.path.clone(), true);
                    let way = ways.pop().expect("one is left");
                    self.go(run, way, Some(node));
                    if run.guide.is_empty() { Parting::Done(None) } else { Parting::Continue }
                }
            };
        }
        match ways.len() {
            0 => Parting::Done(None),
            1 => {
                let way = ways.pop().expect("one");
                match way.kind {
                    // The condition follows from the others.
                    WayKind::Take(alternative) => self.machine.take(&mut run.state, alternative),
                    WayKind::Give(..) => self.go(run, way, None),
                }
                Parting::Continue
            }
            _ => {
                let node = match self.visit(run, &ways) {
                    Visit::Found(outcome) => return Parting::Done(Some(outcome)),
                    Visit::Merged => return Parting::Done(None),
                    Visit::New(node) => node,
                };
                self.forks += ways.len() as u64 - 1;
                for way in ways {
                    let mut next = run.clone();
                    next.looks = 0;
                    self.go(&mut next, way, Some(node));
                    self.queue.push_back(next);
                }
                Parting::Done(None)
            }
        }
    }

    /// Takes one way.
    fn go(&mut self, run: &mut Run, way: Way, node: Option<NodeId>) {
        if let Some(node) = node {
            run.descend(node, way.decision);
        }
        match way.kind {
            WayKind::Take(alternative) => self.machine.take(&mut run.state, alternative),
            WayKind::Give(need, bits) => self.machine.concretise(&mut run.state, need, bits),
        }
        run.assume(self.terms, way.condition);
        run.witness = way.witness;
    }

    pub(super) fn add_node(&mut self, run: &Run, path: Path, forks: bool) -> NodeId {
        self.tree.add(Node {
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

enum Parting {
    Done(Option<Box<Outcome>>),
    Continue,
}

fn nowhere() -> Place {
    Place { file: String::new(), line: 0, function: String::new() }
}

/// Memory that the process uses.
pub(super) fn resident_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096 / (1 << 20))
}
