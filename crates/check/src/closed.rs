//! A program stays in a set of states: replay up to the first head, then show head by head that
//! the machine, run symbolically from any state of its set, comes to a head again, in its set.
//!
//! Why it is enough. The pattern of a head is a state of the machine in which the holes are symbols;
//! the states of the head are the pattern with values from the set put in. The replay ends in one of
//! them. From a pattern the machine itself is run on, with the choices that the evidence gives: a
//! symbol that stands for any value of the set, a choice that was left open or a value that the
//! model does not know all mean *whatever it is*. Every branch that is possible is followed. If all
//! of them come to states of heads, and nothing on the way is undefined, ends, or is beyond the
//! model, then the run from each state of the set comes to such a state again, and so forever.
//!
//! With links, lists are chains at heads (`Machine::fold`), of objects of the heap only. A state with chains
//! stands for more states, those with lists of any length, and never for fewer: the replayed state is one
//! of them, and a state that arrives is among those that it is folded to. What is in a chain, if that is not
//! kept, is a value that the model does not know, and how it is taken apart depends on its length alone:
//! both ways are followed, unless the set excludes one. Nobody chooses between them.
//!
//! Two states count as one when the rest of the run cannot tell them apart (`Machine::compare`), on
//! the innermost calls only: those that the run has been in since the first head. It may never
//! return from them. If it comes back deeper than it was, these are calls that never return.
//!
//! With fairness, the ways from head to head also have to be such that every run along them is fair
//! (`fair`). What each of them passes is known exactly.
//!
//! The pattern of the first head is made from the replayed state, that of another head from the first
//! state that arrives there.

use std::time::{Duration, Instant};

use ouro_evidence::{ClosedSet, Head, Place};
use ouro_machine::{Among, Link, Machine, Need, Overflow, State, Stop};
use ouro_model::Program;
use ouro_solver::Answer;
use ouro_solver::clock;
use ouro_term::{Sort, Term, Terms};
use rustc_hash::FxHashSet;

use crate::Rejection;
use crate::fair::{FairWay, Passed, unmet};
use crate::onward::run_on;
use crate::over::{Checked, reject};
use crate::pattern::{Draft, Pattern, links};
use crate::questions::{Possible, Questions};
use crate::replay::{Given, Replay, describe};
use crate::strategy::Strategy;

/// The longest that one question may take.
const QUERY: Duration = Duration::from_secs(60);
/// Steps between two looks at the clock.
const SLICE: u64 = 100_000;
/// Steps of all symbolic runs together.
const MOST_STEPS: u64 = 20_000_000;
/// Paths of all symbolic runs together.
const MOST_PATHS: usize = 20_000;
/// Times that one path may come to the position of a head without being in its set.
const MOST_MISSES: usize = 64;

/// Checks a set; gives the ways from head to head that were followed.
pub(crate) fn check(
    program: &Program,
    machine: &Machine,
    terms: &mut Terms,
    claim: &ClosedSet,
    overflow: Overflow,
    deadline: Instant,
) -> Checked<Vec<FairWay>> {
    let mut surroundings = Given::new(&claim.inputs)?;
    let mut first = machine.start();
    let mut replay = Replay { program, machine, terms, deadline };
    replay.run(&mut surroundings, &mut first, claim.step)?;
    if surroundings.taken != claim.inputs.len() {
        return reject(format!(
            "{} inputs were taken on the way to the first head, not {}",
            surroundings.taken,
            claim.inputs.len()
        ));
    }
    if first.memory.layout_observed().is_some() {
        return reject("the run depends on where objects lie in memory");
    }
    if claim.frames == 0 || claim.frames > first.depth() {
        return reject(format!("{} of {} calls are claimed", claim.frames, first.depth()));
    }
    let mut symbols = FxHashSet::default();
    for hole in claim.heads.iter().flat_map(|head| &head.holes) {
        if !symbols.insert(hole.symbol.as_str()) {
            return reject(format!("two holes have the symbol {}", hole.symbol));
        }
    }
    let unbounded = overflow == Overflow::Unbounded;
    let mut checker = Checker {
        program,
        machine,
        terms,
        questions: Questions::new(QUERY, deadline, unbounded),
        deadline,
        heads: claim.heads.iter().map(|_| None).collect(),
        claim,
        links: links(&claim.links),
        base: first.depth() - claim.frames,
        ways: Vec::new(),
        steps: 0,
        paths: 0,
    };
    checker.enter_first(&first)?;
    let mut closed = vec![false; claim.heads.len()];
    while let Some(next) = (0..closed.len()).find(|i| !closed[*i] && checker.heads[*i].is_some()) {
        checker.close(next)?;
        closed[next] = true;
    }
    if let Some(idle) = closed.iter().position(|closed| !closed) {
        return reject(format!("the run never comes to head {idle}"));
    }
    if let Some(pair) = unmet(closed.len(), program.fairness.len(), &checker.ways) {
        let name = &program.fairness[pair].name;
        return reject(format!("not every run in the set is fair: {name}"));
    }
    let Checker { heads, links, ways, .. } = checker;
    let heads: Vec<Pattern> = heads.into_iter().flatten().collect();
    run_on(program, machine, terms, &heads, &links, first, deadline)?;
    Ok(ways)
}

/// A symbolic run between two heads.
#[derive(Clone)]
struct Run {
    state: State,
    path: Vec<Term>,
    /// Choices made since the head.
    taken: usize,
    misses: usize,
    /// What was passed since the head.
    passed: Passed,
}

struct Checker<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut Terms,
    questions: Questions,
    deadline: Instant,
    claim: &'a ClosedSet,
    /// How lists are linked that are chains at heads.
    links: Vec<Link>,
    /// Each head once its pattern is known.
    heads: Vec<Option<Pattern>>,
    /// How many of the outermost calls the run never returns to.
    base: usize,
    /// The ways from head to head.
    ways: Vec<FairWay>,
    steps: u64,
    paths: usize,
}

impl Checker<'_> {
    /// Makes the pattern of the first head from the replayed state, which must be in its set.
    fn enter_first(&mut self, first: &State) -> Checked<()> {
        let Some(head) = self.claim.heads.first() else { return reject("no head is given") };
        if !self.is_at(head, first) {
            return reject("the inputs do not lead to the first head");
        }
        let mut first = first.clone();
        self.machine.fold(&mut first, self.terms, &self.links, Among::Heap);
        let pattern = self.pattern(head, &first)?;
        if !self.is_in(&pattern, &first, &[])? {
            return reject("the inputs do not lead into the set");
        }
        self.heads[0] = Some(pattern);
        Ok(())
    }

    fn is_at(&self, head: &Head, state: &State) -> bool {
        let (function, position) = state.position();
        position == head.position && self.machine.name(function) == head.function
    }

    /// Reads a head; its pattern is a state with symbols put in.
    fn pattern(&mut self, head: &Head, from: &State) -> Checked<Pattern> {
        if !self.links.is_empty() && self.machine.shape(from) != head.shape {
            return reject("lists are linked in another way");
        }
        let mut draft = Draft::new(self.machine, self.terms, &[], &head.holes, from)?;
        let set = draft.read(self.terms, &head.set)?;
        if self.terms.sort(set) != Sort::Bool {
            return reject(format!("'{}' is no formula", head.set));
        }
        let mut choices = Vec::new();
        for text in &head.choices {
            choices.push(draft.read(self.terms, text)?);
        }
        if draft.state.depth() <= self.base {
            return reject("the run returns from the calls it should stay in");
        }
        let frames = draft.state.depth() - self.base;
        draft.finish(self.program, self.machine, self.terms, frames, &head.place)?;
        let Draft { state, symbols, .. } = draft;
        Ok(Pattern { state, frames, symbols, set, choices })
    }

    /// Whether a state that is reached under a path is one of a head's.
    fn is_in(&mut self, pattern: &Pattern, state: &State, path: &[Term]) -> Checked<bool> {
        let Some((conditions, _)) = pattern.fit(self.machine, self.terms, state) else {
            return Ok(false);
        };
        self.follows(path, &conditions)
    }

    /// Whether all of these follow from a path.
    fn follows(&mut self, path: &[Term], conditions: &[Term]) -> Checked<bool> {
        self.questions.follow(self.terms, path, conditions)
    }

    /// Follows every run from a head to the next.
    fn close(&mut self, index: usize) -> Checked<()> {
        let pattern = self.heads[index].clone().expect("the caller looked");
        let mut runs = vec![Run {
            state: pattern.state.clone(),
            path: vec![pattern.set],
            taken: 0,
            misses: 0,
            passed: Passed::default(),
        }];
        while let Some(run) = runs.pop() {
            self.paths += 1;
            if self.paths > MOST_PATHS {
                return reject(format!("more than {MOST_PATHS} paths lead from head to head"));
            }
            self.follow(index, &pattern, run, &mut runs)?;
        }
        Ok(())
    }

    /// Follows one run to a head, or to where it parts; the parts are left to the caller.
    fn follow(
        &mut self,
        index: usize,
        from: &Pattern,
        mut run: Run,
        runs: &mut Vec<Run>,
    ) -> Checked<()> {
        loop {
            if clock::now() >= self.deadline {
                return Err(Rejection::time());
            }
            let before = run.state.steps;
            let mut surroundings = Strategy {
                choices: &from.choices,
                taken: run.taken,
                conditions: Vec::new(),
                given: Vec::new(),
                unknowns: &mut self.questions.unknowns,
                passed: &mut run.passed,
                wrong: None,
            };
            let until = before + SLICE;
            let stop = self.machine.run(&mut run.state, self.terms, &mut surroundings, until);
            let Strategy { taken, conditions, given, wrong, .. } = surroundings;
            run.taken = taken;
            run.path.extend(given);
            if let Some(wrong) = wrong {
                return reject(wrong);
            }
            self.steps += run.state.steps - before;
            if self.steps > MOST_STEPS {
                return reject(format!("no head is reached in {MOST_STEPS} steps"));
            }
            if !self.follows(&run.path, &conditions)? {
                let place = self.place(&run.state);
                return reject(format!(
                    "a run ends, or is undefined or not covered, before {place}"
                ));
            }
            if run.state.low <= self.base {
                return reject("the run returns from the calls it should stay in");
            }
            if run.state.memory.layout_observed().is_some() {
                return reject("the run depends on where objects lie in memory");
            }
            match stop {
                Stop::Steps => {}
                Stop::Mark => {
                    if let Some(to) = self.arrives(&mut run)? {
                        let meets = run.passed.meets(self.program);
                        self.ways.push(FairWay { from: index, to, meets });
                        return Ok(());
                    }
                }
                Stop::End(end, at) => {
                    let how = describe(self.program, &end, at);
                    return reject(format!("a run from the set ends: {how}"));
                }
                Stop::Fork(alternatives, _) => {
                    for alternative in alternatives {
                        let mut way = run.clone();
                        way.path.push(alternative.condition);
                        if self.questions.ask(self.terms, &way.path)? != Answer::Unsat {
                            self.machine.take(&mut way.state, alternative);
                            runs.push(way);
                        }
                    }
                    return Ok(());
                }
                Stop::Concretise(need, _) => return self.values(&run, need, runs),
            }
        }
    }

    /// The head that a run which is at a mark has come to, in its set. The first state at the
    /// position of a head that has no pattern yet becomes its pattern.
    fn arrives(&mut self, run: &mut Run) -> Checked<Option<usize>> {
        if self.claim.heads.iter().any(|head| self.is_at(head, &run.state)) {
            self.machine.fold(&mut run.state, self.terms, &self.links, Among::Heap);
        }
        let mut near = false;
        for index in 0..self.heads.len() {
            let head = &self.claim.heads[index];
            if !self.is_at(head, &run.state) {
                continue;
            }
            near = true;
            let known = self.heads[index].clone();
            let pattern = match known {
                Some(pattern) => pattern,
                None => match self.pattern(head, &run.state) {
                    Ok(pattern) => pattern,
                    Err(rejection) if rejection.out_of_time => return Err(rejection),
                    Err(_) => continue,
                },
            };
            if self.is_in(&pattern, &run.state, &run.path)? {
                self.heads[index].get_or_insert(pattern);
                return Ok(Some(index));
            }
        }
        if near {
            run.misses += 1;
            if run.misses > MOST_MISSES {
                let place = self.place(&run.state);
                return reject(format!("a run comes to {place} again and again outside the set"));
            }
        }
        Ok(None)
    }

    /// The run under each possible value of a needed term.
    fn values(&mut self, run: &Run, need: Need, runs: &mut Vec<Run>) -> Checked<()> {
        if let Some(allowed) = need.allowed
            && !self.follows(&run.path, &[allowed])?
        {
            let place = self.place(&run.state);
            return reject(format!("an access may be out of bounds at {place}"));
        }
        for Possible { equal, bits, .. } in self.questions.values(self.terms, &run.path, &need)? {
            let mut way = run.clone();
            way.path.push(equal);
            self.machine.concretise(&mut way.state, need, bits);
            runs.push(way);
        }
        Ok(())
    }

    fn place(&self, state: &State) -> Place {
        Place::of(self.program, state.position().0, self.machine.place(state))
    }
}
