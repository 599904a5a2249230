//! Calls that read an input: `while ((c = getchar()) != EOF)`.
//!
//! Nothing says that an input ends, but mostly it does. Where that may be assumed, a number that nobody knows is
//! counted down with every call, and once it is negative the call says that the input is at its end. The finding
//! names the assumption. A loop that is seen to put something back, to go back, or to open another input, itself or in
//! a function that it comes to, is left as it is: it may read an input that ends without end.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{
    BlockId, Callee, Function, FunctionId, InitializerCell, Instruction, Operand, Program, Span,
};

use crate::effects::ProgramEffects;
use crate::region::LoopRegion;

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

/// Functions of the C library that read, and what they return at the end of the input.
const READERS: [(&str, EndOfInput); 14] = [
    ("fgets", EndOfInput::Just(0)),
    ("getc", EndOfInput::Just(-1)),
    ("_IO_getc", EndOfInput::Just(-1)),
    ("fgetc", EndOfInput::Just(-1)),
    ("getchar", EndOfInput::Just(-1)),
    ("getc_unlocked", EndOfInput::Just(-1)),
    ("fgetc_unlocked", EndOfInput::Just(-1)),
    ("getchar_unlocked", EndOfInput::Just(-1)),
    ("fread", EndOfInput::Just(0)),
    ("read", EndOfInput::ZeroOrError),
    ("getline", EndOfInput::Just(-1)),
    ("getdelim", EndOfInput::Just(-1)),
    ("__getdelim", EndOfInput::Just(-1)),
    ("readdir", EndOfInput::Just(0)),
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
        if names_endless_device(program, function) {
            return InputCalls::default();
        }
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
                let reader = reader.and_then(|name| READERS.iter().find(|(one, _)| *one == name));
                let room = reader.map(|(name, _)| room_for_characters(name, instruction));
                match reader {
                    Some(_) if room == Some(Some(false)) => {}
                    Some((_, end)) => {
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

/// Whether a function names a device that can be read forever.
fn names_endless_device(program: &Program, function: &Function) -> bool {
    const DEVICES: [&[u8]; 4] =
        [b"/dev/zero\0", b"/dev/full\0", b"/dev/random\0", b"/dev/urandom\0"];
    let mut named = false;
    let mut look = |operand: Operand| {
        let Operand::Global(global, 0) = operand else { return };
        let global = &program.globals[global];
        if let [(0, InitializerCell::Bytes(bytes)), ..] = &global.cells[..] {
            let with_end: Vec<u8> = bytes.iter().copied().chain([0]).collect();
            named |= DEVICES.iter().any(|device| with_end.starts_with(device));
        }
    };
    for block in function.blocks.iter() {
        block.statements.iter().for_each(|one| one.instruction.each_operand(&mut look));
    }
    named
}
