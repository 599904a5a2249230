//! Memory of a snapshot, for the machine. What others may write is left out: a proof must not rest on it.

use ouro_pcode::{Backing, PAGE};
use ouro_process::{Mapping, Memory, Snapshot};

/// Bytes and rights of a snapshot.
pub(crate) struct Frozen {
    memory: Memory,
    mappings: Vec<Mapping>,
    /// Where the first thread's stack grows into: first, and after the last.
    growth: (u64, u64),
}

/// What the stack of a first thread may grow to where nobody says otherwise.
const USUAL_STACK: u64 = 8 << 20;
/// The kernel keeps the stack so far from what lies below.
const GAP: u64 = 256 * PAGE;

/// The addresses that the first thread's stack grows into when they are used.
pub(crate) fn growth(snapshot: &Snapshot) -> (u64, u64) {
    let Some(at) = snapshot.mappings.iter().position(|m| m.name == "[stack]") else {
        return (0, 0);
    };
    let stack = &snapshot.mappings[at];
    let limit = snapshot.circumstances.stack_limit.unwrap_or(USUAL_STACK);
    let below = at.checked_sub(1).map_or(0, |below| snapshot.mappings[below].end + GAP);
    let low = stack.end.saturating_sub(limit).max(below).next_multiple_of(PAGE);
    if low < stack.start { (low, stack.start) } else { (0, 0) }
}

impl Frozen {
    pub(crate) fn new(snapshot: &Snapshot) -> Frozen {
        Frozen {
            memory: snapshot.memory.clone(),
            mappings: snapshot.mappings.clone(),
            growth: growth(snapshot),
        }
    }

    fn grows(&self, address: u64) -> bool {
        (self.growth.0..self.growth.1).contains(&address)
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        let at = self.mappings.partition_point(|m| m.start <= address);
        self.mappings.get(at.checked_sub(1)?).filter(|m| m.contains(address))
    }
}

/// Whether others may change what is there, or decide whether it is there: shared, special, or the kernel's
/// clock. That this process may not write it says nothing about others.
pub(crate) fn outside(mapping: &Mapping) -> bool {
    // A core does not tell; what has a file behind it may be shared.
    mapping.shared.unwrap_or(mapping.inode.is_some())
        || mapping.special
        || mapping.name.starts_with("[vvar")
}

impl Backing for Frozen {
    fn page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        debug_assert_eq!(address % PAGE, 0);
        if self.grows(address) {
            // The kernel adds pages of zeros.
            into.fill(0);
            return true;
        }
        !self.mapping(address).is_some_and(outside) && self.memory.read(address, into).is_ok()
    }

    fn writable(&self, address: u64) -> bool {
        self.grows(address) || self.mapping(address).is_some_and(|m| m.write)
    }

    fn executable(&self, address: u64) -> bool {
        self.mapping(address).is_some_and(|m| m.execute)
    }
}
