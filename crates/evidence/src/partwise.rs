//! Proofs by parts: why each loop of a program and each recursion ends, whatever happened before it.

use serde::{Deserialize, Serialize};

use crate::{ProgramRanking, SourcePlace};

/// Why a program terminates: each of its loops and each recursion, made a program of its own that starts in any state,
/// ends. A program without either has no parts.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartwiseTermination {
    /// The loops and recursions. A loop that is inside of another, or on the way from one call of a recursion to the
    /// next, needs no part of its own if it was not cut there.
    pub parts: Vec<LoopPart>,
}

/// A loop or a recursion, how it is made a program of its own, and why that ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopPart {
    /// Where it is, for people.
    pub place: SourcePlace,
    /// The function that it is in, by its number in the program; the first of those that may call each other.
    pub function: u32,
    /// The block that is its head; none if it is the recursion of the function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<u32>,
    /// Whether the loops inside are cut: left out, and taken to leave anything in what they write.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cuts: bool,
    /// How much of the program around it is looked at.
    #[serde(default, skip_serializing_if = "PartScope::is_least")]
    pub scope: PartScope,
    /// What of the loop is looked at.
    pub view: LoopView,
    /// Why that program ends.
    pub ranking: ProgramRanking,
}

/// How much of the program around a loop or recursion is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartScope {
    /// Whether all that comes before it in its function is looked at, and not only what leads to it straight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wide: bool,
    /// How many calls in one another that lead to its function are looked at.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub callers: u32,
    /// Whether small functions that it calls are looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inlines: bool,
}

impl PartScope {
    /// Whether nothing but the loop and the straight way to it is looked at.
    pub fn is_least(&self) -> bool {
        *self == PartScope::default()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
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
