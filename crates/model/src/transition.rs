//! Transition systems: locations and edges over terms, what is left of a program when memory and
//! calls have been reduced.
//!
//! An edge is a whole path: from a state X it can be taken if choices and unknowns exist for which
//! the guard holds, and it leads to the state that the update gives. The two kinds of symbols
//! differ only for non-termination: a run may pick its choices, and must survive every unknown.
//!
//! **The rules**, which [`check`] checks. Ids are in range. A variable's symbol has its name and
//! sort, and no two variables share it. The initial condition is a boolean over the variables. An
//! edge's guard is a boolean, and its update gives each variable a term of its sort, both over the
//! variables and the edge's own choices and unknowns; these are symbols, each listed once, and not
//! variables.

mod text;

use std::collections::BTreeSet;

use ouro_term::{Sort, Term, TermOp, TermStore};
pub use text::{parse_system, parse_system_into, print_system};

use crate::Span;
use crate::ids::{EdgeId, IdVec, LocationId};

/// A place where a run can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// What it is called, for people.
    pub name: String,
    /// Where it is in the source.
    pub span: Option<Span>,
}

/// A part of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVariable {
    /// The symbol that stands for it in guards and updates.
    pub symbol: Term,
    /// What it is called: the symbol's name.
    pub name: String,
    /// What it ranges over.
    pub sort: Sort,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransitionEdge {
    /// From where.
    pub from: LocationId,
    /// To where.
    pub to: LocationId,
    /// When it can be taken: over variables, choices and unknowns.
    pub guard: Term,
    /// What each variable becomes, over the same symbols.
    pub update: Vec<Term>,
    /// Symbols that the environment of the program decides.
    pub choices: Vec<Term>,
    /// Symbols that we decided not to know.
    pub unknowns: Vec<Term>,
    /// The places in the source that it passes.
    pub spans: Vec<Span>,
}

/// A fairness condition: a run that takes edges of `p` infinitely often takes edges of `q`
/// infinitely often.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeCompassionPair {
    /// The edges that oblige.
    pub p: Vec<EdgeId>,
    /// The edges that are owed.
    pub q: Vec<EdgeId>,
}

/// Locations and edges over terms.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The store of all its terms.
    pub terms: TermStore,
    /// The state.
    pub variables: Vec<StateVariable>,
    /// Where a run can be.
    pub locations: IdVec<LocationId, Location>,
    /// Its steps.
    pub edges: IdVec<EdgeId, TransitionEdge>,
    /// Where it starts.
    pub initial: LocationId,
    /// In which states.
    pub condition: Term,
    /// What fair runs do; plain termination has none.
    pub fairness: Vec<EdgeCompassionPair>,
}

impl TransitionSystem {
    /// A system with one location, no variables and no edges.
    pub fn new(mut terms: TermStore) -> TransitionSystem {
        let mut locations = IdVec::new();
        let initial = locations.push(Location { name: "start".to_owned(), span: None });
        let condition = terms.bool(true);
        TransitionSystem {
            terms,
            variables: Vec::new(),
            locations,
            edges: IdVec::new(),
            initial,
            condition,
            fairness: Vec::new(),
        }
    }

    /// Adds a variable; `None` if a symbol of that name has another sort or is a variable already.
    pub fn add_variable(&mut self, name: &str, sort: Sort) -> Option<Term> {
        let symbol = self.terms.intern_symbol(name, sort)?;
        if self.variables.iter().any(|variable| variable.symbol == symbol) {
            return None;
        }
        self.variables.push(StateVariable { symbol, name: name.to_owned(), sort });
        Some(symbol)
    }

    /// The update that changes nothing.
    pub fn identity_update(&self) -> Vec<Term> {
        self.variables.iter().map(|variable| variable.symbol).collect()
    }
}

/// Checks all rules; each violation is a sentence that says where.
pub fn check_wellformed_system(system: &TransitionSystem) -> Result<(), Vec<String>> {
    let mut found = Vec::new();
    let terms = &system.terms;
    let mut state: BTreeSet<Term> = BTreeSet::new();
    for variable in &system.variables {
        let StateVariable { symbol, name, sort } = variable;
        let named = match terms.op(*symbol) {
            TermOp::Symbol(id) => terms.symbol_declaration(*id).name == *name,
            _ => false,
        };
        if !named || terms.sort(*symbol) != *sort {
            found.push(format!("the variable {name} has another symbol"));
        }
        if !state.insert(*symbol) {
            found.push(format!("the variable {name} comes twice"));
        }
    }
    if system.locations.get(system.initial).is_none() {
        found.push(format!("the initial location {} does not exist", system.initial));
    }
    if terms.sort(system.condition) != Sort::Bool
        || !has_only_symbols(terms, system.condition, &state)
    {
        found.push("the initial condition is not a formula over the variables".to_owned());
    }
    for (id, edge) in system.edges.enumerate() {
        check_edge(system, &state, edge, &mut |what| found.push(format!("{id}: {what}")));
    }
    for pair in &system.fairness {
        for edge in pair.p.iter().chain(&pair.q) {
            if system.edges.get(*edge).is_none() {
                found.push(format!("a fairness condition speaks of {edge}, which does not exist"));
            }
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

fn check_edge(
    system: &TransitionSystem,
    state: &BTreeSet<Term>,
    edge: &TransitionEdge,
    refuse: &mut dyn FnMut(String),
) {
    let terms = &system.terms;
    for location in [edge.from, edge.to] {
        if system.locations.get(location).is_none() {
            refuse(format!("there is no {location}"));
        }
    }
    let mut known = state.clone();
    for symbol in edge.choices.iter().chain(&edge.unknowns) {
        if !matches!(terms.op(*symbol), TermOp::Symbol(_)) {
            refuse(format!("{} is not a symbol", terms.display(*symbol)));
        } else if !known.insert(*symbol) {
            refuse(format!("{} comes twice", terms.display(*symbol)));
        }
    }
    if terms.sort(edge.guard) != Sort::Bool {
        refuse("the guard is not boolean".to_owned());
    }
    if edge.update.len() != system.variables.len() {
        refuse(format!("{} terms for {} variables", edge.update.len(), system.variables.len()));
    }
    for (variable, term) in system.variables.iter().zip(&edge.update) {
        if terms.sort(*term) != variable.sort {
            refuse(format!("{} gets a term of sort {}", variable.name, terms.sort(*term)));
        }
    }
    for term in edge.update.iter().chain([&edge.guard]) {
        if !has_only_symbols(terms, *term, &known) {
            refuse(format!("{} has an unlisted symbol", terms.display(*term)));
        }
    }
}

/// Whether a term has only these symbols.
fn has_only_symbols(terms: &TermStore, term: Term, symbols: &BTreeSet<Term>) -> bool {
    let known: BTreeSet<_> = symbols
        .iter()
        .filter_map(|symbol| match terms.op(*symbol) {
            TermOp::Symbol(id) => Some(*id),
            _ => None,
        })
        .collect();
    terms.symbols_of(term).iter().all(|id| known.contains(id))
}

#[cfg(test)]
mod tests;
