//! How much is tried to make a system of a program, and more of it where that was not enough.

use std::time::Instant;

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Locations.
    pub locations: usize,
    /// Locations at one loop head in one phase, which differ in more than numbers.
    pub shapes: usize,
    /// The same where lists are chains: which variable is where in a list makes a difference.
    pub list_shapes: usize,
    /// Edges.
    pub edges: usize,
    /// Holes at one loop head.
    pub holes: usize,
    /// Walks of one round.
    pub walks: usize,
    /// Rounds.
    pub rounds: usize,
    /// Steps of one walk.
    pub steps: u64,
    /// When it must be done.
    pub deadline: Instant,
}

impl Bounds {
    /// Bounds that most programs need not meet.
    pub fn until(deadline: Instant) -> Bounds {
        Bounds {
            locations: 32,
            shapes: 4,
            list_shapes: 16,
            edges: 300,
            holes: 48,
            walks: 2_000,
            rounds: 40,
            steps: 100_000,
            deadline,
        }
    }

    /// So many times as much, in the same time. An attempt that met a bound may be made again like this; one that
    /// could not follow a run fails again.
    #[must_use]
    pub fn scaled(self, by: usize) -> Bounds {
        let by = by.max(1);
        Bounds {
            locations: self.locations * by,
            shapes: self.shapes * by,
            list_shapes: self.list_shapes * by,
            edges: self.edges * by,
            holes: self.holes * by.min(2),
            walks: self.walks * by,
            rounds: self.rounds * by.min(4),
            ..self
        }
    }
}
