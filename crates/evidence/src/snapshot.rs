//! Transition invariants: what holds between the state in which a run was at a place once, and any
//! state that it comes to later.

use serde::{Deserialize, Serialize};

/// What stands before the name of a variable for its value when the snapshot was taken.
pub const OLD: &str = "old!";
/// What stands before the number of a pair of fairness for whether its p has been passed since then.
pub const PASSED_P: &str = "passed!p";
/// The same for its q.
pub const PASSED_Q: &str = "passed!q";

/// Why a run comes to a place only finitely often.
///
/// Some state in which it is there is remembered, no matter which, and the relations say what holds
/// between that one and all later ones. Back at the place, one of the measures is smaller than it was in
/// the state that is remembered, and was not negative there. So of any two times at the place the later
/// one has some measure that is smaller. If there were infinitely many, then infinitely many of them
/// would agree on which measure that is, for any two of them (Ramsey), and it could not stay bounded.
///
/// With fairness, no measure needs to be smaller where the p of some pair has been passed since then and its q
/// has not. Of a fair run's times at the place, infinitely many can be chosen with no such pair between any two.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TransitionInvariant {
    /// The place: an index into the places of the ranking, or into its heads.
    pub place: u32,
    /// Numbers as in a ranking, over the variables or holes of the place.
    pub measures: Vec<String>,
    /// What holds later, at each place of the same strongly connected part.
    pub relations: Vec<SnapshotRelation>,
}

/// What holds between the state of the snapshot and that of a later time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SnapshotRelation {
    /// Where the run is now: an index as in [`TransitionInvariant`].
    pub place: u32,
    /// A formula over the variables or holes of this place as they are now, and over those of the
    /// snapshot's place as they were, with [`OLD`] before their names. Also over what has been passed since
    /// then: [`PASSED_P`] and [`PASSED_Q`] with the number of a pair are true if its p, or its q, has been.
    pub formula: String,
}
