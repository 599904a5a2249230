//! How engines share time and threads, beyond what the schedules say.

use std::time::Duration;

/// The limits of this room. None of them decides a verdict: what is beyond one is asked later, or not said.
pub(crate) struct PortfolioLimits {
    /// Slices at least this long run side by side if their round has two.
    pub(crate) worth_a_thread: Duration,
    /// The stack of a thread: recursion over deeply nested terms needs room, and untouched pages cost nothing.
    pub(crate) engine_stack: usize,
    /// The share of a slice, as its divisor, that one look at one view of a loop may take in a proof by parts.
    pub(crate) view_share: u32,
    /// How many times as long as the one before a look must be to be worth it.
    pub(crate) view_growth: u32,
    /// The least time for the question about integers that wrap around.
    pub(crate) least_second_question: Duration,
    /// How far a run is followed to the overflow that it needs.
    pub(crate) overflow_steps: u64,
    /// Steps of that run between two looks at the clock.
    pub(crate) overflow_steps_between_looks: u64,
    /// Places of an overflow that are named, if nobody knows which one comes first.
    pub(crate) overflow_places: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: PortfolioLimits = PortfolioLimits {
    worth_a_thread: Duration::from_millis(500),
    engine_stack: 512 << 20,
    view_share: 6,
    view_growth: 3,
    least_second_question: Duration::from_secs(2),
    overflow_steps: 5_000_000,
    overflow_steps_between_looks: 1_000_000,
    overflow_places: 3,
};
