//! Patterns: states of the machine with symbols in some of their spots, the holes.
//!
//! A pattern stands for the states that it is with values put in. Where it comes from does not
//! matter: it is only asked whether the states that arrive there are the pattern with some values
//! put in. It must have no symbols but its own holes: others would stand for another value each time.

use ouro_evidence::{Hole, HoleCell, ListLink, OpenObject, Place};
use ouro_machine::{At, Link, Machine, ObjectRef, Spot, State};
use ouro_model::{Program, VarId};
use ouro_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Rejection;
use crate::over::{Checked, reject};

/// A head of the evidence, read, with its pattern.
#[derive(Clone)]
pub(crate) struct Pattern {
    pub(crate) state: State,
    /// The innermost calls that matter.
    pub(crate) frames: usize,
    /// The symbols of the holes.
    pub(crate) symbols: Vec<Term>,
    pub(crate) set: Term,
    pub(crate) choices: Vec<Term>,
}

impl Pattern {
    /// What must hold for a state to be one of this head's, and what the holes are in it; `None` if
    /// it is none whatever the symbols are.
    pub(crate) fn fit(
        &self,
        machine: &Machine,
        terms: &mut Terms,
        state: &State,
    ) -> Option<(Vec<Term>, FxHashMap<Term, Term>)> {
        let comparison = machine.compare(terms, &self.state, state, self.frames)?;
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
pub(crate) struct Draft<'a> {
    pub(crate) state: State,
    pub(crate) symbols: Vec<Term>,
    by_name: FxHashMap<&'a str, Term>,
    known: FxHashSet<Term>,
}

impl<'a> Draft<'a> {
    /// Forgets what is in each open object, and puts a fresh symbol into each hole.
    pub(crate) fn new(
        machine: &Machine,
        terms: &mut Terms,
        open: &[OpenObject],
        holes: &'a [Hole],
        from: &State,
    ) -> Checked<Draft<'a>> {
        let mut state = from.clone();
        for OpenObject { slot, generation } in open.iter().copied() {
            if !machine.blur(&mut state, ObjectRef { slot, generation }) {
                return reject(format!("there is no object {slot} to leave open"));
            }
        }
        let mut by_name = FxHashMap::default();
        let mut symbols = Vec::new();
        for hole in holes {
            let Some(spot) = spot(machine, &state, &hole.cell) else {
                return reject(format!("there is nothing where {} should be", hole.name));
            };
            let Some(sort) = machine.sort_of(&state, spot) else {
                return reject(format!("there is nothing where {} should be", hole.name));
            };
            if hole.sort != sort.to_string() {
                return reject(format!("{} has sort {sort}, not {}", hole.name, hole.sort));
            }
            let symbol = terms.fresh("hole", sort);
            if !machine.put(terms, &mut state, spot, symbol) {
                return reject(format!("there is nothing where {} should be", hole.name));
            }
            by_name.insert(hole.symbol.as_str(), symbol);
            symbols.push(symbol);
        }
        let known = symbols.iter().copied().collect();
        Ok(Draft { state, symbols, by_name, known })
    }

    /// A term over the holes.
    pub(crate) fn read(&self, terms: &mut Terms, text: &str) -> Checked<Term> {
        let term = terms
            .parse_with(text, |name| self.by_name.get(name).copied())
            .map_err(|e| Rejection::new(format!("'{text}' is not a term: {}", e.message)))?;
        self.is_over(terms, term)?;
        Ok(term)
    }

    fn is_over(&self, terms: &mut Terms, term: Term) -> Checked<()> {
        for id in terms.symbols_of(term) {
            let symbol = terms.symbol_term(id);
            if !self.known.contains(&symbol) {
                let name = &terms.symbol_of(id).name;
                return reject(format!("{name} is no hole of the head, yet a state depends on it"));
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
        terms: &mut Terms,
        frames: usize,
        place: &Place,
    ) -> Checked<()> {
        let is_shown = |at: At| Place::of(program, at.function, at.span) == *place;
        // Where the head itself has no place in the source, people are told of the call that led there.
        let innermost = (machine.calls(&self.state))
            .find(|at| program.functions[at.function].user && at.span.is_known());
        let shown = machine.calls(&self.state).take(frames).any(is_shown)
            || innermost.is_some_and(is_shown);
        if !shown {
            return reject(format!("the head is not at {place}"));
        }
        let Some(itself) = machine.compare(terms, &self.state, &self.state, frames) else {
            return reject("the run depends on where objects lie in memory");
        };
        for (term, _) in itself.all {
            self.is_over(terms, term)?;
        }
        self.state.low = self.state.depth();
        Ok(())
    }
}

/// How lists are linked, in the machine's words.
pub(crate) fn links(claimed: &[ListLink]) -> Vec<Link> {
    let words = |l: &ListLink| {
        let ListLink { size, link, entry, alike } = *l;
        Link { size, link, entry, alike }
    };
    claimed.iter().map(words).collect()
}

/// Where a hole is, in the machine's words.
fn spot(machine: &Machine, state: &State, cell: &HoleCell) -> Option<Spot> {
    Some(match *cell {
        HoleCell::Variable { call, variable } => {
            Spot::Variable { call: call as usize, variable: VarId(variable) }
        }
        HoleCell::Memory { slot, generation, offset, bytes } => {
            Spot::Memory { object: ObjectRef { slot, generation }, offset, bytes }
        }
        HoleCell::Size { slot, generation } => {
            Spot::Size { object: ObjectRef { slot, generation } }
        }
        HoleCell::Length { number } => {
            Spot::Length { object: machine.numbered(state, number as usize)? }
        }
    })
}
