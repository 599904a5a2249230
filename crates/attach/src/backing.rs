//! Memory of a snapshot, for the machine. What others may write is left out: a proof must not rest on it.

use ouro_pcode::{Backing, PAGE};
use ouro_process::{Mapping, Memory, Snapshot};

/// Bytes and rights of a snapshot.
pub(crate) struct Frozen {
    memory: Memory,
    mappings: Vec<Mapping>,
}

impl Frozen {
    pub(crate) fn new(snapshot: &Snapshot) -> Frozen {
        Frozen { memory: snapshot.memory.clone(), mappings: snapshot.mappings.clone() }
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        let at = self.mappings.partition_point(|m| m.start <= address);
        self.mappings.get(at.checked_sub(1)?).filter(|m| m.contains(address))
    }
}

/// Whether others may change what is there: shared and writable by somebody, or the kernel's clock.
pub(crate) fn outside(mapping: &Mapping) -> bool {
    let shared = mapping.write
        && match mapping.shared {
            Some(shared) => shared,
            // A core does not tell. Libraries' data are private; other files may be shared.
            None => mapping.inode.is_some() && !looks_like_code(&mapping.name),
        };
    shared || mapping.name.starts_with("[vvar")
}

fn looks_like_code(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    base.contains(".so") || !base.contains('.') || name.contains("/bin/")
}

impl Backing for Frozen {
    fn page(&self, address: u64, into: &mut [u8; 4096]) -> bool {
        debug_assert_eq!(address % PAGE, 0);
        !self.mapping(address).is_some_and(outside) && self.memory.read(address, into).is_ok()
    }

    fn writable(&self, address: u64) -> bool {
        self.mapping(address).is_some_and(|m| m.write)
    }

    fn executable(&self, address: u64) -> bool {
        self.mapping(address).is_some_and(|m| m.execute)
    }
}
