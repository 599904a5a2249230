//! A program has a ranking: run the machine symbolically from its start and from each head, with
//! everything open that the evidence leaves open, and show for each path to the next head that the
//! invariant is kept and that the ranking gets smaller.
//!
//! Why it is enough. The states of a head are its pattern with values for the holes that satisfy the
//! invariant. Every branch that is possible is followed, from the start and from each pattern, until
//! it ends or comes to a state of a head; there are finitely many steps between. So a run that never
//! ends comes to states of heads infinitely often; that no fair run can is said in `decrease`. No
//! path ends in a broken obligation. Inputs and what
//! the model does not know are the same here: it holds for all of both.
//!
//! Runs that do something undefined, or not what is assumed, have ended; runs that the model does
//! not cover are refused, unless the path excludes them. A run that overflows a signed integer under
//! `--ints c` has ended as well, but where all runs of a path do, that is no end to rely on; nor may a
//! ranking need it, which is said in `overflow`.
//!
//! If the claim says that memory is vague, the machine does more than the program can: every run of
//! the program is still among its runs. Lists can be chains of any length then; that makes a state at a
//! head stand for more states, never for fewer.
//!
//! States are compared on all calls in progress (`Machine::compare`), so that the rest of the run
//! cannot tell apart what counts as one. A recursion comes to ever more calls, and matches nothing,
//! unless memory is vague: then one activation of a function that may call itself is looked at at a
//! time. Each call of such a function is taken to have returned anything, and is followed as well, to
//! a head at its start or beyond. A run that never ends either has infinitely many calls in progress,
//! each of them on a way from head to head, or it stays in one activation forever, and all such calls
//! that it makes there return. A call that is taken to have returned may have passed any event, so it
//! makes the level of every pair grow. What it returns may be restricted by a summary (`summaries`).

mod calls;
mod environment;
mod heads;

use std::time::Instant;

use ouro_evidence::{ProgramRanking, SourcePlace, UndefinedBehaviour, UndefinedRun};
use ouro_machine::{
    Machine, MachineState, MachineStop, OverflowSemantics, ReturnedCall, RunEnd, SIGNED_OVERFLOW,
    SegmentLink,
};
use ouro_model::{FunctionId, Program, Span};
use ouro_solver::SolverAnswer;
use ouro_solver::clock;
use ouro_term::{Assignment, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashSet;

use crate::EvidenceRejection;
use crate::decrease::RankingPath;
use crate::fair::PassedEvents;
use crate::levels::ParsedLevel;
use crate::limits::LIMITS;
use crate::over::{CheckResult, reject_evidence};
use crate::overflow::{self, LostRun, ReturnedRun};
use crate::pattern::{HeadPattern, segment_links};
use crate::questions::PathQuestions;
use crate::replay::describe_end;
use crate::summaries::{self, ClaimedSummaries};
use crate::undefined::{
    ConditionCause, KnownRun, MetCondition, RunChoices, UndefinedNaming, named_values,
    span_in_user_code,
};
use environment::OpenEnvironment;

/// A run that has passed this many loop heads or recursive calls is in an iteration, or may be.
const ITERATED: usize = 1;

/// Where what the model does not know comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnknownOrigin {
    /// From wherever the front end says: such numbers have the bounds of their types.
    Anywhere,
    /// From code that was left out, which may have computed them: they have bounds only as signed integers have.
    OtherCode,
}

/// A head with its pattern; the pattern's set is the invariant.
#[derive(Clone)]
struct RankedHeadPattern {
    pattern: HeadPattern,
    ranking: Vec<ParsedLevel>,
}

/// A symbolic run between two heads.
#[derive(Clone)]
struct ProgramRankingRun {
    state: MachineState,
    path: Vec<Term>,
    /// Values that satisfied the path when it was last asked about.
    values: Assignment,
    misses: usize,
    partings: usize,
    /// What was passed since the head.
    passed: PassedEvents,
    /// The calls in progress that something is promised of, which began since the head.
    begun: Vec<SummarizedCall>,
    /// What the environment chose since the head.
    choices: RunChoices,
    /// Conditions of the path that only say that a signed operation does not overflow, and where.
    no_overflow: Vec<(Term, Span)>,
    /// How many of them there were when the run was last known to be possible.
    possible_with: usize,
    /// Loop heads and recursive calls passed.
    turns: usize,
}

/// A call that something is promised of.
#[derive(Clone)]
struct SummarizedCall {
    /// How many calls are below it.
    below: usize,
    /// The call; it has not returned anything yet.
    call: ReturnedCall,
}

struct ProgramRankingChecker<'a> {
    program: &'a Program,
    naming: UndefinedNaming<'a>,
    machine: &'a Machine,
    terms: &'a mut TermStore,
    questions: PathQuestions,
    deadline: Instant,
    claim: &'a ProgramRanking,
    /// How lists are linked that are chains at heads.
    links: Vec<SegmentLink>,
    /// What calls of functions that may call themselves return.
    promises: ClaimedSummaries,
    /// Each head once its pattern is known.
    heads: Vec<Option<RankedHeadPattern>>,
    ways: Vec<RankingPath>,
    /// Runs that were given up as impossible, where signed integers may overflow.
    lost: Vec<LostRun>,
    /// Runs to where an activation returns, where signed integers may overflow.
    returned: Vec<ReturnedRun>,
    /// Conditions of paths that only say what was promised of calls.
    promised: FxHashSet<Term>,
    /// Whether a signed overflow is undefined.
    bounded: bool,
    /// Where what the model does not know comes from.
    unknowns: UnknownOrigin,
    /// A run that returns to this many calls has left the activation it started in.
    floor: usize,
    steps: u64,
    paths: usize,
}

pub(crate) fn check_program_ranking(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    claim: &ProgramRanking,
    naming: UndefinedNaming<'_>,
    (overflow, unknowns): (OverflowSemantics, UnknownOrigin),
    deadline: Instant,
) -> CheckResult<Vec<UndefinedBehaviour>> {
    let unbounded = overflow == OverflowSemantics::Unbounded;
    let promises = summaries::read_summaries(program, machine, terms, &claim.summaries)?;
    let mut checker = ProgramRankingChecker {
        program,
        naming,
        machine,
        terms,
        questions: PathQuestions::new(LIMITS.ranking_query, deadline, unbounded),
        deadline,
        claim,
        links: segment_links(&claim.links),
        promises,
        heads: claim.heads.iter().map(|_| None).collect(),
        ways: Vec::new(),
        lost: Vec::new(),
        returned: Vec::new(),
        promised: FxHashSet::default(),
        bounded: overflow == OverflowSemantics::Undefined,
        unknowns,
        floor: 0,
        steps: 0,
        paths: 0,
    };
    if !claim.links.is_empty() && !claim.vague {
        return reject_evidence("lists are abstracted, so memory has to be vague");
    }
    if claim.heads.iter().any(|head| !head.open.is_empty()) && !claim.vague {
        return reject_evidence("objects are left open, so memory has to be vague");
    }
    if !claim.summaries.is_empty() && !claim.vague {
        return reject_evidence("calls are followed as long as they go on, unless memory is vague");
    }
    checker.leave_head(None)?;
    let mut left = vec![false; claim.heads.len()];
    while let Some(next) = (0..left.len()).find(|i| !left[*i] && checker.heads[*i].is_some()) {
        checker.leave_head(Some(next))?;
        left[next] = true;
    }
    checker.check_decrease()?;
    Ok(checker.naming.finish())
}

impl ProgramRankingChecker<'_> {
    /// Follows every run from the start or from a head to the next head.
    fn leave_head(&mut self, from: Option<usize>) -> CheckResult<()> {
        let (state, path, floor) = match from {
            None => (self.machine.start_state(), Vec::new(), 0),
            Some(index) => {
                let head = self.heads[index].as_ref().expect("the caller looked");
                let floor = head.pattern.state.depth() - head.pattern.frames;
                (head.pattern.state.clone(), vec![head.pattern.set], floor)
            }
        };
        self.floor = floor;
        let mut runs = vec![ProgramRankingRun {
            state,
            path,
            values: Assignment::new(),
            misses: 0,
            partings: 0,
            passed: PassedEvents::default(),
            begun: Vec::new(),
            choices: RunChoices::default(),
            no_overflow: Vec::new(),
            possible_with: 0,
            turns: 0,
        }];
        while let Some(run) = runs.pop() {
            self.paths += 1;
            if self.paths > LIMITS.ranking_paths {
                return reject_evidence(format!(
                    "more than {} paths lead from head to head",
                    LIMITS.ranking_paths
                ));
            }
            self.follow_run(from, run, &mut runs)?;
        }
        Ok(())
    }

    /// Follows one run to a head, to its end, or to where it parts; the parts are left to the caller.
    fn follow_run(
        &mut self,
        from: Option<usize>,
        mut run: ProgramRankingRun,
        runs: &mut Vec<ProgramRankingRun>,
    ) -> CheckResult<()> {
        loop {
            if clock::budget_now() >= self.deadline {
                return Err(EvidenceRejection::time_ran_out());
            }
            let before = run.state.steps;
            let mut surroundings = OpenEnvironment {
                conditions: Vec::new(),
                choices: &mut run.choices,
                unknowns: &mut self.questions.unknowns,
                passed: &mut run.passed,
                vague: self.claim.vague,
                awaited: [Some(self.floor), run.begun.last().map(|begun| begun.below)],
                results: None,
            };
            let until = before + LIMITS.steps_between_looks;
            let stop = self.machine.run_until(&mut run.state, self.terms, &mut surroundings, until);
            let OpenEnvironment { conditions, results, .. } = surroundings;
            self.steps += run.state.steps - before;
            let mut conditions = conditions;
            for (_, why) in &mut conditions {
                if let ConditionCause::Excluded(_, span) = why {
                    *span = span_in_user_code(self.program, self.machine, &run.state, *span);
                }
            }
            self.name_undefined(from, &run, &conditions)?;
            for (condition, why) in conditions {
                // What held at the head is said again where the program asks for it.
                let said = &run.path[usize::from(from.is_some()).min(run.path.len())..];
                let again = said.contains(&condition);
                if let ConditionCause::Assumed = why {
                    run.no_overflow.retain(|(one, _)| *one != condition);
                }
                if self.terms.as_bool(condition) == Some(true) || again {
                    continue;
                }
                if let ConditionCause::Excluded(what, span) = &why
                    && what.starts_with(SIGNED_OVERFLOW)
                {
                    run.no_overflow.push((condition, *span));
                }
                if let ConditionCause::Restricted(why) = why {
                    if !self.is_entailed(&run, condition)? {
                        return reject_evidence(format!("not all runs are covered: {why}"));
                    }
                    continue;
                }
                run.path.push(condition);
            }
            if self.steps > LIMITS.ranking_steps {
                return reject_evidence(format!(
                    "not all loop heads are reached within {} steps",
                    LIMITS.ranking_steps
                ));
            }
            if run.state.memory.layout_observed().is_some() {
                return self.refuse_run(
                    from,
                    &mut run,
                    "a run depends on where objects are placed in \
                     memory",
                );
            }
            if self.claim.vague && run.state.low <= self.floor {
                // The activation has ended. Whoever called goes on as if anything had been returned
                // that was promised.
                return self.check_activation_end(from, &mut run, results);
            }
            if let Some(results) = results
                && let Some(begun) = run.begun.pop()
            {
                // As before. What comes then is followed as well, for whatever was promised.
                self.note_returned(&run);
                return self.check_summary(from, &mut run, &ReturnedCall { results, ..begun.call });
            }
            match stop {
                MachineStop::Steps => {}
                MachineStop::Mark => {
                    if !self.is_branch_possible(&mut run)? {
                        return self.give_up_run(from, &run);
                    }
                    run.turns += 1;
                    // Also where the call comes to no head itself: one inside it may cut it off.
                    if self.claim.vague && self.machine.has_begun_activation(&run.state) {
                        runs.push(self.run_after_return(&run)?);
                    }
                    if self.arrive_at_head(from, &mut run)? {
                        return Ok(());
                    }
                    let (function, _) = run.state.position();
                    if self.machine.has_begun_activation(&run.state)
                        && self.promises.contains_key(&function)
                    {
                        let arguments = self.machine.call_arguments(self.terms, &run.state);
                        let call = ReturnedCall { function, arguments, results: Vec::new() };
                        run.begun.push(SummarizedCall { below: run.state.depth() - 1, call });
                    }
                }
                MachineStop::End(end @ (RunEnd::Limit(_) | RunEnd::NeedsInput(_)), at) => {
                    let how = describe_end(self.program, &end, at);
                    return self.refuse_run(
                        from,
                        &mut run,
                        &format!("a run is not covered: {how}"),
                    );
                }
                MachineStop::End(end @ RunEnd::Violation(_), at) => {
                    let how = describe_end(self.program, &end, at);
                    let why = format!("a run violates the specification: {how}");
                    return self.refuse_run(from, &mut run, &why);
                }
                MachineStop::End(RunEnd::Undefined(what), at)
                    if what.starts_with(SIGNED_OVERFLOW) =>
                {
                    let how = describe_end(self.program, &RunEnd::Undefined(what), at);
                    return self.refuse_run(
                        from,
                        &mut run,
                        &format!("a run ends only because of {how}"),
                    );
                }
                MachineStop::End(RunEnd::Undefined(what), at) => {
                    let never = self.terms.bool(false);
                    let span = span_in_user_code(self.program, self.machine, &run.state, at.span);
                    return self.name_undefined(
                        from,
                        &run,
                        &[(never, ConditionCause::Excluded(what, span))],
                    );
                }
                MachineStop::End(..) => return Ok(()),
                MachineStop::Fork(alternatives, at) => {
                    run.partings += 1;
                    if run.partings > LIMITS.partings {
                        let place = SourcePlace::of_span(self.program, at.function, at.span);
                        return reject_evidence(format!(
                            "a run reaches {place} without passing a loop head in {} branches",
                            LIMITS.partings
                        ));
                    }
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        let mut way = run.clone();
                        way.path.push(alternative.condition);
                        way.no_overflow.retain(|(one, _)| *one != alternative.condition);
                        if self.is_branch_possible(&mut way)? {
                            self.machine.take_alternative(&mut way.state, alternative);
                            ways.push(way);
                        } else {
                            self.note_lost(from, way);
                        }
                    }
                    if ways.is_empty() {
                        return self.give_up_run(from, &run);
                    }
                    runs.extend(ways.into_iter().rev());
                    return Ok(());
                }
                MachineStop::Concretise(need, at) => {
                    // Other values end in undefined behaviour.
                    if let Some(allowed) = need.allowed {
                        let span =
                            span_in_user_code(self.program, self.machine, &run.state, at.span);
                        let why = ConditionCause::Excluded(need.otherwise.to_owned(), span);
                        self.name_undefined(from, &run, &[(allowed, why)])?;
                        run.path.push(allowed);
                    }
                    let ways = self.split_by_value(&run, need)?;
                    if ways.is_empty() {
                        return self.give_up_run(from, &run);
                    }
                    self.note_lost_values(from, run, &ways);
                    runs.extend(ways.into_iter().rev());
                    return Ok(());
                }
            }
        }
    }

    /// Finds out whether a run from the start or from a head can do what conditions exclude that it
    /// has met.
    fn name_undefined(
        &mut self,
        from: Option<usize>,
        run: &ProgramRankingRun,
        met: &[MetCondition],
    ) -> CheckResult<()> {
        let ProgramRankingChecker { program, naming, terms, questions, claim, heads, .. } = self;
        let known = KnownRun { path: &run.path, values: &run.values };
        let ask = |terms: &TermStore, query: &[Term], until: Instant| {
            questions.ask_solver_until(terms, query, until)
        };
        naming.examine_conditions(terms, known, met, ask, |terms, values, conditions| {
            let head = from.map(|index| &claim.heads[index]);
            let pattern = from.and_then(|index| heads[index].as_ref());
            let named: Vec<(String, Term, bool)> = (head.iter().flat_map(|head| &head.holes))
                .zip(pattern.iter().flat_map(|head| &head.pattern.symbols))
                .map(|(hole, symbol)| (hole.name.clone(), *symbol, hole.unsigned))
                .collect();
            UndefinedRun {
                head: head.map(|head| head.place.clone()),
                variables: named_values(terms, values, conditions, &named),
                inputs: run.choices.relevant_inputs(program, terms, values, conditions),
            }
        })
    }

    /// Refuses the evidence because of a run, unless there is no such run.
    fn refuse_run(
        &mut self,
        from: Option<usize>,
        run: &mut ProgramRankingRun,
        why: &str,
    ) -> CheckResult<()> {
        let is_known = self.known_values_take(run);
        if !is_known && self.questions.ask_solver(self.terms, &run.path)? == SolverAnswer::Unsat {
            self.note_lost(from, run.clone());
            return Ok(());
        }
        reject_evidence(why)
    }

    /// Whether the values that are known of a run lead along all of its path.
    fn known_values_take(&self, run: &ProgramRankingRun) -> bool {
        let mut evaluator = TermEvaluator::new(self.terms, &run.values);
        run.path.iter().all(|condition| evaluator.evaluate_formula(*condition) == Some(true))
    }

    /// Whether there is such a run; what the solver does not know, or not soon, is possible.
    fn is_branch_possible(&mut self, run: &mut ProgramRankingRun) -> CheckResult<bool> {
        if !self.known_values_take(run) {
            match self.questions.ask_about_branch(self.terms, &run.path)? {
                SolverAnswer::Unsat => return Ok(false),
                SolverAnswer::Sat(values) => run.values = values,
                SolverAnswer::Unknown(_) => {}
            }
        }
        run.possible_with = run.no_overflow.len();
        Ok(true)
    }

    /// Gives up a run that is impossible. If that is only because no signed operation overflows, it has
    /// to overflow: a loop that goes on until then is not said to end.
    fn give_up_run(&mut self, from: Option<usize>, run: &ProgramRankingRun) -> CheckResult<()> {
        let recent = &run.no_overflow[run.possible_with.min(run.no_overflow.len())..];
        let (Some((_, span)), true) = (recent.last(), from.is_some() || run.turns >= ITERATED)
        else {
            self.note_lost(from, run.clone());
            return Ok(());
        };
        let rest: Vec<Term> = (run.path.iter().copied())
            .filter(|condition| recent.iter().all(|(one, _)| one != condition))
            .collect();
        match self.questions.ask_solver(self.terms, &rest)? {
            SolverAnswer::Unsat => {
                self.note_lost(from, run.clone());
                Ok(())
            }
            _ => Err(self.overflow_only_rejection(*span)),
        }
    }

    /// Notes a run that returns: what it computed is unknown to whoever called.
    fn note_returned(&mut self, run: &ProgramRankingRun) {
        if self.bounded && !run.no_overflow.is_empty() {
            let ProgramRankingRun { path, no_overflow, .. } = run;
            let returned =
                ReturnedRun { conditions: path.clone(), no_overflow: no_overflow.clone() };
            self.returned.push(returned);
        }
    }

    /// Notes the run with all values that it cannot have: none of those that end the paths of `ways`.
    fn note_lost_values(
        &mut self,
        from: Option<usize>,
        mut run: ProgramRankingRun,
        ways: &[ProgramRankingRun],
    ) {
        for way in ways {
            if let Some(equal) = way.path.last() {
                run.path.push(self.terms.not(*equal));
            }
        }
        self.note_lost(from, run);
    }

    /// Notes a run that was given up as impossible.
    fn note_lost(&mut self, from: Option<usize>, run: ProgramRankingRun) {
        if let Some(from) = from.filter(|_| self.bounded) {
            let ProgramRankingRun { path: conditions, no_overflow, .. } = run;
            self.lost.push(LostRun { from, conditions, no_overflow });
        }
    }

    fn overflow_only_rejection(&self, span: Span) -> EvidenceRejection {
        if !span.is_known() {
            return overflow::overflow_rejection("in code that was left out");
        }
        let here = SourcePlace::of_span(self.program, FunctionId(0), span);
        overflow::overflow_rejection(&SourcePlace { function: String::new(), ..here }.to_string())
    }

    /// Whether a condition follows from a run's path.
    fn is_entailed(&mut self, run: &ProgramRankingRun, condition: Term) -> CheckResult<bool> {
        self.questions.all_entailed(self.terms, &run.path, &[condition])
    }
}
