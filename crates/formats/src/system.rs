//! A system in the making: locations, variables and choices by name.

use std::collections::BTreeSet;

use ouro_model::ids::{IdVec, LocationId};
use ouro_model::transition::{Location, TransitionSystem};
use ouro_term::{Sort, Term, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{FormatPlace, FormatResult};
use crate::relation::StepRelation;

/// A system in the making. All variables are added before the first choice.
pub(crate) struct SystemBuilder {
    pub(crate) system: TransitionSystem,
    locations: FxHashMap<String, LocationId>,
    taken: FxHashSet<String>,
    numbers: FxHashMap<String, usize>,
}

impl SystemBuilder {
    pub(crate) fn new() -> SystemBuilder {
        let mut system = TransitionSystem::new(TermStore::new());
        system.locations = IdVec::new();
        SystemBuilder {
            system,
            locations: FxHashMap::default(),
            taken: FxHashSet::default(),
            numbers: FxHashMap::default(),
        }
    }

    /// The location with this name, made where it is first met.
    pub(crate) fn intern_location(&mut self, name: &str, place: FormatPlace) -> LocationId {
        if let Some(known) = self.locations.get(name) {
            return *known;
        }
        let made = Location { name: name.to_owned(), span: Some(place.span()) };
        let id = self.system.locations.push(made);
        self.locations.insert(name.to_owned(), id);
        id
    }

    /// The location with this name, if there is one.
    pub(crate) fn find_location(&self, name: &str) -> Option<LocationId> {
        self.locations.get(name).copied()
    }

    /// A new integer variable; `None` if there is one of that name.
    pub(crate) fn add_variable(&mut self, name: &str) -> Option<Term> {
        self.taken.insert(name.to_owned());
        self.system.add_variable(name, Sort::Int)
    }

    /// An integer symbol that no other edge needs, called `stem` if nothing else is.
    pub(crate) fn add_choice(&mut self, stem: &str) -> Term {
        let mut name = stem.to_owned();
        while !self.taken.insert(name.clone()) {
            let number = self.numbers.entry(stem.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{stem}!{number}");
        }
        match self.system.terms.intern_symbol(&name, Sort::Int) {
            Some(symbol) => symbol,
            None => self.system.terms.fresh_symbol(stem, Sort::Int),
        }
    }

    /// Gives back the name of a choice that was not needed, so that the next one can have it.
    fn release(&mut self, choice: Term) {
        let TermOp::Symbol(id) = self.system.terms.op(choice) else { return };
        let name = &self.system.terms.symbol_declaration(*id).name;
        self.taken.remove(name);
        if let Some((stem, digits)) = name.rsplit_once('!')
            && let Some(number) = self.numbers.get_mut(stem)
            && digits.parse() == Ok(*number)
        {
            *number -= 1;
        }
    }

    /// Adds the edge of a step.
    pub(crate) fn add_edge(
        &mut self,
        ends: (LocationId, LocationId),
        step: StepRelation,
        place: FormatPlace,
    ) -> FormatResult<()> {
        let asked: Vec<Term> = step.choices.iter().chain(&step.unknowns).copied().collect();
        let edge = step.into_edge(&mut self.system.terms, ends, place.span());
        let edge = edge.ok_or_else(|| place.too_large())?;
        let needed: BTreeSet<Term> = edge.choices.iter().chain(&edge.unknowns).copied().collect();
        for choice in asked.into_iter().rev().filter(|choice| !needed.contains(choice)) {
            self.release(choice);
        }
        self.system.edges.push(edge);
        Ok(())
    }
}
