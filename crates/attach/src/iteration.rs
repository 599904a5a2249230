//! One iteration: from the head to the head, on numbers and on terms.

use std::fmt;

use ouro_pcode::{
    InstructionCache, InstructionTracer, NamedInstruction, PcodeMachine, TraceCondition, TraceHalt,
    TracedAllocation,
};
use ouro_term::{Term, TermStore};
use rustc_hash::FxHashSet;

use crate::cell::{CellAccess as _, add_covering_cells};
use crate::ideal::MemoryIdealisation;
use crate::state;
use ouro_evidence::process::{CellLocation, ProcessCell};

/// How far an iteration goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IterationBound {
    /// So many instructions.
    Steps(u64),
    /// So many visits of the head, and at most so many instructions.
    Visits(u64, u64),
}

/// An iteration of the loop: whenever the conditions hold at the head, the same path is taken, and
/// the cells have these values at its end.
#[derive(Clone, Debug)]
pub(crate) struct LoopIteration {
    pub(crate) conditions: Vec<TraceCondition>,
    /// The cells' values at the end; `None` where nobody knows.
    pub(crate) ends: Vec<Option<Term>>,
    pub(crate) length: u64,
    /// Bytes outside the cells that are not as they were: registers and memory.
    pub(crate) stray: (Vec<usize>, Vec<u64>),
    pub(crate) accesses: Vec<(u64, u8)>,
    /// Memory was used that lies below the stack, where the frame of a signal would be.
    pub(crate) beneath: bool,
    /// Floats were computed on terms: the sticky bits of SSE's status may be others each time.
    pub(crate) float_terms: bool,
    /// Those bits were looked at.
    pub(crate) reads_status: bool,
    /// What was allocated.
    pub(crate) allocations: Vec<TracedAllocation>,
    /// An instruction that looked at what the allocator keeps for itself, and at which address.
    pub(crate) peeked: Option<(NamedInstruction, u64)>,
    /// Instructions executed, each once, in order of address.
    pub(crate) code: Vec<u64>,
}

impl LoopIteration {
    /// Whether everything outside the cells is as it was.
    pub(crate) fn is_clean(&self) -> bool {
        self.stray.0.is_empty() && self.stray.1.is_empty()
    }

    /// The cells, with further ones for what strays.
    pub(crate) fn widened_cells(&self, cells: &[ProcessCell]) -> Vec<ProcessCell> {
        let mut wider = cells.to_vec();
        add_covering_cells(&mut wider, &self.stray.0, &self.stray.1, &self.accesses);
        wider
    }
}

/// Where iterations of a loop that allocates look at what the allocator keeps for itself. What is there changes
/// from time to time, and not only where one call was seen to change it.
pub(crate) fn find_allocator_peek(
    iterations: &[LoopIteration],
) -> Option<&(NamedInstruction, u64)> {
    let allocates = iterations.iter().any(|iteration| !iteration.allocations.is_empty());
    iterations.iter().find_map(|iteration| iteration.peeked.as_ref()).filter(|_| allocates)
}

/// Why there is no iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum IterationFailure {
    /// The machine stopped, or looked at something undefined.
    Halt(TraceHalt),
    /// It did not come back.
    NotBack,
    /// x87 or the control of SSE is not as it was.
    Control,
    /// The time is over.
    Time,
}

impl fmt::Display for IterationFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IterationFailure::Halt(halt) => write!(f, "{halt}"),
            IterationFailure::NotBack => f.write_str("it does not return to the loop head"),
            IterationFailure::Control => f.write_str("it changes the x87 or SSE state"),
            IterationFailure::Time => f.write_str("out of time"),
        }
    }
}

impl From<TraceHalt> for IterationFailure {
    fn from(halt: TraceHalt) -> IterationFailure {
        IterationFailure::Halt(halt)
    }
}

/// Which states a loop may be in at its head: as a reference, cells aside, and what is idealised.
pub(crate) struct HeadStates<'a> {
    pub(crate) reference: &'a PcodeMachine,
    pub(crate) cells: &'a [ProcessCell],
    pub(crate) ideal: Option<&'a MemoryIdealisation>,
}

/// Below the stack pointer, so many bytes are left alone by signals.
const RED_ZONE: u64 = 128;
/// So much room below that a signal needs at most, for the kernel's frame and a handler that is followed.
const SIGNAL_ROOM: u64 = 128 << 10;

/// Executes an iteration from `start`, one of the states; at the end it should be in one of them again.
pub(crate) fn trace_iteration(
    terms: &mut TermStore,
    program: &mut InstructionCache,
    states: &HeadStates<'_>,
    start: &PcodeMachine,
    until: IterationBound,
    over: &dyn Fn() -> bool,
) -> Result<LoopIteration, IterationFailure> {
    let HeadStates { reference, cells, ideal } = *states;
    let head = reference.rip;
    let mut machine = start.clone();
    let mut tracer = InstructionTracer::new();
    tracer.accesses = Some(Vec::new());
    if let Some(ideal) = ideal {
        ideal.apply_to_tracer(terms, &mut tracer, start, cells);
    }
    for cell in cells {
        cell.name_in_trace(terms, &mut tracer);
    }
    let mut code = FxHashSet::default();
    let (mut visits, mut length) = (0, 0);
    let mut beneath = false;
    loop {
        code.insert(machine.rip);
        let (before, seen) =
            (machine.general_register(4), tracer.accesses.as_ref().map_or(0, Vec::len));
        tracer.step(terms, &mut machine, program)?;
        let lowest = before.min(machine.general_register(4)).saturating_sub(RED_ZONE);
        let framed = lowest.saturating_sub(SIGNAL_ROOM)..lowest;
        let used = tracer.accesses.as_ref().map_or(&[][..], |all| &all[seen..]);
        beneath |= used.iter().any(|(at, _)| framed.contains(at));
        length += 1;
        if length % 4096 == 0 && over() {
            return Err(IterationFailure::Time);
        }
        match until {
            IterationBound::Steps(steps) if length == steps => break,
            IterationBound::Steps(_) => {}
            IterationBound::Visits(wanted, most) => {
                if machine.rip == head {
                    visits += 1;
                    if visits == wanted {
                        break;
                    }
                }
                if length >= most {
                    return Err(IterationFailure::NotBack);
                }
            }
        }
    }
    if machine.rip != head {
        return Err(IterationFailure::NotBack);
    }
    if !state::same_control(&machine, reference) {
        return Err(IterationFailure::Control);
    }
    let stray = stray_bytes(&tracer, &machine, states);
    let mut ends = Vec::new();
    for cell in cells {
        ends.push(cell.value_in_trace(terms, &tracer, &mut machine));
    }
    let mut accesses = tracer.accesses.take().unwrap_or_default();
    accesses.sort_unstable();
    accesses.dedup();
    let mut code: Vec<u64> = code.into_iter().collect();
    code.sort_unstable();
    Ok(LoopIteration {
        float_terms: tracer.float_terms,
        reads_status: tracer.reads_status,
        conditions: tracer.conditions,
        ends,
        length,
        stray,
        accesses,
        beneath,
        code,
        allocations: tracer.allocations,
        peeked: tracer.peeked,
    })
}

/// Bytes outside the cells that are terms, opaque, or another number than in the reference.
fn stray_bytes(
    tracer: &InstructionTracer,
    end: &PcodeMachine,
    states: &HeadStates<'_>,
) -> (Vec<usize>, Vec<u64>) {
    let HeadStates { reference, cells, ideal } = *states;
    let in_cells_memory: FxHashSet<u64> = cells
        .iter()
        .filter_map(|cell| match cell.spot {
            CellLocation::Memory(at) => Some(at..at + u64::from(cell.size)),
            CellLocation::Register(_) => None,
        })
        .flatten()
        .collect();
    let mut registers: Vec<usize> =
        tracer.shaded_registers().into_iter().map(|(at, _)| at).collect();
    let (here, there) = (end.registers(), reference.registers());
    for (start, length) in state::PARTS {
        registers.extend((start..start + length).filter(|at| here[*at] != there[*at]));
    }
    registers.retain(|at| state::is_register(*at) && !cells.iter().any(|c| c.has_register(*at)));
    registers.sort_unstable();
    registers.dedup();
    let mut memory: Vec<u64> = tracer.shaded_memory().into_iter().map(|(at, _)| at).collect();
    let words = end.memory.differing_words(&reference.memory, usize::MAX).unwrap_or_default();
    for (address, a, b) in words {
        let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
        memory.extend((0..8).filter(|i| a[*i] != b[*i]).map(|i| address + i as u64));
    }
    memory.retain(|at| !in_cells_memory.contains(at));
    if let Some(ideal) = ideal {
        let allocated = |at: u64| {
            let mut all = tracer.allocations.iter();
            all.any(|allocation| at.wrapping_sub(allocation.number) < allocation.size)
        };
        memory.retain(|at| !ideal.is_in_moving_stack(reference, *at) && !allocated(*at));
    }
    memory.sort_unstable();
    memory.dedup();
    (registers, memory)
}
