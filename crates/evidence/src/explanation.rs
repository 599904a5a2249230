//! What the report shows besides the evidence. An engine fills it, nobody trusts it: it is in no
//! certificate and no verdict depends on it.

use crate::{AttemptRecord, SourcePlace, UndefinedBehaviour};

/// How an engine explains its finding to the user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The places that one iteration of the cycle goes through, in order, the loop head first.
    pub cycle: Vec<SourcePlace>,
    /// The user's variables at the loop head that stay the same: name and value.
    pub variables: Vec<(String, String)>,
    /// Each loop and what became of it.
    pub loops: Vec<LoopStatus>,
    /// Why the run is fair: for each pair a sentence without a full stop.
    pub fairness: Vec<String>,
    /// Where the user's code was last, if a run has ended with something broken.
    pub last: Option<SourcePlace>,
    /// What had to be assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// What is undefined and taken to end a run, as the checker found it.
    pub undefined: Vec<UndefinedBehaviour>,
    /// What happens with integers that wrap around, if that was asked besides.
    pub wrapping: Option<WraparoundBehaviour>,
    /// How far what a run reads that never ends reaches, if that was asked.
    pub input: Option<EndlessRunInput>,
    /// Who tried what for how long.
    pub attempts: Vec<AttemptRecord>,
}

/// How far what a run reads that never ends reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndlessRunInput {
    /// All of it comes to an end.
    Finite,
    /// Some of it goes on forever; no other run was found.
    Endless,
}

/// What happens with integers that wrap around, where C's rules say that a signed one must not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WraparoundBehaviour {
    /// The run that is shown never ends; by C's rules it ends in an overflow.
    Loops(RunAfterOverflow),
    /// Every run ends as well.
    Terminates,
}

/// The overflow after which a run goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunAfterOverflow {
    /// What is undefined by C's rules.
    pub what: String,
    /// Where it is; where it can be, if the run was not followed so far.
    pub places: Vec<SourcePlace>,
    /// After how many steps of the machine, if the run was followed so far.
    pub steps: Option<u64>,
}

/// A loop of the program and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopStatus {
    /// Its head.
    pub place: SourcePlace,
    /// How it was settled, or why not: `"at most 10 iterations on every path"`.
    pub status: String,
}
