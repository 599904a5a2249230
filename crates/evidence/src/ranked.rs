//! Rankings: why every run of a transition system ends.

use serde::{Deserialize, Serialize};

/// Invariants and rankings at locations that every infinite run would pass infinitely often.
///
/// From one of these places to the next, within one strongly connected part of them, some element
/// of the ranking gets smaller by at least 1 and was not negative, and those before it do not grow.
/// The first element that would get smaller infinitely often could not stay bounded.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranking {
    /// The places; every cycle of the system passes one.
    pub places: Vec<RankedPlace>,
}

/// A location, what holds there, and how far from the end the run is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankedPlace {
    /// The index of the location in the system.
    pub location: u32,
    /// What holds in every state that reaches it: a formula over the system's variables.
    pub invariant: String,
    /// Integers over the system's variables, the most important first. Places of one part have
    /// equally many.
    pub ranking: Vec<String>,
}
