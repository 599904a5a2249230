//! A program has a ranking: run the machine symbolically from its start and from each head, with
//! everything open that the evidence leaves open, and show for each path to the next head that the
//! invariant is kept and that the ranking gets smaller.
//!
//! Why it is enough. The states of a head are its pattern with values for the holes that satisfy the
//! invariant. Every branch that is possible is followed, from the start and from each pattern, until
//! it ends or comes to a state of a head; there are finitely many steps between. So a run that never
//! ends comes to states of heads infinitely often, and from some moment on only to those of one
//! strongly connected part. On each path between two of them the ranking gets smaller; that cannot go
//! on forever in a fair run, by the argument in `levels`. No path ends in a broken obligation. Inputs and what the model does not know are the same here: it holds for all of both.
//!
//! Runs that do something undefined, or not what is assumed, have ended; runs that the model does
//! not cover are refused, unless the path excludes them. A run that overflows a signed integer under
//! `--ints c` has ended as well, but where all runs of a path do, that is no end to rely on.
//!
//! If the claim says that memory is vague, the machine does more than the program can: every run of
//! the program is still among its runs.
//!
//! States are compared on all calls in progress (`Machine::compare`), so that the rest of the run
//! cannot tell apart what counts as one. A recursion comes to ever more calls, and matches nothing,
//! unless memory is vague: then one activation of a function that may call itself is looked at at a
//! time. Each call of such a function is taken to have returned anything, and is followed as well, to
//! a head at its start or beyond. A run that never ends either has infinitely many calls in progress,
//! each of them on a way from head to head, or it stays in one activation forever, and all such calls
//! that it makes there return. A call that is taken to have returned may have passed any event, so it
//! makes the level of every pair grow.

use std::time::{Duration, Instant};

use ouro_evidence::{Place, ProgramRanking};
use ouro_machine::{
    ChoiceRequest, End, Environment, Machine, Need, Overflow, Provenance, SIGNED_OVERFLOW, State,
    Stop, Value,
};
use ouro_model::Program;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Evaluator, Op, Sort, SymbolId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Rejection;
use crate::fair::{Meets, Passed};
use crate::levels::{Expected, Rank, gets_smaller};
use crate::over::{Checked, reject};
use crate::pattern::{Draft, Pattern};
use crate::ranked::parts;
use crate::replay::describe;

/// Steps between two looks at the clock.
const SLICE: u64 = 100_000;
/// Steps of all symbolic runs together.
const MOST_STEPS: u64 = 50_000_000;
/// Paths of all symbolic runs together.
const MOST_PATHS: usize = 50_000;
/// Times that one path may come to the position of a head without being in its set.
const MOST_MISSES: usize = 64;
/// Times that one path may part from others before it comes to a head: a loop that can be left and
/// has no head would have to be followed forever.
const MOST_PARTINGS: usize = 500;
/// Values of one symbolic address or size.
const MOST_VALUES: usize = 256;

/// A head with its pattern; the pattern's set is the invariant.
#[derive(Clone)]
struct Ranked {
    pattern: Pattern,
    ranking: Vec<Rank>,
}

/// A path to a head.
struct Way {
    /// `None` for the start.
    from: Option<usize>,
    to: usize,
    path: Vec<Term>,
    /// What the holes of the target are at its end.
    values: FxHashMap<Term, Term>,
    /// What it does for each pair of fairness.
    meets: Vec<Meets>,
}

/// A symbolic run between two heads.
#[derive(Clone)]
struct Run {
    state: State,
    path: Vec<Term>,
    /// Values that satisfied the path when it was last asked about.
    values: Assignment,
    misses: usize,
    partings: usize,
    /// What was passed since the head.
    passed: Passed,
}

struct Checker<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut Terms,
    session: Session,
    deadline: Instant,
    claim: &'a ProgramRanking,
    /// Each head once its pattern is known.
    heads: Vec<Option<Ranked>>,
    ways: Vec<Way>,
    unbounded: bool,
    /// Symbols that stand for values which the model does not know.
    unknowns: FxHashSet<SymbolId>,
    /// A run that returns to this many calls has left the activation it started in.
    floor: usize,
    steps: u64,
    paths: usize,
}

pub(crate) fn check(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    claim: &ProgramRanking,
    overflow: Overflow,
    deadline: Instant,
) -> Checked<()> {
    let limits = Limits { query: Duration::from_secs(30), deadline: Some(deadline), memory_mib: 0 };
    let mut checker = Checker {
        program,
        machine,
        terms,
        session: Session::new(limits),
        deadline,
        claim,
        heads: claim.heads.iter().map(|_| None).collect(),
        ways: Vec::new(),
        unbounded: overflow == Overflow::Unbounded,
        unknowns: FxHashSet::default(),
        floor: 0,
        steps: 0,
        paths: 0,
    };
    checker.leave(None)?;
    let mut left = vec![false; claim.heads.len()];
    while let Some(next) = (0..left.len()).find(|i| !left[*i] && checker.heads[*i].is_some()) {
        checker.leave(Some(next))?;
        left[next] = true;
    }
    checker.decrease()
}

impl Checker<'_> {
    /// Follows every run from the start or from a head to the next head.
    fn leave(&mut self, from: Option<usize>) -> Checked<()> {
        let (state, path, floor) = match from {
            None => (self.machine.start(), Vec::new(), 0),
            Some(index) => {
                let head = self.heads[index].as_ref().expect("the caller looked");
                let floor = head.pattern.state.depth() - head.pattern.frames;
                (head.pattern.state.clone(), vec![head.pattern.set], floor)
            }
        };
        self.floor = floor;
        let mut runs = vec![Run {
            state,
            path,
            values: Assignment::new(),
            misses: 0,
            partings: 0,
            passed: Passed::default(),
        }];
        while let Some(run) = runs.pop() {
            self.paths += 1;
            if self.paths > MOST_PATHS {
                return reject(format!("more than {MOST_PATHS} paths lead from head to head"));
            }
            self.follow(from, run, &mut runs)?;
        }
        Ok(())
    }

    /// Follows one run to a head, to its end, or to where it parts; the parts are left to the caller.
    fn follow(&mut self, from: Option<usize>, mut run: Run, runs: &mut Vec<Run>) -> Checked<()> {
        loop {
            if Instant::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let before = run.state.steps;
            let mut surroundings = Open {
                conditions: Vec::new(),
                unknowns: &mut self.unknowns,
                passed: &mut run.passed,
                vague: self.claim.vague,
            };
            let until = before + SLICE;
            let stop = self.machine.run(&mut run.state, self.terms, &mut surroundings, until);
            let conditions = surroundings.conditions;
            self.steps += run.state.steps - before;
            if self.claim.vague && run.state.low <= self.floor {
                // The activation has ended. Whoever called goes on as if anything had been returned.
                return Ok(());
            }
            for (condition, uncovered) in conditions {
                if self.terms.as_bool(condition) == Some(true) || run.path.contains(&condition) {
                    continue;
                }
                if let Some(why) = uncovered {
                    if !self.follows(&run, condition)? {
                        return reject(format!("not all runs are covered: {why}"));
                    }
                    continue;
                }
                run.path.push(condition);
            }
            if self.steps > MOST_STEPS {
                return reject(format!("{MOST_STEPS} steps do not lead to all heads"));
            }
            if run.state.memory.layout_observed().is_some() {
                return self.refuse(&mut run, "a run depends on where objects lie in memory");
            }
            match stop {
                Stop::Steps => {}
                Stop::Mark => {
                    if !self.is_possible(&mut run)? {
                        return Ok(());
                    }
                    // Also where the call comes to no head itself: one inside it may cut it off.
                    if self.claim.vague && self.machine.is_activated(&run.state) {
                        runs.push(self.returned(&run)?);
                    }
                    if self.arrives(from, &mut run)? {
                        return Ok(());
                    }
                }
                Stop::End(end @ (End::Limit(_) | End::NeedsInput(_)), at) => {
                    let how = describe(self.program, &end, at);
                    return self.refuse(&mut run, &format!("a run is not covered: {how}"));
                }
                Stop::End(end @ End::Violation(_), at) => {
                    let how = describe(self.program, &end, at);
                    return self
                        .refuse(&mut run, &format!("a run violates the specification: {how}"));
                }
                Stop::End(End::Undefined(what), at) if what == SIGNED_OVERFLOW => {
                    let how = describe(self.program, &End::Undefined(what), at);
                    return self.refuse(&mut run, &format!("a run goes on only until {how}"));
                }
                Stop::End(..) => return Ok(()),
                Stop::Fork(alternatives, at) => {
                    run.partings += 1;
                    if run.partings > MOST_PARTINGS {
                        let place = Place::of(self.program, at.function, at.span);
                        return reject(format!(
                            "a run comes to {place} without having come to a head in {MOST_PARTINGS} \
                             branches"
                        ));
                    }
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        let mut way = run.clone();
                        way.path.push(alternative.condition);
                        if self.is_possible(&mut way)? {
                            self.machine.take(&mut way.state, alternative);
                            ways.push(way);
                        }
                    }
                    runs.extend(ways.into_iter().rev());
                    return Ok(());
                }
                Stop::Concretise(need, _) => {
                    // Other values end in undefined behaviour.
                    run.path.extend(need.allowed);
                    let ways = self.values(&run, need)?;
                    runs.extend(ways.into_iter().rev());
                    return Ok(());
                }
            }
        }
    }

    /// The run if the call that it has just begun returned.
    fn returned(&mut self, run: &Run) -> Checked<Run> {
        let mut run = run.clone();
        run.passed.others = true;
        let mut surroundings = Open {
            conditions: Vec::new(),
            unknowns: &mut self.unknowns,
            passed: &mut run.passed,
            vague: true,
        };
        match self.machine.return_anything(&mut run.state, self.terms, &mut surroundings) {
            true => Ok(run),
            false => reject("nobody knows what a call returns"),
        }
    }

    /// Calls in progress that a state of a head is compared on.
    fn frames(&self, state: &State) -> usize {
        if self.claim.vague { self.machine.activation(state) } else { state.depth() }
    }

    /// Refuses the evidence because of a run, unless there is no such run.
    fn refuse(&mut self, run: &mut Run, why: &str) -> Checked<()> {
        if self.is_possible(run)? { reject(why) } else { Ok(()) }
    }

    /// Whether there is such a run; what the solver does not know is possible.
    fn is_possible(&mut self, run: &mut Run) -> Checked<bool> {
        let mut evaluator = Evaluator::new(self.terms, &run.values);
        if run.path.iter().all(|condition| evaluator.holds(*condition) == Some(true)) {
            return Ok(true);
        }
        Ok(match self.ask(&run.path)? {
            Answer::Unsat => false,
            Answer::Sat(values) => {
                run.values = values;
                true
            }
            Answer::Unknown(_) => true,
        })
    }

    /// Whether a condition follows from a run's path; what the solver does not know does not.
    fn follows(&mut self, run: &Run, condition: Term) -> Checked<bool> {
        if self.terms.as_bool(condition) == Some(true) {
            return Ok(true);
        }
        let mut query = run.path.clone();
        query.push(self.terms.not(condition));
        Ok(self.ask(&query)? == Answer::Unsat)
    }

    fn ask(&mut self, query: &[Term]) -> Checked<Answer> {
        if Instant::now() >= self.deadline {
            return Err(Rejection::time());
        }
        if self.unbounded && !self.unknowns.is_empty() {
            let mut met = false;
            self.terms.visit_symbols(query, |id| met |= self.unknowns.contains(&id));
            if met {
                return reject("something depends on a value beyond the machine's integers");
            }
        }
        match self.session.check(self.terms, query) {
            Answer::Unknown(_) if Instant::now() >= self.deadline => Err(Rejection::time()),
            answer => Ok(answer),
        }
    }

    /// Whether a run that is at a mark has come to a state of a head; the way there is noted. The
    /// first state at the position of a head that has no pattern yet becomes its pattern.
    fn arrives(&mut self, from: Option<usize>, run: &mut Run) -> Checked<bool> {
        let (function, position) = run.state.position();
        let mut near = false;
        for index in 0..self.heads.len() {
            let head = &self.claim.heads[index];
            if position != head.position || self.machine.name(function) != head.function {
                continue;
            }
            near = true;
            let ranked = match self.heads[index].clone() {
                Some(ranked) => ranked,
                None => match self.head(index, &run.state) {
                    Ok(ranked) => ranked,
                    Err(rejection) if rejection.out_of_time => return Err(rejection),
                    Err(_) => continue,
                },
            };
            if self.frames(&run.state) != ranked.pattern.frames {
                continue;
            }
            let fit = ranked.pattern.fit(self.machine, self.terms, &run.state);
            let Some((conditions, values)) = fit else { continue };
            let all = self.terms.and_all(&conditions);
            if self.follows(run, all)? {
                self.heads[index].get_or_insert(ranked);
                let meets = run.passed.meets(self.program);
                self.ways.push(Way { from, to: index, path: run.path.clone(), values, meets });
                return Ok(true);
            }
        }
        if near {
            run.misses += 1;
            if run.misses > MOST_MISSES {
                let place = Place::of(self.program, function, self.machine.place(&run.state));
                return reject(format!("a run comes to {place} again and again in other states"));
            }
        }
        Ok(false)
    }

    /// Reads a head; its pattern is a state with symbols put in.
    fn head(&mut self, index: usize, from: &State) -> Checked<Ranked> {
        let head = &self.claim.heads[index];
        let mut draft = Draft::new(self.machine, self.terms, &head.open, &head.holes, from)?;
        let set = draft.read(self.terms, &head.invariant)?;
        if self.terms.sort(set) != Sort::Bool {
            return reject(format!("'{}' is no formula", head.invariant));
        }
        let mut ranking = Vec::new();
        for level in &head.ranking {
            let pairs = self.program.fairness.len();
            ranking.push(Rank::read(level, pairs, |text, expected| {
                let term = draft.read(self.terms, text)?;
                match expected == Expected::Condition && self.terms.sort(term) != Sort::Bool {
                    true => reject(format!("'{text}' is no formula")),
                    false => Ok(term),
                }
            })?);
        }
        let frames = self.frames(&draft.state);
        draft.finish(self.program, self.machine, self.terms, frames, &head.place)?;
        let Draft { state, symbols, .. } = draft;
        let pattern = Pattern { state, frames, symbols, set, choices: Vec::new() };
        Ok(Ranked { pattern, ranking })
    }

    /// The run under each possible value of a needed term.
    fn values(&mut self, run: &Run, need: Need) -> Checked<Vec<Run>> {
        let mut rest = run.path.clone();
        let mut ways = Vec::new();
        loop {
            let values = match self.ask(&rest)? {
                Answer::Unsat => return Ok(ways),
                Answer::Sat(values) => values,
                Answer::Unknown(why) => return reject(format!("the solver does not know: {why}")),
            };
            if ways.len() >= MOST_VALUES {
                return reject(format!("a needed value has more than {MOST_VALUES} possibilities"));
            }
            let found = Evaluator::new(self.terms, &values).value(need.term);
            let Some((value, bits)) = found.and_then(|v| Need::bits(&v).map(|bits| (v, bits)))
            else {
                return reject("a needed value cannot be computed");
            };
            let constant = self.terms.constant(value);
            let equal = self.terms.eq(need.term, constant);
            let mut way = run.clone();
            way.path.push(equal);
            way.values = values;
            self.machine.concretise(&mut way.state, need, bits);
            ways.push(way);
            rest.push(self.terms.not(equal));
        }
    }

    /// Whether the ranking gets smaller on each way within a strongly connected part.
    fn decrease(&mut self) -> Checked<()> {
        let ways = std::mem::take(&mut self.ways);
        let ends: Vec<(Option<usize>, usize)> = ways.iter().map(|way| (way.from, way.to)).collect();
        let part = parts(self.heads.len(), &ends);
        for way in ways {
            let Some(from) = way.from.filter(|from| part[*from] == part[way.to]) else { continue };
            let rank = |index: usize| self.heads[index].as_ref().map(|head| head.ranking.clone());
            let (Some(before), Some(after)) = (rank(from), rank(way.to)) else {
                return reject("a way leads to a head that no run comes to");
            };
            let after: Vec<Rank> = (after.into_iter())
                .map(|rank| rank.map(|term| self.terms.substitute(term, &way.values)))
                .collect();
            let smaller = gets_smaller(self.terms, &before, &after, &way.meets)?;
            let mut query = way.path;
            query.push(self.terms.not(smaller));
            let heads = &self.claim.heads;
            let (from, to) = (heads[from].place.clone(), heads[way.to].place.clone());
            match self.ask(&query)? {
                Answer::Unsat => {}
                Answer::Sat(_) => {
                    return reject(format!("the ranking does not get smaller from {from} to {to}"));
                }
                Answer::Unknown(why) => {
                    return reject(format!("the solver gave no answer: {why}"));
                }
            }
        }
        Ok(())
    }
}

/// The surroundings of a symbolic run: everything is left open, what must hold is collected.
struct Open<'a> {
    /// In order; for what only leaves runs out of the model, why.
    conditions: Vec<(Term, Option<String>)>,
    unknowns: &'a mut FxHashSet<SymbolId>,
    passed: &'a mut Passed,
    vague: bool,
}

impl Environment for Open<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let open = terms.fresh("open", request.sort());
        let known = request.known(terms, open);
        self.conditions.extend(known.into_iter().map(|condition| (condition, None)));
        Some(Value::symbolic(open, Provenance::None))
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let term = terms.fresh("unknown", sort);
        if let Op::Symbol(id) = terms.op(term) {
            self.unknowns.insert(*id);
        }
        Some(Value::symbolic(term, Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, None));
    }

    fn restrict(&mut self, condition: Term, why: &str) {
        self.conditions.push((condition, Some(why.to_owned())));
    }

    fn blurs(&self) -> bool {
        self.vague
    }

    fn event(&mut self, number: u32) {
        self.passed.events.insert(number);
    }

    fn mark(&mut self, _state: &mut State) -> bool {
        true
    }
}
