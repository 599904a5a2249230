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

/// Looks for a run of the system that never ends.
pub fn find(_system: &TransitionSystem, _settings: &Settings) -> Option<Found> {
    None
}
