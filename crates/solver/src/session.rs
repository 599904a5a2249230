//! The session: what other rooms see of the solver.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use ouro_term::{Assignment, Term, TermOp, TermStore};

use crate::cache::AnswerCache;
use crate::clock;
use crate::core::{ConjunctionAnswer, ConjunctionDecider};
use crate::log::{self, QueryLog};
use crate::watchdog::{InterruptHandle, QueryWatchdog, StopCause};
use crate::{direct, memory, raw, second};

/// What a session may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionLimits {
    /// The longest that one query may take.
    pub query: Duration,
    /// When every query has to be over.
    pub deadline: Option<Instant>,
    /// How much memory the process may hold while a query runs; 0 for any amount.
    pub memory_mib: u32,
}

impl Default for SessionLimits {
    /// Ten seconds a query, no deadline, 4 GiB.
    fn default() -> Self {
        SessionLimits { query: Duration::from_secs(10), deadline: None, memory_mib: 4096 }
    }
}

/// What a query found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverAnswer {
    /// The formulas hold together, under these values. A symbol that is not listed counts as zero or
    /// false; one that is listed need not occur in the formulas.
    Sat(Assignment),
    /// They never do.
    Unsat,
    /// Nobody knows, and why: `time`, `memory`, `interrupted`, `fmod`, or what Z3 says.
    Unknown(String),
}

impl SolverAnswer {
    /// Whether the formulas are known to contradict each other.
    pub fn is_unsat(&self) -> bool {
        *self == SolverAnswer::Unsat
    }

    /// The model, if there is one.
    pub fn into_model(self) -> Option<Assignment> {
        match self {
            SolverAnswer::Sat(model) => Some(model),
            SolverAnswer::Unsat | SolverAnswer::Unknown(_) => None,
        }
    }
}

/// What a session has done.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SessionStatistics {
    /// Queries asked.
    pub queries: u64,
    /// Answered with a model.
    pub sat: u64,
    /// Answered that there is none.
    pub unsat: u64,
    /// Not answered.
    pub unknown: u64,
    /// Parts of queries answered on sight.
    pub direct: u64,
    /// Queries, or independent parts of them, answered from earlier answers.
    pub cache_hits: u64,
    /// Queries, or independent parts of them, that went to Z3.
    pub asked: u64,
    /// Those that Z3's warm solver left to a new one.
    pub second_stage: u64,
    /// How many Z3 contexts were made.
    pub contexts: u64,
    /// Time spent.
    pub time: Duration,
}

impl SessionStatistics {
    /// Seconds spent.
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}

/// A conversation with Z3: one context kept warm, so that a query which resembles the one before is
/// cheap. Each query stands for itself.
pub struct Session {
    limits: SessionLimits,
    /// What one query could take at first.
    longest: Duration,
    core: ConjunctionDecider,
    cache: AnswerCache,
    log: Option<QueryLog>,
    watchdog: QueryWatchdog,
    statistics: SessionStatistics,
}

impl Session {
    /// A new session.
    ///
    /// # Panics
    /// If the loaded libz3 is not the version that Ouro was built for: its answers could be wrong.
    pub fn new(limits: SessionLimits) -> Session {
        if let Err(message) = raw::loaded_version() {
            panic!("{message}");
        }
        memory::allow_memory(limits.memory_mib);
        let milliseconds = u32::try_from(clock::wall_clock_allowance(limits.query).as_millis())
            .unwrap_or(u32::MAX)
            .max(1);
        Session {
            limits,
            longest: limits.query,
            core: ConjunctionDecider::new(milliseconds),
            cache: AnswerCache::default(),
            log: QueryLog::from_environment(),
            watchdog: QueryWatchdog::new(limits.memory_mib),
            statistics: SessionStatistics::default(),
        }
    }

    /// The same session, writing each query into a file of this directory (made if need be). Logging
    /// ends with the first file that cannot be written.
    ///
    /// # Errors
    /// If the directory cannot be made.
    pub fn with_log(mut self, directory: &Path) -> io::Result<Session> {
        self.log = Some(QueryLog::new(directory)?);
        Ok(self)
    }

    /// The version of Z3 that answers.
    pub fn version(&self) -> String {
        raw::loaded_version().unwrap_or_else(|wrong| wrong)
    }

    /// Whether these formulas can hold together.
    pub fn check_sat(&mut self, terms: &TermStore, formulas: &[Term]) -> SolverAnswer {
        let answer = match self.find_answer(terms, &direct::flatten_conjuncts(terms, formulas)) {
            ConjunctionAnswer::Sat(model) => SolverAnswer::Sat(model),
            ConjunctionAnswer::Unsat(_) => SolverAnswer::Unsat,
            ConjunctionAnswer::Unknown(why) => SolverAnswer::Unknown(why),
        };
        second::submit_query(terms, formulas, &answer);
        answer
    }

    /// Those of the formulas that already contradict each other, not always the fewest; `Err` with
    /// the answer if they do not.
    ///
    /// # Errors
    /// If the formulas can hold together, or nobody knows.
    pub fn unsat_core(
        &mut self,
        terms: &TermStore,
        formulas: &[Term],
    ) -> Result<Vec<Term>, SolverAnswer> {
        let needed = match self.find_answer(terms, &direct::flatten_conjuncts(terms, formulas)) {
            ConjunctionAnswer::Sat(model) => {
                let answer = SolverAnswer::Sat(model);
                second::submit_query(terms, formulas, &answer);
                return Err(answer);
            }
            ConjunctionAnswer::Unknown(why) => return Err(SolverAnswer::Unknown(why)),
            ConjunctionAnswer::Unsat(needed) => needed,
        };
        let is_needed = |formula: &Term| {
            needed.contains(formula)
                || (*terms.op(*formula) == TermOp::And
                    && terms.args(*formula).iter().any(|part| needed.contains(part)))
        };
        let core: Vec<Term> = formulas.iter().copied().filter(is_needed).collect();
        second::submit_query(terms, &core, &SolverAnswer::Unsat);
        Ok(core)
    }

    /// Every query has to be over by another moment from now on.
    pub fn set_deadline(&mut self, deadline: Instant) {
        self.limits.deadline = Some(deadline);
    }

    /// One query may take so long from now on, at most what it could take at first.
    pub fn set_query_limit(&mut self, query: Duration) {
        self.limits.query = query.min(self.longest);
    }

    /// Stops queries of this session from another thread.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        self.watchdog.interrupt_handle()
    }

    /// What the session has done so far.
    pub fn statistics(&self) -> SessionStatistics {
        SessionStatistics {
            direct: self.cache.direct,
            cache_hits: self.cache.hits,
            contexts: self.core.contexts,
            second_stage: self.core.second,
            ..self.statistics
        }
    }

    fn find_answer(&mut self, terms: &TermStore, conjuncts: &[Term]) -> ConjunctionAnswer {
        let start = clock::budget_now();
        let found = self.find_answer_before(terms, conjuncts, start);
        let took = clock::budget_now().saturating_duration_since(start);
        self.statistics.queries += 1;
        self.statistics.time += took;
        match found {
            ConjunctionAnswer::Sat(_) => self.statistics.sat += 1,
            ConjunctionAnswer::Unsat(_) => self.statistics.unsat += 1,
            ConjunctionAnswer::Unknown(_) => self.statistics.unknown += 1,
        }
        if let Some(log) = &mut self.log {
            let status = log::smtlib_status(&found);
            let script = self.core.smtlib_script(&self.watchdog, terms, conjuncts, status);
            if log.write_query(&script, &found, took).is_err() {
                self.log = None;
            }
        }
        found
    }

    fn find_answer_before(
        &mut self,
        terms: &TermStore,
        conjuncts: &[Term],
        start: Instant,
    ) -> ConjunctionAnswer {
        if self.watchdog.interrupt_handle().is_set() {
            return ConjunctionAnswer::Unknown(StopCause::Interrupted.cause_word().to_owned());
        }
        let mut end = start + self.limits.query;
        if let Some(deadline) = self.limits.deadline {
            end = end.min(deadline);
        }
        if end <= start {
            return ConjunctionAnswer::Unknown(StopCause::Time.cause_word().to_owned());
        }
        let Session { core, cache, watchdog, statistics, .. } = self;
        cache.decide_conjuncts(terms, conjuncts, |part| {
            statistics.asked += 1;
            core.decide_before(watchdog, terms, part, end)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.core.drop_context(&self.watchdog);
    }
}
