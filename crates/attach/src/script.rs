//! Where an interpreter is in its script: from its own structures, as its debugger would find it.
//!
//! **What it misses:** versions whose structures are not known here; then there is no line, and nothing is
//! guessed. **When it misleads:** never about the loop: it is for people, and no proof rests on it.

mod lua;
mod python;

pub(crate) use ouro_evidence::process::ScriptPlace;
use ouro_process::{Memory, Registers, Snapshot, Thread};

use crate::symbols::Symbols;

/// The script's call stack, innermost first; empty if this is no interpreter that is known.
pub(crate) fn places(
    snapshot: &Snapshot,
    symbols: &Symbols<'_>,
    thread: &Thread,
    registers: &Registers,
) -> Vec<ScriptPlace> {
    python::places(snapshot, symbols, thread)
        .or_else(|| lua::places(snapshot, registers))
        .unwrap_or_default()
}

/// A number of that many bytes.
fn number(memory: &Memory, at: u64, size: usize) -> Option<u64> {
    let mut bytes = [0; 8];
    memory.read(at, &mut bytes[..size]).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Bytes as text.
fn text(memory: &Memory, at: u64, length: u64) -> Option<String> {
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|length| *length < 4096)?];
    memory.read(at, &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
