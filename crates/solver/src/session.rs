//! The session: what other rooms see of the solver.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use ouro_term::{Assignment, Op, Term, Terms};

use crate::cache::Cache;
use crate::clock;
use crate::core::{Core, Found};
use crate::log::{self, Log};
use crate::watchdog::{Interrupt, Stopped, Watchdog};
use crate::{direct, memory, raw, second};

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
    /// The formulas hold together, under these values. A symbol that is not listed counts as zero or
    /// false; one that is listed need not occur in the formulas.
    Sat(Assignment),
    /// They never do.
    Unsat,
    /// Nobody knows, and why: `time`, `memory`, `interrupted`, `fmod`, or what Z3 says.
    Unknown(String),
}

impl Answer {
    /// Whether the formulas are known to contradict each other.
    pub fn is_unsat(&self) -> bool {
        *self == Answer::Unsat
    }

    /// The model, if there is one.
    pub fn model(self) -> Option<Assignment> {
        match self {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        }
    }
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

impl Statistics {
    /// Seconds spent.
    pub fn seconds(&self) -> f64 {
        self.time.as_secs_f64()
    }
}

/// A conversation with Z3: one context kept warm, so that a query which resembles the one before is
/// cheap. Each query stands for itself.
pub struct Session {
    limits: Limits,
    core: Core,
    cache: Cache,
    log: Option<Log>,
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
        memory::allow(limits.memory_mib);
        let milliseconds =
            u32::try_from(clock::patience(limits.query).as_millis()).unwrap_or(u32::MAX).max(1);
        Session {
            limits,
            core: Core::new(milliseconds),
            cache: Cache::default(),
            log: Log::from_environment(),
            watchdog: Watchdog::new(limits.memory_mib),
            statistics: Statistics::default(),
        }
    }

    /// The same session, writing each query into a file of this directory (made if need be). Logging
    /// ends with the first file that cannot be written.
    ///
    /// # Errors
    /// If the directory cannot be made.
    pub fn with_log(mut self, directory: &Path) -> io::Result<Session> {
        self.log = Some(Log::new(directory)?);
        Ok(self)
    }

    /// The version of Z3 that answers.
    pub fn version(&self) -> String {
        raw::version().unwrap_or_else(|wrong| wrong)
    }

    /// Whether these formulas can hold together.
    pub fn check(&mut self, terms: &Terms, formulas: &[Term]) -> Answer {
        let answer = match self.find(terms, &direct::conjuncts(terms, formulas)) {
            Found::Sat(model) => Answer::Sat(model),
            Found::Unsat(_) => Answer::Unsat,
            Found::Unknown(why) => Answer::Unknown(why),
        };
        second::consider(terms, formulas, &answer);
        answer
    }

    /// Those of the formulas that already contradict each other, not always the fewest; `Err` with
    /// the answer if they do not.
    ///
    /// # Errors
    /// If the formulas can hold together, or nobody knows.
    pub fn core(&mut self, terms: &Terms, formulas: &[Term]) -> Result<Vec<Term>, Answer> {
        let needed = match self.find(terms, &direct::conjuncts(terms, formulas)) {
            Found::Sat(model) => {
                let answer = Answer::Sat(model);
                second::consider(terms, formulas, &answer);
                return Err(answer);
            }
            Found::Unknown(why) => return Err(Answer::Unknown(why)),
            Found::Unsat(needed) => needed,
        };
        let is_needed = |formula: &Term| {
            needed.contains(formula)
                || (*terms.op(*formula) == Op::And
                    && terms.args(*formula).iter().any(|part| needed.contains(part)))
        };
        let core: Vec<Term> = formulas.iter().copied().filter(is_needed).collect();
        second::consider(terms, &core, &Answer::Unsat);
        Ok(core)
    }

    /// Every query has to be over by another moment from now on.
    pub fn set_deadline(&mut self, deadline: Instant) {
        self.limits.deadline = Some(deadline);
    }

    /// Stops queries of this session from another thread.
    pub fn interrupt_handle(&self) -> Interrupt {
        self.watchdog.interrupt()
    }

    /// What the session has done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            direct: self.cache.direct,
            cache_hits: self.cache.hits,
            contexts: self.core.contexts,
            second_stage: self.core.second,
            ..self.statistics
        }
    }

    fn find(&mut self, terms: &Terms, conjuncts: &[Term]) -> Found {
        let start = clock::now();
        let found = self.find_before(terms, conjuncts, start);
        let took = clock::now().saturating_duration_since(start);
        self.statistics.queries += 1;
        self.statistics.time += took;
        match found {
            Found::Sat(_) => self.statistics.sat += 1,
            Found::Unsat(_) => self.statistics.unsat += 1,
            Found::Unknown(_) => self.statistics.unknown += 1,
        }
        if let Some(log) = &mut self.log {
            let status = log::status(&found);
            let script = self.core.script(&self.watchdog, terms, conjuncts, status);
            if log.write(&script, &found, took).is_err() {
                self.log = None;
            }
        }
        found
    }

    fn find_before(&mut self, terms: &Terms, conjuncts: &[Term], start: Instant) -> Found {
        if self.watchdog.interrupt().is_set() {
            return Found::Unknown(Stopped::Interrupted.word().to_owned());
        }
        let mut end = start + self.limits.query;
        if let Some(deadline) = self.limits.deadline {
            end = end.min(deadline);
        }
        if end <= start {
            return Found::Unknown(Stopped::Time.word().to_owned());
        }
        let Session { core, cache, watchdog, statistics, .. } = self;
        cache.check(terms, conjuncts, |part| {
            statistics.asked += 1;
            core.check(watchdog, terms, part, end)
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.core.forget(&self.watchdog);
    }
}
