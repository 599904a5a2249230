//! What glibc's allocator keeps for itself on the heap: the words before each block, blocks that are free, the
//! rest at the end. A loop that allocates must not look there, since nobody says what it would see.
//!
//! The heap is walked block by block, as the allocator does it. What does not look like a block, and all behind it,
//! is taken to be the allocator's, and so are the heaps of threads. **What it misses:** blocks that were freed into
//! the fast bins look like blocks in use.

use ouro_pcode::PcodeMachine;
use ouro_process::ProcessSnapshot;

use crate::limits::LIMITS;

/// Words before what `malloc` returned: the size is the second.
const HEADER: u64 = 16;
/// A block that was allocated uses the first word of the next one.
const BORROWED: u64 = 8;
const SMALLEST: u64 = 32;
/// The size of the first block, where each thread's allocator has lists of free blocks (`tcache`).
const LISTS: u64 = 0x290;
/// In that block: how many lists, and where they begin.
const LIST_COUNT: u64 = 64;
const LISTS_AT: u64 = 2 * LIST_COUNT;
/// Heaps of threads begin at multiples of this.
const THREAD_HEAP: u64 = 64 << 20;

/// The stretches of heaps that are the allocator's, in order.
pub(crate) fn allocator_stretches(
    snapshot: &ProcessSnapshot,
    head: &PcodeMachine,
) -> Vec<(u64, u64)> {
    let heap = snapshot.mappings.iter().filter(|mapping| mapping.name == "[heap]");
    let first = heap.clone().map(|mapping| mapping.start).min();
    let last = heap.map(|mapping| mapping.end).max();
    let mut kept = match (first, last) {
        (Some(first), Some(last)) => {
            let mut memory = head.memory.clone();
            walk_heap(first, last, &mut |at| memory.read_number(at, 8).ok())
        }
        _ => Vec::new(),
    };
    let anonymous = snapshot.mappings.iter().filter(|m| m.name.is_empty() && m.inode.is_none());
    let threads = anonymous.filter(|m| m.write && m.start % THREAD_HEAP == 0);
    kept.extend(threads.map(|mapping| (mapping.start, mapping.end)));
    kept.sort_unstable();
    kept
}

fn walk_heap(start: u64, end: u64, word: &mut dyn FnMut(u64) -> Option<u64>) -> Vec<(u64, u64)> {
    let free = free_blocks(start, word);
    let mut kept = Vec::new();
    // What is the allocator's since here.
    let (mut since, mut block) = (start, start);
    while block - start < LIMITS.heap_reach
        && let Some(size) = word(block + 8).map(|size| size & !7)
    {
        let next = block.saturating_add(size);
        let in_use = word(next.saturating_add(8)).is_some_and(|size| size & 1 == 1);
        if size < SMALLEST || !size.is_multiple_of(16) || next.saturating_add(HEADER) > end {
            break;
        }
        // The first block is the allocator's own.
        if in_use && block > start && !free.contains(&block) {
            kept.push((since, block + HEADER));
            since = next + BORROWED;
        }
        block = next;
    }
    kept.push((since, end));
    kept
}

/// Blocks in the lists of the thread that began the heap.
fn free_blocks(start: u64, word: &mut dyn FnMut(u64) -> Option<u64>) -> Vec<u64> {
    let mut free = Vec::new();
    if word(start + 8).map(|size| size & !7) != Some(LISTS) {
        return free;
    }
    for list in 0..LIST_COUNT {
        let mut user = word(start + HEADER + LISTS_AT + 8 * list).unwrap_or(0);
        while user >= HEADER && free.len() < LIMITS.free_blocks {
            let block = user - HEADER;
            if free.contains(&block) {
                break;
            }
            free.push(block);
            // The link is kept with the upper bits of where it is.
            user = word(user).map_or(0, |link| link ^ user >> 12);
        }
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn only_what_was_handed_out_is_the_programs() {
        let start = 0x5000_0000;
        let (first, second, third, top) =
            (start + LISTS, start + LISTS + 0x20, start + LISTS + 0x60, start + LISTS + 0x80);
        let words: HashMap<u64, u64> = [
            (start + 8, LISTS | 1),
            (first + 8, 0x21),
            (second + 8, 0x41),
            (third + 8, 0x21),
            (top + 8, 0x1000 | 1),
            // The second block is free.
            (start + HEADER + LISTS_AT + 16, second + HEADER),
            (second + HEADER, (second + HEADER) >> 12),
        ]
        .into();
        let end = top + 0x1000;
        let kept = walk_heap(start, end, &mut |at| Some(words.get(&at).copied().unwrap_or(0)));
        assert_eq!(kept, [(start, first + 16), (second + 8, third + 16), (top + 8, end)]);
        let kept = walk_heap(start, end, &mut |_| Some(7));
        assert_eq!(kept, [(start, end)], "no heap of this kind");
    }
}
