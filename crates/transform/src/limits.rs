//! How far runs are followed between the loop heads of a program.

use std::time::{Duration, Instant};

/// How much is tried to make a system of a program, and more of it where that was not enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoweringBounds {
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

impl LoweringBounds {
    /// LoweringBounds that most programs need not meet.
    pub fn until(deadline: Instant) -> LoweringBounds {
        LoweringBounds {
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
    pub fn scaled(self, by: usize) -> LoweringBounds {
        let by = by.max(1);
        LoweringBounds {
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

/// The limits that do not grow with the effort. None of them decides a verdict: what is beyond one is left open or ends the attempt.
pub(crate) struct LoweringLimits {
    /// Times that a loop without decisions is walked through.
    pub(crate) undecided_iterations: u32,
    /// Times that a loop is walked through which could be left, but not on this walk.
    pub(crate) decided_iterations: u32,
    /// How many phases of a specification there is room for.
    pub(crate) specification_phases: usize,
    /// Parts of one object that may differ, each for itself.
    pub(crate) object_parts: usize,
    /// No hole has more bytes.
    pub(crate) hole_bytes: u64,
    /// Steps between two looks at the clock.
    pub(crate) steps_between_looks: u64,
    /// Values of one symbolic address or size.
    pub(crate) needed_values: usize,
    /// Where all runs are wanted, a question that is not answered leaves a way in. So none may take more than this part
    /// of the time that is left, as its divisor.
    pub(crate) query_share: u32,
    /// The least time that a question has.
    pub(crate) least_query: Duration,
    /// The same where one about the same walk was too hard already.
    pub(crate) least_hard_query: Duration,
}

/// The limits, all in one place.
pub(crate) const LIMITS: LoweringLimits = LoweringLimits {
    undecided_iterations: 2_000,
    decided_iterations: 16,
    specification_phases: 4,
    object_parts: 8,
    hole_bytes: 16,
    steps_between_looks: 200_000,
    needed_values: 32,
    query_share: 16,
    least_query: Duration::from_millis(50),
    least_hard_query: Duration::from_millis(15),
};
