//! How far the commands go beyond what their options say.

use std::time::Duration;

/// The limits of this room. None of them decides a verdict: what is beyond one is *unknown*, refused, or not shown.
pub(crate) struct CommandLimits {
    /// How long after the deadline the worker is stopped: it may be about to answer.
    pub(crate) worker_grace: Duration,
    /// How often the worker's memory is looked at.
    pub(crate) worker_tick: Duration,
    /// Certificates are small; whatever is larger is something else.
    pub(crate) certificate_bytes: u64,
    /// Specifications are short; whatever is larger is something else.
    pub(crate) specification_bytes: u64,
    /// How many others may want the processor before a worker is given up that makes no headway.
    pub(crate) other_processes: u32,
    /// Address space beyond the memory that may be used: stacks, code, and what allocators reserve.
    pub(crate) address_space_slack_mib: u64,
    /// Objects that are drawn.
    pub(crate) picture_objects: usize,
    /// Lines of one object.
    pub(crate) picture_lines: usize,
    /// How long clang and the front end may take for one file: so many times as long as a loop.
    pub(crate) compile_factor: u32,
    /// The least time for clang and the front end.
    pub(crate) least_compile_time: Duration,
    /// How many lines above the head of a loop the comment may be: `do {` has its head inside.
    pub(crate) lines_above_loop: u32,
    /// How many programs get more than an easy try.
    pub(crate) hard_programs: usize,
    /// The share of the time, as its divisor, that the easy schedule has for each program: mostly it answers at once.
    pub(crate) easy_share: u32,
    /// The most assumptions that are looked at for whether they are needed.
    pub(crate) dropped_assumptions: usize,
    /// More call sites than this are hardly read.
    pub(crate) violating_sites: usize,
    /// What the search for others may take at least.
    pub(crate) least_site_time: Duration,
    /// The least time for the second question.
    pub(crate) least_finite_input_time: Duration,
}

/// The limits, all in one place.
pub(crate) const LIMITS: CommandLimits = CommandLimits {
    worker_grace: Duration::from_millis(250),
    worker_tick: Duration::from_millis(50),
    certificate_bytes: 1 << 30,
    specification_bytes: 1 << 20,
    other_processes: 20,
    address_space_slack_mib: 3584,
    picture_objects: 40,
    picture_lines: 12,
    compile_factor: 24,
    least_compile_time: Duration::from_secs(10),
    lines_above_loop: 3,
    hard_programs: 4,
    easy_share: 5,
    dropped_assumptions: 8,
    violating_sites: 20,
    least_site_time: Duration::from_secs(1),
    least_finite_input_time: Duration::from_secs(2),
};
