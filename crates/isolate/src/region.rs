//! Which blocks belong to a loop on its own: the loop, and the straight way that leads to it.
//!
//! The way is what runs before the loop whatever happened earlier: `i = 0` of a `for`. Where it starts,
//! everything is unknown. A loop inside may be *cut*: one step then stands for all its iterations, after which
//! whatever it writes is unknown.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::BlockId;
use ouro_model::flow::{FunctionFlow, Loop};
use ouro_model::ids::TypedId as _;

use crate::limits::LIMITS;

/// The blocks that are looked at.
#[derive(Clone, Debug)]
pub(crate) struct LoopRegion {
    /// Where a run starts.
    pub(crate) start: BlockId,
    /// The straight way to the head, from the start, without the head.
    pub(crate) way: Vec<BlockId>,
    /// The blocks of the loop, without those of loops that are cut.
    pub(crate) body: BTreeSet<BlockId>,
    /// The loops that are cut: their blocks, by their heads.
    pub(crate) cut: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// Whether each cycle within the body passes the head: nothing in it turns on its own.
    pub(crate) is_plain: bool,
}

impl LoopRegion {
    /// The region of a loop, with the loops inside it cut or not. `None` if those cannot be cut,
    /// because they overlap without one being inside the other.
    pub(crate) fn of_loop(flow: &FunctionFlow, found: &Loop, cuts: bool) -> Option<LoopRegion> {
        let mut body: BTreeSet<BlockId> = found.body.iter().copied().collect();
        // A loop that is entered elsewhere comes to its head in other states than the way does.
        let way = match has_one_entry(flow, found) {
            true => straight_path_to(flow, found.head, &body),
            false => Vec::new(),
        };
        let mut cut: BTreeMap<BlockId, BTreeSet<BlockId>> = BTreeMap::new();
        if cuts {
            for inner in flow.loops() {
                let blocks: BTreeSet<BlockId> = inner.body.iter().copied().collect();
                // A loop that shares blocks with this one and is not around it.
                if inner.head == found.head || !body.contains(&inner.head) {
                    continue;
                }
                if !blocks.is_subset(&body) || blocks.contains(&found.head) {
                    return None;
                }
                cut.insert(inner.head, blocks);
            }
            cut = outermost_loops(cut)?;
            for blocks in cut.values() {
                body.retain(|block| !blocks.contains(block));
            }
        }
        let other = |one: &Loop| one.head != found.head && body.contains(&one.head);
        let is_plain = has_one_entry(flow, found) && !flow.loops().iter().any(other);
        let start = way.first().copied().unwrap_or(found.head);
        Some(LoopRegion { start, way, body, cut, is_plain })
    }

    /// All blocks whose code runs iteration by iteration.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> {
        self.way.iter().chain(&self.body).copied()
    }

    /// All blocks, those of cut loops as well.
    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = BlockId> {
        self.blocks().chain(self.iterated_blocks_in_cuts())
    }

    /// The blocks that can run again and again: those of the loop and of the loops in it.
    pub(crate) fn iterated_blocks(&self) -> impl Iterator<Item = BlockId> {
        self.body.iter().copied().chain(self.iterated_blocks_in_cuts())
    }

    /// Whether a block can run again and again.
    pub(crate) fn is_iterated(&self, block: BlockId) -> bool {
        self.body.contains(&block) || self.cut_loop_around(block).is_some()
    }

    fn iterated_blocks_in_cuts(&self) -> impl Iterator<Item = BlockId> {
        self.cut.values().flatten().copied()
    }

    /// The head of the cut loop that a block is in.
    pub(crate) fn cut_loop_around(&self, block: BlockId) -> Option<BlockId> {
        self.cut.iter().find(|(_, blocks)| blocks.contains(&block)).map(|(head, _)| *head)
    }
}

/// Only the outermost loops; `None` if two of them overlap.
fn outermost_loops(
    loops: BTreeMap<BlockId, BTreeSet<BlockId>>,
) -> Option<BTreeMap<BlockId, BTreeSet<BlockId>>> {
    let all: Vec<(BlockId, BTreeSet<BlockId>)> = loops.into_iter().collect();
    let inside = |one: &(BlockId, BTreeSet<BlockId>)| {
        all.iter().any(|other| other.0 != one.0 && one.1.is_subset(&other.1) && one.1 != other.1)
    };
    let outer: BTreeMap<BlockId, BTreeSet<BlockId>> =
        all.iter().filter(|one| !inside(one)).cloned().collect();
    let mut seen = BTreeSet::new();
    let apart = outer.values().flatten().all(|block| seen.insert(*block));
    apart.then_some(outer)
}

/// The blocks that lead to a head and to nothing else that matters: each is the only one before the next.
fn straight_path_to(flow: &FunctionFlow, head: BlockId, body: &BTreeSet<BlockId>) -> Vec<BlockId> {
    let mut way = Vec::new();
    let mut next = head;
    // A function can start at its first block without coming from anywhere.
    while way.len() < LIMITS.way_blocks && next.index() != 0 {
        let before: Vec<BlockId> =
            flow.predecessors(next).iter().copied().filter(|b| !body.contains(b)).collect();
        let [only] = before[..] else { break };
        // Within the way, nobody else may lead to a block; the loop leads to its head alone.
        let joined = next != head && flow.predecessors(next).len() != 1;
        if joined || way.contains(&only) {
            break;
        }
        way.push(only);
        next = only;
    }
    way.reverse();
    way
}

/// Whether control enters a loop at its head alone.
pub fn has_one_entry(flow: &FunctionFlow, found: &Loop) -> bool {
    let enters = |block: &BlockId| {
        *block == found.head
            || flow.predecessors(*block).iter().all(|from| found.body.contains(from))
    };
    found.body.iter().all(enters)
}
