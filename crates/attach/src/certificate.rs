//! The certificate: the iterations and the invariants that close them.

use serde::{Deserialize, Serialize};

use crate::cell::ProcessCell;
use crate::ideal::IdealisedMemory;

/// How an iteration is found again: the cells' numbers it starts from, and how many instructions it has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct IterationRecipe {
    /// The cells' numbers at the head, in the order of the cells.
    pub start: Vec<u64>,
    /// Instructions from the head to the head.
    pub length: u64,
}

/// Why a thread of a snapshot never leaves its loop. The claim: after `stem` instructions the thread is
/// at `head`, and from every state that is as there, cells aside, and in which the invariants hold, one
/// of the iterations is taken and ends in such a state. If it is idealised, the stack below the head's
/// frame and memory that was allocated since are aside too.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProcessCertificate {
    /// The version of this format.
    pub version: u32,
    /// The process.
    pub pid: i32,
    /// The thread.
    pub thread: i32,
    /// Where the thread was in the snapshot.
    pub rip: u64,
    /// Instructions from the snapshot to the head.
    pub stem: u64,
    /// The address to which each iteration returns.
    pub head: u64,
    /// Whether stack and heap are taken to have no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idealised: Option<IdealisedMemory>,
    /// What may change from one iteration to the next.
    pub cells: Vec<ProcessCell>,
    /// What holds of the cells at the head, as SMT-LIB formulas over their names.
    pub invariants: Vec<String>,
    /// The iterations.
    pub iterations: Vec<IterationRecipe>,
}

/// The version that this program writes.
pub(crate) const VERSION: u32 = 1;
