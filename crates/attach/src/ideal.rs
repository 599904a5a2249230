//! What a proof may idealise: a stack and a heap without an end.
//!
//! A loop that recurses or allocates each time is in a new place each time, so its state never recurs. With
//! [`IdealisedMemory`], the stack below the head's frame is memory that is unknown before it is written and that
//! moves with the stack pointer; `malloc` and `calloc` hand out memory that nobody else uses. In practice
//! both run out some day; that is a premise of the proof, and the answer says so. A loop that allocates must not
//! look at what the allocator keeps for itself (`sbrk(0)`, the words before a block, free memory): that changes
//! with every call, and not in the same way each time.
//!
//! **When it misleads:** a program that uses memory after it was freed can see what an allocator does, where
//! the free block is not known for one; the promise of `malloc` is assumed of it.

use std::rc::Rc;

use ouro_pcode::op::file;
use ouro_pcode::{AllocatorFunction, FreshRegion, InstructionTracer, PcodeMachine};
use ouro_process::ProcessSnapshot;
use ouro_term::{Term, TermStore};
use rustc_hash::FxHashMap;

use crate::backing::stack_growth_range;
use crate::cell::CellAccess as _;
use crate::heap;
use crate::symbols::SnapshotSymbols;
use ouro_evidence::process::{CellLocation, IdealisedMemory, ProcessCell};

/// The cell of the stack pointer.
pub(crate) const STACK_POINTER: ProcessCell =
    ProcessCell { spot: CellLocation::Register(0x20), size: 8 };

/// What is idealised, found in a snapshot.
pub(crate) struct MemoryIdealisation {
    /// The lowest address of the stack, and where its moving part ends at the head.
    low: u64,
    reach: u32,
    allocators: FxHashMap<u64, AllocatorFunction>,
    /// What the allocator keeps for itself, in order.
    hidden: Rc<Vec<(u64, u64)>>,
}

impl MemoryIdealisation {
    /// For a thread that is at the head; `None` if the thread's stack is not in the snapshot.
    pub(crate) fn new(
        snapshot: &ProcessSnapshot,
        symbols: &SnapshotSymbols<'_>,
        idealised: IdealisedMemory,
        head: &PcodeMachine,
    ) -> Option<MemoryIdealisation> {
        debug_assert_eq!(
            STACK_POINTER.spot,
            CellLocation::Register(file::general_register_offset(4))
        );
        let (low, high) = stack_growth_range(snapshot);
        let pointer = head.general_register(4);
        let mapping = snapshot.mapping_at(pointer);
        let low = match mapping {
            Some(mapping) if mapping.start == high && low < high => low,
            Some(mapping) => mapping.start,
            None if (low..high).contains(&pointer) => low,
            None => return None,
        };
        let mut hidden = symbols.library_state();
        hidden.extend(heap::allocator_stretches(snapshot, head));
        hidden.sort_unstable();
        let allocators = find_allocators(symbols);
        Some(MemoryIdealisation {
            low,
            reach: idealised.reach,
            allocators,
            hidden: Rc::new(hidden),
        })
    }

    /// Tells a tracer. The stack pointer is a term if it is a cell.
    pub(crate) fn apply_to_tracer(
        &self,
        terms: &mut TermStore,
        tracer: &mut InstructionTracer,
        start: &PcodeMachine,
        cells: &[ProcessCell],
    ) {
        let pointer = start.general_register(4);
        tracer.forget_memory(self.low, pointer + u64::from(self.reach));
        if cells.contains(&STACK_POINTER) {
            tracer.regions.push(FreshRegion {
                base: STACK_POINTER.symbol(terms),
                number: pointer,
                from: (self.low.wrapping_sub(pointer)).cast_signed(),
                to: i64::from(self.reach),
            });
        }
        tracer.allocators.clone_from(&self.allocators);
        tracer.hidden = Rc::clone(&self.hidden);
    }

    /// Whether a byte of memory is in the moving part of the stack.
    pub(crate) fn is_in_moving_stack(&self, head: &PcodeMachine, address: u64) -> bool {
        (self.low..head.general_register(4) + u64::from(self.reach)).contains(&address)
    }
}

/// What is known of every allocation: where such memory can lie.
pub(crate) fn allocation_promise(terms: &mut TermStore, base: Term) -> Term {
    let (low, high) = (terms.bv(64, 16), terms.bv(64, (1 << 47) - (1 << 25)));
    let bits = terms.truncate(4, base);
    let zero = terms.bv(4, 0);
    let all = [terms.bv_ule(low, base), terms.bv_ule(base, high), terms.eq(bits, zero)];
    terms.and_all(&all)
}

/// The allocator of the C library, by the names of its functions.
pub(crate) fn find_allocators(symbols: &SnapshotSymbols<'_>) -> FxHashMap<u64, AllocatorFunction> {
    let moving = [
        "free",
        "cfree",
        "realloc",
        "reallocarray",
        "memalign",
        "aligned_alloc",
        "posix_memalign",
        "valloc",
        "pvalloc",
        "malloc_trim",
        "mallopt",
        "malloc_set_state",
    ];
    let revealing = [
        "malloc_usable_size",
        "mallinfo",
        "mallinfo2",
        "malloc_info",
        "malloc_stats",
        "malloc_get_state",
        "mprobe",
        "sbrk",
        "brk",
    ];
    let mut all = FxHashMap::default();
    for name in moving {
        all.extend(symbols.library_function(name).map(|at| (at, AllocatorFunction::Other)));
    }
    for name in revealing {
        all.extend(symbols.library_function(name).map(|at| (at, AllocatorFunction::Reveals)));
    }
    all.extend(symbols.library_function("malloc").map(|at| (at, AllocatorFunction::Malloc)));
    all.extend(symbols.library_function("calloc").map(|at| (at, AllocatorFunction::Calloc)));
    all
}
