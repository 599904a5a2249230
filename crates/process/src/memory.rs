//! Bytes by address. What nobody has is absent, never zero.

use std::fmt;
use std::sync::Arc;

/// No byte is known at this address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AbsentByte {
    /// The first address without a byte.
    pub address: u64,
}

impl fmt::Display for AbsentByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory is known at {:#x}", self.address)
    }
}

impl std::error::Error for AbsentByte {}

/// Memory as it was, as stretches that do not overlap, by address. Copies share their bytes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SnapshotMemory {
    stretches: Vec<MemoryStretch>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct MemoryStretch {
    start: u64,
    length: u64,
    /// Empty for a stretch of zeros that the process never touched.
    bytes: Arc<Vec<u8>>,
}

impl SnapshotMemory {
    /// Nothing known.
    pub fn new() -> SnapshotMemory {
        SnapshotMemory::default()
    }

    /// Adds bytes; what is known already stays.
    pub fn add(&mut self, start: u64, bytes: Vec<u8>) {
        let length = bytes.len() as u64;
        self.insert(&MemoryStretch { start, length, bytes: Arc::new(bytes) });
    }

    /// Adds zeros that the process has mapped and never touched.
    pub fn add_zeros(&mut self, start: u64, length: u64) {
        self.insert(&MemoryStretch { start, length, bytes: Arc::default() });
    }

    fn insert(&mut self, stretch: &MemoryStretch) {
        if stretch.length == 0 {
            return;
        }
        let end = stretch.start + stretch.length;
        let at = self.stretches.partition_point(|s| s.start < stretch.start);
        let before = at.checked_sub(1).map(|i| &self.stretches[i]);
        let free_from = before.map_or(0, |s| s.start + s.length).max(stretch.start);
        let free_to = self.stretches.get(at).map_or(u64::MAX, |s| s.start).min(end);
        if free_from < free_to {
            let cut = |from: u64, to: u64| {
                if stretch.bytes.is_empty() || (from == stretch.start && to == end) {
                    Arc::clone(&stretch.bytes)
                } else {
                    let (from, to) = (
                        offset_as_index(from - stretch.start),
                        offset_as_index(to - stretch.start),
                    );
                    Arc::new(stretch.bytes[from..to].to_vec())
                }
            };
            let piece = MemoryStretch {
                start: free_from,
                length: free_to - free_from,
                bytes: cut(free_from, free_to),
            };
            self.stretches.insert(at, piece);
        }
        // Whatever lies behind the next known stretch is tried as a piece of its own.
        let next = self.stretches.iter().find(|s| s.start >= free_to && s.start < end);
        if let Some(resume) = next.map(|s| s.start + s.length).filter(|resume| *resume < end) {
            let bytes = if stretch.bytes.is_empty() {
                Vec::new()
            } else {
                stretch.bytes[offset_as_index(resume - stretch.start)..].to_vec()
            };
            self.insert(&MemoryStretch {
                start: resume,
                length: end - resume,
                bytes: Arc::new(bytes),
            });
        }
    }

    /// Copies bytes out.
    ///
    /// # Errors
    /// If one of them is absent.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), AbsentByte> {
        let mut done = 0;
        while done < into.len() {
            let at = address.wrapping_add(done as u64);
            let Some(stretch) = self.stretch_at(at) else { return Err(AbsentByte { address: at }) };
            let from = at - stretch.start;
            let count =
                usize::try_from(stretch.length - from).unwrap_or(usize::MAX).min(into.len() - done);
            if stretch.bytes.is_empty() {
                into[done..done + count].fill(0);
            } else {
                let from = offset_as_index(from);
                into[done..done + count].copy_from_slice(&stretch.bytes[from..from + count]);
            }
            done += count;
        }
        Ok(())
    }

    /// A number of eight bytes.
    ///
    /// # Errors
    /// If one of them is absent.
    pub fn word(&self, address: u64) -> Result<u64, AbsentByte> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// A C string of at most that many bytes.
    pub fn string(&self, address: u64, most: usize) -> Option<String> {
        let mut text = Vec::new();
        for i in 0..most as u64 {
            let mut byte = [0];
            self.read(address.checked_add(i)?, &mut byte).ok()?;
            if byte[0] == 0 {
                return String::from_utf8(text).ok();
            }
            text.push(byte[0]);
        }
        None
    }

    /// Whether the byte at an address is known.
    pub fn has_byte(&self, address: u64) -> bool {
        self.stretch_at(address).is_some()
    }

    /// The known stretches: address, length, and bytes unless all are zero.
    pub fn stretches(&self) -> impl Iterator<Item = (u64, u64, Option<&[u8]>)> {
        self.stretches.iter().map(|s| {
            (s.start, s.length, if s.bytes.is_empty() { None } else { Some(s.bytes.as_slice()) })
        })
    }

    /// How many bytes are held, zeros left out.
    pub fn held_bytes(&self) -> u64 {
        self.stretches.iter().map(|s| s.bytes.len() as u64).sum()
    }

    fn stretch_at(&self, address: u64) -> Option<&MemoryStretch> {
        let at = self.stretches.partition_point(|s| s.start <= address);
        let stretch = &self.stretches[at.checked_sub(1)?];
        (address - stretch.start < stretch.length).then_some(stretch)
    }
}

/// An offset inside a buffer that exists, so it fits.
fn offset_as_index(bytes: u64) -> usize {
    usize::try_from(bytes).expect("an offset inside memory we hold")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_absent_is_an_error_of_its_own() {
        let mut memory = SnapshotMemory::new();
        memory.add(0x1000, vec![1; 16]);
        memory.add_zeros(0x1010, 16);
        let mut two = [9; 2];
        memory.read(0x100f, &mut two).expect("both are known");
        assert_eq!(two, [1, 0]);
        assert_eq!(memory.read(0x101f, &mut two), Err(AbsentByte { address: 0x1020 }));
        assert_eq!(memory.read(0xfff, &mut two), Err(AbsentByte { address: 0xfff }));
    }

    #[test]
    fn what_is_known_stays() {
        let mut memory = SnapshotMemory::new();
        memory.add(0x10, vec![1; 4]);
        memory.add(0x20, vec![2; 4]);
        memory.add(0x8, vec![7; 0x20]);
        let mut all = [0; 0x20];
        memory.read(0x8, &mut all).expect("all known");
        assert_eq!(all[7..13], [7, 1, 1, 1, 1, 7]);
        assert_eq!(all[0x17..0x1d], [7, 2, 2, 2, 2, 7]);
        assert_eq!(memory.held_bytes(), 0x20);
    }
}
