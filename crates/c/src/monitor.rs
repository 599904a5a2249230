//! What a specification adds to a program: code that runs with it, and what that code speaks of.

use ouro_model::{Event, Fairness, Obligation};

/// A specification, as far as the program knows it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Monitor {
    /// What `__ouro_event` numbers.
    pub events: Vec<Event>,
    /// What `__ouro_violation` numbers.
    pub obligations: Vec<Obligation>,
    /// The pairs that a fair run meets.
    pub fairness: Vec<Fairness>,
}
