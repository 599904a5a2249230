//! Recurrent sets: states from which a run need never stop, although no state comes back.
//!
//! Both kinds say the same: *here is how a run gets into the set, and from each state of the set
//! there is a step into the set.* A [`RecurrentSet`] says it of a transition system, in the system's
//! own variables; a [`ClosedSet`] says it of a program, whose memory and calls are as the machine
//! has them and only the named cells are free. Terms are SMT-LIB text, in `ouro-term`'s form.

use serde::{Deserialize, Serialize};

use crate::{ListLink, RunInput, SourcePlace};

/// A set of states of a transition system that a run can reach and need never leave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecurrentSet {
    /// The value of each variable at the start, in the order of the system, as constants.
    pub initial: Vec<String>,
    /// The steps that lead into the set of the first place.
    pub stem: Vec<StemStep>,
    /// Where the run can be from then on; the stem ends at the first.
    pub places: Vec<RecurrentLocation>,
}

/// A step on the way to a recurrent set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StemStep {
    /// The index of the edge in the system.
    pub edge: u32,
    /// The value of each of its choices, as constants.
    pub choices: Vec<String>,
}

/// A location of a transition system and the states in which it can be left towards the set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecurrentLocation {
    /// The index of the location in the system.
    pub location: u32,
    /// Which states: a formula over the system's variables.
    pub set: String,
    /// What may be done: in each state of the set one of them leads into the set of its target.
    pub moves: Vec<RecurrentMove>,
}

/// A way from one place of a recurrent set to another, or back to the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecurrentMove {
    /// Its steps, at least one; locations on the way need no set.
    pub steps: Vec<MoveStep>,
}

/// A step inside a recurrent set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveStep {
    /// The index of the edge in the system.
    pub edge: u32,
    /// What each of its choices is, over the system's variables as they are where the move starts.
    pub choices: Vec<String>,
}

/// A set of states of a program that a run reaches and need never leave: everything is as the
/// machine has it when the run first comes to each head, only the holes may have other values.
/// Heads may share their position, if they differ in more than holes. Where a run comes to the
/// position of a head outside its set, it goes on to the next.
///
/// Where there are links, lists of objects of the heap that are linked like this are chains at each head,
/// and how long they are can be a hole. Then the set is one of lists of any length.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosedSet {
    /// What the environment chose on the way to the first head.
    pub inputs: Vec<RunInput>,
    /// The step of the machine at which the run is at the first head, in its set.
    pub step: u64,
    /// How many of the innermost calls at the first head the run is in from then on.
    pub frames: usize,
    /// Whether these are calls that never return rather than a loop, for people.
    pub recursion: bool,
    /// How objects of the heap are linked to lists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ListLink>,
    /// Where the run is again and again; the first is where the inputs lead.
    pub heads: Vec<ClosedSetHead>,
}

/// A loop head, or the entry of a function that calls itself, and the states there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosedSetHead {
    /// Where it is, for people.
    pub place: SourcePlace,
    /// The function of the machine's code.
    pub function: String,
    /// The position in it.
    pub position: u32,
    /// What may differ from state to state.
    pub holes: Vec<StateHole>,
    /// How lists are linked in the states that are meant, if there are lists. It helps the checker to find
    /// the state to start from; nothing is believed because of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shape: String,
    /// Which values the holes can have: a formula over their symbols.
    pub set: String,
    /// What the environment chooses on the way to the next head, in order, over the symbols of the
    /// holes here. Choices past the end of the list are left open: the set is closed whatever they
    /// are.
    pub choices: Vec<String>,
}

/// A part of the state that may differ.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateHole {
    /// The symbol that stands for it, no other hole of the certificate has it.
    pub symbol: String,
    /// What the symbol ranges over: `(_ BitVec 32)`.
    pub sort: String,
    /// What the user calls it.
    pub name: String,
    /// Whether its bits are an unsigned number, for people.
    pub unsigned: bool,
    /// Where it is.
    pub cell: HoleCell,
}

/// Where a hole is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum HoleCell {
    /// A variable of a call in progress: 0 is the innermost call, and the variable's index.
    Variable { call: u32, variable: u32 },
    /// Bytes of an object: its slot and generation in the machine's memory.
    Memory { slot: u32, generation: u32, offset: u64, bytes: u32 },
    /// How large an object is of which only a formula says so.
    Size { slot: u32, generation: u32 },
    /// How many objects a chain has: its number among the objects that the run can reach.
    Length { number: u32 },
}
