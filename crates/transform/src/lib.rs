//! From programs to transition systems: *a transition system is what the symbolic machine does
//! between loop heads.*
//!
//! A state of the machine at a loop head, with symbols put into some of its spots (the *holes*), is
//! a location. The machine is run on from there; each path to the next head is an edge: its guard is
//! the path's condition, its update what the holes are on arrival, its choices what the environment
//! chose on the way. All that is no hole has to be on arrival as the location has it, so nothing is
//! abstracted: memory, addresses and calls are as the machine has them. What differs becomes a hole,
//! until nothing does.
//!
//! An address that moves (`p++`) is a hole as well: how far it is into its object.
//!
//! **What it misses.** Arrays of which many elements change have too many holes, unless memory is
//! vague: then they are left open as a whole, and the system may have runs that the program has not. Edges that cannot be followed are left
//! out, and [`LoweredProgram::complete`] says so: a run of the system is a run of the program, but not
//! always the other way round.
//!
//! Of a program with a specification, an edge also knows the events that it passes: the system has the
//! program's pairs of fairness, over edges. A run that breaks an obligation leads to a location of its
//! own, with an edge back to itself: that no run comes there has to be proved.
//!
//! No transformation without its way back: [`EvidenceBackTranslator::translate_closed_set`] and [`EvidenceBackTranslator::translate_ranking`] make
//! evidence about the program from evidence about the system.
//!
//! | file | one idea |
//! | --- | --- |
//! | `walk` | symbolic runs from mark to mark |
//! | `sample` | inputs to try |
//! | `lower` | locations, holes and edges, until nothing differs |
//! | `pattern` | a state with holes |
//! | `names` | what a hole is called |
//! | `system` | locations and edges as a transition system |
//! | `places` | where a run is, in the user's words |
//! | `needed` | what of a recurrent set a run comes to |
//! | `back` | from a recurrent set or a ranking of the system to evidence about the program |
//! | `limits` | how much is tried, and how far runs are followed |

mod back;
mod limits;
mod lower;
mod names;
mod needed;
mod pattern;
mod places;
mod sample;
mod system;
pub mod walk;

pub use back::EvidenceBackTranslator;
pub use limits::LoweringBounds;
pub use lower::{
    ListAbstraction, LoweringStart, ReturnPath, lower_all_growing, lower_from_head,
    lower_whole_program,
};
pub use names::HoleKey;
pub use needed::prune_recurrent_set;
pub use places::{call_site, user_place};
pub use sample::InputSample;

/// A program, seen from one of its loop heads or from its start.
pub struct LoweredProgram {
    /// The system: location 0 is the start, the others are loop heads, the one seen from first.
    pub system: ouro_model::transition::TransitionSystem,
    /// What is what in the program.
    pub back: EvidenceBackTranslator,
    /// Whether each run of the program from there is a run of the system.
    pub complete: bool,
    /// Whether it is not complete because lists of the heap grow, and were not to be chains.
    pub grows: bool,
    /// The ways on which calls return, of functions that may call themselves; terms of the system.
    pub returns: Vec<ReturnPath>,
    /// Questions on the way that were too hard in the time there was: some edges may be none.
    pub unanswered: usize,
}
