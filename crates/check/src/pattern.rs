//! Patterns: states of the machine with symbols in some of their spots, the holes.
//!
//! A pattern stands for the states that it is with values put in. Where it comes from does not
//! matter: it is only asked whether the states that arrive there are the pattern with some values
//! put in. It must have no symbols but its own holes: others would stand for another value each time.

use ouro_evidence::{HavocObject, HoleCell, ListLink, SourcePlace, StateHole};
use ouro_machine::{Machine, MachineState, ObjectRef, RunPosition, SegmentLink, StateCell};
use ouro_model::{Program, VarId};
use ouro_term::{Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EvidenceRejection;
use crate::over::{CheckResult, reject_evidence};

/// A head of the evidence, read, with its pattern.
#[derive(Clone)]
pub(crate) struct HeadPattern {
    pub(crate) state: MachineState,
    /// The innermost calls that matter.
    pub(crate) frames: usize,
    /// The symbols of the holes.
    pub(crate) symbols: Vec<Term>,
    pub(crate) set: Term,
    pub(crate) choices: Vec<Term>,
}

impl HeadPattern {
    /// What must hold for a state to be one of this head's, and what the holes are in it; `None` if
    /// it is none whatever the symbols are.
    pub(crate) fn match_state(
        &self,
        machine: &Machine,
        terms: &mut TermStore,
        state: &MachineState,
    ) -> Option<(Vec<Term>, FxHashMap<Term, Term>)> {
        let comparison = machine.find_subsumption(terms, &self.state, state, self.frames)?;
        let mut values: FxHashMap<Term, Term> = FxHashMap::default();
        let mut conditions = Vec::new();
        for (own, other) in comparison.all {
            if terms.sort(own) != terms.sort(other) {
                return None;
            }
            let expected =
                if self.symbols.contains(&own) { *values.entry(own).or_insert(other) } else { own };
            conditions.push(terms.eq(expected, other));
        }
        if self.symbols.iter().any(|symbol| !values.contains_key(symbol)) {
            return None;
        }
        conditions.push(terms.substitute(self.set, &values));
        Some((conditions, values))
    }
}

/// A state with symbols put in, and what may be said about it.
pub(crate) struct PatternDraft<'a> {
    pub(crate) state: MachineState,
    pub(crate) symbols: Vec<Term>,
    by_name: FxHashMap<&'a str, Term>,
    known: FxHashSet<Term>,
}

impl<'a> PatternDraft<'a> {
    /// Forgets what is in each open object, and puts a fresh symbol into each hole.
    pub(crate) fn new(
        machine: &Machine,
        terms: &mut TermStore,
        open: &[HavocObject],
        holes: &'a [StateHole],
        from: &MachineState,
    ) -> CheckResult<PatternDraft<'a>> {
        let mut state = from.clone();
        for HavocObject { slot, generation } in open.iter().copied() {
            if !machine.havoc_object(&mut state, ObjectRef { slot, generation }) {
                return reject_evidence(format!("there is no object {slot} to leave open"));
            }
        }
        let mut by_name = FxHashMap::default();
        let mut symbols = Vec::new();
        for hole in holes {
            let Some(spot) = locate_hole(machine, &state, &hole.cell) else {
                return reject_evidence(format!("the state has no {}", hole.name));
            };
            let Some(sort) = machine.sort_of_cell(&state, spot) else {
                return reject_evidence(format!("the state has no {}", hole.name));
            };
            if hole.sort != sort.to_string() {
                return reject_evidence(format!(
                    "{} has sort {sort}, not {}",
                    hole.name, hole.sort
                ));
            }
            let symbol = terms.fresh_symbol("hole", sort);
            if !machine.put_number(terms, &mut state, spot, symbol) {
                return reject_evidence(format!("the state has no {}", hole.name));
            }
            by_name.insert(hole.symbol.as_str(), symbol);
            symbols.push(symbol);
        }
        let known = symbols.iter().copied().collect();
        Ok(PatternDraft { state, symbols, by_name, known })
    }

    /// A term over the holes.
    pub(crate) fn parse_over_holes(&self, terms: &mut TermStore, text: &str) -> CheckResult<Term> {
        let term = terms.parse_with(text, |name| self.by_name.get(name).copied()).map_err(|e| {
            EvidenceRejection::new(format!("'{text}' is not a term: {}", e.message))
        })?;
        self.require_over_holes(terms, term)?;
        Ok(term)
    }

    fn require_over_holes(&self, terms: &mut TermStore, term: Term) -> CheckResult<()> {
        for id in terms.symbols_of(term) {
            let symbol = terms.symbol_term(id);
            if !self.known.contains(&symbol) {
                let name = &terms.symbol_declaration(id).name;
                return reject_evidence(format!(
                    "{name} is not a hole of the loop head, but a state depends on it"
                ));
            }
        }
        Ok(())
    }

    /// Makes sure that the rest of the run, seen on so many of the innermost calls, depends on no
    /// other symbols, and that the head is where people are told.
    pub(crate) fn finish(
        &mut self,
        program: &Program,
        machine: &Machine,
        terms: &mut TermStore,
        frames: usize,
        place: &SourcePlace,
    ) -> CheckResult<()> {
        let is_shown =
            |at: RunPosition| SourcePlace::of_span(program, at.function, at.span) == *place;
        // Where the head itself has no place in the source, people are told of the call that led there.
        let innermost = (machine.call_stack_positions(&self.state))
            .find(|at| program.functions[at.function].user && at.span.is_known());
        let shown = machine.call_stack_positions(&self.state).take(frames).any(is_shown)
            || innermost.is_some_and(is_shown);
        if !shown {
            return reject_evidence(format!("the head is not at {place}"));
        }
        let Some(itself) = machine.find_subsumption(terms, &self.state, &self.state, frames) else {
            return reject_evidence("the run depends on where objects are placed in memory");
        };
        for (term, _) in itself.all {
            self.require_over_holes(terms, term)?;
        }
        self.state.low = self.state.depth();
        Ok(())
    }
}

/// How lists are linked, in the machine's words.
pub(crate) fn segment_links(claimed: &[ListLink]) -> Vec<SegmentLink> {
    let words = |l: &ListLink| {
        let ListLink { size, link, entry, alike } = *l;
        SegmentLink { size, link, entry, alike }
    };
    claimed.iter().map(words).collect()
}

/// Where a hole is, in the machine's words.
fn locate_hole(machine: &Machine, state: &MachineState, cell: &HoleCell) -> Option<StateCell> {
    Some(match *cell {
        HoleCell::Variable { call, variable } => {
            StateCell::Variable { call: call as usize, variable: VarId(variable) }
        }
        HoleCell::Memory { slot, generation, offset, bytes } => {
            StateCell::Memory { object: ObjectRef { slot, generation }, offset, bytes }
        }
        HoleCell::Size { slot, generation } => {
            StateCell::Size { object: ObjectRef { slot, generation } }
        }
        HoleCell::Length { number } => {
            StateCell::Length { object: machine.object_of_number(state, number as usize)? }
        }
    })
}
