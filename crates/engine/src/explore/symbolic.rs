//! The surroundings of a symbolic run: inputs are symbols, conditions are collected, and loops that
//! run without a decision are watched for a state that comes back.

use std::collections::BTreeSet;
use std::rc::Rc;

use ouro_machine::{
    ChoiceRange, ChoiceRequest, Machine, MachineState, MachineValue, Provenance, RunEnvironment,
};
use ouro_model::{ChoiceSource, FunctionId, Span};
use ouro_term::{Sort, SymbolId, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// A choice that a run made.
#[derive(Debug)]
pub(crate) struct ExploredChoice {
    pub(crate) symbol: Term,
    pub(crate) width: u32,
    /// The integers it is among, if it is not one of bits.
    pub(crate) range: Option<ChoiceRange>,
    pub(crate) source: ChoiceSource,
    previous: ExploredChoices,
    count: usize,
}

/// The choices of a run, the last first; runs that part share what they have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExploredChoices(Option<Rc<ExploredChoice>>);

impl ExploredChoices {
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |c| c.count)
    }

    /// The one that was made last.
    pub(crate) fn last(&self) -> Option<&ExploredChoice> {
        self.0.as_deref()
    }

    /// In the order in which they were made.
    pub(crate) fn in_order(&self) -> Vec<Rc<ExploredChoice>> {
        let mut all = Vec::with_capacity(self.len());
        let mut next = self.0.clone();
        while let Some(choice) = next {
            next = choice.previous.0.clone();
            all.push(choice);
        }
        all.reverse();
        all
    }
}

/// Long lists of choices are dropped one by one, not by recursion.
impl Drop for ExploredChoices {
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

/// How often each loop head or recursive function was met.
pub(crate) type HeadVisitCounts = FxHashMap<(FunctionId, u32), u64>;

/// The surroundings of one stretch of a run, from one decision to the next.
pub(crate) struct ExplorationEnvironment<'a> {
    machine: &'a Machine,
    /// All choices of the run.
    pub(crate) choices: ExploredChoices,
    /// Conditions met in this stretch.
    pub(crate) conditions: Vec<Term>,
    /// Which of the conditions exclude undefined behaviour: how many conditions came before it, what
    /// would be undefined, and where.
    pub(crate) excluded: Vec<(usize, String, Span)>,
    /// Which of the conditions leave a part of the runs out: how many conditions came before it, and
    /// why.
    pub(crate) restricted: Vec<(usize, String, Span)>,
    /// Symbols that stand for values which the model does not know.
    pub(crate) unknowns: &'a mut FxHashSet<SymbolId>,
    pub(crate) visits: &'a mut HeadVisitCounts,
    /// Events passed.
    pub(crate) passed: &'a mut BTreeSet<u32>,
    pub(crate) watch: &'a mut RecurrenceWatch,
}

/// Watches a run without decisions for a state that comes back: Brent's way, which compares with one
/// earlier state and takes a new one at each power of two.
pub(crate) struct RecurrenceWatch {
    saved: Option<WatchedState>,
    /// Loop heads and recursive calls reached.
    pub(crate) marks: u64,
    next_save: u64,
    choices_at_save: usize,
    /// Whether a symbolic condition was met that left only one way.
    pub(crate) decided: bool,
    /// The fewest calls in progress, up to the last snapshot.
    pub(crate) low: usize,
    /// The snapshot whose state came back.
    pub(crate) recurred: Option<WatchedState>,
}

impl RecurrenceWatch {
    /// Watches from here on; so many choices have been made. `patience` doubles the wait for the
    /// first snapshot that often.
    pub(crate) fn new(choices: usize, patience: u32) -> RecurrenceWatch {
        RecurrenceWatch {
            saved: None,
            marks: 0,
            next_save: 1 << patience.min(40),
            choices_at_save: choices,
            decided: false,
            low: usize::MAX,
            recurred: None,
        }
    }

    /// A loop head or recursive call was reached; whether to stop and look.
    fn note_mark(&mut self, machine: &Machine, choices: usize, state: &mut MachineState) -> bool {
        self.marks += 1;
        if let Some(saved) = &self.saved {
            let depth = saved.state.depth();
            if saved.state.position() == state.position() && state.depth() >= depth {
                let low = state.low.min(depth);
                if low >= 1 && machine.subsumes_exactly(&saved.state, state, depth - low + 1) {
                    self.recurred = self.saved.take();
                    return true;
                }
            }
        }
        if self.marks < self.next_save {
            return false;
        }
        self.next_save = self.marks * 2;
        // Loops that take inputs, or whose conditions are symbolic but leave no choice, may recur
        // for some inputs only: they need a closer look from outside.
        let closer = choices > self.choices_at_save || self.decided;
        self.choices_at_save = choices;
        self.decided = false;
        self.low = self.low.min(state.low);
        state.low = state.depth();
        self.saved = Some(WatchedState { state: state.clone(), choices });
        closer
    }
}

/// A state to come back to.
#[derive(Clone)]
pub(crate) struct WatchedState {
    pub(crate) state: MachineState,
    pub(crate) choices: usize,
}

impl<'a> ExplorationEnvironment<'a> {
    /// The surroundings of a stretch that starts with these choices made.
    pub(crate) fn new(
        machine: &'a Machine,
        choices: ExploredChoices,
        unknowns: &'a mut FxHashSet<SymbolId>,
        visits: &'a mut HeadVisitCounts,
        passed: &'a mut BTreeSet<u32>,
        watch: &'a mut RecurrenceWatch,
    ) -> Self {
        ExplorationEnvironment {
            machine,
            choices,
            conditions: Vec::new(),
            excluded: Vec::new(),
            restricted: Vec::new(),
            unknowns,
            visits,
            passed,
            watch,
        }
    }
}

impl RunEnvironment for ExplorationEnvironment<'_> {
    fn provide_choice(
        &mut self,
        terms: &mut TermStore,
        request: ChoiceRequest<'_>,
    ) -> Option<MachineValue> {
        // The same name for the same choice on every path: equal terms are shared, and so are the
        // solver's answers.
        let count = self.choices.len() + 1;
        let (symbol, known) = request.fresh_choice_symbol(terms, &format!("in{count}"))?;
        self.conditions.extend(known);
        self.choices = ExploredChoices(Some(Rc::new(ExploredChoice {
            symbol,
            width: request.width,
            range: request.range,
            source: request.source.clone(),
            previous: self.choices.clone(),
            count,
        })));
        Some(MachineValue::symbolic(symbol, Provenance::None))
    }

    fn provide_unknown(
        &mut self,
        terms: &mut TermStore,
        sort: Sort,
        _why: &str,
    ) -> Option<MachineValue> {
        let symbol = terms.fresh_symbol("unknown", sort);
        self.unknowns.extend(terms.symbols_of(symbol));
        Some(MachineValue::symbolic(symbol, Provenance::None))
    }

    fn assume(&mut self, condition: Term) {
        self.conditions.push(condition);
    }

    fn exclude_undefined(&mut self, condition: Term, undefined: &str, span: Span) {
        self.excluded.push((self.conditions.len(), undefined.to_owned(), span));
        self.conditions.push(condition);
    }

    fn restrict_coverage(&mut self, condition: Term, why: &str) {
        self.restrict_coverage_at(condition, why, Span::NONE);
    }

    fn restrict_coverage_at(&mut self, condition: Term, why: &str, span: Span) {
        self.restricted.push((self.conditions.len(), why.to_owned(), span));
        self.conditions.push(condition);
    }

    fn pass_event(&mut self, number: u32) {
        self.passed.insert(number);
    }

    fn reach_mark(&mut self, state: &mut MachineState) -> bool {
        *self.visits.entry(state.position()).or_insert(0) += 1;
        self.watch.note_mark(self.machine, self.choices.len(), state)
    }
}
