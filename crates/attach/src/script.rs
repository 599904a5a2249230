//! Where an interpreter is in its script: from its own structures, as its debugger would find it.
//!
//! **What it misses:** versions whose structures are not known here; then there is no line, and nothing is
//! guessed. **When it misleads:** never about the loop: it is for people, and no proof rests on it.

mod lua;
mod python;

use std::fmt;

use ouro_process::{ProcessSnapshot, ProcessThread, SnapshotMemory, ThreadRegisters};
use serde::Serialize;

use crate::symbols::SnapshotSymbols;

/// A place in a script.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ScriptPlace {
    /// The language.
    pub language: &'static str,
    /// The file, or what the interpreter calls it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The function.
    pub function: String,
}

impl fmt::Display for ScriptPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        if !self.function.is_empty() {
            write!(f, " in {}", self.function)?;
        }
        write!(f, " ({})", self.language)
    }
}

/// The script's call stack, innermost first; empty if this is no interpreter that is known.
pub(crate) fn script_stack(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    thread: &ProcessThread,
    registers: &ThreadRegisters,
) -> Vec<ScriptPlace> {
    python::python_stack(snapshot, symbols, thread)
        .or_else(|| lua::lua_stack(snapshot, registers))
        .unwrap_or_default()
}

/// A number of that many bytes.
fn read_number(memory: &SnapshotMemory, at: u64, size: usize) -> Option<u64> {
    let mut bytes = [0; 8];
    memory.read(at, &mut bytes[..size]).ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// Bytes as text.
fn read_text(memory: &SnapshotMemory, at: u64, length: u64) -> Option<String> {
    let mut bytes = vec![0; usize::try_from(length).ok().filter(|length| *length < 4096)?];
    memory.read(at, &mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
