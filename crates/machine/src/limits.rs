//! How large objects, numbers and texts may be in a run.

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct MachineLimits {
    /// No object may be larger: a request beyond is refused as a limit, not tried.
    pub(crate) object_bytes: u64,
    /// Nor may all of them together.
    pub(crate) memory_bytes: u64,
    /// What lies around an object of unknown size.
    pub(crate) vague_room: u64,
    /// More characters than this of one piece are counted and not made.
    pub(crate) formatted_bytes: u64,
    /// Coefficients of more bits are given up: repeated squaring would fill the memory with them.
    pub(crate) integer_bits: u64,
    /// No value has more bytes.
    pub(crate) spot_bytes: u32,
}

/// The limits, all in one place.
pub(crate) const LIMITS: MachineLimits = MachineLimits {
    object_bytes: 1 << 28,
    memory_bytes: 1 << 32,
    vague_room: 1 << 12,
    formatted_bytes: 1 << 20,
    integer_bits: 4096,
    spot_bytes: 16,
};
