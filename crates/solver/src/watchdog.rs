//! What really stops a query: one thread per session that looks at the clock, at the memory of the
//! process and at requests from outside, and interrupts Z3.
//!
//! Z3 has a time limit of its own, but starts a timer for every check and looks at it only in some
//! of its loops; this thread keeps interrupting until the query gives up. A query that ignores even
//! that can be ended by nobody in this process: engines therefore run in a worker process that its
//! supervisor kills when the budget is over.
//!
//! Starting a query costs a free lock, and a wake-up only after a pause: while queries follow each
//! other closely the thread stays awake and looks once in a tick.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::clock::ThreadClock;
use crate::limits::LIMITS;
use crate::raw::InterruptibleContext;

/// No query runs.
const IDLE: u64 = u64::MAX;

/// Why a query was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StopCause {
    /// Its time was over.
    Time,
    /// The process held too much memory.
    Memory,
    /// Somebody asked for it.
    Interrupted,
}

impl StopCause {
    /// The word that an unknown answer carries.
    pub(crate) fn cause_word(self) -> &'static str {
        match self {
            StopCause::Time => "time",
            StopCause::Memory => "memory",
            StopCause::Interrupted => "interrupted",
        }
    }
}

struct WatchdogState {
    /// The clock of the thread that asks.
    clock: ThreadClock,
    start: Instant,
    /// When the running query has to end, in microseconds since `start`; [`IDLE`] if none runs.
    end: AtomicU64,
    /// Why the running query was stopped: 0, or 1 + the variant.
    stopped: AtomicU8,
    interrupted: AtomicBool,
    asleep: AtomicBool,
    quit: AtomicBool,
    memory_mib: u32,
    /// The context in use. Held while interrupting, so that it is not deleted meanwhile.
    context: Mutex<Option<InterruptibleContext>>,
}

impl WatchdogState {
    fn stop_query(&self, why: StopCause) {
        let context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        // The query may have ended while we waited for the lock.
        if self.end.load(Ordering::SeqCst) == IDLE {
            return;
        }
        let _first =
            self.stopped.compare_exchange(0, 1 + why as u8, Ordering::SeqCst, Ordering::SeqCst);
        if let Some(context) = *context {
            // SAFETY: a context is deleted only after it was taken out of the mutex.
            unsafe { context.interrupt() };
        }
    }

    fn micros_since_start(&self, instant: Instant) -> u64 {
        let micros = instant.saturating_duration_since(self.start).as_micros();
        u64::try_from(micros).unwrap_or(IDLE - 1).min(IDLE - 1)
    }
}

/// Stops the queries of one session from any thread. It stays in force: a query that starts later
/// is stopped too, so that a request which comes between two queries is not lost.
#[derive(Clone)]
pub struct InterruptHandle {
    shared: Arc<WatchdogState>,
}

impl InterruptHandle {
    /// Stops the running query and all later ones; they answer `Unknown("interrupted")`.
    pub fn interrupt(&self) {
        self.shared.interrupted.store(true, Ordering::SeqCst);
        self.shared.stop_query(StopCause::Interrupted);
    }

    /// Lets later queries run again.
    pub fn clear(&self) {
        self.shared.interrupted.store(false, Ordering::SeqCst);
    }

    /// Whether queries are being stopped.
    pub fn is_set(&self) -> bool {
        self.shared.interrupted.load(Ordering::SeqCst)
    }
}

/// The thread and what it shares with the session.
pub(crate) struct QueryWatchdog {
    shared: Arc<WatchdogState>,
    thread: Option<JoinHandle<()>>,
}

impl QueryWatchdog {
    /// Starts the thread; `memory_mib` of 0 means any amount of memory.
    pub(crate) fn new(memory_mib: u32) -> QueryWatchdog {
        let clock = ThreadClock::of_this_thread();
        let shared = Arc::new(WatchdogState {
            start: clock.now(),
            clock,
            end: AtomicU64::new(IDLE),
            stopped: AtomicU8::new(0),
            interrupted: AtomicBool::new(false),
            asleep: AtomicBool::new(false),
            quit: AtomicBool::new(false),
            memory_mib,
            context: Mutex::new(None),
        });
        let watched = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("solver-watchdog".to_owned())
            .spawn(move || run_watchdog(&watched))
            .expect("the system starts a thread");
        QueryWatchdog { shared, thread: Some(thread) }
    }

    /// A handle for other threads.
    pub(crate) fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle { shared: Arc::clone(&self.shared) }
    }

    /// Names the context to interrupt. Called with `None` before a context is deleted.
    pub(crate) fn watch_context(&self, context: Option<InterruptibleContext>) {
        *self.shared.context.lock().unwrap_or_else(PoisonError::into_inner) = context;
    }

    /// Runs a query that has to end by then; says why if it was stopped.
    pub(crate) fn guard_query<T>(
        &self,
        end: Instant,
        query: impl FnOnce() -> T,
    ) -> (T, Option<StopCause>) {
        let shared = &self.shared;
        shared.stopped.store(0, Ordering::SeqCst);
        self.set_end(shared.micros_since_start(end));
        if shared.asleep.load(Ordering::SeqCst)
            && let Some(thread) = &self.thread
        {
            thread.thread().unpark();
        }
        let result = query();
        self.set_end(IDLE);
        let stopped = match shared.stopped.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(StopCause::Time),
            2 => Some(StopCause::Memory),
            _ => Some(StopCause::Interrupted),
        };
        (result, stopped)
    }

    /// Whether the running query has been told to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::SeqCst) != 0
    }

    /// Under the lock, so that an interrupt meant for one query never reaches the next.
    fn set_end(&self, end: u64) {
        let _context = self.shared.context.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.end.store(end, Ordering::SeqCst);
    }
}

impl Drop for QueryWatchdog {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic in the thread has been printed; there is nothing to add to it here.
            let _ended = thread.join();
        }
    }
}

fn run_watchdog(shared: &WatchdogState) {
    let mut idle = 0;
    while !shared.quit.load(Ordering::SeqCst) {
        let end = shared.end.load(Ordering::SeqCst);
        if end == IDLE {
            idle += 1;
            if idle < LIMITS.watchdog_idle_ticks {
                thread::park_timeout(LIMITS.watchdog_tick);
                continue;
            }
            // Announce the sleep, then look once more: a query that starts in between either sees
            // the announcement or is seen here.
            shared.asleep.store(true, Ordering::SeqCst);
            if shared.end.load(Ordering::SeqCst) == IDLE && !shared.quit.load(Ordering::SeqCst) {
                thread::park();
            }
            shared.asleep.store(false, Ordering::SeqCst);
            continue;
        }
        idle = 0;
        if shared.micros_since_start(shared.clock.now()) >= end {
            shared.stop_query(StopCause::Time);
        } else if shared.interrupted.load(Ordering::SeqCst) {
            shared.stop_query(StopCause::Interrupted);
        } else if shared.memory_mib != 0
            && resident_mib().is_some_and(|mib| mib > u64::from(shared.memory_mib))
        {
            shared.stop_query(StopCause::Memory);
        }
        thread::park_timeout(LIMITS.watchdog_tick);
    }
}

/// The memory that the process holds, if the system says it.
pub(crate) fn resident_mib() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // Pages of 4 KiB on every system that Ouro runs on.
    Some(pages / 256)
}
