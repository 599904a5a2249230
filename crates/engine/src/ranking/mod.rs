//! Rankings: why every run of a transition system ends.
//!
//! The system becomes a graph of paths, no fewer than it has. Bounds on sums of variables are found
//! for every location (`invariants`). Then, in each strongly connected part, affine functions of the
//! state, one for each location, that no path makes larger and some path makes smaller while it is
//! not negative (`lexicographic`): those paths are taken away, and what is left is looked at again,
//! until no cycle is left. What is found is written in terms of the system (`write`).

mod invariants;
mod lexicographic;
mod write;

use std::time::{Duration, Instant};

use ouro_evidence::Ranking;
use ouro_model::transition::TransitionSystem;

use crate::Settings;
use crate::paths::ask::Ask;
use crate::paths::graph::Graph;
use crate::paths::lower::{Mode, Reading};

/// The longest that one question may take.
const QUERY: Duration = Duration::from_secs(2);

/// Looks for a reason why every run of the system ends.
pub fn rank(system: &TransitionSystem, settings: &Settings) -> Option<Ranking> {
    rank_reading(system, Reading::default(), settings)
}

/// The same where bit-vectors are read in a certain way.
pub(crate) fn rank_reading(
    system: &TransitionSystem,
    reading: Reading<'_>,
    settings: &Settings,
) -> Option<Ranking> {
    let mut ask = Ask::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = Graph::reading(system, reading, &mut ask, Mode::Over)?;
    for effort in [invariants::Effort::Simple, invariants::Effort::Relations] {
        let invariants = invariants::find(&graph, &mut ask, effort)?;
        if let Some(ranks) = lexicographic::find(&graph, &invariants, &mut ask, settings) {
            return write::ranking(system, reading, &graph, &invariants, &ranks);
        }
        if Instant::now() >= settings.deadline {
            return None;
        }
    }
    None
}
