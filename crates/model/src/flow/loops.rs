//! Loops, reducible or not.
//!
//! A depth-first search from the entry finds the heads: the targets of edges to a block that is
//! still open. The body of a head is what the search entered below it and can get back to it
//! without leaving that subtree. For a reducible loop this is the natural loop; for another it is
//! the strongly connected part that remains when the heads entered earlier are taken away.

use crate::ids::TypedId;
use crate::{BlockId, Function, Span};

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// Its head.
    pub head: BlockId,
    /// Its blocks, ascending, the head among them.
    pub body: Vec<BlockId>,
    /// Where it is in the source: the first known place of its head, or else of its body.
    pub span: Span,
}

/// Which blocks are heads, and their loops by ascending head.
pub(super) fn find_loops(
    function: &Function,
    successors: &[Vec<BlockId>],
    predecessors: &[Vec<BlockId>],
) -> (Vec<bool>, Vec<Loop>) {
    let search = DepthFirstSearch::of_successors(successors);
    let count = successors.len();
    let mut heads = vec![false; count];
    let mut loops = Vec::new();
    for head in 0..count {
        let mut pending: Vec<usize> = predecessors[head]
            .iter()
            .map(|from| from.index())
            .filter(|from| search.is_below(*from, head))
            .collect();
        if pending.is_empty() {
            continue;
        }
        heads[head] = true;
        let mut inside = vec![false; count];
        inside[head] = true;
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut inside[block], true) {
                let before = predecessors[block].iter().map(|from| from.index());
                pending.extend(before.filter(|from| search.is_below(*from, head)));
            }
        }
        let body: Vec<BlockId> =
            (0..count).filter(|b| inside[*b]).map(BlockId::from_index).collect();
        let span = std::iter::once(&BlockId::from_index(head))
            .chain(&body)
            .find_map(|block| known_span(function, *block))
            .unwrap_or(Span::NONE);
        loops.push(Loop { head: BlockId::from_index(head), body, span });
    }
    (heads, loops)
}

fn known_span(function: &Function, block: BlockId) -> Option<Span> {
    let block = &function.blocks[block];
    let spans = block.statements.iter().map(|statement| statement.span);
    spans.chain([block.span]).find(|span| span.is_known())
}

/// When a depth-first search opened and closed each block.
struct DepthFirstSearch {
    opened: Vec<usize>,
    closed: Vec<usize>,
}

impl DepthFirstSearch {
    /// From the entry first, then from each block that is still unseen, so that cycles nobody can
    /// reach have a head too.
    fn of_successors(successors: &[Vec<BlockId>]) -> DepthFirstSearch {
        const NEVER: usize = usize::MAX;
        let count = successors.len();
        let mut search =
            DepthFirstSearch { opened: vec![NEVER; count], closed: vec![NEVER; count] };
        let mut time = 0;
        let mut tick = || {
            time += 1;
            time
        };
        for root in 0..count {
            if search.opened[root] != NEVER {
                continue;
            }
            search.opened[root] = tick();
            let mut open = vec![(root, 0)];
            while let Some((block, tried)) = open.last_mut() {
                match successors[*block].get(*tried) {
                    Some(next) => {
                        *tried += 1;
                        let next = next.index();
                        if search.opened[next] == NEVER {
                            search.opened[next] = tick();
                            open.push((next, 0));
                        }
                    }
                    None => {
                        search.closed[*block] = tick();
                        open.pop();
                    }
                }
            }
        }
        search
    }

    /// Whether the search entered `block` from `ancestor` or below it; every block is below itself.
    fn is_below(&self, block: usize, ancestor: usize) -> bool {
        self.opened[ancestor] <= self.opened[block] && self.closed[block] <= self.closed[ancestor]
    }
}
