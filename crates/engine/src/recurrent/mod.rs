//! Recurrent sets of transition systems: runs that never end although no state comes back.
//!
//! The system becomes a graph of paths (`paths`). From its start, stems are followed breadth first
//! (`search`), past loops that end by taking them many times at once. At the end of
//! each stem, the loops there are tried: is there a state from which the run goes on in
//! one direction forever, and can conditions be added to the loop's own until they keep
//! themselves, for some way of choosing what the loop leaves open? What
//! is found is written as evidence in terms of the system. All of that is in `lassos`.
//!
//! | file | one idea |
//! | --- | --- |
//! | `closed` | sets for a whole strongly connected part, by refinement |
//! | `simulate` | one run, state by state |
//! | `search` | which method is tried when |

mod closed;
mod search;
mod simulate;

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use crate::EngineSettings;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundRecurrentSet {
    /// The evidence.
    pub set: RecurrentSet,
    /// Which method found it: `lasso`, `closed` or `forward`.
    pub method: &'static str,
}

/// A way of looking for recurrent sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecurrentSetMethod {
    /// Recurrent sets of one cycle at a time.
    Lasso,
    /// Closed sets of many cycles at once.
    Closed,
    /// Recurrent components of a graph of abstract states.
    Forward,
}

/// Looks for a run of the system that never ends, by these methods; none named means all.
pub fn find_recurrent_set(
    system: &TransitionSystem,
    settings: &EngineSettings,
    methods: &[RecurrentSetMethod],
) -> Option<FoundRecurrentSet> {
    search::search_by_methods(system, settings, methods)
}

/// Looks for a run that takes these edges, one after the other, forever.
pub fn find_recurrent_set_along(
    system: &TransitionSystem,
    settings: &EngineSettings,
    edges: &[u32],
) -> Option<FoundRecurrentSet> {
    search::search_along_edges(system, settings, edges)
}
