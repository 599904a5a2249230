//! Walks: symbolic runs of the machine from mark to mark, with what was chosen and assumed on the
//! way.
//!
//! Runs that do something undefined are no runs: that they do not is a condition of the walk. So is
//! what the model asks for to cover a run at all.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ouro_machine::{
    ChoiceRequest, Machine, MachineState, MachineStop, MachineValue, NeededValue, Provenance,
    ReturnedCall, RunEnd, RunEnvironment, SIGNED_OVERFLOW, SummaryFormula,
};
use ouro_model::{ChoiceSource, FunctionId, Span};
use ouro_solver::clock;
use ouro_solver::{Session, SolverAnswer};
use ouro_term::{Assignment, Sort, SymbolId, Term, TermEvaluator, TermOp, TermStore, sign_extend};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::limits::LIMITS;
use crate::sample::InputSample;

/// Something that the environment decided on a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkChoice {
    /// The symbol that stands for it.
    pub symbol: Term,
    /// Its bits.
    pub width: u32,
    /// What it is.
    pub source: ChoiceSource,
}

/// A loop head, as function and block, in a call of its own.
type VisitedHead = (FunctionId, u32, Option<u64>);

/// A symbolic run that has not ended.
#[derive(Clone)]
pub struct SymbolicWalk {
    /// Where it is.
    pub state: MachineState,
    /// What must hold for it to exist, in the order met.
    pub path: Vec<Term>,
    /// What was chosen, in order.
    pub choices: Vec<WalkChoice>,
    /// Symbols for what the model does not know.
    pub unknowns: Vec<Term>,
    /// The places at which it was decided how to go on.
    pub spans: Vec<Span>,
    /// The events of the specification that it passed.
    pub passed: BTreeSet<u32>,
    /// Whether it may have passed others, in calls that were not followed.
    pub others: bool,
    /// The calls that are taken to have returned.
    pub returned: Vec<ReturnedCall>,
    /// How often it could have gone on in more than one way.
    forks: u64,
    /// How often the way on depended on a symbol, even if only one was possible.
    decisions: u64,
    /// For each mark met, and the call in which it was if that counts, how often, and the forks and decisions at the last
    /// time.
    visits: FxHashMap<VisitedHead, (u32, u64, u64)>,
    /// Values that satisfied the path when they were last looked for.
    model: Assignment,
    /// Whether a question about it was too hard.
    is_hard: bool,
    /// What inputs are, if they are not open.
    pub sample: Option<InputSample>,
}

impl SymbolicWalk {
    /// A walk that starts in a state, under conditions.
    pub fn new(mut state: MachineState, path: Vec<Term>) -> SymbolicWalk {
        state.low = state.depth();
        SymbolicWalk {
            state,
            path,
            choices: Vec::new(),
            unknowns: Vec::new(),
            spans: Vec::new(),
            passed: BTreeSet::new(),
            others: false,
            returned: Vec::new(),
            forks: 0,
            decisions: 0,
            visits: FxHashMap::default(),
            model: Assignment::new(),
            is_hard: false,
            sample: None,
        }
    }

    /// Notes that the walk is at a mark.
    pub fn record_mark_visit(&mut self) -> MarkVisit {
        self.record_visit(None)
    }

    /// The same, where a mark in another call of the function is another mark: a loop that is run to its end in each
    /// of several calls has not come round between them.
    pub fn record_mark_visit_in_call(&mut self) -> MarkVisit {
        self.record_visit(Some(self.state.call_begun()))
    }

    fn record_visit(&mut self, call: Option<u64>) -> MarkVisit {
        let now = (self.forks, self.decisions);
        let (function, position) = self.state.position();
        let entry = self.visits.entry((function, position, call)).or_insert((0, now.0, now.1));
        let (before, forks, decisions) = *entry;
        *entry = (before + 1, now.0, now.1);
        MarkVisit { before, forked: now.0 > forks, decided: now.1 > decisions }
    }
}

/// What a walk has done since it was last at a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkVisit {
    /// How often it was here before.
    pub before: u32,
    /// Whether it could have gone on in another way since the last time.
    pub forked: bool,
    /// Whether the way on depended on a symbol since then.
    pub decided: bool,
}

/// How a walk went on.
pub enum WalkEvent {
    /// It is at a mark.
    Mark(Box<SymbolicWalk>),
    /// It parted into these; there may be one or none.
    Parted(Vec<SymbolicWalk>),
    /// It ended.
    Ended,
    /// Memory is vague, and the call that is looked at returns these numbers.
    Returned(Box<SymbolicWalk>, Vec<Option<Term>>),
    /// All runs are wanted, and it breaks an obligation, if it exists at all.
    Broken(Box<SymbolicWalk>),
    /// It goes on in a way that is not followed; why.
    Lost(&'static str),
    /// It has done the steps it was given, or the time is over.
    Spent,
}

/// What walks need.
pub struct SymbolicWalker<'a> {
    /// The machine, which reports marks.
    pub machine: &'a Machine,
    /// The solver.
    pub session: &'a mut Session,
    /// When to stop.
    pub deadline: Instant,
    /// A walk that returns to this many calls is lost.
    pub floor: usize,
    /// Steps done by all walks.
    pub steps: u64,
    /// Whether all runs are wanted: then a walk is lost where the model leaves some out.
    pub all: bool,
    /// Whether memory is vague: then a walk stands for more runs than there are.
    pub vague: bool,
    /// What calls return that are not followed.
    pub promises: &'a AssumedSummaries,
    /// Questions that were too hard, where the answer is taken for yes.
    pub unanswered: usize,
}

/// What calls of functions that may call themselves return.
pub type AssumedSummaries = BTreeMap<FunctionId, SummaryFormula>;

impl SymbolicWalker<'_> {
    /// Follows a walk to the next mark, to where it parts or to its end; it may do so many steps.
    pub fn follow_walk(
        &mut self,
        terms: &mut TermStore,
        mut walk: SymbolicWalk,
        most: u64,
    ) -> WalkEvent {
        let end = walk.state.steps.saturating_add(most);
        loop {
            if walk.state.steps >= end || clock::budget_now() >= self.deadline {
                return WalkEvent::Spent;
            }
            let before = walk.state.steps;
            let mut surroundings = WalkEnvironment {
                choices: &mut walk.choices,
                unknowns: &mut walk.unknowns,
                passed: &mut walk.passed,
                conditions: Vec::new(),
                vague: self.vague,
                floor: self.floor,
                results: None,
                sample: walk.sample,
            };
            let until = end.min(before + LIMITS.steps_between_looks);
            let stop = self.machine.run_until(&mut walk.state, terms, &mut surroundings, until);
            let WalkEnvironment { conditions, results, .. } = surroundings;
            if walk.state.low <= self.floor && !self.vague {
                return WalkEvent::Lost("it returns from the calls that are looked at");
            }
            for (condition, leaves_out) in conditions {
                if terms.as_bool(condition) == Some(true) || walk.path.contains(&condition) {
                    continue;
                }
                if leaves_out && self.all {
                    if !self.is_entailed(terms, &walk, condition) {
                        return WalkEvent::Lost("the model leaves runs out");
                    }
                    continue;
                }
                walk.path.push(condition);
            }
            self.steps += walk.state.steps - before;
            if walk.state.memory.layout_observed().is_some() {
                return WalkEvent::Lost(
                    "what happens depends on where objects are placed in \
                     memory",
                );
            }
            if walk.state.low <= self.floor {
                // Whoever called goes on as if anything had been returned that was promised.
                return WalkEvent::Returned(Box::new(walk), results.unwrap_or_default());
            }
            match stop {
                MachineStop::Steps => {}
                MachineStop::Mark => return WalkEvent::Mark(Box::new(walk)),
                MachineStop::End(RunEnd::Limit(_) | RunEnd::NeedsInput(_), _) => {
                    return match self.is_feasible(terms, &mut walk) {
                        true => WalkEvent::Lost("it does something that the model does not cover"),
                        false => WalkEvent::Ended,
                    };
                }
                MachineStop::End(RunEnd::Undefined(what), _)
                    if self.all && what.starts_with(SIGNED_OVERFLOW) =>
                {
                    return match self.is_feasible(terms, &mut walk) {
                        true => WalkEvent::Lost("it goes on until a signed overflow"),
                        false => WalkEvent::Ended,
                    };
                }
                MachineStop::End(RunEnd::Violation(_), _) if self.all => {
                    return match self.is_feasible(terms, &mut walk) {
                        true => WalkEvent::Broken(Box::new(walk)),
                        false => WalkEvent::Ended,
                    };
                }
                MachineStop::End(..) => return WalkEvent::Ended,
                MachineStop::Fork(alternatives, at) => {
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        if let Some(mut way) = self.walk_under(terms, &walk, alternative.condition)
                        {
                            self.machine.take_alternative(&mut way.state, alternative);
                            ways.push(way);
                        }
                    }
                    note_decision(&mut ways, at.span);
                    return WalkEvent::Parted(ways);
                }
                MachineStop::Concretise(need, at) => {
                    return match self.walks_per_value(terms, &walk, need) {
                        Some(mut ways) => {
                            note_decision(&mut ways, at.span);
                            WalkEvent::Parted(ways)
                        }
                        None => WalkEvent::Lost("an address or size has too many values"),
                    };
                }
            }
        }
    }

    /// The walk if the call that it has just begun returned; `None` if nobody knows what.
    pub fn walk_after_return(
        &self,
        terms: &mut TermStore,
        walk: &SymbolicWalk,
    ) -> Option<SymbolicWalk> {
        let mut walk = walk.clone();
        walk.others = true;
        let mut surroundings = WalkEnvironment {
            choices: &mut walk.choices,
            unknowns: &mut walk.unknowns,
            passed: &mut walk.passed,
            conditions: Vec::new(),
            vague: self.vague,
            floor: self.floor,
            results: None,
            sample: walk.sample,
        };
        let outcome = self.machine.havoc_call(&mut walk.state, terms, &mut surroundings)?;
        if let Some(promise) = self.promises.get(&outcome.function) {
            walk.path.extend(promise.formula_for_call(terms, &outcome));
        }
        walk.returned.push(outcome);
        Some(walk)
    }

    /// Whether a walk can exist, as far as anybody knows.
    pub fn is_feasible(&mut self, terms: &TermStore, walk: &mut SymbolicWalk) -> bool {
        let mut evaluator = TermEvaluator::new(terms, &walk.model);
        if walk.path.iter().all(|c| evaluator.evaluate_formula(*c) == Some(true)) {
            return true;
        }
        match self.ask_briefly(terms, &walk.path, walk.is_hard) {
            SolverAnswer::Unsat => false,
            SolverAnswer::Sat(model) => {
                walk.model = model;
                true
            }
            SolverAnswer::Unknown(_) => {
                walk.is_hard = true;
                true
            }
        }
    }

    /// Asks a question that need not be answered: not for long, if there are many to come.
    fn ask_briefly(&mut self, terms: &TermStore, query: &[Term], is_hard: bool) -> SolverAnswer {
        if !self.all {
            return self.session.check_sat(terms, query);
        }
        let share = match is_hard {
            true => LIMITS.least_hard_query,
            false => {
                let left = self.deadline.saturating_duration_since(clock::budget_now());
                (left / LIMITS.query_share).max(LIMITS.least_query)
            }
        };
        self.session.set_query_limit(share);
        let answer = self.session.check_sat(terms, query);
        self.session.set_query_limit(Duration::MAX);
        self.unanswered += usize::from(matches!(answer, SolverAnswer::Unknown(_)));
        answer
    }

    /// Whether two numbers are known to be equal on a walk. Where that is hard to say they are not.
    pub fn is_known_equal(
        &mut self,
        terms: &mut TermStore,
        walk: &SymbolicWalk,
        first: Term,
        second: Term,
    ) -> bool {
        let equal = terms.eq(first, second);
        match self.refute_or_query(terms, walk, equal) {
            Ok(truth) => truth,
            Err(query) => self.ask_briefly(terms, &query, walk.is_hard) == SolverAnswer::Unsat,
        }
    }

    /// Whether a condition follows from the path of a walk.
    pub fn is_entailed(
        &mut self,
        terms: &mut TermStore,
        walk: &SymbolicWalk,
        condition: Term,
    ) -> bool {
        match self.refute_or_query(terms, walk, condition) {
            Ok(truth) => truth,
            Err(query) => self.session.check_sat(terms, &query) == SolverAnswer::Unsat,
        }
    }

    /// Whether a condition follows from the path of a walk, if that is plain to see; else what contradicts itself if it does.
    fn refute_or_query(
        &self,
        terms: &mut TermStore,
        walk: &SymbolicWalk,
        condition: Term,
    ) -> Result<bool, Vec<Term>> {
        if let Some(truth) = terms.as_bool(condition) {
            return Ok(truth);
        }
        let model_says = TermEvaluator::new(terms, &walk.model).evaluate_formula(condition);
        let mut evaluator = TermEvaluator::new(terms, &walk.model);
        if model_says == Some(false)
            && walk.path.iter().all(|c| evaluator.evaluate_formula(*c) == Some(true))
        {
            return Ok(false);
        }
        let mut query = walk.path.clone();
        query.push(terms.not(condition));
        Err(query)
    }

    /// The walk under one more condition; `None` if there is none.
    fn walk_under(
        &mut self,
        terms: &TermStore,
        walk: &SymbolicWalk,
        condition: Term,
    ) -> Option<SymbolicWalk> {
        let mut way = walk.clone();
        if !way.path.contains(&condition) {
            way.path.push(condition);
        }
        self.is_feasible(terms, &mut way).then_some(way)
    }

    /// The walk under each value of a term; `None` if there are too many, or nobody knows.
    fn walks_per_value(
        &mut self,
        terms: &mut TermStore,
        walk: &SymbolicWalk,
        need: NeededValue,
    ) -> Option<Vec<SymbolicWalk>> {
        let mut rest = walk.clone();
        if let Some(allowed) = need.allowed {
            // Other values end in undefined behaviour.
            rest.path.push(allowed);
        }
        let mut ways = Vec::new();
        loop {
            let model = match self.session.check_sat(terms, &rest.path) {
                SolverAnswer::Unsat => return Some(ways),
                SolverAnswer::Sat(model) => model,
                SolverAnswer::Unknown(_) => return None,
            };
            if ways.len() >= LIMITS.needed_values {
                return None;
            }
            let value = TermEvaluator::new(terms, &model).evaluate_term(need.term)?;
            let bits = NeededValue::concrete_bits(&value)?;
            let constant = terms.constant(value);
            let equal = terms.eq(need.term, constant);
            let mut way = walk.clone();
            way.path.extend(need.allowed.filter(|c| terms.as_bool(*c) != Some(true)));
            way.path.push(equal);
            way.model = model;
            self.machine.concretise_need(&mut way.state, need, bits);
            ways.push(way);
            rest.path.push(terms.not(equal));
        }
    }
}

/// Notes a decision, if it was one.
fn note_decision(ways: &mut [SymbolicWalk], span: Span) {
    let decided = ways.len() > 1;
    for way in ways {
        way.forks += u64::from(decided);
        way.decisions += 1;
        if way.spans.last() != Some(&span) && span.is_known() {
            way.spans.push(span);
        }
    }
}

struct WalkEnvironment<'a> {
    choices: &'a mut Vec<WalkChoice>,
    unknowns: &'a mut Vec<Term>,
    passed: &'a mut BTreeSet<u32>,
    /// What must hold, and whether the runs without it are only left out.
    conditions: Vec<(Term, bool)>,
    vague: bool,
    /// The walk stops when it returns to this many calls, if memory is vague.
    floor: usize,
    /// What it then returns.
    results: Option<Vec<Option<Term>>>,
    sample: Option<InputSample>,
}

impl RunEnvironment for WalkEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        let ChoiceRequest { source, width, .. } = request;
        // The same name on every walk: equal terms are shared.
        let stem = format!("in{}", self.choices.len() + 1);
        let (symbol, known) = request.fresh_choice_symbol(terms, &stem)?;
        self.conditions.extend(known.into_iter().map(|condition| (condition, false)));
        let index = self.choices.len();
        self.choices.push(WalkChoice { symbol, width, source: source.clone() });
        if let Some(sample) = self.sample {
            let bits = sample.input_bits(index, width);
            let value = match request.sort() {
                Sort::Int => terms.int(sign_extend(width, bits)),
                _ => terms.bv(width, bits),
            };
            self.conditions.push((terms.eq(symbol, value), false));
            return Some(MachineValue::from_term(terms, value));
        }
        Some(MachineValue::symbolic(symbol, Provenance::None))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let symbol = terms.fresh_symbol("unknown", sort);
        self.unknowns.push(symbol);
        Some(MachineValue::symbolic(symbol, Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, false));
    }

    fn restrict_coverage(&mut self, condition: Term, _why: &str) {
        self.conditions.push((condition, true));
    }

    fn havocs_unknown_accesses(&self) -> bool {
        self.vague
    }

    fn awaits_return(&self, below: usize) -> bool {
        self.vague && below == self.floor
    }

    fn receive_results(&mut self, results: Vec<Option<Term>>) {
        self.results = Some(results);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.insert(number);
    }

    fn reach_mark(&mut self, _state: &mut MachineState) -> bool {
        true
    }
}

/// The symbols of some terms.
pub(crate) fn symbols_of_terms(terms: &TermStore, of: &[Term]) -> FxHashSet<SymbolId> {
    let mut all = FxHashSet::default();
    terms.visit_symbols(of, |id| {
        all.insert(id);
    });
    all
}

/// The id of a symbol's term.
pub(crate) fn symbol_id(terms: &TermStore, term: Term) -> Option<SymbolId> {
    match terms.op(term) {
        TermOp::Symbol(id) => Some(*id),
        _ => None,
    }
}
