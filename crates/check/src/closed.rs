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

use std::time::Instant;

use ouro_evidence::{ClosedSet, ClosedSetHead, SourcePlace};
use ouro_machine::{
    FoldScope, Machine, MachineState, MachineStop, NeededValue, OverflowSemantics, SegmentLink,
};
use ouro_model::Program;
use ouro_solver::SolverAnswer;
use ouro_solver::clock;
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::FxHashSet;

use crate::EvidenceRejection;
use crate::fair::{FairnessPath, PassedEvents, find_unmet_pair};
use crate::limits::LIMITS;
use crate::onward::run_onward;
use crate::over::{CheckResult, reject_evidence};
use crate::pattern::{HeadPattern, PatternDraft, segment_links};
use crate::questions::{PathQuestions, PossibleValue};
use crate::replay::{CertificateReplay, GivenInputs, describe_end};
use crate::strategy::StrategyEnvironment;

/// Checks a set; gives the ways from head to head that were followed.
pub(crate) fn check_closed_set(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    claim: &ClosedSet,
    overflow: OverflowSemantics,
    deadline: Instant,
) -> CheckResult<Vec<FairnessPath>> {
    let mut surroundings = GivenInputs::new(&claim.inputs)?;
    let mut first = machine.start_state();
    let mut replay = CertificateReplay { program, machine, terms, deadline };
    replay.run_to_step(&mut surroundings, &mut first, claim.step)?;
    if surroundings.taken != claim.inputs.len() {
        return reject_evidence(format!(
            "{} inputs were taken on the way to the first head, not {}",
            surroundings.taken,
            claim.inputs.len()
        ));
    }
    if first.memory.layout_observed().is_some() {
        return reject_evidence("the run depends on where objects are placed in memory");
    }
    if claim.frames == 0 || claim.frames > first.depth() {
        return reject_evidence(format!("{} of {} calls are claimed", claim.frames, first.depth()));
    }
    let mut symbols = FxHashSet::default();
    for hole in claim.heads.iter().flat_map(|head| &head.holes) {
        if !symbols.insert(hole.symbol.as_str()) {
            return reject_evidence(format!("two holes have the symbol {}", hole.symbol));
        }
    }
    let unbounded = overflow == OverflowSemantics::Unbounded;
    let mut checker = ClosedSetChecker {
        program,
        machine,
        terms,
        questions: PathQuestions::new(LIMITS.set_query, deadline, unbounded),
        deadline,
        heads: claim.heads.iter().map(|_| None).collect(),
        claim,
        links: segment_links(&claim.links),
        base: first.depth() - claim.frames,
        ways: Vec::new(),
        steps: 0,
        paths: 0,
    };
    checker.enter_first(&first)?;
    let mut closed = vec![false; claim.heads.len()];
    while let Some(next) = (0..closed.len()).find(|i| !closed[*i] && checker.heads[*i].is_some()) {
        checker.check_head_closed(next)?;
        closed[next] = true;
    }
    if let Some(idle) = closed.iter().position(|closed| !closed) {
        return reject_evidence(format!("the run never comes to head {idle}"));
    }
    if let Some(pair) = find_unmet_pair(closed.len(), program.fairness.len(), &checker.ways) {
        let name = &program.fairness[pair].name;
        return reject_evidence(format!("not every run in the set is fair: {name}"));
    }
    let ClosedSetChecker { heads, links, ways, .. } = checker;
    let heads: Vec<HeadPattern> = heads.into_iter().flatten().collect();
    run_onward(program, machine, terms, &heads, &links, first, deadline)?;
    Ok(ways)
}

/// A symbolic run between two heads.
#[derive(Clone)]
struct ClosedSetRun {
    state: MachineState,
    path: Vec<Term>,
    /// Choices made since the head.
    taken: usize,
    misses: usize,
    /// What was passed since the head.
    passed: PassedEvents,
}

struct ClosedSetChecker<'a> {
    program: &'a Program,
    machine: &'a Machine,
    terms: &'a mut TermStore,
    questions: PathQuestions,
    deadline: Instant,
    claim: &'a ClosedSet,
    /// How lists are linked that are chains at heads.
    links: Vec<SegmentLink>,
    /// Each head once its pattern is known.
    heads: Vec<Option<HeadPattern>>,
    /// How many of the outermost calls the run never returns to.
    base: usize,
    /// The ways from head to head.
    ways: Vec<FairnessPath>,
    steps: u64,
    paths: usize,
}

impl ClosedSetChecker<'_> {
    /// Makes the pattern of the first head from the replayed state, which must be in its set.
    fn enter_first(&mut self, first: &MachineState) -> CheckResult<()> {
        let Some(head) = self.claim.heads.first() else {
            return reject_evidence("it names no loop head");
        };
        if !self.is_at_head(head, first) {
            return reject_evidence("the inputs do not lead to the first loop head");
        }
        let mut first = first.clone();
        self.machine.fold_lists(&mut first, self.terms, &self.links, FoldScope::Heap);
        let pattern = self.read_head_pattern(head, &first)?;
        if !self.is_in_set(&pattern, &first, &[])? {
            return reject_evidence("the inputs do not lead into the set");
        }
        self.heads[0] = Some(pattern);
        Ok(())
    }

    fn is_at_head(&self, head: &ClosedSetHead, state: &MachineState) -> bool {
        let (function, position) = state.position();
        position == head.position && self.machine.function_name(function) == head.function
    }

    /// Reads a head; its pattern is a state with symbols put in.
    fn read_head_pattern(
        &mut self,
        head: &ClosedSetHead,
        from: &MachineState,
    ) -> CheckResult<HeadPattern> {
        if !self.links.is_empty() && self.machine.heap_shape(from) != head.shape {
            return reject_evidence("lists are linked differently");
        }
        let mut draft = PatternDraft::new(self.machine, self.terms, &[], &head.holes, from)?;
        let set = draft.parse_over_holes(self.terms, &head.set)?;
        if self.terms.sort(set) != Sort::Bool {
            return reject_evidence(format!("'{}' is not a formula", head.set));
        }
        let mut choices = Vec::new();
        for text in &head.choices {
            choices.push(draft.parse_over_holes(self.terms, text)?);
        }
        if draft.state.depth() <= self.base {
            return reject_evidence("the run returns from a call that it is claimed to stay in");
        }
        let frames = draft.state.depth() - self.base;
        draft.finish(self.program, self.machine, self.terms, frames, &head.place)?;
        let PatternDraft { state, symbols, .. } = draft;
        Ok(HeadPattern { state, frames, symbols, set, choices })
    }

    /// Whether a state that is reached under a path is one of a head's.
    fn is_in_set(
        &mut self,
        pattern: &HeadPattern,
        state: &MachineState,
        path: &[Term],
    ) -> CheckResult<bool> {
        let Some((conditions, _)) = pattern.match_state(self.machine, self.terms, state) else {
            return Ok(false);
        };
        self.all_entailed(path, &conditions)
    }

    /// Whether all of these follow from a path.
    fn all_entailed(&mut self, path: &[Term], conditions: &[Term]) -> CheckResult<bool> {
        self.questions.all_entailed(self.terms, path, conditions)
    }

    /// Follows every run from a head to the next.
    fn check_head_closed(&mut self, index: usize) -> CheckResult<()> {
        let pattern = self.heads[index].clone().expect("the caller looked");
        let mut runs = vec![ClosedSetRun {
            state: pattern.state.clone(),
            path: vec![pattern.set],
            taken: 0,
            misses: 0,
            passed: PassedEvents::default(),
        }];
        while let Some(run) = runs.pop() {
            self.paths += 1;
            if self.paths > LIMITS.set_paths {
                return reject_evidence(format!(
                    "more than {} paths lead from head to head",
                    LIMITS.set_paths
                ));
            }
            self.follow_run(index, &pattern, run, &mut runs)?;
        }
        Ok(())
    }

    /// Follows one run to a head, or to where it parts; the parts are left to the caller.
    fn follow_run(
        &mut self,
        index: usize,
        from: &HeadPattern,
        mut run: ClosedSetRun,
        runs: &mut Vec<ClosedSetRun>,
    ) -> CheckResult<()> {
        loop {
            if clock::budget_now() >= self.deadline {
                return Err(EvidenceRejection::time_ran_out());
            }
            let before = run.state.steps;
            let mut surroundings = StrategyEnvironment {
                choices: &from.choices,
                taken: run.taken,
                conditions: Vec::new(),
                given: Vec::new(),
                unknowns: &mut self.questions.unknowns,
                passed: &mut run.passed,
                wrong: None,
            };
            let until = before + LIMITS.steps_between_looks;
            let stop = self.machine.run_until(&mut run.state, self.terms, &mut surroundings, until);
            let StrategyEnvironment { taken, conditions, given, wrong, .. } = surroundings;
            run.taken = taken;
            run.path.extend(given);
            if let Some(wrong) = wrong {
                return reject_evidence(wrong);
            }
            self.steps += run.state.steps - before;
            if self.steps > LIMITS.set_steps {
                return reject_evidence(format!(
                    "no head is reached in {} steps",
                    LIMITS.set_steps
                ));
            }
            if !self.all_entailed(&run.path, &conditions)? {
                let place = self.user_place(&run.state);
                return reject_evidence(format!(
                    "a run ends, does something undefined or is not covered by the model before \
                     {place}"
                ));
            }
            if run.state.low <= self.base {
                return reject_evidence(
                    "the run returns from a call that it is claimed to stay in",
                );
            }
            if run.state.memory.layout_observed().is_some() {
                return reject_evidence("the run depends on where objects are placed in memory");
            }
            match stop {
                MachineStop::Steps => {}
                MachineStop::Mark => {
                    if let Some(to) = self.arrive_at_head(&mut run)? {
                        let meets = run.passed.pair_progress(self.program);
                        self.ways.push(FairnessPath { from: index, to, meets });
                        return Ok(());
                    }
                }
                MachineStop::End(end, at) => {
                    let how = describe_end(self.program, &end, at);
                    return reject_evidence(format!("a run from the set ends: {how}"));
                }
                MachineStop::Fork(alternatives, _) => {
                    for alternative in alternatives {
                        let mut way = run.clone();
                        way.path.push(alternative.condition);
                        if self.questions.ask_solver(self.terms, &way.path)? != SolverAnswer::Unsat
                        {
                            self.machine.take_alternative(&mut way.state, alternative);
                            runs.push(way);
                        }
                    }
                    return Ok(());
                }
                MachineStop::Concretise(need, _) => return self.split_by_value(&run, need, runs),
            }
        }
    }

    /// The head that a run which is at a mark has come to, in its set. The first state at the
    /// position of a head that has no pattern yet becomes its pattern.
    fn arrive_at_head(&mut self, run: &mut ClosedSetRun) -> CheckResult<Option<usize>> {
        if self.claim.heads.iter().any(|head| self.is_at_head(head, &run.state)) {
            self.machine.fold_lists(&mut run.state, self.terms, &self.links, FoldScope::Heap);
        }
        let mut near = false;
        for index in 0..self.heads.len() {
            let head = &self.claim.heads[index];
            if !self.is_at_head(head, &run.state) {
                continue;
            }
            near = true;
            let known = self.heads[index].clone();
            let pattern = match known {
                Some(pattern) => pattern,
                None => match self.read_head_pattern(head, &run.state) {
                    Ok(pattern) => pattern,
                    Err(rejection) if rejection.out_of_time => return Err(rejection),
                    Err(_) => continue,
                },
            };
            if self.is_in_set(&pattern, &run.state, &run.path)? {
                self.heads[index].get_or_insert(pattern);
                return Ok(Some(index));
            }
        }
        if near {
            run.misses += 1;
            if run.misses > LIMITS.missed_heads {
                let place = self.user_place(&run.state);
                return reject_evidence(format!(
                    "a run reaches {place} more than {} times outside the set",
                    LIMITS.missed_heads
                ));
            }
        }
        Ok(None)
    }

    /// The run under each possible value of a needed term.
    fn split_by_value(
        &mut self,
        run: &ClosedSetRun,
        need: NeededValue,
        runs: &mut Vec<ClosedSetRun>,
    ) -> CheckResult<()> {
        if let Some(allowed) = need.allowed
            && !self.all_entailed(&run.path, &[allowed])?
        {
            let place = self.user_place(&run.state);
            return reject_evidence(format!("an access may be out of bounds at {place}"));
        }
        for PossibleValue { equal, bits, .. } in
            self.questions.possible_values(self.terms, &run.path, &need)?
        {
            let mut way = run.clone();
            way.path.push(equal);
            self.machine.concretise_need(&mut way.state, need, bits);
            runs.push(way);
        }
        Ok(())
    }

    fn user_place(&self, state: &MachineState) -> SourcePlace {
        SourcePlace::of_span(
            self.program,
            state.position().0,
            self.machine.next_instruction_span(state),
        )
    }
}
