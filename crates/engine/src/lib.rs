//! Engines: each looks for evidence in its own way, and returns it or nothing.
//!
//! An engine never prints, never reads a file and never decides the verdict: what it returns is
//! believed only after `ouro-check` has accepted it.
//!
//! | module | finds |
//! | --- | --- |
//! | `explore` | recurring states and infinite recursion by symbolic execution; proof by exhaustion |
//! | `closed_program` | sets of states that a program never leaves, by way of transition systems |
//! | `ranked_program` | rankings of programs, by way of transition systems |
//! | `summaries` | bounds on what recursive calls return |
//! | `ranking` | rankings of transition systems: every run ends |
//! | `trial` | the same by trying levels on the bits |
//! | `transition` | transition invariants of transition systems: every run ends, where no ranking is found |
//! | `fair` | whether every run in a recurrent set is fair |
//! | `fixpoint` | recurrent sets of transition systems that are easy to see |
//! | `steady` | recurrent sets that only what never changes decides |
//! | `orbits` | recurrent sets that runs on small and extreme numbers come into |
//! | `recurrent` | recurrent sets of transition systems |
//! | `forward` | the same by a graph of abstract states |
//! | `lassos` | stems, cycles and what holds along them, for the two above |
//! | `paths` | transition systems as polynomials, for the engines above |
//! | `limits` | how much is tried |

pub mod closed_program;
pub mod explore;
mod fair;
mod fixpoint;
mod forward;
mod lassos;
mod limits;
mod orbits;
mod paths;
pub mod ranked_program;
pub mod ranking;
pub mod recurrent;

mod steady;
mod summaries;
pub mod transition;
mod trial;

use std::time::{Duration, Instant};

use ouro_evidence::{Explanation, IntegerSemantics, Verdict};

pub use closed_program::{ClosedSetOutcome, ClosedSetSearch, SetEffort, find_closed_set};
pub use explore::{Exploration, explore_other_sites, explore_program};
pub use limits::Limits;
pub use ranked_program::{
    ProgramRankingSearch, RankingOutcome, TerminationArgument, find_program_ranking,
};

/// What an engine is asked to respect.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// How integers behave.
    pub ints: IntegerSemantics,
    /// When it must be done.
    pub deadline: Instant,
    /// The time it was given in all, for the message when that was not enough.
    pub time: Duration,
    /// How much memory the process may use.
    pub memory_mib: u64,
}

/// What an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UncheckedFinding {
    /// The verdict it has evidence for.
    pub verdict: Verdict,
    /// What to tell the user.
    pub explanation: Explanation,
}
