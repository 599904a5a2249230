//! Undefined behaviour by the way: which of the conditions that exclude it can be false.
//!
//! A run that does something undefined has ended, for every proof that all runs end. So the checker
//! follows runs under the condition that they do nothing undefined, and here it is asked of each such
//! condition whether the path to it allows that it is false. If so, the proof rests on it at that place,
//! and whoever reads the verdict should know. Acceptance does not depend on any of this.
//!
//! Each place is asked about until it is found. All conditions between two forks are one question, so
//! where nothing undefined can happen there is at most one more question for each fork. How many are
//! asked is counted, and they have at most half of the checker's time; after that, and where the solver does not
//! know, a place counts as possible.

use std::rc::Rc;
use std::time::Instant;

use ouro_evidence::{RunInput, SourcePlace, UndefinedBehaviour, UndefinedRun};
use ouro_machine::{ChoiceRequest, Machine, MachineState};
use ouro_model::{ChoiceSource, FunctionId, Program, Span};
use ouro_solver::{SolverAnswer, clock};
use ouro_term::{Assignment, Constant, SymbolId, Term, TermEvaluator, TermStore, width_mask};
use rustc_hash::FxHashSet;

use crate::limits::LIMITS;
use crate::over::CheckResult;

/// Why a condition is one of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ConditionCause {
    /// There are no other runs.
    Assumed,
    /// The model does not cover the others, for this reason.
    Restricted(String),
    /// The others do this, which is undefined, at this place.
    Excluded(String, Span),
}

/// A condition that a run has met, and why.
pub(crate) type MetCondition = (Term, ConditionCause);

/// The undefined behaviour that was found.
pub(crate) struct UndefinedNaming<'a> {
    program: &'a Program,
    /// Whether anybody wants to know.
    wanted: bool,
    /// Until when the solver is asked for this alone.
    until: Instant,
    found: Vec<UndefinedBehaviour>,
    /// Where what was found.
    known: FxHashSet<(Span, String)>,
    questions: usize,
}

/// A run, as far as it is known: what must hold, and values that satisfied it when they were last
/// looked for.
#[derive(Clone, Copy)]
pub(crate) struct KnownRun<'a> {
    pub(crate) path: &'a [Term],
    pub(crate) values: &'a Assignment,
}

impl<'a> UndefinedNaming<'a> {
    /// Naming beside a check that has until the deadline.
    pub(crate) fn new(
        program: &'a Program,
        wanted: bool,
        deadline: Instant,
    ) -> UndefinedNaming<'a> {
        let now = clock::budget_now();
        UndefinedNaming {
            program,
            wanted,
            until: now + deadline.saturating_duration_since(now) / 2,
            found: Vec::new(),
            known: FxHashSet::default(),
            questions: 0,
        }
    }

    /// All that was found, in the order of places.
    pub(crate) fn finish(self) -> Vec<UndefinedBehaviour> {
        let mut found = self.found;
        found.sort_by(|a, b| (&a.place, &a.what).cmp(&(&b.place, &b.what)));
        found
    }

    /// Looks at conditions that a run met, in their order. `ask` asks the solver until a moment, and `tell` says how a
    /// run with these values came to a condition.
    pub(crate) fn examine_conditions(
        &mut self,
        terms: &mut TermStore,
        run: KnownRun<'_>,
        met: &[MetCondition],
        mut ask: impl FnMut(&TermStore, &[Term], Instant) -> CheckResult<SolverAnswer>,
        tell: impl Fn(&TermStore, &Assignment, &[Term]) -> UndefinedRun,
    ) -> CheckResult<()> {
        while self.wanted
            && met.iter().any(|one| self.open_exclusion(terms, run.path, one).is_some())
        {
            let mut evaluator = TermEvaluator::new(terms, run.values);
            if run.path.iter().all(|condition| evaluator.evaluate_formula(*condition) == Some(true))
                && let Some(at) = self.first_false_condition(terms, run, met, run.values)
            {
                self.note_undefined(terms, run, met, at, run.values, &tell);
                continue;
            }
            if self.questions >= LIMITS.undefined_questions || clock::budget_now() >= self.until {
                self.note_all_excluded(terms, run.path, met);
                continue;
            }
            self.questions += 1;
            let mut broken = terms.bool(false);
            for one in met.iter().rev() {
                broken = match self.open_exclusion(terms, run.path, one) {
                    Some(_) => {
                        let not = terms.not(one.0);
                        terms.or(not, broken)
                    }
                    None => terms.and(one.0, broken),
                };
            }
            let mut query = run.path.to_vec();
            query.push(broken);
            match ask(terms, &query, self.until)? {
                SolverAnswer::Unsat => return Ok(()),
                SolverAnswer::Sat(values) => {
                    match self.first_false_condition(terms, run, met, &values) {
                        Some(at) => self.note_undefined(terms, run, met, at, &values, &tell),
                        None => self.note_all_excluded(terms, run.path, met),
                    }
                }
                SolverAnswer::Unknown(_) => self.note_all_excluded(terms, run.path, met),
            }
        }
        Ok(())
    }

    /// The place that a condition excludes something at, if that was not found yet and may happen.
    fn open_exclusion(
        &self,
        terms: &TermStore,
        path: &[Term],
        met: &MetCondition,
    ) -> Option<(Span, String)> {
        let (condition, ConditionCause::Excluded(what, span)) = met else { return None };
        let key = undefined_place(*span, what);
        let open = terms.as_bool(*condition) != Some(true) && !path.contains(condition);
        (open && !self.known.contains(&key)).then_some(key)
    }

    /// The first condition that is open and false under some values, if those before it are true.
    fn first_false_condition(
        &self,
        terms: &TermStore,
        run: KnownRun<'_>,
        met: &[MetCondition],
        values: &Assignment,
    ) -> Option<usize> {
        let mut evaluator = TermEvaluator::new(terms, values);
        let broken = met.iter().position(|one| evaluator.evaluate_formula(one.0) != Some(true))?;
        let is_false = evaluator.evaluate_formula(met[broken].0) == Some(false);
        (is_false && self.open_exclusion(terms, run.path, &met[broken]).is_some()).then_some(broken)
    }

    /// Notes what the condition of this number excludes, and the run with these values.
    fn note_undefined(
        &mut self,
        terms: &TermStore,
        run: KnownRun<'_>,
        met: &[MetCondition],
        at: usize,
        values: &Assignment,
        tell: &impl Fn(&TermStore, &Assignment, &[Term]) -> UndefinedRun,
    ) {
        if let Some((span, what)) = self.open_exclusion(terms, run.path, &met[at]) {
            let mut conditions = vec![met[at].0];
            conditions.extend(run.path.iter().chain(met[..at].iter().map(|(term, _)| term)));
            self.push(span, what, Some(tell(terms, values, &conditions)));
        }
    }

    /// Notes all that conditions exclude of which nobody knows whether it happens.
    fn note_all_excluded(&mut self, terms: &TermStore, path: &[Term], met: &[MetCondition]) {
        for one in met {
            if let Some((span, what)) = self.open_exclusion(terms, path, one) {
                self.push(span, what, None);
            }
        }
    }

    fn push(&mut self, span: Span, what: String, run: Option<UndefinedRun>) {
        // The run may have been in another function, so only file and line are known.
        let here = SourcePlace::of_span(self.program, FunctionId(0), span);
        let place = SourcePlace { function: String::new(), ..here };
        self.known.insert((span, what.clone()));
        self.found.push(UndefinedBehaviour { place, what, run });
    }
}

/// Where the user's code is when a run does something at a place: in the library, the call of it.
pub(crate) fn span_in_user_code(
    program: &Program,
    machine: &Machine,
    state: &MachineState,
    span: Span,
) -> Span {
    let is_library = |span: Span| {
        let file = program.files.get(span.file.0 as usize);
        !span.is_known() || file.is_some_and(|file| file.starts_with('<'))
    };
    let mut calls = machine.call_stack_positions(state).map(|at| at.span);
    // If the run has left the library since, nobody knows the call.
    if !is_library(span) || calls.next().is_none_or(|innermost| !is_library(innermost)) {
        return span;
    }
    calls.find(|call| !is_library(*call)).unwrap_or(span)
}

/// Where something is undefined: a line has one place for each kind.
fn undefined_place(span: Span, what: &str) -> (Span, String) {
    (Span { column: 0, ..span }, what.to_owned())
}

/// What the environment chose on a run, the last first; runs that part share what they have in common.
#[derive(Clone, Default)]
pub(crate) struct RunChoices(Option<Rc<RunChoice>>);

struct RunChoice {
    symbol: Term,
    width: u32,
    source: ChoiceSource,
    span: Span,
    previous: RunChoices,
    count: usize,
}

impl RunChoices {
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |choice| choice.count)
    }

    pub(crate) fn add_choice(&mut self, symbol: Term, request: ChoiceRequest<'_>) {
        let previous = std::mem::take(self);
        let count = previous.len() + 1;
        let ChoiceRequest { source, width, span, .. } = request;
        let source = source.clone();
        *self =
            RunChoices(Some(Rc::new(RunChoice { symbol, width, source, span, previous, count })));
    }

    /// Those that conditions speak of, under some values, in order.
    pub(crate) fn relevant_inputs(
        &self,
        program: &Program,
        terms: &TermStore,
        values: &Assignment,
        conditions: &[Term],
    ) -> Vec<RunInput> {
        let spoken = symbols_of_conditions(terms, conditions);
        let mut all = Vec::new();
        let mut next = self.0.as_deref();
        while let Some(RunChoice { symbol, width, source, span, previous, .. }) = next {
            next = previous.0.as_deref();
            let is_spoken = terms.symbols_of(*symbol).iter().any(|id| spoken.contains(id));
            if !is_spoken || *source == ChoiceSource::Guess {
                continue;
            }
            let Some(bits) = symbol_bits(terms, values, *symbol, *width) else { continue };
            let here = SourcePlace::of_span(program, FunctionId(0), *span);
            let place = SourcePlace { function: String::new(), ..here };
            all.push(RunInput { bits, width: *width, source: source.clone(), place });
        }
        all.reverse();
        all.truncate(LIMITS.undefined_inputs);
        all
    }
}

/// Long lists of choices are dropped one by one, not by recursion.
impl Drop for RunChoices {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(choice) = next {
            match Rc::try_unwrap(choice) {
                Ok(mut choice) => next = choice.previous.0.take(),
                Err(_) => break,
            }
        }
    }
}

/// The values of named symbols that conditions speak of, as people write them; `true` for those that
/// are unsigned.
pub(crate) fn named_values(
    terms: &TermStore,
    values: &Assignment,
    conditions: &[Term],
    named: &[(String, Term, bool)],
) -> Vec<(String, String)> {
    let spoken = symbols_of_conditions(terms, conditions);
    let first = conditions.first().map_or_else(Vec::new, |first| terms.symbols_of(*first));
    let mut all: Vec<(bool, String, String)> = Vec::new();
    for (name, symbol, unsigned) in named {
        let ids = terms.symbols_of(*symbol);
        if !ids.iter().any(|id| spoken.contains(id)) {
            continue;
        }
        let value = match TermEvaluator::new(terms, values).evaluate_term(*symbol) {
            Some(Constant::Bv { value, .. }) if *unsigned => value.to_string(),
            Some(Constant::Bv { width, value }) => ouro_term::sign_extend(width, value).to_string(),
            Some(Constant::Int(value)) => value.to_string(),
            Some(Constant::Bool(value)) => value.to_string(),
            None => continue,
        };
        all.push((!ids.iter().any(|id| first.contains(id)), name.clone(), value));
    }
    // What the condition itself speaks of comes first.
    all.sort_by_key(|(other, _, _)| *other);
    all.truncate(LIMITS.undefined_inputs);
    all.into_iter().map(|(_, name, value)| (name, value)).collect()
}

fn symbols_of_conditions(terms: &TermStore, conditions: &[Term]) -> FxHashSet<SymbolId> {
    let mut all = FxHashSet::default();
    terms.visit_symbols(conditions, |id| {
        all.insert(id);
    });
    all
}

/// The bits that a symbol has under some values.
fn symbol_bits(terms: &TermStore, values: &Assignment, symbol: Term, width: u32) -> Option<u128> {
    match TermEvaluator::new(terms, values).evaluate_term(symbol)? {
        Constant::Bv { value, .. } => Some(value),
        Constant::Bool(value) => Some(u128::from(value)),
        Constant::Int(value) => {
            i128::try_from(&value).ok().map(|value| value.cast_unsigned() & width_mask(width))
        }
    }
}
