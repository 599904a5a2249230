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

use ouro_evidence::Ranking;
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;

use self::functions::Shape;
use self::invariants::Sums;
use self::split::Split;
use crate::Settings;
use crate::paths::ask::Ask;
use crate::paths::graph::Graph;
use crate::paths::lower::{Mode, Reading};

/// The longest that one question may take.
pub(crate) const QUERY: Duration = Duration::from_secs(2);

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// What answers soon, or gives up.
    Quick,
    /// Everything.
    Thorough,
}

/// Looks for a reason why every run of the system ends.
pub fn rank(system: &TransitionSystem, settings: &Settings) -> Option<Ranking> {
    rank_reading(system, Reading::default(), settings, Effort::Thorough)
}

/// The same where bit-vectors are read in a certain way.
pub(crate) fn rank_reading(
    system: &TransitionSystem,
    reading: Reading<'_>,
    settings: &Settings,
    effort: Effort,
) -> Option<Ranking> {
    let mut ask = Ask::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = Graph::reading(system, reading, &mut ask, Mode::Over)?;
    let mut split = Split::none(graph);
    let attempts = match effort {
        Effort::Quick => &ATTEMPTS[..QUICK],
        Effort::Thorough => &ATTEMPTS,
    };
    for attempt in attempts {
        let invariants = invariants::find(&split.graph, &mut ask, attempt.sums)?;
        let shapes = attempt.shapes;
        match lexicographic::find(&split.graph, &invariants, shapes, &mut ask, settings) {
            Ok(ranks) => return write::ranking(system, reading, &split, &invariants, &ranks),
            Err(_) if clock::now() >= settings.deadline => return None,
            Err(stuck) if attempt.then_split => {
                split = split.again(&invariants, &stuck, &mut ask)?;
            }
            Err(_) => {}
        }
    }
    None
}

/// What is tried with a graph.
struct Attempt {
    sums: Sums,
    shapes: &'static [Shape],
    /// Whether the next one is about the graph split where this one is stuck.
    then_split: bool,
}

/// Cheap first: relations only where bounds do not suffice, other shapes only where these do not, and
/// cases only where nothing does.
const ATTEMPTS: [Attempt; 5] = [
    Attempt { sums: Sums::Simple, shapes: USUAL, then_split: false },
    Attempt { sums: Sums::Relations, shapes: USUAL, then_split: false },
    Attempt { sums: Sums::Relations, shapes: ALL, then_split: true },
    Attempt { sums: Sums::Relations, shapes: FEW, then_split: true },
    Attempt { sums: Sums::Relations, shapes: FEW, then_split: false },
];

/// How many of them are quick.
const QUICK: usize = 2;

pub(crate) const USUAL: &[Shape] = &[Shape::Nested(1), Shape::Nested(2), Shape::Nested(3)];
const ALL: &[Shape] = &[
    Shape::Nested(1),
    Shape::Nested(2),
    Shape::Least(2),
    Shape::Most(2),
    Shape::Nested(4),
    Shape::Nested(5),
];
const FEW: &[Shape] = &[Shape::Nested(1), Shape::Nested(2), Shape::Least(2), Shape::Most(2)];
