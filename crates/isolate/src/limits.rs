//! How far the code around a loop is looked into.

/// The limits of this room. Whoever comes to one leaves open what is beyond it, so that the loop can do more: a write that
/// was not followed to its object may be one to any, a step that was not followed to an access need not be accessed.
pub(crate) struct IsolationLimits {
    /// How often a step of a pointer may be taken again before what it led to is accessed: `*to++ = *from++` moves
    /// first.
    pub(crate) repeated_steps: usize,
    /// The most places that are looked at behind such a step.
    pub(crate) places_behind_step: usize,
    /// The longest way, in blocks, that is looked at.
    pub(crate) way_blocks: usize,
    /// The most cells of a loop.
    pub(crate) cells: usize,
    /// The most pointers between a variable and a cell.
    pub(crate) pointers_to_cell: usize,
    /// The most times that all functions are read for where pointers flow.
    pub(crate) flow_rounds: usize,
    /// How much of a copy of unknown size is looked at.
    pub(crate) copied_bytes: i64,
    /// The most links of a way on which a pointer flows.
    pub(crate) flow_links: usize,
    /// The most such ways of a function.
    pub(crate) flow_ways: usize,
    /// The most places of an object that are noted because a called function looks there.
    pub(crate) places_found_inside: usize,
    /// The most writes that are noted of one function; beyond that it may write anything.
    pub(crate) noted_writes: usize,
    /// The most calls in one another that give an address back.
    pub(crate) nested_address_calls: usize,
    /// The most steps from a pointer to an address.
    pub(crate) address_steps: usize,
    /// The most addresses that a copy of a pointer is followed to; one that moves in a loop is at another each time.
    pub(crate) copied_addresses: usize,
    /// The most sights of a loop.
    pub(crate) sights: usize,
    /// The most blocks of a function that is inlined.
    pub(crate) inlined_blocks: usize,
    /// The most calls in one another that are inlined.
    pub(crate) inlined_calls: usize,
    /// The most blocks of functions that are woven into one; larger ones are refused.
    pub(crate) woven_blocks: usize,
}

/// The limits, all in one place.
pub(crate) const LIMITS: IsolationLimits = IsolationLimits {
    repeated_steps: 2,
    places_behind_step: 4000,
    way_blocks: 12,
    cells: 48,
    pointers_to_cell: 6,
    flow_rounds: 8,
    copied_bytes: 4096,
    flow_links: 3,
    flow_ways: 1000,
    places_found_inside: 64,
    noted_writes: 200,
    nested_address_calls: 3,
    address_steps: 8,
    copied_addresses: 64,
    sights: 8,
    inlined_blocks: 40,
    inlined_calls: 4,
    woven_blocks: 600,
};
