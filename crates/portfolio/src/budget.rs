//! What a run of the portfolio may use: processor time of all its engines together, and memory.
//!
//! The sum of all threads counts, so the number of processors changes how soon an answer is there and not which one.

use std::time::{Duration, Instant};

use ouro_solver::clock;

/// Processor time and memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuBudget {
    /// The processor time for engines and checker.
    pub time: Duration,
    /// The limit that the user gave, for the reason if it was not enough.
    pub limit: Duration,
    /// How much memory the process may use.
    pub memory_mib: u64,
}

impl CpuBudget {
    /// The budget of what is left before a moment of this thread's clock.
    pub fn until(deadline: Instant, limit: Duration, memory_mib: u64) -> CpuBudget {
        let time = deadline.saturating_duration_since(clock::budget_now());
        CpuBudget { time, limit, memory_mib }
    }

    /// The same with other time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> CpuBudget {
        CpuBudget { time, ..self }
    }
}

/// How much of a budget was used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CpuAccount {
    budget: CpuBudget,
    spent: Duration,
}

impl CpuAccount {
    pub(crate) fn new(budget: CpuBudget) -> CpuAccount {
        CpuAccount { budget, spent: Duration::ZERO }
    }

    pub(crate) fn budget(&self) -> CpuBudget {
        self.budget
    }

    pub(crate) fn spent(&self) -> Duration {
        self.spent
    }

    pub(crate) fn left(&self) -> Duration {
        self.budget.time.saturating_sub(self.spent)
    }

    pub(crate) fn spend(&mut self, time: Duration) {
        self.spent += time;
    }
}
