//! What an engine is to the portfolio: it has a name, knows what it can answer, and is run for one slice after the
//! other.

use std::time::{Duration, Instant};

use ouro_evidence::{Explanation, IntegerSemantics, UnknownReason, Verdict};
use ouro_model::Program;
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;

/// An engine by the name that users give and reports show.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineName {
    /// Symbolic execution: states that recur, or paths that all end.
    Explore,
    /// Recurrent sets of one cycle at a time.
    Lasso,
    /// Recurrent sets of many cycles at once.
    Closed,
    /// Recurrent components of a graph of abstract states.
    Forward,
    /// Ranking functions.
    Ranking,
    /// Transition invariants.
    Transition,
    /// Ranking functions of each loop on its own.
    Parts,
}

impl EngineName {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            EngineName::Explore => "explore",
            EngineName::Lasso => "lasso",
            EngineName::Closed => "closed",
            EngineName::Forward => "forward",
            EngineName::Ranking => "ranking",
            EngineName::Transition => "transition",
            EngineName::Parts => "parts",
        }
    }
}

/// What a schedule can give time to. Some engines come in two sizes, and those that look for recurrent sets go
/// together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineKind {
    /// Symbolic execution.
    Explore,
    /// Ranking functions of each loop on its own.
    Parts,
    /// Ranking functions that are there soon or not at all.
    QuickRanking,
    /// Ranking functions.
    Ranking,
    /// Transition invariants, after rankings.
    TransitionInvariants,
    /// Recurrent sets that are easy to see.
    EasyRecurrentSets,
    /// Recurrent sets.
    RecurrentSets,
}

/// What an engine can answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PossibleAnswers {
    /// That every run ends.
    Terminates,
    /// That some run never ends.
    Loops,
    /// Both.
    Both,
}

impl EngineKind {
    /// The engines whose names stand for it.
    pub fn names(self) -> &'static [EngineName] {
        match self {
            EngineKind::Explore => &[EngineName::Explore],
            EngineKind::Parts => &[EngineName::Parts],
            EngineKind::QuickRanking | EngineKind::Ranking => &[EngineName::Ranking],
            EngineKind::TransitionInvariants => &[EngineName::Transition],
            EngineKind::EasyRecurrentSets | EngineKind::RecurrentSets => {
                &[EngineName::Lasso, EngineName::Closed, EngineName::Forward]
            }
        }
    }

    /// The word for it in records.
    pub fn word(self) -> &'static str {
        match self {
            EngineKind::Explore => "explore",
            EngineKind::Parts => "parts",
            EngineKind::QuickRanking => "quick ranking",
            EngineKind::Ranking => "ranking",
            EngineKind::TransitionInvariants => "transition",
            EngineKind::EasyRecurrentSets => "simple recurrent sets",
            EngineKind::RecurrentSets => "recurrent sets",
        }
    }

    /// What it does, in words.
    pub fn description(self) -> &'static str {
        match self {
            EngineKind::Explore => "explore: symbolic execution of the program",
            EngineKind::Parts => "parts: ranking functions of each loop on its own",
            EngineKind::QuickRanking => "ranking: simple ranking functions",
            EngineKind::Ranking => "ranking: ranking functions",
            EngineKind::TransitionInvariants => "transition: transition invariants",
            EngineKind::EasyRecurrentSets => "lasso: simple recurrent sets",
            EngineKind::RecurrentSets => "lasso, closed, forward: recurrent sets",
        }
    }

    /// What it can answer.
    pub fn answers(self) -> PossibleAnswers {
        match self {
            EngineKind::Explore => PossibleAnswers::Both,
            EngineKind::Parts | EngineKind::QuickRanking | EngineKind::Ranking => {
                PossibleAnswers::Terminates
            }
            // Of a transition system it may also find a lasso.
            EngineKind::TransitionInvariants => PossibleAnswers::Both,
            EngineKind::EasyRecurrentSets | EngineKind::RecurrentSets => PossibleAnswers::Loops,
        }
    }

    /// Whether it can say anything about a transition system that is no program.
    pub fn takes_systems(self) -> bool {
        !matches!(self, EngineKind::Explore | EngineKind::Parts)
    }
}

/// What is asked about.
#[derive(Clone, Copy, Debug)]
pub enum ProofSubject<'p> {
    /// A program.
    Program(&'p Program),
    /// A loop that was made a program of its own, with C's integers.
    Loop(&'p Program),
    /// A transition system; its integers have no bounds.
    System(&'p TransitionSystem),
}

/// The slice of time that an engine has now, counted by the clock of the thread that it runs on.
#[derive(Clone, Copy, Debug)]
pub struct CpuSlice {
    /// When it has to be done.
    pub deadline: Instant,
    /// The limit that the user gave in all.
    pub limit: Duration,
    /// How much memory the process may use.
    pub memory_mib: u64,
}

impl CpuSlice {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        clock::budget_now() >= self.deadline
    }

    /// What engines are told of it.
    pub fn settings(&self, ints: IntegerSemantics) -> ouro_engine::EngineSettings {
        ouro_engine::EngineSettings {
            ints,
            deadline: self.deadline,
            time: self.limit,
            memory_mib: self.memory_mib,
        }
    }
}

/// What an engine found; nobody has checked it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineFinding {
    /// A verdict with its evidence.
    pub verdict: Verdict,
    /// What to tell the user.
    pub explanation: Explanation,
    /// Which engine it was.
    pub engine: &'static str,
}

/// How a slice ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineOutcome {
    /// With something for the checker.
    Found(Box<EngineFinding>),
    /// The engine went as far as it goes: more time would not help.
    GaveUp(UnknownReason),
    /// The slice was over.
    OutOfTime,
}

/// An engine in the making of a proof. It lives as long as the run of the portfolio does, on one thread, and keeps
/// what it has from slice to slice. It never prints, never reads a file, and never decides the verdict.
pub trait ProofEngine {
    /// Goes on until something is found, nothing is left to try, or the slice is over.
    fn search(&mut self, slice: &CpuSlice) -> EngineOutcome;
}
