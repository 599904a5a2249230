//! What a proof may idealise: a stack and a heap without an end.
//!
//! A loop that recurses or allocates each time is in a new place each time, so its state never recurs. With
//! [`Idealised`], the stack below the head's frame is memory that is unknown before it is written and that
//! moves with the stack pointer; `malloc` and `calloc` hand out memory that nobody else uses. In practice
//! both run out some day; that is a premise of the proof, and the answer says so. A loop that allocates must not
//! look at what the allocator keeps for itself (`sbrk(0)`, the words before a block, free memory): that changes
//! with every call, and not in the same way each time.
//!
//! **When it misleads:** a program that uses memory after it was freed can see what an allocator does, where
//! the free block is not known for one; the promise of `malloc` is assumed of it.

use std::rc::Rc;

use ouro_pcode::op::file;
use ouro_pcode::{Allocator, Machine, Region, Tracer};
use ouro_process::Snapshot;
use ouro_term::{Term, Terms};
use rustc_hash::FxHashMap;

use crate::backing::growth;
use crate::cell::CellAccess as _;
use crate::heap;
use crate::symbols::Symbols;
use ouro_evidence::process::{CellLocation, Idealised, ProcessCell};

/// The cell of the stack pointer.
pub(crate) const STACK_POINTER: ProcessCell =
    ProcessCell { spot: CellLocation::Register(0x20), size: 8 };

/// What is idealised, found in a snapshot.
pub(crate) struct Ideal {
    /// The lowest address of the stack, and where its moving part ends at the head.
    low: u64,
    reach: u32,
    allocators: FxHashMap<u64, Allocator>,
    /// What the allocator keeps for itself, in order.
    hidden: Rc<Vec<(u64, u64)>>,
}

impl Ideal {
    /// For a thread that is at the head; `None` if its stack is not known.
    pub(crate) fn new(
        snapshot: &Snapshot,
        symbols: &Symbols<'_>,
        idealised: Idealised,
        head: &Machine,
    ) -> Option<Ideal> {
        debug_assert_eq!(STACK_POINTER.spot, CellLocation::Register(file::general(4)));
        let (low, high) = growth(snapshot);
        let pointer = head.general(4);
        let mapping = snapshot.mapping(pointer);
        let low = match mapping {
            Some(mapping) if mapping.start == high && low < high => low,
            Some(mapping) => mapping.start,
            None if (low..high).contains(&pointer) => low,
            None => return None,
        };
        let mut hidden = symbols.library_state();
        hidden.extend(heap::kept(snapshot, head));
        hidden.sort_unstable();
        let allocators = allocators(symbols);
        Some(Ideal { low, reach: idealised.reach, allocators, hidden: Rc::new(hidden) })
    }

    /// Tells a tracer. The stack pointer is a term if it is a cell.
    pub(crate) fn apply(
        &self,
        terms: &mut Terms,
        tracer: &mut Tracer,
        start: &Machine,
        cells: &[ProcessCell],
    ) {
        let pointer = start.general(4);
        tracer.forget(self.low, pointer + u64::from(self.reach));
        if cells.contains(&STACK_POINTER) {
            tracer.regions.push(Region {
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
    pub(crate) fn moves(&self, head: &Machine, address: u64) -> bool {
        (self.low..head.general(4) + u64::from(self.reach)).contains(&address)
    }
}

/// What is known of every allocation: where such memory can lie.
pub(crate) fn promise(terms: &mut Terms, base: Term) -> Term {
    let (low, high) = (terms.bv(64, 16), terms.bv(64, (1 << 47) - (1 << 25)));
    let bits = terms.truncate(4, base);
    let zero = terms.bv(4, 0);
    let all = [terms.bv_ule(low, base), terms.bv_ule(base, high), terms.eq(bits, zero)];
    terms.and_all(&all)
}

/// The allocator of the C library, by the names of its functions.
pub(crate) fn allocators(symbols: &Symbols<'_>) -> FxHashMap<u64, Allocator> {
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
        all.extend(symbols.library_function(name).map(|at| (at, Allocator::Other)));
    }
    for name in revealing {
        all.extend(symbols.library_function(name).map(|at| (at, Allocator::Reveals)));
    }
    all.extend(symbols.library_function("malloc").map(|at| (at, Allocator::Malloc)));
    all.extend(symbols.library_function("calloc").map(|at| (at, Allocator::Calloc)));
    all
}
