//! Which blocks belong to a loop on its own: the loop, and the straight way that leads to it.
//!
//! The way is what runs before the loop whatever happened earlier: `i = 0` of a `for`. Where it starts,
//! everything is unknown. A loop inside may be *cut*: one step then stands for all its iterations, after which
//! whatever it writes is unknown.
//!
//! A *wide* region has all ways to the loop from the start of the function instead of one that is straight. Loops on
//! them are cut. A loop *around* it has been passed any number of times when control comes to its head, so whatever it
//! writes is unknown there; what leads back to that head, or from the loop to a way, has left the loop.

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
    /// The straight way to the head, from the start, without the head; all blocks on ways, in a wide region.
    pub(crate) way: Vec<BlockId>,
    /// Whether there are all ways.
    pub(crate) is_wide: bool,
    /// The loops around this one whose heads are on a way: their blocks, by their heads.
    pub(crate) around: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// The loops that are cut on the ways.
    pub(crate) passed: BTreeMap<BlockId, BTreeSet<BlockId>>,
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
    pub(crate) fn of_loop(
        flow: &FunctionFlow,
        found: &Loop,
        cuts: bool,
        is_wide: bool,
    ) -> Option<LoopRegion> {
        let mut body: BTreeSet<BlockId> = found.body.iter().copied().collect();
        // A loop that is entered elsewhere comes to its head in other states than the way does.
        let is_wide = is_wide && has_one_entry(flow, found);
        let mut way = match has_one_entry(flow, found) {
            true if is_wide => blocks_before(flow, found.head, &body),
            true => straight_path_to(flow, found.head, &body),
            false => Vec::new(),
        };
        let start = match is_wide && !way.is_empty() {
            true => BlockId::from_index(0),
            false => way.first().copied().unwrap_or(found.head),
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
        let (mut around, mut passed) = (BTreeMap::new(), BTreeMap::new());
        if is_wide {
            for other in flow.loops().iter().filter(|other| way.contains(&other.head)) {
                let blocks: BTreeSet<BlockId> = other.body.iter().copied().collect();
                match blocks.contains(&found.head) {
                    true => around.insert(other.head, blocks),
                    false => passed.insert(other.head, blocks),
                };
            }
            if returns_otherwise(flow, found, &around) {
                return None;
            }
            passed = outermost_loops(passed)?;
            if !passed.values().flatten().all(|block| way.contains(block)) {
                return None;
            }
            way.retain(|block| !passed.values().any(|blocks| blocks.contains(block)));
        }
        Some(LoopRegion { start, way, is_wide, around, passed, body, cut, is_plain })
    }

    /// All blocks whose code runs iteration by iteration.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> {
        self.way.iter().chain(&self.body).copied()
    }

    /// All blocks, those of cut loops and of loops around it as well.
    pub(crate) fn all_blocks(&self) -> impl Iterator<Item = BlockId> {
        let on_ways = self.passed.values().chain(self.around.values()).flatten().copied();
        self.blocks().chain(self.iterated_blocks_in_cuts()).chain(on_ways)
    }

    /// The loops that are cut, on ways too.
    pub(crate) fn cut_loops(&self) -> impl Iterator<Item = (&BlockId, &BTreeSet<BlockId>)> {
        self.cut.iter().chain(&self.passed)
    }

    /// The blocks that can run again and again: those of the loop and of the loops in it.
    pub(crate) fn iterated_blocks(&self) -> impl Iterator<Item = BlockId> {
        self.body.iter().copied().chain(self.iterated_blocks_in_cuts())
    }

    /// Whether a block can run again and again.
    pub(crate) fn is_iterated(&self, block: BlockId) -> bool {
        self.body.contains(&block) || self.cut.values().any(|blocks| blocks.contains(&block))
    }

    fn iterated_blocks_in_cuts(&self) -> impl Iterator<Item = BlockId> {
        self.cut.values().flatten().copied()
    }

    /// Whether a jump from a way goes on to the loop, perhaps through a loop that is cut.
    pub(crate) fn is_on_way(&self, from: BlockId, to: BlockId) -> bool {
        let is_passed = || self.passed.values().any(|blocks| blocks.contains(&to));
        (self.way.contains(&to) || is_passed()) && !self.leaves(from, to)
    }

    /// The head of the cut loop that a block is in.
    pub(crate) fn cut_loop_around(&self, block: BlockId) -> Option<BlockId> {
        self.cut_loops().find(|(_, blocks)| blocks.contains(&block)).map(|(head, _)| *head)
    }

    /// Whether a jump leaves a wide region: it goes back to the head of a loop around, or from the loop to a way.
    pub(crate) fn leaves(&self, from: BlockId, to: BlockId) -> bool {
        let is_around = self.around.get(&to).is_some_and(|blocks| blocks.contains(&from));
        let is_way =
            || self.way.contains(&to) || self.passed.values().any(|blocks| blocks.contains(&to));
        self.is_wide && (is_around || (self.is_iterated(from) && is_way()))
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

/// Whether control can leave a loop and come back to its head without passing the head of a loop around it.
fn returns_otherwise(
    flow: &FunctionFlow,
    found: &Loop,
    around: &BTreeMap<BlockId, BTreeSet<BlockId>>,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut open: Vec<BlockId> = found.body.clone();
    while let Some(block) = open.pop() {
        for next in flow.successors(block) {
            let is_inside = found.body.contains(next);
            if is_inside && !found.body.contains(&block) {
                return true;
            }
            if !is_inside && !around.contains_key(next) && seen.insert(*next) {
                open.push(*next);
            }
        }
    }
    false
}

/// All blocks on ways from the start of the function to a head, ascending.
fn blocks_before(flow: &FunctionFlow, head: BlockId, body: &BTreeSet<BlockId>) -> Vec<BlockId> {
    let mut reached = BTreeSet::new();
    let mut open = vec![BlockId::from_index(0)];
    while let Some(block) = open.pop() {
        if !body.contains(&block) && reached.insert(block) {
            open.extend(flow.successors(block));
        }
    }
    let mut leading = BTreeSet::new();
    let mut open = vec![head];
    while let Some(block) = open.pop() {
        let before = flow.predecessors(block).iter().copied();
        open.extend(before.filter(|from| reached.contains(from) && leading.insert(*from)));
    }
    leading.into_iter().collect()
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
