//! Undefined behaviour by the way: which of the conditions that exclude it can be false.
//!
//! A run that does something undefined has ended, for every proof that all runs end. So the checker
//! follows runs under the condition that they do nothing undefined, and here it is asked of each such
//! condition whether the path to it allows that it is false. If so, the proof rests on it at that place,
//! and whoever reads the verdict should know. Acceptance does not depend on any of this.
//!
//! Each place is asked about until it is found. All conditions between two forks are one question, so
//! where nothing undefined can happen there is at most one more question for each fork. How many are
//! asked is counted; after that, and where the solver does not know, a place counts as possible.

use std::rc::Rc;

use ouro_evidence::{Input, Place, Undefined, UndefinedRun};
use ouro_machine::{ChoiceRequest, Machine, State};
use ouro_model::{ChoiceSource, FunctionId, Program, Span};
use ouro_solver::Answer;
use ouro_term::{Assignment, Constant, Evaluator, SymbolId, Term, Terms, mask};
use rustc_hash::FxHashSet;

use crate::over::Checked;

/// Questions that are asked for this alone.
const MOST_QUESTIONS: usize = 2000;
/// Inputs and variables of a run that are named.
const MOST_NAMED: usize = 8;

/// Why a condition is one of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// There are no other runs.
    Assumed,
    /// The model does not cover the others, for this reason.
    Restricted(String),
    /// The others do this, which is undefined, at this place.
    Excluded(String, Span),
}

/// A condition that a run has met, and why.
pub(crate) type Met = (Term, Why);

/// The undefined behaviour that was found.
pub(crate) struct Naming<'a> {
    program: &'a Program,
    /// Whether anybody wants to know.
    wanted: bool,
    found: Vec<Undefined>,
    /// Where what was found.
    known: FxHashSet<(Span, String)>,
    questions: usize,
}

/// A run, as far as it is known: what must hold, and values that satisfied it when they were last
/// looked for.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) path: &'a [Term],
    pub(crate) values: &'a Assignment,
}

impl<'a> Naming<'a> {
    pub(crate) fn new(program: &'a Program, wanted: bool) -> Naming<'a> {
        Naming { program, wanted, found: Vec::new(), known: FxHashSet::default(), questions: 0 }
    }

    /// All that was found, in the order of places.
    pub(crate) fn finish(self) -> Vec<Undefined> {
        let mut found = self.found;
        found.sort_by(|a, b| (&a.place, &a.what).cmp(&(&b.place, &b.what)));
        found
    }

    /// Looks at conditions that a run met, in their order. `tell` says how a run with these values
    /// came to a condition.
    pub(crate) fn look(
        &mut self,
        terms: &mut Terms,
        run: Known<'_>,
        met: &[Met],
        mut ask: impl FnMut(&Terms, &[Term]) -> Checked<Answer>,
        tell: impl Fn(&Terms, &Assignment, &[Term]) -> UndefinedRun,
    ) -> Checked<()> {
        while self.wanted && met.iter().any(|one| self.is_open(terms, run.path, one).is_some()) {
            let mut evaluator = Evaluator::new(terms, run.values);
            if run.path.iter().all(|condition| evaluator.holds(*condition) == Some(true))
                && let Some(at) = self.first_broken(terms, run, met, run.values)
            {
                self.note(terms, run, met, at, run.values, &tell);
                continue;
            }
            if self.questions >= MOST_QUESTIONS {
                self.note_all(terms, run.path, met);
                continue;
            }
            self.questions += 1;
            let mut broken = terms.bool(false);
            for one in met.iter().rev() {
                broken = match self.is_open(terms, run.path, one) {
                    Some(_) => {
                        let not = terms.not(one.0);
                        terms.or(not, broken)
                    }
                    None => terms.and(one.0, broken),
                };
            }
            let mut query = run.path.to_vec();
            query.push(broken);
            match ask(terms, &query)? {
                Answer::Unsat => return Ok(()),
                Answer::Sat(values) => match self.first_broken(terms, run, met, &values) {
                    Some(at) => self.note(terms, run, met, at, &values, &tell),
                    None => self.note_all(terms, run.path, met),
                },
                Answer::Unknown(_) => self.note_all(terms, run.path, met),
            }
        }
        Ok(())
    }

    /// The place that a condition excludes something at, if that was not found yet and may happen.
    fn is_open(&self, terms: &Terms, path: &[Term], met: &Met) -> Option<(Span, String)> {
        let (condition, Why::Excluded(what, span)) = met else { return None };
        let key = place_of(*span, what);
        let open = terms.as_bool(*condition) != Some(true) && !path.contains(condition);
        (open && !self.known.contains(&key)).then_some(key)
    }

    /// The first condition that is open and false under some values, if those before it are true.
    fn first_broken(
        &self,
        terms: &Terms,
        run: Known<'_>,
        met: &[Met],
        values: &Assignment,
    ) -> Option<usize> {
        let mut evaluator = Evaluator::new(terms, values);
        let broken = met.iter().position(|one| evaluator.holds(one.0) != Some(true))?;
        let is_false = evaluator.holds(met[broken].0) == Some(false);
        (is_false && self.is_open(terms, run.path, &met[broken]).is_some()).then_some(broken)
    }

    /// Notes what the condition of this number excludes, and the run with these values.
    fn note(
        &mut self,
        terms: &Terms,
        run: Known<'_>,
        met: &[Met],
        at: usize,
        values: &Assignment,
        tell: &impl Fn(&Terms, &Assignment, &[Term]) -> UndefinedRun,
    ) {
        if let Some((span, what)) = self.is_open(terms, run.path, &met[at]) {
            let mut conditions = vec![met[at].0];
            conditions.extend(run.path.iter().chain(met[..at].iter().map(|(term, _)| term)));
            self.push(span, what, Some(tell(terms, values, &conditions)));
        }
    }

    /// Notes all that conditions exclude of which nobody knows whether it happens.
    fn note_all(&mut self, terms: &Terms, path: &[Term], met: &[Met]) {
        for one in met {
            if let Some((span, what)) = self.is_open(terms, path, one) {
                self.push(span, what, None);
            }
        }
    }

    fn push(&mut self, span: Span, what: String, run: Option<UndefinedRun>) {
        // The run may have been in another function, so only file and line are known.
        let here = Place::of(self.program, FunctionId(0), span);
        let place = Place { function: String::new(), ..here };
        self.known.insert((span, what.clone()));
        self.found.push(Undefined { place, what, run });
    }
}

/// Where the user's code is when a run does something at a place: in the library, the call of it.
pub(crate) fn in_user_code(
    program: &Program,
    machine: &Machine,
    state: &State,
    span: Span,
) -> Span {
    let is_library = |span: Span| {
        let file = program.files.get(span.file.0 as usize);
        !span.is_known() || file.is_some_and(|file| file.starts_with('<'))
    };
    let mut calls = machine.calls(state).map(|at| at.span);
    // If the run has left the library since, nobody knows the call.
    if !is_library(span) || calls.next().is_none_or(|innermost| !is_library(innermost)) {
        return span;
    }
    calls.find(|call| !is_library(*call)).unwrap_or(span)
}

/// Where something is undefined: a line has one place for each kind.
fn place_of(span: Span, what: &str) -> (Span, String) {
    (Span { column: 0, ..span }, what.to_owned())
}

/// What the environment chose on a run, the last first; runs that part share what they have in common.
#[derive(Clone, Default)]
pub(crate) struct Choices(Option<Rc<Choice>>);

struct Choice {
    symbol: Term,
    width: u32,
    source: ChoiceSource,
    span: Span,
    previous: Choices,
    count: usize,
}

impl Choices {
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |choice| choice.count)
    }

    pub(crate) fn add(&mut self, symbol: Term, request: ChoiceRequest<'_>) {
        let previous = std::mem::take(self);
        let count = previous.len() + 1;
        let ChoiceRequest { source, width, span, .. } = request;
        let source = source.clone();
        *self = Choices(Some(Rc::new(Choice { symbol, width, source, span, previous, count })));
    }

    /// Those that conditions speak of, under some values, in order.
    pub(crate) fn inputs(
        &self,
        program: &Program,
        terms: &Terms,
        values: &Assignment,
        conditions: &[Term],
    ) -> Vec<Input> {
        let spoken = symbols(terms, conditions);
        let mut all = Vec::new();
        let mut next = self.0.as_deref();
        while let Some(Choice { symbol, width, source, span, previous, .. }) = next {
            next = previous.0.as_deref();
            let is_spoken = terms.symbols_of(*symbol).iter().any(|id| spoken.contains(id));
            if !is_spoken || *source == ChoiceSource::Guess {
                continue;
            }
            let Some(bits) = bits(terms, values, *symbol, *width) else { continue };
            let here = Place::of(program, FunctionId(0), *span);
            let place = Place { function: String::new(), ..here };
            all.push(Input { bits, width: *width, source: source.clone(), place });
        }
        all.reverse();
        all.truncate(MOST_NAMED);
        all
    }
}

/// Long lists of choices are dropped one by one, not by recursion.
impl Drop for Choices {
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
pub(crate) fn variables(
    terms: &Terms,
    values: &Assignment,
    conditions: &[Term],
    named: &[(String, Term, bool)],
) -> Vec<(String, String)> {
    let spoken = symbols(terms, conditions);
    let first = conditions.first().map_or_else(Vec::new, |first| terms.symbols_of(*first));
    let mut all: Vec<(bool, String, String)> = Vec::new();
    for (name, symbol, unsigned) in named {
        let ids = terms.symbols_of(*symbol);
        if !ids.iter().any(|id| spoken.contains(id)) {
            continue;
        }
        let value = match Evaluator::new(terms, values).value(*symbol) {
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
    all.truncate(MOST_NAMED);
    all.into_iter().map(|(_, name, value)| (name, value)).collect()
}

fn symbols(terms: &Terms, conditions: &[Term]) -> FxHashSet<SymbolId> {
    let mut all = FxHashSet::default();
    terms.visit_symbols(conditions, |id| {
        all.insert(id);
    });
    all
}

/// The bits that a symbol has under some values.
fn bits(terms: &Terms, values: &Assignment, symbol: Term, width: u32) -> Option<u128> {
    match Evaluator::new(terms, values).value(symbol)? {
        Constant::Bv { value, .. } => Some(value),
        Constant::Bool(value) => Some(u128::from(value)),
        Constant::Int(value) => {
            i128::try_from(&value).ok().map(|value| value.cast_unsigned() & mask(width))
        }
    }
}
