//! A snapshot as a file: a line that says so, a JSON header with its length, then the bytes.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{ProcessSnapshot, SnapshotError, SnapshotMemory};

const MAGIC: &[u8] = b"ouro snapshot 1\n";

#[derive(Serialize, Deserialize)]
struct SavedHeader {
    snapshot: ProcessSnapshot,
    /// Address, length, and whether bytes follow; the others are zero.
    stretches: Vec<(u64, u64, bool)>,
}

/// Writes a snapshot.
///
/// # Errors
/// If it cannot be written.
pub fn save_snapshot(snapshot: &ProcessSnapshot, to: &mut impl Write) -> io::Result<()> {
    let stretches =
        snapshot.memory.stretches().map(|(s, l, bytes)| (s, l, bytes.is_some())).collect();
    let without = ProcessSnapshot { memory: SnapshotMemory::new(), ..snapshot.clone() };
    let header = serde_json::to_vec(&SavedHeader { snapshot: without, stretches })?;
    to.write_all(MAGIC)?;
    to.write_all(&(header.len() as u64).to_le_bytes())?;
    to.write_all(&header)?;
    for (_, _, bytes) in snapshot.memory.stretches() {
        to.write_all(bytes.unwrap_or_default())?;
    }
    to.flush()
}

/// Reads a snapshot that [`save_snapshot`] wrote.
///
/// # Errors
/// If it is not one, or cut off.
pub fn load_snapshot(path: &Path) -> Result<ProcessSnapshot, SnapshotError> {
    let bytes =
        fs::read(path).map_err(|error| SnapshotError::io(path.display().to_string(), error))?;
    let not = |why: String| SnapshotError::NotA { path: path.into(), what: "a snapshot", why };
    let short = |expected: u64| SnapshotError::Truncated {
        path: path.into(),
        expected,
        found: bytes.len() as u64,
    };
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return Err(not("it does not start with `ouro snapshot 1`".to_owned()));
    };
    let Some((length, rest)) = rest.split_first_chunk::<8>() else { return Err(short(24)) };
    let length = u64::from_le_bytes(*length);
    let Some((header, mut rest)) =
        usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
    else {
        return Err(short(length.saturating_add(24)));
    };
    let SavedHeader { mut snapshot, stretches } =
        serde_json::from_slice(header).map_err(|error| not(error.to_string()))?;
    for (start, length, present) in stretches {
        if start.checked_add(length).is_none() {
            return Err(not("memory outside the address space".to_owned()));
        }
        if !present {
            snapshot.memory.add_zeros(start, length);
            continue;
        }
        let Some((bytes, after)) =
            usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
        else {
            return Err(short(bytes.len() as u64 - rest.len() as u64 + length));
        };
        snapshot.memory.add(start, bytes.to_vec());
        rest = after;
    }
    Ok(snapshot)
}
