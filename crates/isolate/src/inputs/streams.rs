//! Streams and files that a loop writes: what it has written there it may read again.
//!
//! A stream is known by where the code finds it: in a variable, or at some bytes from where an address leads. Of helpers it
//! is asked what they are handed, and whether code of the program writes a stream that it finds in such a place.

use std::collections::BTreeSet;

use ouro_model::{Callee, Function, FunctionId, Instruction, Operand, Program};

use crate::copies::{AddressOrigin, CopyAnalysis};
use crate::effects::ProgramEffects;
use crate::region::LoopRegion;

/// Functions of the C library that write, and which argument says where to.
const WRITERS: [(&str, usize); 26] = [
    ("fputc", 1),
    ("fputc_unlocked", 1),
    ("putc", 1),
    ("_IO_putc", 1),
    ("putc_unlocked", 1),
    ("putw", 1),
    ("fputs", 1),
    ("fputs_unlocked", 1),
    ("fwrite", 3),
    ("fwrite_unlocked", 3),
    ("fprintf", 0),
    ("vfprintf", 0),
    ("__fprintf_chk", 0),
    ("fputwc", 1),
    ("putwc", 1),
    ("fputws", 1),
    ("fwprintf", 0),
    ("vfwprintf", 0),
    ("write", 0),
    ("pwrite", 0),
    ("pwrite64", 0),
    ("writev", 0),
    ("dprintf", 0),
    ("vdprintf", 0),
    ("send", 0),
    ("sendto", 0),
];

/// Where the code finds a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum StreamSource {
    /// In a variable, or made from it.
    Value(AddressOrigin),
    /// At some bytes from what an address is made from.
    Place(AddressOrigin, i64),
}

/// The streams that a loop writes.
pub(super) struct WrittenStreams<'a> {
    copies: CopyAnalysis<'a>,
    /// In the function itself.
    here: BTreeSet<StreamSource>,
    /// In a helper.
    by_helpers: BTreeSet<StreamSource>,
}

impl<'a> WrittenStreams<'a> {
    pub(super) fn of_region(
        program: &Program,
        effects: &ProgramEffects,
        function: &'a Function,
        region: &LoopRegion,
    ) -> WrittenStreams<'a> {
        let copies = CopyAnalysis::of_function(function);
        let mut here = BTreeSet::new();
        let mut is_helped = false;
        for block in region.iterated_blocks() {
            for statement in &function.blocks[block].statements {
                let instruction = &statement.instruction;
                let Instruction::Call { args, .. } = instruction else { continue };
                let sources = |arg: &Operand| stream_sources(&copies, *arg);
                if let Some(stream) = written_stream(program, instruction) {
                    here.extend(sources(&stream));
                    continue;
                }
                let reached = effects.writes.library_calls(program, instruction);
                if reached.iter().any(|name| WRITERS.iter().any(|(one, _)| one == name)) {
                    here.extend(args.iter().flat_map(sources));
                    is_helped = true;
                }
            }
        }
        let by_helpers = match is_helped {
            true => program
                .functions
                .iter()
                .filter(|one| one.user)
                .flat_map(|one| places_written(program, one))
                .collect(),
            false => BTreeSet::new(),
        };
        WrittenStreams { copies, here, by_helpers }
    }

    /// Whether a call reads one of them, by the argument that says what it reads.
    pub(super) fn are_read_by(&self, reader: &Instruction, argument: Option<usize>) -> bool {
        let Instruction::Call { args, .. } = reader else { return false };
        let Some(stream) = argument.and_then(|number| args.get(number)) else { return false };
        // What is in a variable of this function, a helper finds in a variable of its own.
        let is_found = |source: &StreamSource| {
            self.by_helpers.iter().any(|other| match (*source, *other) {
                (StreamSource::Place(one, at), StreamSource::Place(other, there)) => {
                    let is_static = |origin| matches!(origin, AddressOrigin::Global(_));
                    at == there && (one == other || !(is_static(one) || is_static(other)))
                }
                _ => false,
            })
        };
        stream_sources(&self.copies, *stream)
            .iter()
            .any(|source| self.here.contains(source) || is_found(source))
    }
}

/// The places where a function finds streams that it writes.
fn places_written(program: &Program, function: &Function) -> Vec<StreamSource> {
    let copies = CopyAnalysis::of_function(function);
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    let streams = statements.filter_map(|one| written_stream(program, &one.instruction));
    streams.flat_map(|stream| stream_sources(&copies, stream)).collect()
}

/// The stream that a call of the C library writes.
fn written_stream(program: &Program, call: &Instruction) -> Option<Operand> {
    let Instruction::Call { callee, args, .. } = call else { return None };
    let name = |id: FunctionId| {
        let called = &program.functions[id];
        (!called.user).then_some(called.name.as_str())
    };
    let Callee::Function(id) = callee else { return None };
    let name = name(*id)?;
    let (_, argument) = WRITERS.iter().find(|(one, _)| *one == name)?;
    args.get(*argument).copied()
}

fn stream_sources(copies: &CopyAnalysis<'_>, stream: Operand) -> BTreeSet<StreamSource> {
    let mut all = BTreeSet::new();
    for root in copies.roots(stream) {
        let place = match root.origin {
            AddressOrigin::Var(var) => copies.loaded_from(Operand::Var(var)),
            AddressOrigin::Global(_) => None,
        };
        match place {
            Some(place) => {
                let places = copies.roots(place).into_iter();
                all.extend(places.map(|at| StreamSource::Place(at.origin, at.offset)));
            }
            None => {
                all.insert(StreamSource::Value(root.origin));
            }
        }
    }
    all
}
