//! Lua 5.4: the state, its calls, the line information of a function.
//!
//! The state has no name from outside. It is the first word on the stack that points to something which is
//! a state in every respect that can be looked at.

use ouro_process::{ProcessSnapshot, SnapshotMemory, ThreadRegisters};

use super::{ScriptPlace, read_number, read_text};

// Offsets in structures, each named after its structure and field.
const TAG: u64 = 8;
const STATE_CALL: u64 = 32;
const STATE_STACK_LAST: u64 = 40;
const STATE_STACK: u64 = 48;
const CALL_FUNCTION: u64 = 0;
const CALL_PREVIOUS: u64 = 16;
const CALL_SAVED: u64 = 32;
const CALL_STATUS: u64 = 62;
const CLOSURE_PROTO: u64 = 24;
const PROTO_CODE_SIZE: u64 = 24;
const PROTO_ABSOLUTE_SIZE: u64 = 40;
const PROTO_FIRST_LINE: u64 = 44;
const PROTO_CODE: u64 = 64;
const PROTO_LINES: u64 = 88;
const PROTO_ABSOLUTE: u64 = 96;
const PROTO_SOURCE: u64 = 112;
const STRING_SHORT: u64 = 11;
const STRING_LONG: u64 = 16;
const STRING_START: u64 = 24;

const THREAD: u64 = 8;
const SHORT_STRING: u64 = 4;
/// A Lua function, as a value that is collected.
const LUA_FUNCTION: u64 = 0x46;
const C_FUNCTIONS: [u64; 2] = [0x16, 0x66];
const IS_C: u64 = 2;

/// How many words of the stack are looked at.
const WORDS: u64 = 4096;
const MOST: usize = 32;

pub(super) fn lua_stack(
    snapshot: &ProcessSnapshot,
    registers: &ThreadRegisters,
) -> Option<Vec<ScriptPlace>> {
    let runs_lua = |name: &str| {
        let base = name.rsplit('/').next().unwrap_or(name);
        base.starts_with("lua5.4") || base.starts_with("liblua5.4")
    };
    if !snapshot.mappings.iter().any(|mapping| runs_lua(&mapping.name)) {
        return None;
    }
    let memory = &snapshot.memory;
    let rsp = registers.general.rsp();
    let on_stack = (0..WORDS).map_while(|i| memory.word(rsp + 8 * i).ok());
    let words: Vec<u64> = registers.general.gpr.iter().copied().chain(on_stack).collect();
    let state = words.iter().copied().find(|word| is_lua_state(memory, *word))?;
    let mut call = memory.word(state + STATE_CALL).ok()?;
    let mut places = Vec::new();
    while call != 0 && places.len() < MOST {
        // The innermost call keeps its place in a register of the interpreter.
        let words = if places.is_empty() { &words[..] } else { &[] };
        places.extend(call_place(memory, call, words));
        call = memory.word(call + CALL_PREVIOUS).ok()?;
    }
    Some(places)
}

fn is_lua_state(memory: &SnapshotMemory, at: u64) -> bool {
    let word = |at: u64| memory.word(at).ok();
    let looks = || {
        let call = word(at + STATE_CALL)?;
        let function = word(call + CALL_FUNCTION)?;
        let (low, high) = (word(at + STATE_STACK)?, word(at + STATE_STACK_LAST)?);
        let tag = read_number(memory, function + TAG, 1)?;
        let is_function = tag == LUA_FUNCTION || C_FUNCTIONS.contains(&tag);
        Some((low..high).contains(&function) && is_function)
    };
    at.is_multiple_of(8)
        && read_number(memory, at.wrapping_add(TAG), 1) == Some(THREAD)
        && looks() == Some(true)
}

fn call_place(memory: &SnapshotMemory, call: u64, words: &[u64]) -> Option<ScriptPlace> {
    let word = |at: u64| memory.word(at).ok();
    if read_number(memory, call + CALL_STATUS, 2)? & IS_C != 0 {
        return None;
    }
    let proto = word(word(word(call + CALL_FUNCTION)?)? + CLOSURE_PROTO)?;
    let code = word(proto + PROTO_CODE)?;
    let size = read_number(memory, proto + PROTO_CODE_SIZE, 4)?;
    let inside = |at: &u64| at.wrapping_sub(code) <= 4 * size && at.wrapping_sub(code) % 4 == 0;
    let next = words.iter().copied().find(inside).or_else(|| word(call + CALL_SAVED))?;
    // It points behind the instruction.
    let wanted = (next.checked_sub(code)? / 4).saturating_sub(1);
    let line = line_of_instruction(memory, proto, wanted.min(size.saturating_sub(1)))?;
    let first = read_number(memory, proto + PROTO_FIRST_LINE, 4)?;
    let source = read_string(memory, word(proto + PROTO_SOURCE)?)?;
    let file = match source.strip_prefix(['@', '=']) {
        Some(name) => name.to_owned(),
        None => format!("[string \"{}\"]", source.lines().next().unwrap_or_default()),
    };
    let function = if first == 0 { String::new() } else { format!("the function of line {first}") };
    Some(ScriptPlace { language: "Lua", file, line: u32::try_from(line).ok()?, function })
}

fn read_string(memory: &SnapshotMemory, at: u64) -> Option<String> {
    let length = if read_number(memory, at + TAG, 1)? == SHORT_STRING {
        read_number(memory, at + STRING_SHORT, 1)?
    } else {
        memory.word(at + STRING_LONG).ok()?
    };
    read_text(memory, at + STRING_START, length.min(1000))
}

/// Lines are differences to the instruction before, from some instructions whose line is kept whole.
fn line_of_instruction(memory: &SnapshotMemory, proto: u64, wanted: u64) -> Option<i64> {
    let (mut at, mut line) =
        (0, i64::try_from(read_number(memory, proto + PROTO_FIRST_LINE, 4)?).ok()?);
    let table = memory.word(proto + PROTO_ABSOLUTE).ok()?;
    for i in 0..read_number(memory, proto + PROTO_ABSOLUTE_SIZE, 4)? {
        let instruction = read_number(memory, table + 8 * i, 4)?;
        if instruction > wanted {
            break;
        }
        line = i64::try_from(read_number(memory, table + 8 * i + 4, 4)?).ok()?;
        at = instruction + 1;
    }
    let lines = memory.word(proto + PROTO_LINES).ok()?;
    for instruction in at..=wanted {
        let byte = u8::try_from(read_number(memory, lines + instruction, 1)?).ok()?;
        line += i64::from(byte.cast_signed());
    }
    Some(line)
}
