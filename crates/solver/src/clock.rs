//! What time it is, as far as budgets are concerned.
//!
//! Usually that is the time on the wall. Where the same question must get the same answer beside whatever else the
//! machine does, a process counts the time that processors spent on it instead: [`count_processor_time`] is called
//! once, at its start. Moments stay [`Instant`]s, so nothing but the way to ask for one changes; a moment of one
//! kind of time must not be compared with one of the other.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

/// Where processor time is counted from; nothing if it is not counted.
static START: OnceLock<Instant> = OnceLock::new();

/// From now on, [`now`] gets on only while this process is busy.
pub fn count_processor_time() {
    START.get_or_init(Instant::now);
}

/// The moment that budgets are compared with.
pub fn now() -> Instant {
    match START.get() {
        Some(start) => *start + processor_time(),
        None => Instant::now(),
    }
}

/// How long to wait at most, by the clock on the wall, for what may take so much of a budget.
pub fn patience(budget: Duration) -> Duration {
    match START.get() {
        Some(_) => budget.saturating_mul(OTHERS),
        None => budget,
    }
}

/// How many others may want the processor: wall time is the outer limit, and a generous one.
const OTHERS: u32 = 20;

/// What all threads of this process have used.
fn processor_time() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_passes_only_while_something_is_done() {
        let before = processor_time();
        let mut number = 1_u64;
        while processor_time() == before {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(processor_time() > before, "{number}");
        // Nothing was asked for, so budgets are those of the wall.
        assert_eq!(patience(Duration::from_secs(1)), Duration::from_secs(1));
        assert!(now() <= Instant::now());
    }
}
