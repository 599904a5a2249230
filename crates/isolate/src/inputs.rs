//! Calls that read an input: `while ((c = getchar()) != EOF)`.
//!
//! Nothing says that an input ends, but mostly it does. Where that may be assumed, a number that nobody knows is
//! counted down with every call, and once it is negative the call says that the input is at its end. The finding
//! names the assumption. A loop that is seen to put something back, to go back, or to open another input, itself or in
//! a function that it comes to, is left as it is: it may read an input that ends without end. So is a loop that writes what
//! it reads ([`streams`]), and any loop of a program that names a device without an end.

mod streams;

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{
    BlockId, Callee, Function, FunctionId, InitializerCell, Instruction, Operand, Program, Span,
};

use crate::effects::ProgramEffects;
use crate::region::LoopRegion;
use streams::WrittenStreams;

/// The calls of a region that read an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct InputCalls {
    pub(crate) calls: BTreeMap<(BlockId, usize), InputCall>,
}

/// A call that reads an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InputCall {
    /// What it returns at the end.
    pub(crate) end: EndOfInput,
    pub(crate) span: Span,
    /// Whether it may have no room for a character: `fgets` then reads nothing, and does not say that the input ended.
    cramped: bool,
    /// The line of a call in the loop whose code is not here.
    unseen: Option<u32>,
}

/// What a call returns at the end of its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EndOfInput {
    /// Always this.
    Just(i128),
    /// 0, or -1 for an error that may come again and again.
    ZeroOrError,
}

/// Functions of the C library that read, what they return at the end of the input, and which argument says what they
/// read.
const READERS: [(&str, EndOfInput, Option<usize>); 14] = [
    ("fgets", EndOfInput::Just(0), Some(2)),
    ("getc", EndOfInput::Just(-1), Some(0)),
    ("_IO_getc", EndOfInput::Just(-1), Some(0)),
    ("fgetc", EndOfInput::Just(-1), Some(0)),
    ("getchar", EndOfInput::Just(-1), None),
    ("getc_unlocked", EndOfInput::Just(-1), Some(0)),
    ("fgetc_unlocked", EndOfInput::Just(-1), Some(0)),
    ("getchar_unlocked", EndOfInput::Just(-1), None),
    ("fread", EndOfInput::Just(0), Some(3)),
    ("read", EndOfInput::ZeroOrError, Some(0)),
    ("getline", EndOfInput::Just(-1), Some(2)),
    ("getdelim", EndOfInput::Just(-1), Some(3)),
    ("__getdelim", EndOfInput::Just(-1), Some(3)),
    ("readdir", EndOfInput::Just(0), Some(0)),
];

/// Functions of the C library after which there may be something to read again.
const REFILLS: [&str; 39] = [
    "ungetwc",
    "fseeko_unlocked",
    "lseek64",
    "fsetpos64",
    "clearerr_unlocked",
    "freopen64",
    "fdopen",
    "fmemopen",
    "tmpfile",
    "tmpfile64",
    "popen",
    "open64",
    "openat",
    "openat64",
    "creat",
    "fdopendir",
    "seekdir",
    "dup",
    "dup2",
    "dup3",
    "pipe",
    "pipe2",
    "socket",
    "accept",
    "fclose",
    "ungetc",
    "fseek",
    "fseeko",
    "fseeko64",
    "rewind",
    "fsetpos",
    "lseek",
    "clearerr",
    "fopen",
    "fopen64",
    "freopen",
    "open",
    "opendir",
    "rewinddir",
];

impl InputCall {
    /// What is assumed about it, in words.
    pub(crate) fn text(&self) -> String {
        let mut said = format!("the input that line {} reads is finite", self.span.line);
        if self.cramped {
            said += ", and there is room for at least one character";
        }
        match self.unseen {
            Some(line) => format!("{said}, and the call on line {line} does not rewind it"),
            None => said,
        }
    }
}

impl InputCalls {
    pub(crate) fn of_region(
        program: &Program,
        effects: &ProgramEffects,
        function: &Function,
        region: &LoopRegion,
    ) -> InputCalls {
        // What a function of this name does in the project itself is another matter.
        let name = |id: FunctionId| {
            let called = &program.functions[id];
            (!called.user).then_some(called.name.as_str())
        };
        let mut calls = BTreeMap::new();
        let mut unseen = BTreeSet::new();
        if names_endless_device(program) {
            return InputCalls::default();
        }
        let streams = WrittenStreams::of_region(program, effects, function, region);
        for block in region.iterated_blocks() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let instruction = &statement.instruction;
                let reached = effects.writes.library_calls(program, instruction);
                if reached.iter().any(|name| REFILLS.contains(&name.as_str())) {
                    return InputCalls::default();
                }
                let reader = match instruction {
                    Instruction::Call { callee: Callee::Function(id), .. } => name(*id),
                    _ => None,
                };
                let reader = reader.and_then(|name| READERS.iter().find(|(one, ..)| *one == name));
                let room = reader.map(|(name, ..)| room_for_characters(name, instruction));
                match reader {
                    Some(_) if room == Some(Some(false)) => {}
                    Some((.., stream)) if streams.are_read_by(instruction, *stream) => {}
                    Some((_, end, _)) => {
                        let cramped = room == Some(None);
                        let span = statement.span;
                        let call = InputCall { end: *end, span, cramped, unseen: None };
                        calls.insert((block, index), call);
                    }
                    None if effects.writes.reaches_unseen_code(instruction) => {
                        unseen.insert(statement.span.line);
                    }
                    None => {}
                }
            }
        }
        let unseen = unseen.first().copied();
        calls.values_mut().for_each(|call: &mut InputCall| call.unseen = unseen);
        InputCalls { calls }
    }
}

/// Whether a call of a reader has room for at least one character, if that is known. With room for the end of the text
/// alone, `fgets` succeeds without reading.
fn room_for_characters(name: &str, call: &Instruction) -> Option<bool> {
    let Instruction::Call { args, .. } = call else { return None };
    match (name, args.get(1)) {
        ("fgets", Some(Operand::Const { bits, .. })) => Some(*bits != 1),
        ("fgets", _) => None,
        _ => Some(true),
    }
}

/// Whether a program names a device that can be read forever. Which input a loop reads may be decided anywhere.
fn names_endless_device(program: &Program) -> bool {
    const DEVICES: [&[u8]; 4] =
        [b"/dev/zero\0", b"/dev/full\0", b"/dev/random\0", b"/dev/urandom\0"];
    let names_one = |bytes: &[u8]| {
        let with_end: Vec<u8> = bytes.iter().copied().chain([0]).collect();
        let is_there = |device: &&[u8]| with_end.windows(device.len()).any(|part| part == *device);
        DEVICES.iter().any(is_there)
    };
    program
        .globals
        .iter()
        .flat_map(|global| &global.cells)
        .any(|(_, cell)| matches!(cell, InitializerCell::Bytes(bytes) if names_one(bytes)))
}
