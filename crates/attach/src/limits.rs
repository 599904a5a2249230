//! How far the search for a proof about a process goes.

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct ProcessSearchLimits {
    /// After so many instructions a loop is looked at: what came before may be the way into it.
    pub(crate) settled_after: u64,
    /// Of so many heads it is found out what grows there.
    pub(crate) reasons_told: usize,
    /// So far it is run ahead first: most states that come back at all do so by then.
    pub(crate) ahead_at_first: u64,
    /// So much further it is run before heads are looked at, which takes longer than running.
    pub(crate) ahead_later: u64,
    /// Iterations are short that can be executed again and again.
    pub(crate) short_iteration: u64,
    /// Registers and words in which a state may differ that is nearly there again.
    pub(crate) nearly_equal_words: usize,
    /// So many heads are kept to which a state nearly came back.
    pub(crate) near_heads: usize,
    /// The most visits that make an iteration.
    pub(crate) head_visits: u64,
    /// The most instructions to look for a head.
    pub(crate) head_window: u64,
    /// More differences are not counted.
    pub(crate) head_differences: usize,
    /// The most cells.
    pub(crate) cells: usize,
    /// The most instructions of a handler.
    pub(crate) handler_instructions: u64,
    /// So far below the stack of what it interrupts a handler begins, at least: the kernel keeps registers there.
    pub(crate) handler_frame: u64,
    /// So much of the stack a handler may use.
    pub(crate) handler_stack: u64,
    /// Rounds in which memory is found that a handler uses.
    pub(crate) handler_rounds: usize,
    /// The most cells for which relations are tried.
    pub(crate) related_cells: usize,
    /// How many rounds there are.
    pub(crate) template_rounds: usize,
    /// More code than this is not searched.
    pub(crate) searched_code: u64,
    /// More functions than this are not tried.
    pub(crate) possible_handlers: usize,
    /// The most conditions that are looked at.
    pub(crate) turning_conditions: usize,
    /// So many free blocks are looked up.
    pub(crate) free_blocks: usize,
    /// So much of a heap is walked through; what lies behind it counts as the allocator's.
    pub(crate) heap_reach: u64,
    /// So many instructions of an iteration are looked at for what they compare.
    pub(crate) explained_instructions: u64,
    /// So many files are named.
    pub(crate) named_files: usize,
    /// The longest stem and iteration that are followed.
    pub(crate) checked_instructions: u64,
    /// The most bytes of stack that an iteration may use.
    pub(crate) checked_descent: i64,
}

/// The limits, all in one place.
pub(crate) const LIMITS: ProcessSearchLimits = ProcessSearchLimits {
    settled_after: 20_000,
    reasons_told: 3,
    ahead_at_first: 1_000_000,
    ahead_later: 4_000_000,
    short_iteration: 100_000,
    nearly_equal_words: 64,
    near_heads: 3,
    head_visits: 64,
    head_window: 400_000,
    head_differences: 256,
    cells: 1500,
    handler_instructions: 20_000,
    handler_frame: 16 << 10,
    handler_stack: 64 << 10,
    handler_rounds: 16,
    related_cells: 14,
    template_rounds: 3,
    searched_code: 4 << 20,
    possible_handlers: 16,
    turning_conditions: 16,
    free_blocks: 1 << 12,
    heap_reach: 64 << 20,
    explained_instructions: 20_000,
    named_files: 4,
    checked_instructions: 2_000_000_000,
    checked_descent: 1 << 20,
};
