//! How hard a question may be, and what is remembered of the answers.

use std::time::Duration;

/// The limits of this room. None of them decides a verdict: what is beyond one is not known, asked in another way, or forgotten.
pub(crate) struct SolverLimits {
    /// Questions with more terms than this are not read as questions about integers: the facts would be many.
    pub(crate) integer_terms: usize,
    /// What is deeper than this in a formula has no such reading.
    pub(crate) integer_depth: u32,
    /// Steps of Z3 for a question about integers, which is mostly answered soon or not at all.
    pub(crate) integer_steps: u32,
    /// The longest that a question may be looked at as one about integers: what is no contradiction there still has to
    /// be asked bit by bit.
    pub(crate) integer_milliseconds: u32,
    /// Steps of Z3's first stage, a few tenths of a second: what it does not find by then, its bit-blasting tactics often
    /// find in less.
    pub(crate) first_stage_steps: u32,
    /// A warm solver starts anew when it holds more formulas than this and than twice the question.
    pub(crate) warm_formulas: usize,
    /// After so many trees in the context everything starts anew: nothing is given back before.
    pub(crate) context_trees: usize,
    /// More formulas than this on one symbol are left to Z3.
    pub(crate) one_symbol_formulas: usize,
    /// So many answers are remembered before all are forgotten.
    pub(crate) remembered_answers: usize,
    /// So many models of earlier questions are tried.
    pub(crate) tried_models: usize,
    /// So many contradictions are remembered.
    pub(crate) remembered_contradictions: usize,
    /// How many others may want the processor: wall time is the outer limit, and a generous one.
    pub(crate) other_processes: u32,
    /// How often the watchdog looks while a question is asked.
    pub(crate) watchdog_tick: Duration,
    /// After so many looks without any question it sleeps until it is woken.
    pub(crate) watchdog_idle_ticks: u32,
    /// How many questions wait for the second solver before ours waits for it.
    pub(crate) second_queue: usize,
    /// How long the second solver may think about one question.
    pub(crate) second_query: Duration,
    /// How much later than that it is taken for dead.
    pub(crate) second_patience: Duration,
}

/// The limits, all in one place.
pub(crate) const LIMITS: SolverLimits = SolverLimits {
    integer_terms: 4000,
    integer_depth: 400,
    integer_steps: 200_000,
    integer_milliseconds: 1_500,
    first_stage_steps: 400_000,
    warm_formulas: 64,
    context_trees: 2_000_000,
    one_symbol_formulas: 24,
    remembered_answers: 20_000,
    tried_models: 6,
    remembered_contradictions: 128,
    other_processes: 20,
    watchdog_tick: Duration::from_millis(10),
    watchdog_idle_ticks: 20,
    second_queue: 64,
    second_query: Duration::from_secs(5),
    second_patience: Duration::from_secs(5),
};
