//! Mappings: which addresses exist, what may be done there, and which file lies behind them.

use serde::{Deserialize, Serialize};

/// A stretch of address space.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MemoryMapping {
    /// The first address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// May be read.
    pub read: bool,
    /// May be written.
    pub write: bool,
    /// May be executed.
    pub execute: bool,
    /// Whether others see what is written; `None` where that is not known (core files).
    pub shared: Option<bool>,
    /// Its pages are not the process's alone to use: another process fills them in (`userfaultfd`), a
    /// protection key guards them, or the kernel may drop them.
    #[serde(default)]
    pub special: bool,
    /// Stretches of a file that is mapped privately whose pages the process has not written: they show what is
    /// in the file, and change when the file does. Core files do not tell.
    #[serde(default)]
    pub clean: Vec<(u64, u64)>,
    /// Where in the file it begins.
    pub offset: u64,
    /// Device and inode of the file, `None` for anonymous memory.
    pub inode: Option<(u64, u64)>,
    /// The file, or a name such as `[stack]`; empty for anonymous memory.
    pub name: String,
}

impl MemoryMapping {
    /// Whether an address lies inside.
    pub fn contains(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        self.end - self.start
    }

    /// Whether the page of an address shows what is in a file.
    pub fn is_clean(&self, address: u64) -> bool {
        let at = self.clean.partition_point(|(_, end)| *end <= address);
        self.clean.get(at).is_some_and(|(start, _)| *start <= address)
    }

    /// The file behind it, if there is one.
    pub fn file(&self) -> Option<&str> {
        self.name.starts_with('/').then_some(self.name.as_str())
    }

    /// A line of `/proc/PID/maps`.
    pub(crate) fn parse(line: &str) -> Option<MemoryMapping> {
        let mut rest = line;
        let mut word = || {
            let text = rest.trim_start();
            let (word, left) = text.split_once(' ').unwrap_or((text, ""));
            rest = left;
            word
        };
        let (start, end) = word().split_once('-')?;
        let allowed = word().as_bytes();
        let offset = u64::from_str_radix(word(), 16).ok()?;
        let (major, minor) = word().split_once(':')?;
        let device =
            u64::from_str_radix(major, 16).ok()? << 32 | u64::from_str_radix(minor, 16).ok()?;
        let inode: u64 = word().parse().ok()?;
        let &[read, write, execute, shared] = allowed else { return None };
        Some(MemoryMapping {
            start: u64::from_str_radix(start, 16).ok()?,
            end: u64::from_str_radix(end, 16).ok()?,
            read: read == b'r',
            write: write == b'w',
            execute: execute == b'x',
            shared: Some(shared == b's'),
            special: false,
            clean: Vec::new(),
            offset,
            inode: (inode != 0).then_some((device, inode)),
            name: rest.trim_start().trim_end_matches('\n').to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_maps() {
        let line = "7f00-8f00 r-xp 00001000 fe:01 123        /usr/lib/a b.so";
        let mapping = MemoryMapping::parse(line).expect("a mapping");
        assert_eq!((mapping.start, mapping.end, mapping.offset), (0x7f00, 0x8f00, 0x1000));
        assert!(mapping.read && !mapping.write && mapping.execute);
        assert_eq!(mapping.shared, Some(false));
        assert_eq!(mapping.file(), Some("/usr/lib/a b.so"));
        let stack = MemoryMapping::parse("1-2 rw-s 0 00:00 0    [stack]").expect("a mapping");
        assert_eq!((stack.file(), stack.inode, stack.shared), (None, None, Some(true)));
        assert_eq!(MemoryMapping::parse("nonsense"), None);
        let clean = MemoryMapping { clean: vec![(10, 20), (30, 40)], ..stack };
        let found: Vec<u64> = (0..50).filter(|at| clean.is_clean(*at)).collect();
        assert_eq!(found, (10..20).chain(30..40).collect::<Vec<u64>>());
    }
}
