//! Rankings: why every run of a transition system ends.
//!
//! The system becomes a graph of paths, no fewer than it has. Bounds on sums of variables are found
//! for every location (`invariants`). Then, in each strongly connected part, affine functions of the
//! state, one for each location, that no path makes larger and some path makes smaller while it is
//! not negative (`functions`): those paths are taken away, and what is left is looked at again, until
//! no cycle is left (`lexicographic`). Where nothing is found, locations are split into cases (`split`).
//! What is found is written in terms of the system (`write`).
//!
//! | file | one idea |
//! | --- | --- |
//! | `invariants` | bounds on sums of variables |
//! | `farkas` | what follows from conditions, as a linear program |
//! | `functions` | one function for each location of a part |
//! | `lexicographic` | part by part, until no cycle is left |
//! | `simpler` | shorter functions that do the same |
//! | `split` | locations in cases |
//! | `write` | the evidence |

pub(crate) mod farkas;
pub(crate) mod functions;
pub(crate) mod invariants;
pub(crate) mod lexicographic;
pub(crate) mod simpler;
pub(crate) mod split;
pub(crate) mod write;

use std::time::Duration;

use ouro_evidence::SystemRanking;
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;

use self::functions::RankingTemplate;
use self::invariants::SumTemplates;
use self::split::SplitGraph;
use crate::EngineSettings;
use crate::paths::ask::PolySolver;
use crate::paths::graph::PathGraph;
use crate::paths::lower::{ApproximationMode, BitVectorReading};

/// The longest that one question may take.
pub(crate) const QUERY: Duration = Duration::from_secs(2);

/// By how much bounds grow that kept a system from being looked at.
const LARGER: usize = 6;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankingEffort {
    /// What answers soon, or gives up.
    Quick,
    /// Everything.
    Thorough,
}

/// Looks for a reason why every run of the system ends.
pub fn find_ranking(system: &TransitionSystem, settings: &EngineSettings) -> Option<SystemRanking> {
    find_ranking_with_reading(
        system,
        BitVectorReading::default(),
        settings,
        RankingEffort::Thorough,
    )
}

/// The same where bit-vectors are read in a certain way.
pub(crate) fn find_ranking_with_reading(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    settings: &EngineSettings,
    effort: RankingEffort,
) -> Option<SystemRanking> {
    let mut ask = PolySolver::new(QUERY, settings.deadline, settings.memory_mib);
    let mode = ApproximationMode::Over;
    let graph = PathGraph::new_with_reading(system, reading, &mut ask, mode).or_else(|| {
        // Perhaps a bound was met that need not be.
        let limits = reading.limits.scaled(LARGER);
        let larger = BitVectorReading { limits, ..reading };
        match effort == RankingEffort::Thorough && !ask.is_out_of_time() {
            true => PathGraph::new_with_reading(system, larger, &mut ask, mode),
            false => None,
        }
    })?;
    let mut split = SplitGraph::without_splits(graph);
    if let Some(without_ends) = split.split_dead_ends(&mut ask) {
        split = without_ends;
    }
    let attempts = match effort {
        RankingEffort::Quick => &ATTEMPTS[..QUICK],
        RankingEffort::Thorough => &ATTEMPTS,
    };
    for attempt in attempts {
        let invariants = invariants::find_invariants(&split.graph, &mut ask, attempt.sums)?;
        let shapes = attempt.shapes;
        match lexicographic::find_lexicographic_ranking(
            &split.graph,
            &invariants,
            shapes,
            &mut ask,
            settings,
        ) {
            Ok(ranks) => return write::write_ranking(system, reading, &split, &invariants, &ranks),
            Err(_) if clock::budget_now() >= settings.deadline => return None,
            Err(stuck) if attempt.then_split => {
                split = split.split_further(&invariants, &stuck, &mut ask)?;
            }
            Err(_) => {}
        }
    }
    None
}

/// What is tried with a graph.
struct RankingAttempt {
    sums: SumTemplates,
    shapes: &'static [RankingTemplate],
    /// Whether the next one is about the graph split where this one is stuck.
    then_split: bool,
}

/// Cheap first: relations only where bounds do not suffice, other shapes only where these do not, and
/// cases only where nothing does.
const ATTEMPTS: [RankingAttempt; 5] = [
    RankingAttempt { sums: SumTemplates::Simple, shapes: USUAL, then_split: false },
    RankingAttempt { sums: SumTemplates::Relations, shapes: USUAL, then_split: false },
    RankingAttempt { sums: SumTemplates::Relations, shapes: ALL, then_split: true },
    RankingAttempt { sums: SumTemplates::Relations, shapes: FEW, then_split: true },
    RankingAttempt { sums: SumTemplates::Relations, shapes: FEW, then_split: false },
];

/// How many of them are quick.
const QUICK: usize = 2;

pub(crate) const USUAL: &[RankingTemplate] =
    &[RankingTemplate::Nested(1), RankingTemplate::Nested(2), RankingTemplate::Nested(3)];
const ALL: &[RankingTemplate] = &[
    RankingTemplate::Nested(1),
    RankingTemplate::Nested(2),
    RankingTemplate::Least(2),
    RankingTemplate::Most(2),
    RankingTemplate::Nested(4),
    RankingTemplate::Nested(5),
];
const FEW: &[RankingTemplate] = &[
    RankingTemplate::Nested(1),
    RankingTemplate::Nested(2),
    RankingTemplate::Least(2),
    RankingTemplate::Most(2),
];
