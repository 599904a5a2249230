//! Memory of a snapshot, for the machine. What others may write is left out: a proof must not rest on it. That
//! goes for files which are mapped privately too, as long as the process has no copy of its own of a page.

use ouro_pcode::{MemoryBacking, PAGE};
use ouro_process::{MemoryMapping, ProcessSnapshot, SnapshotMemory};

/// Bytes and rights of a snapshot.
pub(crate) struct FrozenMemory {
    memory: SnapshotMemory,
    mappings: Vec<MemoryMapping>,
    /// Of each mapping: whether a page that was not written shows data of a file.
    data: Vec<bool>,
    /// Where the first thread's stack grows into: first, and after the last.
    growth: (u64, u64),
}

/// What the stack of a first thread may grow to where nobody says otherwise.
const USUAL_STACK: u64 = 8 << 20;
/// The kernel keeps the stack so far from what lies below.
const GAP: u64 = 256 * PAGE;

/// The addresses that the first thread's stack grows into when they are used.
pub(crate) fn stack_growth_range(snapshot: &ProcessSnapshot) -> (u64, u64) {
    let Some(at) = snapshot.mappings.iter().position(|m| m.name == "[stack]") else {
        return (0, 0);
    };
    let stack = &snapshot.mappings[at];
    let limit = snapshot.circumstances.stack_limit.unwrap_or(USUAL_STACK);
    let below = at.checked_sub(1).map_or(0, |below| snapshot.mappings[below].end + GAP);
    let low = stack.end.saturating_sub(limit).max(below).next_multiple_of(PAGE);
    if low < stack.start { (low, stack.start) } else { (0, 0) }
}

impl FrozenMemory {
    pub(crate) fn new(snapshot: &ProcessSnapshot) -> FrozenMemory {
        FrozenMemory {
            memory: snapshot.memory.clone(),
            mappings: snapshot.mappings.clone(),
            data: snapshot.mappings.iter().map(|mapping| is_data_file(snapshot, mapping)).collect(),
            growth: stack_growth_range(snapshot),
        }
    }

    fn is_in_stack_growth(&self, address: u64) -> bool {
        (self.growth.0..self.growth.1).contains(&address)
    }

    fn mapping_at(&self, address: u64) -> Option<&MemoryMapping> {
        self.mappings.get(self.mapping_number(address)?)
    }

    fn mapping_number(&self, address: u64) -> Option<usize> {
        let at = self.mappings.partition_point(|m| m.start <= address).checked_sub(1)?;
        self.mappings[at].contains(address).then_some(at)
    }

    /// Whether others may change what is on a page.
    fn is_page_outside(&self, address: u64) -> bool {
        self.mapping_number(address).is_some_and(|at| {
            let mapping = &self.mappings[at];
            is_mapping_outside(mapping) || self.data[at] && mapping.is_clean(address)
        })
    }
}

/// Where systems have what is installed with programs and libraries: it is replaced, and not written.
const INSTALLED: [&str; 3] = ["/usr/lib", "/usr/share/", "/lib"];
/// Files without bytes of their own: what was not written is zero.
const ZEROS: [&str; 2] = ["/dev/zero", "/anon_hugepage (deleted)"];

/// Whether a mapping is private and of a file that may be written at any time: neither a program or a library,
/// nor installed with one.
pub(crate) fn is_data_file(snapshot: &ProcessSnapshot, mapping: &MemoryMapping) -> bool {
    mapping.inode.is_some()
        && mapping.shared == Some(false)
        && !ZEROS.contains(&mapping.name.as_str())
        && !INSTALLED.iter().any(|folder| mapping.name.starts_with(folder))
        && !is_image_file(snapshot, mapping)
}

/// Whether a mapped file is a program or a library: some of it may be executed, and it begins as they do.
pub(crate) fn is_image_file(snapshot: &ProcessSnapshot, mapping: &MemoryMapping) -> bool {
    let same = |other: &&MemoryMapping| other.name == mapping.name && other.inode == mapping.inode;
    let pieces = snapshot.mappings.iter().filter(same);
    let mut magic = [0; 4];
    pieces.clone().any(|piece| piece.execute)
        && pieces.clone().any(|piece| {
            piece.offset == 0
                && snapshot.memory.read(piece.start, &mut magic).is_ok()
                && magic == *b"\x7fELF"
        })
}

/// Whether others may change what is there, or decide whether it is there: shared, special, or the kernel's
/// clock. That this process may not write it says nothing about others.
pub(crate) fn is_mapping_outside(mapping: &MemoryMapping) -> bool {
    // A core does not tell; what has a file behind it may be shared.
    mapping.shared.unwrap_or(mapping.inode.is_some())
        || mapping.special
        || mapping.name.starts_with("[vvar")
}

impl MemoryBacking for FrozenMemory {
    fn fill_page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        debug_assert_eq!(address % PAGE, 0);
        if self.is_in_stack_growth(address) {
            // The kernel adds pages of zeros.
            into.fill(0);
            return true;
        }
        !self.is_page_outside(address) && self.memory.read(address, into).is_ok()
    }

    fn is_writable(&self, address: u64) -> bool {
        self.is_in_stack_growth(address) || self.mapping_at(address).is_some_and(|m| m.write)
    }

    fn is_executable(&self, address: u64) -> bool {
        self.mapping_at(address).is_some_and(|m| m.execute)
    }
}
