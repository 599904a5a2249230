//! Calls that read an input: `while ((c = getchar()) != EOF)`.
//!
//! Nothing says that an input ends, but mostly it does. Where that may be assumed, a number that nobody knows is
//! counted down with every call, and once it is negative the call says that the input is at its end. The finding
//! names the assumption. A loop that is seen to put something back, to go back, or to open another input, is left
//! as it is: it may read an input that ends without end.

use std::collections::BTreeMap;

use ouro_model::{BlockId, Callee, Function, FunctionId, Instruction, Program, Span};

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
    pub(crate) end: i128,
    pub(crate) span: Span,
}

/// Functions of the C library that read, and what they return at the end of the input.
const READERS: [(&str, i128); 14] = [
    ("fgets", 0),
    ("getc", -1),
    ("_IO_getc", -1),
    ("fgetc", -1),
    ("getchar", -1),
    ("getc_unlocked", -1),
    ("fgetc_unlocked", -1),
    ("getchar_unlocked", -1),
    ("fread", 0),
    ("read", 0),
    ("getline", -1),
    ("getdelim", -1),
    ("__getdelim", -1),
    ("readdir", 0),
];

/// Functions of the C library after which there may be something to read again.
const REFILLS: [&str; 14] = [
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
        format!("the input that line {} reads comes to an end", self.span.line)
    }
}

impl Inputs {
    pub(crate) fn of(program: &Program, function: &Function, region: &Region) -> Inputs {
        // What a function of this name does in the project itself is another matter.
        let name = |id: FunctionId| {
            let called = &program.functions[id];
            (!called.user).then_some(called.name.as_str())
        };
        let mut calls = BTreeMap::new();
        for block in region.turning() {
            for (index, statement) in function.blocks[block].statements.iter().enumerate() {
                let Instruction::Call { callee: Callee::Function(id), .. } = statement.instruction
                else {
                    continue;
                };
                let Some(name) = name(id) else { continue };
                if REFILLS.contains(&name) {
                    return Inputs::default();
                }
                if let Some((_, end)) = READERS.iter().find(|(reader, _)| *reader == name) {
                    calls.insert((block, index), Call { end: *end, span: statement.span });
                }
            }
        }
        Inputs { calls }
    }
}
