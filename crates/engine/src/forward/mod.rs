//! Recurrent components: sets of states that a run can stay in, found by going forward only.
//!
//! **How it works.** For each strongly connected part of the graph of paths, a graph of regions is
//! built (`graph`): sets of states at a location, each given by bounds of its variables (`interval`)
//! and conditions between them (`region`). A region is cut where a condition of a move holds in one
//! part of it only; moves that can be made everywhere in it lead to further regions. When some
//! regions are such that each lies in another of them, or has a move that leads into them only, a
//! run can stay in them forever. A region from which some states stay and others leave is cut again,
//! by what decides about it one move later, and by what makes its conditions last. Whether a run gets there is
//! asked of the stems.
//!
//! **What it misses.** Sets that need conditions which no move and no bound of a region suggests.
//!
//! **What could mislead it.** Nothing: what is found is written as a recurrent set, and the checker
//! looks at that alone.

mod graph;
mod interval;
mod region;
mod search;

pub(crate) use search::find_recurrent_component;
