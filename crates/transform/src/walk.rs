//! Walks: symbolic runs of the machine from mark to mark, with what was chosen and assumed on the
//! way.
//!
//! Runs that do something undefined are no runs: that they do not is a condition of the walk. So is
//! what the model asks for to cover a run at all.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use ouro_machine::{
    ChoiceRequest, End, Environment, Machine, Need, Outcome, Promise, Provenance, SIGNED_OVERFLOW,
    State, Stop, Value,
};
use ouro_model::{ChoiceSource, FunctionId, Span};
use ouro_solver::clock;
use ouro_solver::{Answer, Session};
use ouro_term::{Assignment, Evaluator, Op, Sort, SymbolId, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Steps between two looks at the clock.
const SLICE: u64 = 200_000;
/// Values of one symbolic address or size.
const MOST_VALUES: usize = 32;

/// Something that the environment decided on a walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The symbol that stands for it.
    pub symbol: Term,
    /// Its bits.
    pub width: u32,
    /// What it is.
    pub source: ChoiceSource,
}

/// A symbolic run that has not ended.
#[derive(Clone)]
pub struct Walk {
    /// Where it is.
    pub state: State,
    /// What must hold for it to exist, in the order met.
    pub path: Vec<Term>,
    /// What was chosen, in order.
    pub choices: Vec<Choice>,
    /// Symbols for what the model does not know.
    pub unknowns: Vec<Term>,
    /// The places at which it was decided how to go on.
    pub spans: Vec<Span>,
    /// The events of the specification that it passed.
    pub passed: BTreeSet<u32>,
    /// Whether it may have passed others, in calls that were not followed.
    pub others: bool,
    /// The calls that are taken to have returned.
    pub returned: Vec<Outcome>,
    /// How often it could have gone on in more than one way.
    forks: u64,
    /// How often the way on depended on a symbol, even if only one was possible.
    decisions: u64,
    /// For each mark met, how often, and the forks and decisions at the last time.
    visits: FxHashMap<(FunctionId, u32), (u32, u64, u64)>,
    /// Values that satisfied the path when they were last looked for.
    model: Assignment,
}

impl Walk {
    /// A walk that starts in a state, under conditions.
    pub fn new(mut state: State, path: Vec<Term>) -> Walk {
        state.low = state.depth();
        Walk {
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
        }
    }

    /// Notes that the walk is at a mark.
    pub fn visit(&mut self) -> Visit {
        let now = (self.forks, self.decisions);
        let entry = self.visits.entry(self.state.position()).or_insert((0, now.0, now.1));
        let (before, forks, decisions) = *entry;
        *entry = (before + 1, now.0, now.1);
        Visit { before, forked: now.0 > forks, decided: now.1 > decisions }
    }
}

/// What a walk has done since it was last at a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Visit {
    /// How often it was here before.
    pub before: u32,
    /// Whether it could have gone on in another way since the last time.
    pub forked: bool,
    /// Whether the way on depended on a symbol since then.
    pub decided: bool,
}

/// How a walk went on.
pub enum Event {
    /// It is at a mark.
    Mark(Box<Walk>),
    /// It parted into these; there may be one or none.
    Parted(Vec<Walk>),
    /// It ended.
    Ended,
    /// Memory is vague, and the call that is looked at returns these numbers.
    Returned(Box<Walk>, Vec<Option<Term>>),
    /// All runs are wanted, and it breaks an obligation, if it exists at all.
    Broken(Box<Walk>),
    /// It goes on in a way that is not followed; why.
    Lost(&'static str),
    /// It has done the steps it was given, or the time is over.
    Spent,
}

/// What walks need.
pub struct Walker<'a> {
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
    pub promises: &'a Promises,
}

/// What calls of functions that may call themselves return.
pub type Promises = BTreeMap<FunctionId, Promise>;

impl Walker<'_> {
    /// Follows a walk to the next mark, to where it parts or to its end; it may do so many steps.
    pub fn follow(&mut self, terms: &mut Terms, mut walk: Walk, most: u64) -> Event {
        let end = walk.state.steps.saturating_add(most);
        loop {
            if walk.state.steps >= end || clock::now() >= self.deadline {
                return Event::Spent;
            }
            let before = walk.state.steps;
            let mut surroundings = Symbolic {
                choices: &mut walk.choices,
                unknowns: &mut walk.unknowns,
                passed: &mut walk.passed,
                conditions: Vec::new(),
                vague: self.vague,
                floor: self.floor,
                results: None,
            };
            let until = end.min(before + SLICE);
            let stop = self.machine.run(&mut walk.state, terms, &mut surroundings, until);
            let Symbolic { conditions, results, .. } = surroundings;
            if walk.state.low <= self.floor && !self.vague {
                return Event::Lost("it returns from the calls that are looked at");
            }
            for (condition, leaves_out) in conditions {
                if terms.as_bool(condition) == Some(true) || walk.path.contains(&condition) {
                    continue;
                }
                if leaves_out && self.all {
                    if !self.follows(terms, &walk, condition) {
                        return Event::Lost("the model leaves runs out");
                    }
                    continue;
                }
                walk.path.push(condition);
            }
            self.steps += walk.state.steps - before;
            if walk.state.memory.layout_observed().is_some() {
                return Event::Lost("what happens depends on where objects lie");
            }
            if walk.state.low <= self.floor {
                // Whoever called goes on as if anything had been returned that was promised.
                return Event::Returned(Box::new(walk), results.unwrap_or_default());
            }
            match stop {
                Stop::Steps => {}
                Stop::Mark => return Event::Mark(Box::new(walk)),
                Stop::End(End::Limit(_) | End::NeedsInput(_), _) => {
                    return match self.exists(terms, &mut walk) {
                        true => Event::Lost("it does what the model does not cover"),
                        false => Event::Ended,
                    };
                }
                Stop::End(End::Undefined(what), _)
                    if self.all && what.starts_with(SIGNED_OVERFLOW) =>
                {
                    return match self.exists(terms, &mut walk) {
                        true => Event::Lost("it goes on until a signed overflow"),
                        false => Event::Ended,
                    };
                }
                Stop::End(End::Violation(_), _) if self.all => {
                    return match self.exists(terms, &mut walk) {
                        true => Event::Broken(Box::new(walk)),
                        false => Event::Ended,
                    };
                }
                Stop::End(..) => return Event::Ended,
                Stop::Fork(alternatives, at) => {
                    let mut ways = Vec::new();
                    for alternative in alternatives {
                        if let Some(mut way) = self.under(terms, &walk, alternative.condition) {
                            self.machine.take(&mut way.state, alternative);
                            ways.push(way);
                        }
                    }
                    note(&mut ways, at.span);
                    return Event::Parted(ways);
                }
                Stop::Concretise(need, at) => {
                    return match self.values(terms, &walk, need) {
                        Some(mut ways) => {
                            note(&mut ways, at.span);
                            Event::Parted(ways)
                        }
                        None => Event::Lost("an address or size has too many values"),
                    };
                }
            }
        }
    }

    /// The walk if the call that it has just begun returned; `None` if nobody knows what.
    pub fn returned(&self, terms: &mut Terms, walk: &Walk) -> Option<Walk> {
        let mut walk = walk.clone();
        walk.others = true;
        let mut surroundings = Symbolic {
            choices: &mut walk.choices,
            unknowns: &mut walk.unknowns,
            passed: &mut walk.passed,
            conditions: Vec::new(),
            vague: self.vague,
            floor: self.floor,
            results: None,
        };
        let outcome = self.machine.return_anything(&mut walk.state, terms, &mut surroundings)?;
        if let Some(promise) = self.promises.get(&outcome.function) {
            walk.path.extend(promise.about(terms, &outcome));
        }
        walk.returned.push(outcome);
        Some(walk)
    }

    /// Whether a walk can exist, as far as anybody knows.
    pub fn exists(&mut self, terms: &Terms, walk: &mut Walk) -> bool {
        let mut evaluator = Evaluator::new(terms, &walk.model);
        if walk.path.iter().all(|c| evaluator.holds(*c) == Some(true)) {
            return true;
        }
        match self.session.check(terms, &walk.path) {
            Answer::Unsat => false,
            Answer::Sat(model) => {
                walk.model = model;
                true
            }
            Answer::Unknown(_) => true,
        }
    }

    /// Whether a condition follows from the path of a walk.
    pub fn follows(&mut self, terms: &mut Terms, walk: &Walk, condition: Term) -> bool {
        if let Some(truth) = terms.as_bool(condition) {
            return truth;
        }
        let model_says = Evaluator::new(terms, &walk.model).holds(condition);
        let mut evaluator = Evaluator::new(terms, &walk.model);
        if model_says == Some(false) && walk.path.iter().all(|c| evaluator.holds(*c) == Some(true))
        {
            return false;
        }
        let mut query = walk.path.clone();
        query.push(terms.not(condition));
        self.session.check(terms, &query) == Answer::Unsat
    }

    /// The walk under one more condition; `None` if there is none.
    fn under(&mut self, terms: &Terms, walk: &Walk, condition: Term) -> Option<Walk> {
        let mut way = walk.clone();
        if !way.path.contains(&condition) {
            way.path.push(condition);
        }
        self.exists(terms, &mut way).then_some(way)
    }

    /// The walk under each value of a term; `None` if there are too many, or nobody knows.
    fn values(&mut self, terms: &mut Terms, walk: &Walk, need: Need) -> Option<Vec<Walk>> {
        let mut rest = walk.clone();
        if let Some(allowed) = need.allowed {
            // Other values end in undefined behaviour.
            rest.path.push(allowed);
        }
        let mut ways = Vec::new();
        loop {
            let model = match self.session.check(terms, &rest.path) {
                Answer::Unsat => return Some(ways),
                Answer::Sat(model) => model,
                Answer::Unknown(_) => return None,
            };
            if ways.len() >= MOST_VALUES {
                return None;
            }
            let value = Evaluator::new(terms, &model).value(need.term)?;
            let bits = Need::bits(&value)?;
            let constant = terms.constant(value);
            let equal = terms.eq(need.term, constant);
            let mut way = walk.clone();
            way.path.extend(need.allowed.filter(|c| terms.as_bool(*c) != Some(true)));
            way.path.push(equal);
            way.model = model;
            self.machine.concretise(&mut way.state, need, bits);
            ways.push(way);
            rest.path.push(terms.not(equal));
        }
    }
}

/// Notes a decision, if it was one.
fn note(ways: &mut [Walk], span: Span) {
    let decided = ways.len() > 1;
    for way in ways {
        way.forks += u64::from(decided);
        way.decisions += 1;
        if way.spans.last() != Some(&span) && span.is_known() {
            way.spans.push(span);
        }
    }
}

struct Symbolic<'a> {
    choices: &'a mut Vec<Choice>,
    unknowns: &'a mut Vec<Term>,
    passed: &'a mut BTreeSet<u32>,
    /// What must hold, and whether the runs without it are only left out.
    conditions: Vec<(Term, bool)>,
    vague: bool,
    /// The walk stops when it returns to this many calls, if memory is vague.
    floor: usize,
    /// What it then returns.
    results: Option<Vec<Option<Term>>>,
}

impl Environment for Symbolic<'_> {
    fn choice(&mut self, terms: &mut Terms, request: ChoiceRequest<'_>) -> Option<Value> {
        let ChoiceRequest { source, width, .. } = request;
        // The same name on every walk: equal terms are shared.
        let stem = format!("in{}", self.choices.len() + 1);
        let (symbol, known) = request.symbol(terms, &stem)?;
        self.conditions.extend(known.into_iter().map(|condition| (condition, false)));
        self.choices.push(Choice { symbol, width, source: source.clone() });
        Some(Value::symbolic(symbol, Provenance::None))
    }

    fn unknown(&mut self, terms: &mut Terms, sort: Sort, _why: &str) -> Option<Value> {
        let symbol = terms.fresh("unknown", sort);
        self.unknowns.push(symbol);
        Some(Value::symbolic(symbol, Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push((condition, false));
    }

    fn restrict(&mut self, condition: Term, _why: &str) {
        self.conditions.push((condition, true));
    }

    fn blurs(&self) -> bool {
        self.vague
    }

    fn awaits(&self, below: usize) -> bool {
        self.vague && below == self.floor
    }

    fn returns(&mut self, results: Vec<Option<Term>>) {
        self.results = Some(results);
    }

    fn event(&mut self, number: u32) {
        self.passed.insert(number);
    }

    fn mark(&mut self, _state: &mut State) -> bool {
        true
    }
}

/// The symbols of some terms.
pub(crate) fn symbols(terms: &Terms, of: &[Term]) -> FxHashSet<SymbolId> {
    let mut all = FxHashSet::default();
    terms.visit_symbols(of, |id| {
        all.insert(id);
    });
    all
}

/// The id of a symbol's term.
pub(crate) fn symbol_id(terms: &Terms, term: Term) -> Option<SymbolId> {
    match terms.op(term) {
        Op::Symbol(id) => Some(*id),
        _ => None,
    }
}
