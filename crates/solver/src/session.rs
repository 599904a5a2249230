//! The session: what other rooms see of the solver.

use std::time::{Duration, Instant};

use ouro_term::{Assignment, Term, Terms};

use crate::core::Core;
use crate::raw;
use crate::watchdog::{Interrupt, Stopped, Watchdog};

/// What a session may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The longest that one query may take.
    pub query: Duration,
    /// When every query has to be over.
    pub deadline: Option<Instant>,
    /// How much memory the process may hold while a query runs; 0 for any amount.
    pub memory_mib: u32,
}

impl Default for Limits {
    /// Ten seconds a query, no deadline, 4 GiB.
    fn default() -> Self {
        Limits { query: Duration::from_secs(10), deadline: None, memory_mib: 4096 }
    }
}

/// What a query found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The formulas hold together, under these values. Symbols that are not listed do not matter.
    Sat(Assignment),
    /// They never do.
    Unsat,
    /// Nobody knows, and why: `time`, `memory`, `interrupted`, or what Z3 says.
    Unknown(String),
}

/// What a session has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// Answered with a model.
    pub sat: u64,
    /// Answered that there is none.
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Answered without asking Z3, because the formulas are simple.
    pub direct: u64,
    /// Answered without asking Z3, because of an earlier answer.
    pub cache_hits: u64,
    /// How often a Z3 context was made.
    pub contexts: u64,
    /// Time spent.
    pub time: Duration,
}

/// A conversation with Z3: one context kept warm, so that queries which resemble the one before are
/// cheap.
pub struct Session {
    limits: Limits,
    // Before `watchdog`, since fields are dropped in order and the context has to be gone first...
    core: Core,
    watchdog: Watchdog,
    statistics: Statistics,
}

impl Session {
    /// A new session.
    ///
    /// # Panics
    /// If the loaded libz3 is not the version that Ouro was built for: its answers could be wrong.
    pub fn new(limits: Limits) -> Session {
        if let Err(message) = raw::version() {
            panic!("{message}");
        }
        let milliseconds = u32::try_from(limits.query.as_millis()).unwrap_or(u32::MAX).max(1);
        Session {
            limits,
            core: Core::new(Some(milliseconds)),
            watchdog: Watchdog::new(limits.memory_mib),
            statistics: Statistics::default(),
        }
    }

    /// Whether these formulas can hold together.
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        let start = Instant::now();
        let answer = self.answer(terms, formulas, start);
        self.statistics.queries += 1;
        self.statistics.time += start.elapsed();
        match answer {
            Answer::Sat(_) => self.statistics.sat += 1,
            Answer::Unsat => self.statistics.unsat += 1,
            Answer::Unknown(_) => self.statistics.unknown += 1,
        }
        answer
    }

    fn answer(&mut self, terms: &Terms, formulas: &[Term], start: Instant) -> Answer {
        if self.watchdog.interrupt().is_set() {
            return Answer::Unknown(Stopped::Interrupted.word().to_owned());
        }
        let mut end = start + self.limits.query;
        if let Some(deadline) = self.limits.deadline {
            end = end.min(deadline);
        }
        if end <= start {
            return Answer::Unknown(Stopped::Time.word().to_owned());
        }
        self.core.check(&self.watchdog, terms, formulas, end).0
    }

    /// Stops queries of this session from another thread.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.watchdog.interrupt()
    }

    /// What the session has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { contexts: self.core.rebuilds, ..self.statistics }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.core.forget(&self.watchdog);
    }
}
