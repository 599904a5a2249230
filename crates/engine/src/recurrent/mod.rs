//! Recurrent sets of transition systems.

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use crate::Settings;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The evidence.
    pub set: RecurrentSet,
    /// Which method found it: `lasso` or `closed`.
    pub method: &'static str,
}

/// A way of looking for recurrent sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Recurrent sets of one cycle at a time.
    Lasso,
    /// Closed sets of many cycles at once.
    Closed,
}

/// Looks for a run of the system that never ends, by these methods; none named means all.
pub fn find(
    _system: &TransitionSystem,
    _settings: &Settings,
    _methods: &[Method],
) -> Option<Found> {
    None
}
