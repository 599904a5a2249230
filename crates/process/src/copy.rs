//! Memory of a process that stands still. Pages that were never touched are not read (reading would map
//! them), and large read-only files are read from disk afterwards.

use std::fs::File;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};

use crate::{MemoryMapping, SnapshotError, SnapshotMemory};

/// Read-only file mappings above this are read from disk, after the target runs again.
const LARGE: u64 = 32 << 20;
const PAGE: u64 = 4096;

/// Copies what the process can read, as far as it was touched.
pub(crate) fn copy_memory(
    pid: i32,
    from: &File,
    mappings: &[MemoryMapping],
    limit_mib: u64,
    into: &mut SnapshotMemory,
) -> Result<(), SnapshotError> {
    let pages = File::open(format!("/proc/{pid}/pagemap")).ok();
    let mut total = 0;
    for mapping in mappings.iter().filter(|m| m.read && m.name != "[vsyscall]") {
        if is_read_from_disk(mapping) {
            continue;
        }
        let anonymous = mapping.inode.is_none() && mapping.shared == Some(false);
        for (start, end, kind) in page_runs(pages.as_ref(), mapping, anonymous) {
            match kind {
                PageState::Touched => {}
                PageState::Untouched => {
                    into.add_zeros(start, end - start);
                    continue;
                }
                PageState::Guard => continue,
            }
            total += end - start;
            if total >> 20 > limit_mib {
                let all: u64 = mappings.iter().filter(|m| m.read).map(MemoryMapping::length).sum();
                return Err(SnapshotError::TooLarge { mib: all >> 20, limit: limit_mib });
            }
            copy_run(pid, from, start, end, into)?;
        }
    }
    Ok(())
}

/// Copies a stretch; where a page cannot be read (device memory, the end of a file) it stays absent.
fn copy_run(
    pid: i32,
    from: &File,
    start: u64,
    end: u64,
    into: &mut SnapshotMemory,
) -> Result<(), SnapshotError> {
    let mut at = start;
    while at < end {
        let mut bytes = vec![0; usize::try_from(end - at).unwrap_or(usize::MAX)];
        match from.read_at(&mut bytes, at) {
            Ok(0) => return Err(SnapshotError::Gone(pid)),
            Ok(count) => {
                bytes.truncate(count);
                into.add(at, bytes);
                at += count as u64;
            }
            Err(_) => at = (at / PAGE + 1) * PAGE,
        }
    }
    Ok(())
}

fn is_read_from_disk(mapping: &MemoryMapping) -> bool {
    mapping.file().is_some()
        && !mapping.write
        && mapping.length() > LARGE
        && mapping.shared == Some(false)
}

/// Marks what shows the files behind private mappings. Where the kernel does not tell, all of it does.
pub(crate) fn mark_clean_pages(pid: i32, mappings: &mut [MemoryMapping]) {
    let pages = File::open(format!("/proc/{pid}/pagemap")).ok();
    for mapping in mappings.iter_mut() {
        if mapping.inode.is_none() || mapping.shared != Some(false) {
            continue;
        }
        let whole = vec![(mapping.start, mapping.end)];
        let entries = pages.as_ref().and_then(|pages| pagemap_entries(pages, mapping));
        mapping.clean = entries.map_or(whole, |entries| clean_stretches(mapping.start, &entries));
    }
}

/// The entries of `/proc/PID/pagemap` for a mapping.
fn pagemap_entries(pages: &File, mapping: &MemoryMapping) -> Option<Vec<u64>> {
    let mut bytes = vec![0; usize::try_from(mapping.length() / PAGE).ok()?.checked_mul(8)?];
    pages.read_exact_at(&mut bytes, mapping.start / PAGE * 8).ok()?;
    Some(bytes.as_chunks::<8>().0.iter().map(|entry| u64::from_le_bytes(*entry)).collect())
}

/// The stretches of clean pages among those of a mapping.
fn clean_stretches(start: u64, entries: &[u64]) -> Vec<(u64, u64)> {
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (page, entry) in (start..).step_by(4096).zip(entries) {
        match found.last_mut() {
            _ if is_own_page(*entry) => {}
            Some((_, end)) if *end == page => *end += PAGE,
            _ => found.push((page, page + PAGE)),
        }
    }
    found
}

/// Whether a page is a copy of the process's own: in memory or swapped out (bits 63, 62), and not of a file (61).
fn is_own_page(entry: u64) -> bool {
    entry >> 62 != 0 && entry >> 61 & 1 == 0
}

/// What the kernel says about a page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PageState {
    Touched,
    /// Zeros, as soon as it is.
    Untouched,
    /// Using it faults.
    Guard,
}

/// From an entry of `/proc/PID/pagemap`.
fn page_state(entry: u64) -> PageState {
    // Bit 63: in memory; bit 62: swapped out; bit 58: a guard.
    match (entry >> 62, entry >> 58 & 1) {
        (0, 0) => PageState::Untouched,
        (0, _) => PageState::Guard,
        _ => PageState::Touched,
    }
}

/// The stretches of a mapping, by what the kernel says about their pages.
fn page_runs(
    pages: Option<&File>,
    mapping: &MemoryMapping,
    anonymous: bool,
) -> Vec<(u64, u64, PageState)> {
    let whole = vec![(mapping.start, mapping.end, PageState::Touched)];
    let Some(pages) = pages.filter(|_| anonymous && mapping.length() > 16 * PAGE) else {
        return whole;
    };
    let count = usize::try_from(mapping.length() / PAGE).unwrap_or(usize::MAX);
    let mut runs: Vec<(u64, u64, PageState)> = Vec::new();
    let mut buffer = vec![0; count.min(1 << 16) * 8];
    let mut page = 0;
    while page < count {
        let wanted = (count - page).min(1 << 16) * 8;
        let at = (mapping.start / PAGE + page as u64) * 8;
        if pages.read_exact_at(&mut buffer[..wanted], at).is_err() {
            return whole;
        }
        for entry in buffer[..wanted].as_chunks::<8>().0 {
            let kind = page_state(u64::from_le_bytes(*entry));
            let start = mapping.start + page as u64 * PAGE;
            match runs.last_mut() {
                Some(run) if run.2 == kind => run.1 = start + PAGE,
                _ => runs.push((start, start + PAGE, kind)),
            }
            page += 1;
        }
    }
    runs
}

/// Reads large read-only files from disk, if they still are what was mapped.
pub(crate) fn read_large_files(mappings: &[MemoryMapping], into: &mut SnapshotMemory) {
    for mapping in mappings.iter().filter(|m| m.read && is_read_from_disk(m)) {
        let Some(file) = mapping.file().and_then(|path| File::open(path).ok()) else { continue };
        let same = file
            .metadata()
            .is_ok_and(|found| mapping.inode.is_some_and(|(_, inode)| inode == found.ino()));
        if same {
            let mut bytes = vec![0; usize::try_from(mapping.length()).unwrap_or(0)];
            if let Ok(count) = file.read_at(&mut bytes, mapping.offset) {
                bytes.truncate(count);
                into.add(mapping.start, bytes);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_about_a_page() {
        assert_eq!(page_state(0), PageState::Untouched);
        assert_eq!(page_state(1 << 63 | 7), PageState::Touched);
        assert_eq!(page_state(1 << 62), PageState::Touched);
        assert_eq!(page_state(1 << 58), PageState::Guard);
        assert!(is_own_page(1 << 63) && is_own_page(1 << 62));
        assert!(!is_own_page(0) && !is_own_page(0b101 << 61) && !is_own_page(1 << 58));
        let entries = [1 << 63, 0, 0b101 << 61, 1 << 62, 0];
        assert_eq!(clean_stretches(0x1000, &entries), [(0x2000, 0x4000), (0x5000, 0x6000)]);
    }
}
