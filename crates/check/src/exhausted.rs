//! Every path ended: the program is executed symbolically again, depth first.
//!
//! Where control depends on a symbol, each way on is followed unless the solver shows that it is
//! impossible. A state is passed over only if an earlier state, all of whose runs have been followed
//! to their ends, covers it; never because of one that is still being followed, since that is what
//! a loop looks like. If this comes to an end, every run does. The numbers of the certificate bound
//! the work, so that a wrong one is rejected instead of followed forever.
//!
//! **Under fairness** runs may go round, but not fairly. Then any earlier state may cover, also one that
//! is still being followed, and the states are a graph: its edges lead from a state to the next one on
//! its way, or to the one that covers it, and know the events between. Loop heads are looked at as well,
//! since a loop may come back without parting. All that a state does, the state that covers it does too,
//! so an infinite run follows edges forever, and passes their events. It is fair only if the edges that
//! it takes infinitely often meet every pair; `fair::has_fair_part` shows that no such edges are there.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ouro_evidence::{Exhaustion, Place, Undefined, UndefinedRun};
use ouro_machine::path::{Path, SymbolIndex, covers};
use ouro_machine::{
    At, ChoiceRequest, End, Environment, Machine, Need, Provenance, SIGNED_OVERFLOW, Shapes, State,
    Stop, Value,
};
use ouro_model::{Program, Span};
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Evaluator, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::Rejection;
use crate::fair::{FairWay, Passed, has_fair_part};
use crate::undefined::{Choices, Known, Met, Naming, Why, in_user_code};

/// How many times the work that was claimed is done at most.
const SLACK: u64 = 16;
/// Work that is done in any case: a small claim says little about another order of the search.
const LEAST_STEPS: u64 = 10_000_000;
const LEAST_STATES: u64 = 20_000;
/// Steps between two looks at the clock.
const SLICE: u64 = 1_000_000;
/// Values of one symbolic address or size.
const MOST_VALUES: usize = 1024;

/// A run that has passed this many loop heads or recursive calls has gone round, or may have.
const ITERATED: u64 = 2;

/// A run that has not ended.
#[derive(Clone)]
struct Run {
    state: State,
    path: Path,
    /// Values that satisfied the path when it was last asked about.
    values: Assignment,
    choices: Choices,
    /// The last state that was noted, and the events since then.
    from: Option<usize>,
    passed: Passed,
    /// Loop heads since then.
    marks: u64,
    /// Loop heads and recursive calls passed.
    turns: u64,
    /// Conditions that no signed operation overflows, since the run was last known to be possible.
    no_overflow: Vec<(Term, Span)>,
}

/// A state whose runs are being followed, or have been.
struct Seen {
    state: State,
    path: Path,
    done: bool,
}

enum Task {
    Follow(Box<Run>),
    Done(usize),
}

struct Checker<'a> {
    program: &'a Program,
    naming: Naming<'a>,
    machine: &'a Machine,
    terms: &'a mut Terms,
    session: Session,
    symbols: SymbolIndex,
    shapes: Shapes,
    seen: Vec<Seen>,
    table: FxHashMap<u64, Vec<usize>>,
    /// Which state leads to which, where fairness asks for it.
    ways: Vec<FairWay>,
    tasks: Vec<Task>,
    deadline: Instant,
    steps: u64,
    most_steps: u64,
    /// States at which runs parted.
    parted: u64,
    most_states: u64,
}

pub(crate) fn check(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    claim: &Exhaustion,
    naming: Naming<'_>,
    deadline: Instant,
) -> Result<Vec<Undefined>, Rejection> {
    let limits = Limits { query: Duration::from_secs(10), deadline: Some(deadline), memory_mib: 0 };
    let first = Run {
        state: machine.start(),
        path: Path::default(),
        values: Assignment::new(),
        choices: Choices::default(),
        from: None,
        passed: Passed::default(),
        marks: 0,
        turns: 0,
        no_overflow: Vec::new(),
    };
    // Another order of the search merges other states: allow for much more work than was claimed. The
    // numbers only end a hopeless search; nothing rests on them.
    let mut checker = Checker {
        program,
        naming,
        machine,
        terms,
        session: Session::new(limits),
        symbols: SymbolIndex::default(),
        shapes: Shapes::default(),
        seen: Vec::new(),
        table: FxHashMap::default(),
        ways: Vec::new(),
        tasks: vec![Task::Follow(Box::new(first))],
        deadline,
        steps: 0,
        parted: 0,
        most_steps: claim.steps.saturating_mul(SLACK).max(LEAST_STEPS),
        most_states: claim.states.saturating_mul(SLACK).max(LEAST_STATES),
    };
    while let Some(task) = checker.tasks.pop() {
        match task {
            Task::Follow(run) => checker.follow(*run)?,
            Task::Done(seen) => checker.seen[seen].done = true,
        }
    }
    let pairs = program.fairness.len();
    if pairs > 0 && has_fair_part(checker.seen.len(), pairs, checker.ways) {
        return Err(Rejection::new("runs go round, and some of them may be fair"));
    }
    Ok(checker.naming.finish())
}

impl Checker<'_> {
    fn follow(&mut self, mut run: Run) -> Result<(), Rejection> {
        loop {
            if clock::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let before = run.state.steps;
            let mut surroundings = Symbols {
                choices: &mut run.choices,
                conditions: Vec::new(),
                passed: &mut run.passed.events,
                marks: !self.program.fairness.is_empty(),
                turns: &mut run.turns,
            };
            let until = before + SLICE;
            let stop = self.machine.run(&mut run.state, self.terms, &mut surroundings, until);
            let mut met = surroundings.conditions;
            self.place(&run, &mut met);
            self.name(&run, &met)?;
            for (condition, why) in met {
                match why {
                    Why::Restricted(why) => self.require(&run.path, condition, &why)?,
                    Why::Assumed => run.path.add(self.terms, condition),
                    Why::Excluded(what, span) => {
                        run.path.add(self.terms, condition);
                        if what.starts_with(SIGNED_OVERFLOW) {
                            run.no_overflow.push((condition, span));
                        }
                    }
                }
            }
            self.steps += run.state.steps - before;
            if self.steps > self.most_steps {
                return Err(Rejection::steps("steps"));
            }
            let decided = matches!(stop, Stop::Fork(..));
            let ways = match stop {
                Stop::Steps => continue,
                Stop::Mark if self.comes_back(&mut run) => return Ok(()),
                Stop::Mark => continue,
                Stop::End(end, at) => return self.ended(&run, end, at),
                Stop::Fork(alternatives, _) => {
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        if let Some(mut next) = self.under(&run, alternative.condition)? {
                            self.machine.take(&mut next.state, alternative);
                            ways.push(next);
                        }
                    }
                    ways
                }
                Stop::Concretise(need, at) => self.values(&run, need, at)?,
            };
            if ways.is_empty() {
                return self.is_impossible(&run);
            }
            run.no_overflow.clear();
            if ways.len() > 1 {
                return self.part(run, ways);
            }
            match ways.into_iter().next() {
                // What follows from the path need not be added to it.
                Some(only) if decided => run = Run { path: run.path, ..only },
                Some(only) => run = only,
                None => return Ok(()),
            }
            run.no_overflow.clear();
        }
    }

    /// Says of what conditions exclude where the user's code is then.
    fn place(&self, run: &Run, met: &mut [Met]) {
        for (_, why) in met {
            if let Why::Excluded(_, span) = why {
                *span = in_user_code(self.program, self.machine, &run.state, *span);
            }
        }
    }

    /// Finds out whether a run can do what conditions exclude that it has met.
    fn name(&mut self, run: &Run, met: &[Met]) -> Result<(), Rejection> {
        let Checker { program, naming, terms, session, deadline, .. } = self;
        let known = Known { path: run.path.conditions(), values: &run.values };
        let ask = |terms: &Terms, query: &[Term]| match session.check(terms, query) {
            Answer::Unknown(_) if clock::now() >= *deadline => Err(Rejection::time()),
            answer => Ok(answer),
        };
        naming.look(terms, known, met, ask, |terms, values, conditions| UndefinedRun {
            head: None,
            variables: Vec::new(),
            inputs: run.choices.inputs(program, terms, values, conditions),
        })
    }

    /// A run has no way on. If that is only because no signed operation may overflow, it has to
    /// overflow: a loop that goes on until then is not said to end.
    fn is_impossible(&mut self, run: &Run) -> Result<(), Rejection> {
        let Some((_, span)) = run.no_overflow.last().filter(|_| run.turns >= ITERATED) else {
            return Ok(());
        };
        let mut excluded = Path::default();
        for (condition, _) in &run.no_overflow {
            excluded.add(self.terms, *condition);
        }
        let rest: Vec<Term> = (run.path.conditions().iter().copied())
            .filter(|condition| !excluded.conditions().contains(condition))
            .collect();
        match self.session.check(self.terms, &rest) {
            Answer::Unsat => Ok(()),
            Answer::Unknown(_) if clock::now() >= self.deadline => Err(Rejection::time()),
            _ => {
                let (function, _) = run.state.position();
                Err(only_overflow(self.program, At { function, span: *span }))
            }
        }
    }

    /// Whether runs that go round are to be looked at instead of refused.
    fn is_fair(&self) -> bool {
        !self.program.fairness.is_empty()
    }

    /// A run is at a loop head: whether an earlier state covers it. Otherwise it is noted, ever more
    /// seldom: a run that goes round comes back to the last state that was noted.
    fn comes_back(&mut self, run: &mut Run) -> bool {
        let print = self.forget(run, &mut []);
        if let Some(seen) = self.covering(print, run) {
            self.lead(run, seen);
            return true;
        }
        run.marks += 1;
        if run.marks.is_power_of_two() {
            self.note(print, run);
        }
        false
    }

    /// A condition under which alone a run is covered: it has to follow from the path.
    fn require(&mut self, path: &Path, condition: Term, why: &str) -> Result<(), Rejection> {
        if path.conditions().contains(&condition) {
            return Ok(());
        }
        let symbols = self.symbols.of(self.terms, condition);
        let mut part = path.relevant(self.terms, &mut self.symbols, symbols.iter().copied());
        part.push(self.terms.not(condition));
        match self.session.check(self.terms, &part) {
            Answer::Unsat => Ok(()),
            _ if clock::now() >= self.deadline => Err(Rejection::time()),
            _ => Err(Rejection::new(format!("not all runs are covered: {why}"))),
        }
    }

    /// The run under one more condition; `None` if that is impossible.
    fn under(&mut self, run: &Run, condition: Term) -> Result<Option<Run>, Rejection> {
        let mut next = run.clone();
        next.path.add(self.terms, condition);
        let mut evaluator = Evaluator::new(self.terms, &next.values);
        if next.path.conditions().iter().all(|c| evaluator.holds(*c) == Some(true)) {
            return Ok(Some(next));
        }
        let symbols = self.symbols.of(self.terms, condition);
        let part = next.path.relevant(self.terms, &mut self.symbols, symbols.iter().copied());
        match self.session.check(self.terms, &part) {
            Answer::Unsat => Ok(None),
            Answer::Sat(values) => {
                for symbol in values.symbols() {
                    next.values.set(symbol, values.get(symbol).expect("listed").clone());
                }
                Ok(Some(next))
            }
            // Nobody knows: follow it, it can only add work.
            Answer::Unknown(_) if clock::now() >= self.deadline => Err(Rejection::time()),
            Answer::Unknown(_) => Ok(Some(next)),
        }
    }

    /// The run under each possible value of a needed term.
    fn values(&mut self, run: &Run, need: Need, at: At) -> Result<Vec<Run>, Rejection> {
        let mut rest = run.clone();
        if let Some(allowed) = need.allowed {
            let span = in_user_code(self.program, self.machine, &run.state, at.span);
            self.name(run, &[(allowed, Why::Excluded(need.otherwise.to_owned(), span))])?;
            // Other values end in undefined behaviour.
            match self.under(&rest, allowed)? {
                Some(within) => rest = within,
                None => return Ok(Vec::new()),
            }
        }
        let mut ways = Vec::new();
        loop {
            let symbols = self.symbols.of(self.terms, need.term);
            let part = rest.path.relevant(self.terms, &mut self.symbols, symbols.iter().copied());
            let values = match self.session.check(self.terms, &part) {
                Answer::Unsat => return Ok(ways),
                Answer::Sat(values) => values,
                Answer::Unknown(_) if clock::now() >= self.deadline => {
                    return Err(Rejection::time());
                }
                Answer::Unknown(why) => {
                    return Err(Rejection::new(format!("the solver does not know: {why}")));
                }
            };
            let found = Evaluator::new(self.terms, &values).value(need.term);
            let Some((value, bits)) = found.and_then(|v| Need::bits(&v).map(|bits| (v, bits)))
            else {
                return Err(Rejection::new("a needed value cannot be computed"));
            };
            let constant = self.terms.constant(value);
            let equal = self.terms.eq(need.term, constant);
            let mut way = rest.clone();
            way.path.add(self.terms, equal);
            self.machine.concretise(&mut way.state, need, bits);
            ways.push(way);
            if ways.len() > MOST_VALUES {
                return Err(Rejection::new("a needed value has too many possibilities"));
            }
            let other = self.terms.not(equal);
            rest.path.add(self.terms, other);
        }
    }

    /// Follows several ways, unless an earlier state covers this one.
    fn part(&mut self, mut run: Run, mut ways: Vec<Run>) -> Result<(), Rejection> {
        let print = self.forget(&mut run, &mut ways);
        if let Some(seen) = self.covering(print, &run) {
            self.lead(&run, seen);
            return Ok(());
        }
        self.parted += 1;
        if self.parted > self.most_states {
            return Err(Rejection::steps("states"));
        }
        let id = self.note(print, &mut run);
        self.tasks.push(Task::Done(id));
        for way in ways.into_iter().rev() {
            let way = Run { from: run.from, passed: Passed::default(), marks: 0, ..way };
            self.tasks.push(Task::Follow(Box::new(way)));
        }
        Ok(())
    }

    /// Drops conditions that have nothing to do with what the rest of the run can see: without them
    /// there are more runs, not fewer. Gives the fingerprint of the state.
    fn forget(&mut self, run: &mut Run, ways: &mut [Run]) -> u64 {
        let (print, visible) = self.machine.fingerprint(self.terms, &mut self.shapes, &run.state);
        let mut symbols = Vec::new();
        for term in visible {
            symbols.extend(self.symbols.of(self.terms, term).iter().copied());
        }
        for kept in ways.iter_mut().chain([run]) {
            kept.path.keep_relevant(self.terms, &mut self.symbols, symbols.iter().copied());
        }
        print
    }

    /// A state that covers this one: one whose runs all ended, or under fairness any.
    fn covering(&mut self, print: u64, run: &Run) -> Option<usize> {
        for candidate in self.table.get(&print).cloned().unwrap_or_default() {
            let seen = &self.seen[candidate];
            let depth = run.state.depth();
            if !(seen.done || self.is_fair()) || seen.state.depth() != depth {
                continue;
            }
            let compared = self.machine.compare(self.terms, &seen.state, &run.state, depth);
            let Some(comparison) = compared else { continue };
            if covers(self.terms, &mut self.symbols, &comparison, &seen.path, &run.path) {
                return Some(candidate);
            }
        }
        None
    }

    /// Notes a state as being followed; the run goes on from it.
    fn note(&mut self, print: u64, run: &mut Run) -> usize {
        let id = self.seen.len();
        self.seen.push(Seen { state: run.state.clone(), path: run.path.clone(), done: false });
        self.table.entry(print).or_default().push(id);
        self.lead(run, id);
        run.from = Some(id);
        run.passed = Passed::default();
        id
    }

    /// Notes that a run has come to a state.
    fn lead(&mut self, run: &Run, to: usize) {
        if let Some(from) = run.from.filter(|_| self.is_fair()) {
            let meets = run.passed.meets(self.program);
            self.ways.push(FairWay { from, to, meets });
        }
    }

    fn ended(&mut self, run: &Run, end: End, at: At) -> Result<(), Rejection> {
        if let End::Undefined(what) = &end {
            let never = self.terms.bool(false);
            let span = in_user_code(self.program, self.machine, &run.state, at.span);
            self.name(run, &[(never, Why::Excluded(what.clone(), span))])?;
        }
        let why = match end {
            End::Limit(what) => format!("a run does what the model does not cover: {what}"),
            End::Violation(_) => "a run breaks an obligation".to_owned(),
            End::NeedsInput(what) => format!("an input is missing: {what}"),
            _ if run.state.memory.layout_observed().is_some() => {
                "a run depends on where objects lie in memory".to_owned()
            }
            End::Undefined(what) if what.starts_with(SIGNED_OVERFLOW) && run.turns >= ITERATED => {
                only_overflow(self.program, at).why
            }
            End::Exit(_) | End::Abort(_) | End::Undefined(_) | End::Blocked => return Ok(()),
        };
        // Unless there is no such run.
        match self.session.check(self.terms, run.path.conditions()) {
            Answer::Unsat => Ok(()),
            _ => Err(Rejection::new(why)),
        }
    }
}

/// That a run goes on until an operation overflows, and has no other end.
fn only_overflow(program: &Program, at: At) -> Rejection {
    let place = Place::of(program, at.function, at.span);
    Rejection::overflow(&place.to_string())
}

/// Inputs and unknown values are symbols.
struct Symbols<'a> {
    choices: &'a mut Choices,
    conditions: Vec<Met>,
    passed: &'a mut BTreeSet<u32>,
    /// Whether to stop at loop heads.
    marks: bool,
    /// How many were passed.
    turns: &'a mut u64,
}

impl Environment for Symbols<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let count = self.choices.len() + 1;
        let (symbol, known) = request.symbol(terms, &format!("choice{count}"))?;
        self.choices.add(symbol, request);
        self.conditions.extend(known.into_iter().map(|condition| (condition, Why::Assumed)));
        Some(Value::symbolic(symbol, Provenance::None))
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        Some(Value::symbolic(terms.fresh("unknown", sort), Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, Why::Assumed));
    }

    fn exclude(&mut self, condition: Term, undefined: &str, span: Span) {
        self.conditions.push((condition, Why::Excluded(undefined.to_owned(), span)));
    }

    fn restrict(&mut self, condition: Term, why: &str) {
        self.conditions.push((condition, Why::Restricted(why.to_owned())));
    }

    fn event(&mut self, number: u32) {
        self.passed.insert(number);
    }

    fn mark(&mut self, _state: &mut State) -> bool {
        *self.turns += 1;
        self.marks
    }
}
