//! A program made ready to run.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::flow::{
    CallWrites, call_cycle_leaders, find_call_writes, find_freeing_calls, never_read_globals,
};
use ouro_model::ids::{IdVec, TypedId};
use ouro_model::{CastOp, FunctionId, Program, Span};
use ouro_term::TermStore;

use crate::code::{CompiledFunction, CompiledInstruction};
use crate::memory::MachineMemory;
use crate::start::{self, ProgramTooLarge};
use crate::{CallFrame, MachineState, ObjectRef, RunPosition};

/// What integer arithmetic does beyond its range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowSemantics {
    /// Signed overflow is undefined, unsigned wraps: C.
    Undefined,
    /// All of it wraps.
    Wraps,
    /// It does not exist: integers are unbounded. A symbolic one is a mathematical integer; plain
    /// numbers have their width, and a run that leaves it is not covered.
    Unbounded,
}

/// A program made ready to run.
pub struct Machine {
    pub(crate) functions: Vec<CompiledFunction>,
    pub(crate) names: Vec<String>,
    pub(crate) pointer_bits: u32,
    pub(crate) overflow: OverflowSemantics,
    /// Whether marks are reported to the environment.
    pub(crate) marks: bool,
    /// Static objects whose content can matter.
    pub(crate) roots: Vec<ObjectRef>,
    /// For functions that may call themselves, which may call each other: those with the same number.
    pub(crate) recursive: IdVec<FunctionId, Option<FunctionId>>,
    /// The recursions, by their numbers, in which no function has a loop.
    pub(crate) straight: BTreeSet<FunctionId>,
    /// Whether the first calls of these are followed.
    pub(crate) follows: bool,
    /// The objects that a call of a function that may call itself can write; none means all that it can
    /// reach.
    pub(crate) writes: BTreeMap<FunctionId, Option<Vec<ObjectRef>>>,
    /// Functions that may call themselves and a call of which may free memory.
    pub(crate) frees: BTreeSet<FunctionId>,
    /// Functions that release stack objects before they return.
    pub(crate) restores: Vec<bool>,
    first: MachineState,
}

impl Machine {
    /// Whether a conversion may give what the format of its result has no room for (`floats`).
    #[inline]
    pub(crate) fn cast_may_exceed(&self, op: CastOp) -> bool {
        self.pointer_bits == 32 && matches!(op, CastOp::SignedToFloat | CastOp::UnsignedToFloat)
    }

    /// Makes a well-formed program ready. With `marks`, each iteration of a loop and each entry of
    /// a function that may call itself is reported to the environment.
    pub fn new(
        program: &Program,
        terms: &mut TermStore,
        overflow: OverflowSemantics,
        marks: bool,
    ) -> Result<Machine, ProgramTooLarge> {
        let (addresses, memory) = start::place_statics(program, terms)?;
        let recursive = call_cycle_leaders(program);
        let functions: Vec<CompiledFunction> = program
            .functions
            .ids()
            .map(|id| {
                let recursive = recursive[id].is_some();
                crate::compile::compile_function(program, id, recursive, marks, &addresses, terms)
            })
            .collect();
        let mut straight: BTreeSet<FunctionId> = recursive.iter().copied().flatten().collect();
        for (id, function) in program.functions.enumerate() {
            let flow = &functions[id.index()].flow;
            if let Some(cycle) = recursive[id]
                && function.blocks.ids().any(|block| flow.is_loop_head(block))
            {
                straight.remove(&cycle);
            }
        }
        let ids: Vec<FunctionId> =
            recursive.enumerate().filter(|(_, cycle)| cycle.is_some()).map(|(id, _)| id).collect();
        let objects = |writes: CallWrites| match writes {
            CallWrites::Globals(globals) => {
                Some(globals.iter().map(|id| addresses.globals[id.index()].1).collect())
            }
            CallWrites::Anything => None,
        };
        let written = find_call_writes(program, &ids).into_iter().map(objects);
        let writes = ids.iter().copied().zip(written).collect();
        let freeing = find_freeing_calls(program, &ids).into_iter();
        let frees =
            ids.iter().zip(freeing).filter(|(_, frees)| *frees).map(|(id, _)| *id).collect();
        let unread = never_read_globals(program);
        let roots = program
            .globals
            .enumerate()
            .filter(|(id, _)| !unread.contains(id))
            .map(|(id, _)| addresses.globals[id.index()].1)
            .collect();
        let restores = functions
            .iter()
            .map(|f| f.code.iter().any(|c| matches!(c, CompiledInstruction::StackRestore { .. })))
            .collect();
        let first = first_state(program.entry, &functions, memory);
        Ok(Machine {
            names: program.functions.iter().map(|f| f.name.clone()).collect(),
            pointer_bits: program.target.pointer_bits,
            functions,
            overflow,
            marks,
            roots,
            recursive,
            straight,
            follows: false,
            writes,
            frees,
            restores,
            first,
        })
    }

    /// The state before the first instruction.
    pub fn start_state(&self) -> MachineState {
        self.first.clone()
    }

    /// Where all calls in progress are, the innermost first.
    pub fn call_positions(&self, state: &MachineState) -> impl Iterator<Item = RunPosition> {
        state.frames.iter().rev().enumerate().map(|(above, frame)| {
            // Below the innermost one, the next instruction is the one after the call.
            let position = frame.pc as usize - usize::from(above > 0);
            let span = self.functions[frame.function.index()].places[position].0;
            RunPosition { function: frame.function, span }
        })
    }

    /// The source place of the next instruction of a state.
    pub fn next_instruction_span(&self, state: &MachineState) -> Span {
        let (function, pc) = state.position();
        self.functions[function.index()].places[pc as usize].0
    }
}

fn first_state(
    entry: FunctionId,
    functions: &[CompiledFunction],
    memory: MachineMemory,
) -> MachineState {
    let mut frame = CallFrame::new(entry);
    frame.registers.clone_from(&functions[entry.index()].registers);
    frame.stack = memory.stack;
    MachineState { frames: vec![frame.into()], memory, steps: 0, low: 1 }
}
