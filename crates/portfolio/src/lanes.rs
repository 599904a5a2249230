//! The threads that engines live on.
//!
//! What an engine keeps cannot move from thread to thread, so each kind has one of two *lanes* for good: those that
//! run the program and look for runs that never end have the first, those that rank the second. The first lane is
//! the thread that asks; the second is one beside it, or the same thread where only one is wanted or to be had.
//! Which it is makes no difference to what comes out: of two that run at once one comes first, and only its find
//! stops the other.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use ouro_evidence::IntegerSemantics;
use ouro_solver::clock::{self, StopFlag};

use crate::budget::CpuBudget;
use crate::engine::{CpuSlice, EngineKind, EngineName, EngineOutcome, ProofSubject};
use crate::engines::EngineBench;
use crate::limits::LIMITS;

/// Where an engine lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lane {
    First,
    Second,
}

impl Lane {
    pub(crate) fn of(kind: EngineKind) -> Lane {
        match kind {
            EngineKind::Explore | EngineKind::EasyRecurrentSets | EngineKind::RecurrentSets => {
                Lane::First
            }
            EngineKind::Parts
            | EngineKind::QuickRanking
            | EngineKind::Ranking
            | EngineKind::TransitionInvariants => Lane::Second,
        }
    }
}

/// Run this engine for so long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceOrder {
    pub(crate) kind: EngineKind,
    pub(crate) ints: IntegerSemantics,
    pub(crate) time: Duration,
    /// Whether nobody comes after it.
    pub(crate) is_last: bool,
    /// Whether what it finds makes what runs beside it needless.
    pub(crate) is_preferred: bool,
    pub(crate) budget: CpuBudget,
}

/// What came of it.
pub(crate) struct SliceReport {
    pub(crate) outcome: EngineOutcome,
    pub(crate) spent: Duration,
}

/// The engines of one run.
pub(crate) struct Lanes<'p> {
    first: EngineBench<'p>,
    second: Option<SecondLane>,
}

/// A thread that engines live on.
struct SecondLane {
    orders: Sender<SliceOrder>,
    reports: Receiver<SliceReport>,
    stop: StopFlag,
    /// What stops the first lane.
    stop_first: StopFlag,
}

impl<'p> Lanes<'p> {
    /// All on this thread.
    pub(crate) fn on_one_thread(subject: ProofSubject<'p>, named: &[EngineName]) -> Self {
        Lanes { first: EngineBench::new(subject, named), second: None }
    }

    /// On this thread and one beside it.
    pub(crate) fn on_two_threads<'scope>(
        scope: &'scope Scope<'scope, '_>,
        subject: ProofSubject<'p>,
        named: &[EngineName],
    ) -> Self
    where
        'p: 'scope,
    {
        let (orders, to_do) = mpsc::channel::<SliceOrder>();
        let (done, reports) = mpsc::channel();
        let (stop, stop_first) = (StopFlag::default(), StopFlag::default());
        stop_first.listen();
        let (listens, stops, engines) = (stop.clone(), stop_first.clone(), named.to_vec());
        let work = move || {
            listens.listen();
            let mut bench = EngineBench::new(subject, &engines);
            while let Ok(order) = to_do.recv() {
                let report = run_order(&mut bench, &order);
                if order.is_preferred && matches!(report.outcome, EngineOutcome::Found(_)) {
                    stops.set();
                }
                if done.send(report).is_err() {
                    break;
                }
            }
        };
        let thread =
            thread::Builder::new().name("second lane".to_owned()).stack_size(LIMITS.engine_stack);
        let second = thread.spawn_scoped(scope, work).is_ok();
        Lanes {
            first: EngineBench::new(subject, named),
            second: second.then_some(SecondLane { orders, reports, stop, stop_first }),
        }
    }

    /// Whether these two can run side by side.
    pub(crate) fn are_apart(&self, one: EngineKind, other: EngineKind) -> bool {
        self.second.is_some() && Lane::of(one) != Lane::of(other)
    }

    /// Runs an engine where it lives, and waits for it.
    pub(crate) fn run_slice(&mut self, order: &SliceOrder) -> SliceReport {
        match &self.second {
            Some(second) if Lane::of(order.kind) == Lane::Second => {
                second.begin_slice(order);
                second.finish_slice()
            }
            _ => run_order(&mut self.first, order),
        }
    }

    /// Lets the engine of an order begin on the second lane; [`Lanes::finish_slice`] waits for it.
    pub(crate) fn begin_slice(&self, order: &SliceOrder) {
        if let Some(second) = &self.second {
            second.begin_slice(order);
        }
    }

    /// What came of the order that [`Lanes::begin_slice`] was given.
    pub(crate) fn finish_slice(&self) -> Option<SliceReport> {
        self.second.as_ref().map(SecondLane::finish_slice)
    }

    /// Whether the first lane was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.second.as_ref().is_some_and(|second| second.stop_first.is_set())
    }

    /// Lets the first lane go on.
    pub(crate) fn clear_stop(&self) {
        if let Some(second) = &self.second {
            second.stop_first.clear();
        }
    }

    /// Ends whatever runs beside this thread.
    pub(crate) fn stop_second(&self) {
        if let Some(second) = &self.second {
            second.stop.set();
        }
    }
}

impl SecondLane {
    fn begin_slice(&self, order: &SliceOrder) {
        self.orders.send(*order).expect("the second lane runs until it is told to end");
    }

    fn finish_slice(&self) -> SliceReport {
        self.reports.recv().expect("the second lane runs until it is told to end")
    }
}

impl Drop for SecondLane {
    fn drop(&mut self) {
        self.stop.set();
    }
}

fn run_order(bench: &mut EngineBench<'_>, order: &SliceOrder) -> SliceReport {
    let start = clock::budget_now();
    let slice = CpuSlice {
        deadline: start + order.time,
        limit: order.budget.limit,
        memory_mib: order.budget.memory_mib,
    };
    let outcome = bench.run_engine(order.kind, order.ints, &slice);
    let spent = clock::budget_now().saturating_duration_since(start);
    // A clock that was stopped says nothing.
    let spent = if spent > STOPPED { order.time } else { spent };
    SliceReport { outcome, spent }
}

/// No slice is so long.
const STOPPED: Duration = Duration::from_secs(60 * 60 * 24 * 30);
