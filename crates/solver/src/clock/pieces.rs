//! Work in pieces: a thread that pauses where it asks for the time, and goes on when it is granted more.
//!
//! So a search keeps all that it has from slice to slice, whatever it is written like. It pauses between questions to the
//! solver, never within one: a piece may be longer than what was granted by the longest question.

use std::cell::RefCell;
use std::io;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

use super::{StopFlag, charge};

thread_local! {
    /// What makes this thread pause.
    static GATE: RefCell<Option<Arc<WorkGate>>> = const { RefCell::new(None) };
}

/// How a piece of work ended.
#[derive(Debug)]
pub enum WorkPiece<T> {
    /// The work is done; this is what came of it.
    Done(T),
    /// What was granted is used up.
    Paused,
}

/// Work on a thread of its own, in pieces. Dropping it stops the work.
#[derive(Debug)]
pub struct PiecewiseWork<T> {
    gate: Arc<WorkGate>,
    stop: StopFlag,
    thread: Option<JoinHandle<T>>,
}

#[derive(Debug, Default)]
struct WorkGate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct GateState {
    granted: Duration,
    used: Duration,
    is_waiting: bool,
    is_done: bool,
}

impl GateState {
    fn is_paused(&self) -> bool {
        self.is_waiting && self.used >= self.granted
    }
}

impl WorkGate {
    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is something to do, or no reason to do it.
    fn pass(&self, used: Duration, stop: &dyn Fn() -> bool) {
        let mut state = self.lock();
        state.used = used;
        if used < state.granted || stop() {
            return;
        }
        state.is_waiting = true;
        self.changed.notify_all();
        while used >= state.granted && !stop() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_waiting = false;
    }
}

/// Says that the thread is done, also if it panics.
struct DoneMark(Arc<WorkGate>);

impl Drop for DoneMark {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.used = state.used.max(thread_time());
        state.is_done = true;
        self.0.changed.notify_all();
    }
}

fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Pauses here if this thread works in pieces and has used what it was granted.
pub(super) fn pass_gate(is_stopped: &dyn Fn() -> bool) {
    let gate = GATE.with_borrow(Clone::clone);
    if let Some(gate) = gate {
        gate.pass(thread_time(), is_stopped);
    }
}

impl<T: Send + 'static> PiecewiseWork<T> {
    /// Prepares work, which begins when it is first granted time. What stops this thread stops the work. An error if there
    /// is no thread to be had.
    pub fn new(
        stack: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> io::Result<PiecewiseWork<T>> {
        let gate = Arc::new(WorkGate::default());
        let stop = StopFlag::inside_this_thread();
        let (own_gate, own_stop) = (Arc::clone(&gate), stop.clone());
        let body = move || {
            let _mark = DoneMark(Arc::clone(&own_gate));
            own_stop.listen();
            GATE.with_borrow_mut(|here| *here = Some(own_gate));
            super::budget_now();
            work()
        };
        let thread = Some(thread::Builder::new().stack_size(stack).spawn(body)?);
        Ok(PiecewiseWork { gate, stop, thread })
    }

    /// Lets it work for so long, and waits. The time counts for this thread, and if the work panics, so does this thread.
    /// Nothing is left to be done after [`WorkPiece::Done`].
    pub fn work_for(&mut self, time: Duration) -> WorkPiece<T> {
        let mut state = self.gate.lock();
        let before = state.used;
        state.granted = before + time;
        state.is_waiting = false;
        self.gate.changed.notify_all();
        while !state.is_done && !state.is_paused() {
            state = self.gate.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        charge(state.used.saturating_sub(before));
        if !state.is_done {
            return WorkPiece::Paused;
        }
        drop(state);
        let thread = self.thread.take().expect("it is done once");
        thread.join().map_or_else(|panic| resume_unwind(panic), WorkPiece::Done)
    }
}

impl<T> Drop for PiecewiseWork<T> {
    fn drop(&mut self) {
        self.stop.set();
        // Under the lock, so that nobody is just about to wait.
        drop(self.gate.lock());
        self.gate.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // Whether it panicked is of no interest any more.
            let _ended = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::clock::budget_now;

    /// Counts up to a number, asking for the time now and then.
    fn count(to: u64) -> u64 {
        let mut sum = 0_u64;
        for number in 0..to {
            sum = std::hint::black_box(sum.wrapping_add(number));
            if number % 1000 == 0 {
                budget_now();
            }
        }
        sum
    }

    #[test]
    fn work_goes_on_where_it_paused() {
        let mut work = PiecewiseWork::new(1 << 20, || count(20_000_000)).expect("a thread");
        let mut pieces = 0;
        let sum = loop {
            match work.work_for(Duration::from_millis(1)) {
                WorkPiece::Done(sum) => break sum,
                WorkPiece::Paused => pieces += 1,
            }
        };
        assert_eq!(sum, (0..20_000_000).sum::<u64>());
        assert!(pieces > 1, "{pieces}");
    }

    /// Goes on until somebody stops it.
    fn wait_for_stop() -> u32 {
        let late = Duration::from_secs(60 * 60);
        while budget_now() < Instant::now() + late {
            std::hint::spin_loop();
        }
        7
    }

    #[test]
    fn work_that_nobody_wants_any_more_ends() {
        let mut endless = PiecewiseWork::new(1 << 20, wait_for_stop).expect("a thread");
        assert!(matches!(endless.work_for(Duration::from_millis(5)), WorkPiece::Paused));
        drop(endless);
        // One that never began ends as well.
        drop(PiecewiseWork::new(1 << 20, wait_for_stop).expect("a thread"));
    }

    #[test]
    #[should_panic(expected = "a mistake in the work")]
    fn a_panic_is_not_lost() {
        let work = || -> u32 { panic!("a mistake in the work") };
        let mut work = PiecewiseWork::new(1 << 20, work).expect("a thread");
        work.work_for(Duration::from_secs(60));
    }

    #[test]
    fn what_stops_a_thread_stops_its_pieces() {
        thread::spawn(|| {
            let flag = StopFlag::default();
            flag.listen();
            let mut piece = PiecewiseWork::new(1 << 20, wait_for_stop).expect("a thread");
            assert!(matches!(piece.work_for(Duration::from_millis(5)), WorkPiece::Paused));
            flag.set();
            assert!(matches!(piece.work_for(Duration::from_millis(5)), WorkPiece::Done(7)));
        })
        .join()
        .expect("it holds");
    }
}
