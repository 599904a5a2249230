//! What time it is, as far as budgets are concerned.
//!
//! Usually that is the time on the wall. Where the same question must get the same answer beside whatever else the
//! machine does, a process counts the time that processors spend on it instead: [`count_processor_time`] is called
//! once, at its start, and from then on each thread has a clock of its own, which goes only while the thread is
//! busy. Moments stay [`Instant`]s, so nothing but the way to ask for one changes; a moment of one kind of time, or
//! of one thread, must not be compared with one of another.
//!
//! The wall stays the outer limit: after the moment that [`end_at`] names, all clocks say that it is late. So they do
//! on a thread that somebody stops with a [`StopFlag`].

mod pieces;

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};
use nix::unistd::gettid;

use crate::limits::LIMITS;

pub use pieces::{PiecewiseWork, WorkPiece};

/// Where processor time is counted from; nothing if it is not counted.
static START: OnceLock<Instant> = OnceLock::new();
/// When everything has to be over, on the wall.
static WALL_END: OnceLock<Instant> = OnceLock::new();

thread_local! {
    /// What stops this thread.
    static STOP: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
    /// Nanoseconds that others worked for this thread.
    static CHARGED: Arc<AtomicU64> = Arc::default();
}

/// Later than any deadline.
const LATE: Duration = Duration::from_secs(60 * 60 * 24 * 365);

/// From now on, [`now`] gets on only while the thread that asks is busy.
pub fn count_processor_time() {
    START.get_or_init(Instant::now);
}

/// After this moment on the wall no deadline is ahead any more. It counts once, and only where processor time does.
pub fn end_at(moment: Instant) {
    let _first = WALL_END.set(moment);
}

/// The moment that budgets of this thread are compared with.
pub fn budget_now() -> Instant {
    pieces::pass_gate(&is_over);
    let charged = CHARGED.with(|charged| charged.load(Ordering::SeqCst));
    STOP.with_borrow(|stop| moment(ClockId::CLOCK_THREAD_CPUTIME_ID, charged, stop.as_ref()))
}

/// Counts time that another thread worked for this one.
fn charge(time: Duration) {
    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    CHARGED.with(|charged| charged.fetch_add(nanoseconds, Ordering::SeqCst));
}

/// Whether nothing is ahead any more: the time on the wall is over, or this thread was stopped.
pub fn is_over() -> bool {
    let is_stopped = STOP.with_borrow(|stop| stop.as_ref().is_some_and(StopFlag::is_set));
    is_stopped || wall_is_over()
}

fn wall_is_over() -> bool {
    WALL_END.get().is_some_and(|end| Instant::now() >= *end)
}

/// How long to wait at most, by the clock on the wall, for what may take so much of a budget.
pub fn wall_clock_allowance(budget: Duration) -> Duration {
    match START.get() {
        Some(_) => budget.saturating_mul(LIMITS.other_processes),
        None => budget,
    }
}

fn moment(id: ClockId, charged: u64, stop: Option<&StopFlag>) -> Instant {
    let Some(start) = START.get() else {
        let now = Instant::now();
        return if stop.is_some_and(StopFlag::is_set) { now + LATE } else { now };
    };
    if stop.is_some_and(StopFlag::is_set) || wall_is_over() {
        return *start + LATE;
    }
    *start
        + clock_gettime(id).map_or(Duration::ZERO, Duration::from)
        + Duration::from_nanos(charged)
}

/// Ends whatever a thread does: its clock says that it is late.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    own: Arc<AtomicBool>,
    /// One that stops the same threads and more.
    outer: Option<Box<StopFlag>>,
}

impl StopFlag {
    /// One for a thread that what stops this thread stops, too.
    fn inside_this_thread() -> StopFlag {
        let outer = STOP.with_borrow(Clone::clone).map(Box::new);
        StopFlag { own: Arc::default(), outer }
    }

    /// Stops the threads that listen to it.
    pub fn set(&self) {
        self.own.store(true, Ordering::SeqCst);
    }

    /// Lets the threads that listen to it go on: their clocks are right again.
    pub fn clear(&self) {
        self.own.store(false, Ordering::SeqCst);
    }

    /// Whether it was set.
    pub fn is_set(&self) -> bool {
        self.own.load(Ordering::SeqCst) || self.outer.as_ref().is_some_and(|outer| outer.is_set())
    }

    /// From now on the current thread, and whoever watches over it, listens to this flag.
    pub fn listen(&self) {
        STOP.with_borrow_mut(|stop| *stop = Some(self.clone()));
    }
}

/// The clock of one thread, for others that watch over it.
#[derive(Clone, Debug)]
pub(crate) struct ThreadClock {
    id: ClockId,
    charged: Arc<AtomicU64>,
    stop: Option<StopFlag>,
}

impl ThreadClock {
    /// The clock of the current thread; to be asked only as long as the thread lives.
    pub(crate) fn of_this_thread() -> ThreadClock {
        // How Linux names the clock of a thread: `pthread_getcpuclockid` computes the same number.
        const OF_A_THREAD: i32 = 0b110;
        let id = ClockId::from_raw((!gettid().as_raw() << 3) | OF_A_THREAD);
        let charged = CHARGED.with(Clone::clone);
        ThreadClock { id, charged, stop: STOP.with_borrow(Clone::clone) }
    }

    /// The moment that budgets of that thread are compared with.
    pub(crate) fn now(&self) -> Instant {
        moment(self.id, self.charged.load(Ordering::SeqCst), self.stop.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processor_time(id: ClockId) -> Duration {
        clock_gettime(id).map(Duration::from).expect("the clock exists")
    }

    #[test]
    fn processor_time_passes_only_while_something_is_done() {
        let id = ThreadClock::of_this_thread().id;
        let before = processor_time(id);
        let mut number = 1_u64;
        while processor_time(id) == before {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(processor_time(id) > before, "{number}");
        // Nothing was asked for, so budgets are those of the wall.
        assert_eq!(wall_clock_allowance(Duration::from_secs(1)), Duration::from_secs(1));
        assert!(budget_now() <= Instant::now());
    }

    #[test]
    fn a_thread_is_seen_by_its_clock_from_elsewhere() {
        let (send, receive) = std::sync::mpsc::channel();
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let busy = std::thread::spawn(move || {
            send.send(ThreadClock::of_this_thread().id).expect("somebody listens");
            let mut number = 1_u64;
            while wait.try_recv().is_err() {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
            number
        });
        let id = receive.recv().expect("the thread runs");
        let before = processor_time(id);
        while processor_time(id) == before {
            std::thread::yield_now();
        }
        done.send(()).expect("the thread waits");
        busy.join().expect("it ends");
    }

    #[test]
    fn it_is_late_for_a_thread_that_was_stopped() {
        std::thread::spawn(|| {
            let flag = StopFlag::default();
            flag.listen();
            assert!(budget_now() <= Instant::now());
            flag.set();
            assert!(budget_now() > Instant::now() + LATE / 2);
            flag.clear();
            assert!(budget_now() <= Instant::now());
        })
        .join()
        .expect("it holds");
    }
}
