//! Proofs by parts: why each loop of a program ends, whatever happened before it.

use serde::{Deserialize, Serialize};

use crate::{ProgramRanking, SourcePlace};

/// Why a program terminates in which no function calls itself: each of its loops, made a program of its own that
/// starts in any state, ends. A program without loops has no parts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartwiseTermination {
    /// The loops. One that is inside of another which was not cut needs no part of its own.
    pub parts: Vec<LoopPart>,
}

/// A loop, how it is made a program of its own, and why that ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopPart {
    /// Where it is, for people.
    pub place: SourcePlace,
    /// The function that it is in, by its number in the program.
    pub function: u32,
    /// The block that is its head.
    pub head: u32,
    /// Whether the loops inside are cut: left out, and taken to leave anything in what they write.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cuts: bool,
    /// What of the loop is looked at.
    pub view: LoopView,
    /// Why that program ends.
    pub ranking: ProgramRanking,
}

/// What of a loop is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoopView {
    /// All of it.
    Full,
    /// What decides whether it is left.
    Slim,
    /// One reason to end, by its number.
    Sight(u32),
}
