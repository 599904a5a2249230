//! Rankings: why every run of a transition system, or of a program, ends, or is not fair.

use serde::{Deserialize, Serialize};

use crate::{SourcePlace, StateHole, TransitionInvariant};

/// An element of a ranking. A text alone is a function; a pair is `{ "pair": 0 }`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum RankingLevel {
    /// A number that depends on the state: a term.
    Function(String),
    /// How often the p of a fairness pair is yet to come if its q never comes again. It gets smaller
    /// where p is passed without q, grows where q is passed, and is the same everywhere else. Nobody
    /// knows the number, but for a fair run there is one.
    Pair {
        /// The number of the pair.
        pair: u32,
        /// In which states the level counts; absent: in all. It grows between a state in which it
        /// counts and one in which it does not, and says nothing where it counts in neither.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        when: Option<String>,
    },
}

impl From<String> for RankingLevel {
    fn from(term: String) -> RankingLevel {
        RankingLevel::Function(term)
    }
}

impl From<&str> for RankingLevel {
    fn from(term: &str) -> RankingLevel {
        RankingLevel::Function(term.to_owned())
    }
}

/// Invariants and rankings at locations that every infinite run would pass infinitely often.
///
/// From one of these places to the next, within one strongly connected part of them, some element
/// of the ranking gets smaller by at least 1 and was not negative, and those before it do not grow.
/// The first element that would get smaller infinitely often could not stay bounded. Where there are
/// snapshots, it may also stay as it is: they say why that does not go on forever.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemRanking {
    /// The places; every cycle of the system passes one.
    pub places: Vec<RankedLocation>,
    /// Why the steps that do not make the ranking smaller come to an end, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<TransitionInvariant>,
}

/// A location, what holds there, and how far from the end the run is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankedLocation {
    /// The index of the location in the system.
    pub location: u32,
    /// What holds in every state that reaches it: a formula over the system's variables.
    pub invariant: String,
    /// Integers over the system's variables, and pairs, the most important first. Places of one part
    /// have equally many, and the same pairs.
    pub ranking: Vec<RankingLevel>,
}

/// Invariants and rankings at loop heads of a program that every infinite run would pass infinitely
/// often. Everything is as the machine has it when a run first comes to each head, only the holes
/// may have other values. Heads may share their position, if they differ in more than holes.
///
/// Under `c`, a run that overflows a signed integer is none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramRanking {
    /// Whether memory is vague: an access at an unknown place reads any value, and after a write there
    /// the object may hold anything; and objects may have unknown sizes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vague: bool,
    /// Whether the first call of a recursion without loops is followed like any other call.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first_calls: bool,
    /// How objects of the heap are linked to lists. At each head, lists that are linked like this are
    /// chains, and how long they are can be a hole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ListLink>,
    /// The heads, in the order in which runs first come to them.
    pub heads: Vec<RankedHead>,
    /// As in [`SystemRanking`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub snapshots: Vec<TransitionInvariant>,
    /// What calls of functions that may call themselves return. Other calls of them return anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<FunctionSummary>,
}

/// What every call of a function returns, if it returns.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionSummary {
    /// The function of the machine's code.
    pub function: String,
    /// A formula over what it is given, `argument.0` and so on, and what it returns, `result.0` and
    /// so on.
    pub formula: String,
}

/// How objects of one size are linked: at the offset `link` each has the address of the next, `entry`
/// bytes into it. Those of one chain are `alike`, the same is in them apart from the link; otherwise nobody
/// knows what is in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the comment of the type speaks of its fields")]
pub struct ListLink {
    pub size: u64,
    pub link: u64,
    pub entry: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub alike: bool,
}

/// An object in which anything may be: its slot and generation in the machine's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the comment of the type speaks of its fields")]
pub struct HavocObject {
    pub slot: u32,
    pub generation: u32,
}

/// A loop head, what holds there, and how far from the end the run is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankedHead {
    /// Where it is, for people.
    pub place: SourcePlace,
    /// The function of the machine's code.
    pub function: String,
    /// The position in it.
    pub position: u32,
    /// How many of the innermost calls the states that are meant are compared on, if memory is vague. It tells
    /// heads at one position apart, and nothing is believed because of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// What may differ from state to state.
    pub holes: Vec<StateHole>,
    /// How lists are linked in the states that are meant, if there are lists. Not all that differs in
    /// this differs in the run, and nothing is believed because of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub shape: String,
    /// Objects in which anything may be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<HavocObject>,
    /// What holds in every state that reaches it: a formula over the symbols of the holes.
    pub invariant: String,
    /// Integers, or bit-vectors read as signed numbers, over the symbols of the holes, and pairs, the
    /// most important first. Heads of one strongly connected part have equally many, of the same
    /// sorts, and the same pairs.
    pub ranking: Vec<RankingLevel>,
}
