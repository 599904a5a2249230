//! Transition systems: locations and edges over terms.

use ouro_term::{Sort, Term, Terms};

use crate::Span;
use crate::ids::{EdgeId, IdVec, LocationId};

/// A place where a run can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Location {
    /// What it is called, unique.
    pub name: String,
    /// Where it is in the source.
    pub span: Option<Span>,
}

/// A part of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The symbol that stands for it in guards and updates.
    pub symbol: Term,
    /// What it is called: the symbol's name.
    pub name: String,
    /// What it ranges over.
    pub sort: Sort,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// From where.
    pub from: LocationId,
    /// To where.
    pub to: LocationId,
    /// When: over variables, choices and unknowns.
    pub guard: Term,
    /// What each variable becomes.
    pub update: Vec<Term>,
    /// Symbols that the environment decides.
    pub choices: Vec<Term>,
    /// Symbols that we decided not to know.
    pub unknowns: Vec<Term>,
    /// Where it comes from.
    pub spans: Vec<Span>,
}

/// If `p` is taken infinitely often, so is `q`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Compassion {
    /// The edges that oblige.
    pub p: Vec<EdgeId>,
    /// The edges that are owed.
    pub q: Vec<EdgeId>,
}

/// Locations and edges over terms.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The terms of guards and updates.
    pub terms: Terms,
    /// The state.
    pub variables: Vec<Variable>,
    /// Where a run can be.
    pub locations: IdVec<LocationId, Location>,
    /// Its steps.
    pub edges: IdVec<EdgeId, Edge>,
    /// Where it starts.
    pub initial: LocationId,
    /// With which states.
    pub condition: Term,
    /// What fair runs do.
    pub fairness: Vec<Compassion>,
}
