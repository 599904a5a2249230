//! CPython 3.11: `_PyRuntime`, its interpreters, their threads, the frames of a thread.

use ouro_process::{ProcessSnapshot, ProcessThread, SnapshotMemory};

use super::{ScriptPlace, read_number, read_text};
use crate::symbols::SnapshotSymbols;

/// `PY_VERSION_HEX` without the last two digits of it that do not change structures.
const VERSION: u64 = 0x030b;

// Offsets in structures, each named after its structure and field.
const RUNTIME_INTERPRETERS: u64 = 40;
const INTERPRETER_THREADS: u64 = 16;
const THREAD_NEXT: u64 = 8;
const THREAD_CFRAME: u64 = 56;
const THREAD_NATIVE_ID: u64 = 160;
const CFRAME_CURRENT: u64 = 8;
const FRAME_CODE: u64 = 32;
const FRAME_PREVIOUS: u64 = 48;
const FRAME_INSTRUCTION: u64 = 56;
const CODE_FIRST_LINE: u64 = 72;
const CODE_FILE: u64 = 112;
const CODE_NAME: u64 = 120;
const CODE_LINES: u64 = 136;
const CODE_INSTRUCTIONS: u64 = 184;
const STRING_LENGTH: u64 = 16;
const STRING_STATE: u64 = 32;
const STRING_ASCII: u64 = 48;
const BYTES_LENGTH: u64 = 16;
const BYTES_START: u64 = 32;

/// The most frames and threads that are looked at.
const MOST: usize = 32;

pub(super) fn python_stack(
    snapshot: &ProcessSnapshot,
    symbols: &SnapshotSymbols<'_>,
    thread: &ProcessThread,
) -> Option<Vec<ScriptPlace>> {
    let memory = &snapshot.memory;
    let version = memory.word(symbols.find_object_anywhere("Py_Version")?).ok()?;
    if version >> 16 != VERSION {
        return None;
    }
    let runtime = symbols.find_object_anywhere("_PyRuntime")?;
    let interpreter = memory.word(runtime + RUNTIME_INTERPRETERS).ok()?;
    let mut state = memory.word(interpreter + INTERPRETER_THREADS).ok()?;
    let wanted = u64::try_from(thread.id).ok()?;
    for _ in 0..MOST {
        if memory.word(state + THREAD_NATIVE_ID).ok()? == wanted {
            return Some(read_frames(memory, state));
        }
        state = memory.word(state + THREAD_NEXT).ok()?;
    }
    None
}

fn read_frames(memory: &SnapshotMemory, state: u64) -> Vec<ScriptPlace> {
    let mut places = Vec::new();
    let current = memory.word(state + THREAD_CFRAME).ok();
    let mut frame = current.and_then(|cframe| memory.word(cframe + CFRAME_CURRENT).ok());
    while let Some(at) = frame.filter(|at| *at != 0) {
        let Some(place) = frame_place(memory, at) else { break };
        places.push(place);
        frame = memory.word(at + FRAME_PREVIOUS).ok();
        if places.len() == MOST {
            break;
        }
    }
    places
}

fn frame_place(memory: &SnapshotMemory, frame: u64) -> Option<ScriptPlace> {
    let word = |at: u64| memory.word(at).ok();
    let code = word(frame + FRAME_CODE)?;
    let instruction = word(frame + FRAME_INSTRUCTION)?;
    let done = instruction.checked_sub(code + CODE_INSTRUCTIONS)? / 2;
    let first = read_number(memory, code + CODE_FIRST_LINE, 4)?;
    let table = word(code + CODE_LINES)?;
    let length = usize::try_from(word(table + BYTES_LENGTH)?).ok().filter(|n| *n < 1 << 20)?;
    let mut lines = vec![0; length];
    memory.read(table + BYTES_START, &mut lines).ok()?;
    let line = line_of_instruction(&lines, i64::try_from(first).ok()?, done)?;
    Some(ScriptPlace {
        language: "Python",
        file: read_string(memory, word(code + CODE_FILE)?)?,
        line: u32::try_from(line).ok()?,
        function: read_string(memory, word(code + CODE_NAME)?)?,
    })
}

/// A string of ASCII characters; others are not read.
fn read_string(memory: &SnapshotMemory, at: u64) -> Option<String> {
    let state = read_number(memory, at + STRING_STATE, 4)?;
    // One byte a character, compact, ASCII.
    if state >> 2 & 7 != 1 || state >> 5 & 3 != 3 {
        return None;
    }
    read_text(memory, at + STRING_ASCII, memory.word(at + STRING_LENGTH).ok()?)
}

/// The line of the instruction with this number, from a table of locations (PEP 626, PEP 657).
fn line_of_instruction(table: &[u8], first: i64, wanted: u64) -> Option<i64> {
    let (mut line, mut at, mut done) = (first, 0, 0);
    while at < table.len() {
        let (kind, length) = (table[at] >> 3 & 15, u64::from(table[at] & 7) + 1);
        at += 1;
        let known = kind != 15;
        match kind {
            0..=9 => at += 1,
            10..=12 => {
                line += i64::from(kind - 10);
                at += 2;
            }
            13 | 14 => {
                let delta = read_varint(table, &mut at)?;
                let size = i64::try_from(delta >> 1).ok()?;
                line += if delta & 1 == 1 { -size } else { size };
                for _ in 0..if kind == 14 { 3 } else { 0 } {
                    read_varint(table, &mut at)?;
                }
            }
            _ => {}
        }
        done += length;
        if wanted < done {
            return known.then_some(line);
        }
    }
    None
}

/// Six bits a byte, the lowest first; the seventh says that more follow.
fn read_varint(table: &[u8], at: &mut usize) -> Option<u64> {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = *table.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 63).checked_shl(shift)?;
        shift += 6;
        if byte & 64 == 0 {
            return Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_table() {
        // Two code units on the first line, then one without a line, then three lines further.
        let table = [0x80 | 1, 0, 0x80 | 15 << 3, 0x80 | 13 << 3, 6, 0x80 | 13 << 3, 3];
        let lines: Vec<_> = (0..6).map(|n| line_of_instruction(&table, 10, n)).collect();
        assert_eq!(lines, [Some(10), Some(10), None, Some(13), Some(12), None]);
    }
}
