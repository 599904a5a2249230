//! Calls that read an input: `while ((c = getchar()) != EOF)`.
//!
//! Nothing says that an input ends, but mostly it does. Where that may be assumed, a number that nobody knows is
//! counted down with every call, and once it is negative the call says that the input is at its end. The finding
//! names the assumption. A loop that is seen to put something back, to go back, or to open another input, itself or in
//! a function that it comes to, is left as it is: it may read an input that ends without end.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::{BlockId, Callee, Function, FunctionId, Instruction, Program, Span};

use crate::effects::Effects;
use crate::region::Region;

/// The calls of a region that read an input.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) calls: BTreeMap<(BlockId, usize), Call>,
}

/// A call that reads an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Call {
    /// What it returns at the end.
    pub(crate) end: End,
    pub(crate) span: Span,
    /// The line of a call in the loop whose code is not here.
    unseen: Option<u32>,
}

/// What a call returns at the end of its input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Always this.
    Just(i128),
    /// 0, or -1 for an error that may come again and again.
    ZeroOrError,
}

/// Functions of the C library that read, and what they return at the end of the input.
const READERS: [(&str, End); 14] = [
    ("fgets", End::Just(0)),
    ("getc", End::Just(-1)),
    ("_IO_getc", End::Just(-1)),
    ("fgetc", End::Just(-1)),
    ("getchar", End::Just(-1)),
    ("getc_unlocked", End::Just(-1)),
    ("fgetc_unlocked", End::Just(-1)),
    ("getchar_unlocked", End::Just(-1)),
    ("fread", End::Just(0)),
    ("read", End::ZeroOrError),
    ("getline", End::Just(-1)),
    ("getdelim", End::Just(-1)),
    ("__getdelim", End::Just(-1)),
    ("readdir", End::Just(0)),
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

impl Call {
    /// What is assumed about it, in words.
    pub(crate) fn text(&self) -> String {
        let said = format!("the input that line {} reads comes to an end", self.span.line);
        match self.unseen {
            Some(line) => format!("{said}, and the call in line {line} does not go back in it"),
            None => said,
        }
    }
}

impl Inputs {
    pub(crate) fn of(
        program: &Program,
        effects: &Effects,
        function: &Function,
        region: &Region,
    ) -> Inputs {
        // What a function of this name does in the project itself is another matter.
        let name = |id: FunctionId| {
            let called = &program.functions[id];
            (!called.user).then_some(called.name.as_str())
        };
        let mut calls = BTreeMap::new();
        let mut unseen = BTreeSet::new();
        for block in region.turning() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let instruction = &statement.instruction;
                let reached = effects.writes.library_calls(program, instruction);
                if reached.iter().any(|name| REFILLS.contains(&name.as_str())) {
                    return Inputs::default();
                }
                let reader = match instruction {
                    Instruction::Call { callee: Callee::Function(id), .. } => name(*id),
                    _ => None,
                };
                let reader = reader.and_then(|name| READERS.iter().find(|(one, _)| *one == name));
                match reader {
                    Some((_, end)) => {
                        let call = Call { end: *end, span: statement.span, unseen: None };
                        calls.insert((block, index), call);
                    }
                    None if effects.writes.is_unseen(instruction) => {
                        unseen.insert(statement.span.line);
                    }
                    None => {}
                }
            }
        }
        let unseen = unseen.first().copied();
        calls.values_mut().for_each(|call: &mut Call| call.unseen = unseen);
        Inputs { calls }
    }
}
