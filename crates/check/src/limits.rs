//! How far the checker follows evidence.

use std::time::Duration;

/// The limits of this room. None of them decides a verdict: evidence that is beyond one is refused, and the refusal
/// names the number.
pub(crate) struct CheckerLimits {
    /// Steps of a symbolic run between two looks at the clock.
    pub(crate) steps_between_looks: u64,
    /// The same for runs on numbers, which are quicker.
    pub(crate) replayed_between_looks: u64,
    /// How far a run is followed that is said never to end, after what was to be shown.
    pub(crate) further_steps: u64,
    /// Heads on that way at which choices are computed.
    pub(crate) further_arrivals: usize,
    /// The same where lists grow, and have to be folded each time.
    pub(crate) folded_arrivals: usize,
    /// The longest that one question about a closed or recurrent set may take.
    pub(crate) set_query: Duration,
    /// The longest that one question about a ranking may take.
    pub(crate) ranking_query: Duration,
    /// The longest that it may take to find out whether a branch on the way to a head is taken at all.
    pub(crate) branch_query: Duration,
    /// The same after a first such question was not answered.
    pub(crate) hard_branch_query: Duration,
    /// The longest that one question may take where all paths are followed to their end.
    pub(crate) exhaustion_query: Duration,
    /// Steps of all symbolic runs from the heads of a closed set.
    pub(crate) set_steps: u64,
    /// Paths of all those runs.
    pub(crate) set_paths: usize,
    /// Steps of all symbolic runs between the heads of a ranking.
    pub(crate) ranking_steps: u64,
    /// Paths of all those runs.
    pub(crate) ranking_paths: usize,
    /// Times that one path may come to the position of a head without being in its set.
    pub(crate) missed_heads: usize,
    /// Times that one path may part from others before it comes to a head: a loop that can be left and has no head
    /// would have to be followed forever.
    pub(crate) partings: usize,
    /// How many times a path between two locations with a ranking may come to another one. Twice is no cycle yet: a
    /// second iteration can be impossible.
    pub(crate) unranked_visits: usize,
    /// How many times the work that a certificate claims is done at most, where all paths are followed to their end.
    pub(crate) exhaustion_slack: u64,
    /// Values of one symbolic address or size there.
    pub(crate) exhaustion_values: usize,
    /// Values of one symbolic address or size elsewhere.
    pub(crate) needed_values: usize,
    /// Questions about what is kept without bounds, for one component of a ranking.
    pub(crate) boundless_questions: usize,
    /// How deep sums of sums are looked into for whether they can overflow.
    pub(crate) nested_sums: u32,
    /// Questions that are asked to name undefined behaviour.
    pub(crate) undefined_questions: usize,
    /// Inputs and variables that are named of a run to undefined behaviour.
    pub(crate) undefined_inputs: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: CheckerLimits = CheckerLimits {
    steps_between_looks: 100_000,
    replayed_between_looks: 1_000_000,
    further_steps: 1_000_000,
    further_arrivals: 10_000,
    folded_arrivals: 300,
    set_query: Duration::from_secs(60),
    ranking_query: Duration::from_secs(30),
    branch_query: Duration::from_secs(2),
    hard_branch_query: Duration::from_millis(200),
    exhaustion_query: Duration::from_secs(10),
    set_steps: 20_000_000,
    set_paths: 20_000,
    ranking_steps: 50_000_000,
    ranking_paths: 50_000,
    missed_heads: 64,
    partings: 500,
    unranked_visits: 4,
    exhaustion_slack: 16,
    exhaustion_values: 1024,
    needed_values: 256,
    boundless_questions: 2000,
    nested_sums: 6,
    undefined_questions: 2000,
    undefined_inputs: 8,
};
