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
use std::time::Instant;

use ouro_evidence::{PathExhaustion, SourcePlace, UndefinedBehaviour, UndefinedRun};
use ouro_machine::path::{PathCondition, SymbolIndex, path_subsumes};
use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, NeededValue, Provenance,
    RunEnd, RunEnvironment, RunPosition, SIGNED_OVERFLOW, TermShapes,
};
use ouro_model::{Program, Span};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Sort, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashMap;

use crate::EvidenceRejection;
use crate::fair::{FairnessPath, PassedEvents, has_fair_component};
use crate::limits::LIMITS;
use crate::undefined::{
    ConditionCause, KnownRun, MetCondition, RunChoices, UndefinedNaming, span_in_user_code,
};

/// A run that has passed this many loop heads or recursive calls is in an iteration, or may be.
const ITERATED: u64 = 1;

/// A run that has not ended.
#[derive(Clone)]
struct ExhaustionRun {
    state: MachineState,
    path: PathCondition,
    /// Values that satisfied the path when it was last asked about.
    values: Assignment,
    choices: RunChoices,
    /// The last state that was noted, and the events since then.
    from: Option<usize>,
    passed: PassedEvents,
    /// Loop heads since then.
    marks: u64,
    /// Loop heads and recursive calls passed.
    turns: u64,
    /// Conditions that no signed operation overflows. They stay, since a branch is decided by those conditions alone
    /// that have to do with it: that the run as a whole is possible is never known.
    no_overflow: Vec<(Term, Span)>,
}

/// A state whose runs are being followed, or have been.
struct SeenState {
    state: MachineState,
    path: PathCondition,
    done: bool,
}

enum ExhaustionTask {
    Follow(Box<ExhaustionRun>),
    Done(usize),
}

struct ExhaustionChecker<'a> {
    program: &'a Program,
    naming: UndefinedNaming<'a>,
    machine: &'a Machine,
    terms: &'a mut TermStore,
    session: Session,
    symbols: SymbolIndex,
    shapes: TermShapes,
    seen: Vec<SeenState>,
    table: FxHashMap<u64, Vec<usize>>,
    /// Which state leads to which, where fairness asks for it.
    ways: Vec<FairnessPath>,
    tasks: Vec<ExhaustionTask>,
    deadline: Instant,
    steps: u64,
    most_steps: u64,
    /// States at which runs parted.
    parted: u64,
    most_states: u64,
}

pub(crate) fn check_exhaustion(
    program: &Program,
    machine: &Machine,
    terms: &mut TermStore,
    claim: &PathExhaustion,
    naming: UndefinedNaming<'_>,
    deadline: Instant,
) -> Result<Vec<UndefinedBehaviour>, EvidenceRejection> {
    let limits =
        SessionLimits { query: LIMITS.exhaustion_query, deadline: Some(deadline), memory_mib: 0 };
    let first = ExhaustionRun {
        state: machine.start_state(),
        path: PathCondition::default(),
        values: Assignment::new(),
        choices: RunChoices::default(),
        from: None,
        passed: PassedEvents::default(),
        marks: 0,
        turns: 0,
        no_overflow: Vec::new(),
    };
    // Another order of the search merges other states: allow for much more work than was claimed. The
    // numbers only end a hopeless search; nothing rests on them.
    let mut checker = ExhaustionChecker {
        program,
        naming,
        machine,
        terms,
        session: Session::new(limits),
        symbols: SymbolIndex::default(),
        shapes: TermShapes::default(),
        seen: Vec::new(),
        table: FxHashMap::default(),
        ways: Vec::new(),
        tasks: vec![ExhaustionTask::Follow(Box::new(first))],
        deadline,
        steps: 0,
        parted: 0,
        most_steps: claim.steps.saturating_mul(LIMITS.exhaustion_slack).saturating_add(16),
        most_states: claim.states.saturating_mul(LIMITS.exhaustion_slack).saturating_add(4),
    };
    while let Some(task) = checker.tasks.pop() {
        match task {
            ExhaustionTask::Follow(run) => checker.follow_run(*run)?,
            ExhaustionTask::Done(seen) => checker.seen[seen].done = true,
        }
    }
    let pairs = program.fairness.len();
    if pairs > 0 && has_fair_component(checker.seen.len(), pairs, checker.ways) {
        return Err(EvidenceRejection::new("some runs cycle and may be fair"));
    }
    Ok(checker.naming.finish())
}

impl ExhaustionChecker<'_> {
    fn follow_run(&mut self, mut run: ExhaustionRun) -> Result<(), EvidenceRejection> {
        loop {
            if clock::budget_now() >= self.deadline {
                return Err(EvidenceRejection::time_ran_out());
            }
            let before = run.state.steps;
            let mut surroundings = ExhaustionEnvironment {
                choices: &mut run.choices,
                conditions: Vec::new(),
                passed: &mut run.passed.events,
                marks: !self.program.fairness.is_empty(),
                turns: &mut run.turns,
            };
            let until = before + LIMITS.replayed_between_looks;
            let stop = self.machine.run_until(&mut run.state, self.terms, &mut surroundings, until);
            let mut met = surroundings.conditions;
            self.locate_exclusions(&run, &mut met);
            self.name_undefined(&run, &met)?;
            for (condition, why) in met {
                match why {
                    ConditionCause::Restricted(why) => {
                        self.require_entailed(&run.path, condition, &why)?;
                    }
                    ConditionCause::Assumed => run.path.add_condition(self.terms, condition),
                    ConditionCause::Excluded(what, span) => {
                        run.path.add_condition(self.terms, condition);
                        if what.starts_with(SIGNED_OVERFLOW) {
                            run.no_overflow.push((condition, span));
                        }
                    }
                }
            }
            self.steps += run.state.steps - before;
            if self.steps > self.most_steps {
                return Err(EvidenceRejection::steps_exceeded("steps"));
            }
            let decided = matches!(stop, MachineStop::Fork(..));
            let ways = match stop {
                MachineStop::Steps => continue,
                MachineStop::Mark if self.is_subsumed_at_head(&mut run) => return Ok(()),
                MachineStop::Mark => continue,
                MachineStop::End(end, at) => return self.check_end(&run, end, at),
                MachineStop::Fork(alternatives, _) => {
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        if let Some(mut next) = self.run_under(&run, alternative.condition)? {
                            self.machine.take_alternative(&mut next.state, alternative);
                            ways.push(next);
                        }
                    }
                    ways
                }
                MachineStop::Concretise(need, at) => self.split_by_value(&run, need, at)?,
            };
            if ways.is_empty() {
                return self.check_impossible(&run);
            }
            if ways.len() > 1 {
                return self.follow_alternatives(run, ways);
            }
            match ways.into_iter().next() {
                // What follows from the path need not be added to it.
                Some(only) if decided => run = ExhaustionRun { path: run.path, ..only },
                Some(only) => run = only,
                None => return Ok(()),
            }
        }
    }

    /// Says of what conditions exclude where the user's code is then.
    fn locate_exclusions(&self, run: &ExhaustionRun, met: &mut [MetCondition]) {
        for (_, why) in met {
            if let ConditionCause::Excluded(_, span) = why {
                *span = span_in_user_code(self.program, self.machine, &run.state, *span);
            }
        }
    }

    /// Finds out whether a run can do what conditions exclude that it has met.
    fn name_undefined(
        &mut self,
        run: &ExhaustionRun,
        met: &[MetCondition],
    ) -> Result<(), EvidenceRejection> {
        let ExhaustionChecker { program, naming, terms, session, deadline, .. } = self;
        let known = KnownRun { path: run.path.conditions(), values: &run.values };
        let ask = |terms: &TermStore, query: &[Term], until: Instant| {
            session.set_deadline(until.min(*deadline));
            let answer = session.check_sat(terms, query);
            session.set_deadline(*deadline);
            match answer {
                SolverAnswer::Unknown(_) if clock::budget_now() >= *deadline => {
                    Err(EvidenceRejection::time_ran_out())
                }
                answer => Ok(answer),
            }
        };
        naming.examine_conditions(terms, known, met, ask, |terms, values, conditions| {
            UndefinedRun {
                head: None,
                variables: Vec::new(),
                inputs: run.choices.relevant_inputs(program, terms, values, conditions),
            }
        })
    }

    /// A run has no way on. If that is only because no signed operation may overflow, it has to
    /// overflow: a loop that goes on until then is not said to end.
    fn check_impossible(&mut self, run: &ExhaustionRun) -> Result<(), EvidenceRejection> {
        let Some((_, span)) = run.no_overflow.last().filter(|_| run.turns >= ITERATED) else {
            return Ok(());
        };
        let mut excluded = PathCondition::default();
        for (condition, _) in &run.no_overflow {
            excluded.add_condition(self.terms, *condition);
        }
        let rest: Vec<Term> = (run.path.conditions().iter().copied())
            .filter(|condition| !excluded.conditions().contains(condition))
            .collect();
        match self.session.check_sat(self.terms, &rest) {
            SolverAnswer::Unsat => Ok(()),
            SolverAnswer::Unknown(_) if clock::budget_now() >= self.deadline => {
                Err(EvidenceRejection::time_ran_out())
            }
            _ => {
                let (function, _) = run.state.position();
                Err(overflow_only_rejection(self.program, RunPosition { function, span: *span }))
            }
        }
    }

    /// Whether runs that go round are to be looked at instead of refused.
    fn considers_fairness(&self) -> bool {
        !self.program.fairness.is_empty()
    }

    /// A run is at a loop head: whether an earlier state covers it. Otherwise it is noted, ever more
    /// seldom: a run that goes round comes back to the last state that was noted.
    fn is_subsumed_at_head(&mut self, run: &mut ExhaustionRun) -> bool {
        let print = self.drop_irrelevant_conditions(run, &mut []);
        if let Some(seen) = self.find_subsuming_state(print, run) {
            self.note_arrival(run, seen);
            return true;
        }
        run.marks += 1;
        if run.marks.is_power_of_two() {
            self.note_state(print, run);
        }
        false
    }

    /// A condition under which alone a run is covered: it has to follow from the path.
    fn require_entailed(
        &mut self,
        path: &PathCondition,
        condition: Term,
        why: &str,
    ) -> Result<(), EvidenceRejection> {
        if path.conditions().contains(&condition) {
            return Ok(());
        }
        let symbols = self.symbols.symbols_of(self.terms, condition);
        let mut part =
            path.relevant_conditions(self.terms, &mut self.symbols, symbols.iter().copied());
        part.push(self.terms.not(condition));
        match self.session.check_sat(self.terms, &part) {
            SolverAnswer::Unsat => Ok(()),
            _ if clock::budget_now() >= self.deadline => Err(EvidenceRejection::time_ran_out()),
            _ => Err(EvidenceRejection::new(format!("not all runs are covered: {why}"))),
        }
    }

    /// The run under one more condition; `None` if that is impossible.
    fn run_under(
        &mut self,
        run: &ExhaustionRun,
        condition: Term,
    ) -> Result<Option<ExhaustionRun>, EvidenceRejection> {
        let mut next = run.clone();
        next.path.add_condition(self.terms, condition);
        let mut evaluator = TermEvaluator::new(self.terms, &next.values);
        if next.path.conditions().iter().all(|c| evaluator.evaluate_formula(*c) == Some(true)) {
            return Ok(Some(next));
        }
        let symbols = self.symbols.symbols_of(self.terms, condition);
        let part =
            next.path.relevant_conditions(self.terms, &mut self.symbols, symbols.iter().copied());
        match self.session.check_sat(self.terms, &part) {
            SolverAnswer::Unsat => Ok(None),
            SolverAnswer::Sat(values) => {
                for symbol in values.assigned_symbols() {
                    next.values.set(symbol, values.get(symbol).expect("listed").clone());
                }
                Ok(Some(next))
            }
            // Nobody knows: follow it, it can only add work.
            SolverAnswer::Unknown(_) if clock::budget_now() >= self.deadline => {
                Err(EvidenceRejection::time_ran_out())
            }
            SolverAnswer::Unknown(_) => Ok(Some(next)),
        }
    }

    /// The run under each possible value of a needed term.
    fn split_by_value(
        &mut self,
        run: &ExhaustionRun,
        need: NeededValue,
        at: RunPosition,
    ) -> Result<Vec<ExhaustionRun>, EvidenceRejection> {
        let mut rest = run.clone();
        if let Some(allowed) = need.allowed {
            let span = span_in_user_code(self.program, self.machine, &run.state, at.span);
            self.name_undefined(
                run,
                &[(allowed, ConditionCause::Excluded(need.otherwise.to_owned(), span))],
            )?;
            // Other values end in undefined behaviour.
            match self.run_under(&rest, allowed)? {
                Some(within) => rest = within,
                None => return Ok(Vec::new()),
            }
        }
        let mut ways = Vec::new();
        loop {
            let symbols = self.symbols.symbols_of(self.terms, need.term);
            let part = rest.path.relevant_conditions(
                self.terms,
                &mut self.symbols,
                symbols.iter().copied(),
            );
            let values = match self.session.check_sat(self.terms, &part) {
                SolverAnswer::Unsat => return Ok(ways),
                SolverAnswer::Sat(values) => values,
                SolverAnswer::Unknown(_) if clock::budget_now() >= self.deadline => {
                    return Err(EvidenceRejection::time_ran_out());
                }
                SolverAnswer::Unknown(why) => {
                    return Err(EvidenceRejection::new(format!(
                        "the solver could not decide: \
                         {why}"
                    )));
                }
            };
            let found = TermEvaluator::new(self.terms, &values).evaluate_term(need.term);
            let Some((value, bits)) =
                found.and_then(|v| NeededValue::concrete_bits(&v).map(|bits| (v, bits)))
            else {
                return Err(EvidenceRejection::new("a value that is needed cannot be computed"));
            };
            let constant = self.terms.constant(value);
            let equal = self.terms.eq(need.term, constant);
            let mut way = rest.clone();
            way.path.add_condition(self.terms, equal);
            self.machine.concretise_need(&mut way.state, need, bits);
            ways.push(way);
            if ways.len() > LIMITS.exhaustion_values {
                return Err(EvidenceRejection::new(format!(
                    "a value that is needed has more than {} possibilities",
                    LIMITS.exhaustion_values
                )));
            }
            let other = self.terms.not(equal);
            rest.path.add_condition(self.terms, other);
        }
    }

    /// Follows several ways, unless an earlier state covers this one.
    fn follow_alternatives(
        &mut self,
        mut run: ExhaustionRun,
        mut ways: Vec<ExhaustionRun>,
    ) -> Result<(), EvidenceRejection> {
        let print = self.drop_irrelevant_conditions(&mut run, &mut ways);
        if let Some(seen) = self.find_subsuming_state(print, &run) {
            self.note_arrival(&run, seen);
            return Ok(());
        }
        self.parted += 1;
        if self.parted > self.most_states {
            return Err(EvidenceRejection::steps_exceeded("states"));
        }
        let id = self.note_state(print, &mut run);
        self.tasks.push(ExhaustionTask::Done(id));
        for way in ways.into_iter().rev() {
            let way =
                ExhaustionRun { from: run.from, passed: PassedEvents::default(), marks: 0, ..way };
            self.tasks.push(ExhaustionTask::Follow(Box::new(way)));
        }
        Ok(())
    }

    /// Drops conditions that have nothing to do with what the rest of the run can see: without them
    /// there are more runs, not fewer. Gives the fingerprint of the state.
    fn drop_irrelevant_conditions(
        &mut self,
        run: &mut ExhaustionRun,
        ways: &mut [ExhaustionRun],
    ) -> u64 {
        let (print, visible) =
            self.machine.fingerprint_state(self.terms, &mut self.shapes, &run.state);
        let mut symbols = Vec::new();
        for term in visible {
            symbols.extend(self.symbols.symbols_of(self.terms, term).iter().copied());
        }
        for kept in ways.iter_mut().chain([run]) {
            kept.path.keep_relevant(self.terms, &mut self.symbols, symbols.iter().copied());
        }
        print
    }

    /// A state that covers this one: one whose runs all ended, or under fairness any.
    fn find_subsuming_state(&mut self, print: u64, run: &ExhaustionRun) -> Option<usize> {
        for candidate in self.table.get(&print).cloned().unwrap_or_default() {
            let seen = &self.seen[candidate];
            let depth = run.state.depth();
            if !(seen.done || self.considers_fairness()) || seen.state.depth() != depth {
                continue;
            }
            let compared =
                self.machine.find_subsumption(self.terms, &seen.state, &run.state, depth);
            let Some(comparison) = compared else { continue };
            if path_subsumes(self.terms, &mut self.symbols, &comparison, &seen.path, &run.path) {
                return Some(candidate);
            }
        }
        None
    }

    /// Notes a state as being followed; the run goes on from it.
    fn note_state(&mut self, print: u64, run: &mut ExhaustionRun) -> usize {
        let id = self.seen.len();
        self.seen.push(SeenState { state: run.state.clone(), path: run.path.clone(), done: false });
        self.table.entry(print).or_default().push(id);
        self.note_arrival(run, id);
        run.from = Some(id);
        run.passed = PassedEvents::default();
        id
    }

    /// Notes that a run has come to a state.
    fn note_arrival(&mut self, run: &ExhaustionRun, to: usize) {
        if let Some(from) = run.from.filter(|_| self.considers_fairness()) {
            let meets = run.passed.pair_progress(self.program);
            self.ways.push(FairnessPath { from, to, meets });
        }
    }

    fn check_end(
        &mut self,
        run: &ExhaustionRun,
        end: RunEnd,
        at: RunPosition,
    ) -> Result<(), EvidenceRejection> {
        if let RunEnd::Undefined(what) = &end {
            let never = self.terms.bool(false);
            let span = span_in_user_code(self.program, self.machine, &run.state, at.span);
            self.name_undefined(run, &[(never, ConditionCause::Excluded(what.clone(), span))])?;
        }
        let why = match end {
            RunEnd::Limit(what) => format!(
                "a run does something that the model does not cover: \
                 {what}"
            ),
            RunEnd::Violation(_) => "a run breaks an obligation".to_owned(),
            RunEnd::NeedsInput(what) => format!("an input is missing: {what}"),
            _ if run.state.memory.layout_observed().is_some() => {
                "a run depends on where objects are placed in memory".to_owned()
            }
            RunEnd::Undefined(what)
                if what.starts_with(SIGNED_OVERFLOW) && run.turns >= ITERATED =>
            {
                overflow_only_rejection(self.program, at).why
            }
            RunEnd::Exit(_) | RunEnd::Abort(_) | RunEnd::Undefined(_) | RunEnd::Blocked => {
                return Ok(());
            }
        };
        // Unless there is no such run.
        match self.session.check_sat(self.terms, run.path.conditions()) {
            SolverAnswer::Unsat => Ok(()),
            _ => Err(EvidenceRejection::new(why)),
        }
    }
}

/// That a run goes on until an operation overflows, and has no other end.
fn overflow_only_rejection(program: &Program, at: RunPosition) -> EvidenceRejection {
    let place = SourcePlace::of_span(program, at.function, at.span);
    EvidenceRejection::overflow(&place.to_string())
}

/// Inputs and unknown values are symbols.
struct ExhaustionEnvironment<'a> {
    choices: &'a mut RunChoices,
    conditions: Vec<MetCondition>,
    passed: &'a mut BTreeSet<u32>,
    /// Whether to stop at loop heads.
    marks: bool,
    /// How many were passed.
    turns: &'a mut u64,
}

impl RunEnvironment for ExhaustionEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let count = self.choices.len() + 1;
        let (symbol, known) = request.fresh_choice_symbol(terms, &format!("choice{count}"))?;
        self.choices.add_choice(symbol, request);
        self.conditions
            .extend(known.into_iter().map(|condition| (condition, ConditionCause::Assumed)));
        Some(MachineValue::symbolic(symbol, Provenance::None))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        Some(MachineValue::symbolic(terms.fresh_symbol("unknown", sort), Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, ConditionCause::Assumed));
    }

    fn exclude_undefined(&mut self, condition: Term, undefined: &str, span: Span) {
        self.conditions.push((condition, ConditionCause::Excluded(undefined.to_owned(), span)));
    }

    fn restrict_coverage(&mut self, condition: Term, why: &str) {
        self.conditions.push((condition, ConditionCause::Restricted(why.to_owned())));
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.insert(number);
    }

    fn reach_mark(&mut self, _state: &mut MachineState) -> bool {
        *self.turns += 1;
        self.marks
    }
}
