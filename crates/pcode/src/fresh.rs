//! Memory that is new each time: the stack below a frame, and what an allocator hands out.
//!
//! An address that is the base of a region plus a number needs no condition: wherever the region lies, the
//! same bytes of it are meant. That is sound as long as nothing else uses the region, so every address that
//! is a plain number is compared with the regions, and one that lies in a region ends the trace
//! ([`TraceHalt::Alias`]). What a region holds before it is written is unknown.
//!
//! Calls of an allocator are not traced: [`AllocatorFunction`] says what they promise. The machine executes them on
//! numbers, and whatever they change is unknown afterwards.

use ouro_term::{Term, TermOp, TermStore};

use crate::lift::LiftedInstruction;
use crate::machine::{InstructionCache, PcodeMachine, PcodeStop, stop_for_refusal};
use crate::memory::MemoryFault;
use crate::op::{ArgumentPlace, PcodeArgument, file};
use crate::shadow::ByteShade;
use crate::tracer::{ConditionReason, InstructionTracer, TraceHalt};

/// A stretch of memory that is somewhere else each time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreshRegion {
    /// Where it begins, as a term.
    pub base: Term,
    /// Where it begins in this trace.
    pub number: u64,
    /// The least offset that may be used.
    pub from: i64,
    /// The offset after the last.
    pub to: i64,
}

impl FreshRegion {
    fn contains(&self, address: u64, size: u64) -> bool {
        let offset = i128::from(address) - i128::from(self.number);
        offset < i128::from(self.to) && offset + i128::from(size) > i128::from(self.from)
    }
}

/// What a function of an allocator promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocatorFunction {
    /// Memory of as many bytes as its first argument says, that nobody else uses.
    Malloc,
    /// The same for the product of two arguments, all zero.
    Calloc,
    /// It frees or moves what is allocated: it must not be called.
    Other,
    /// It tells what the allocator has, or where memory ends: it must not be called.
    Reveals,
}

/// Why a call of [`AllocatorFunction::Reveals`] is refused.
pub const REVEALS: &str = "it queries the allocator's state";

/// An allocation of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TracedAllocation {
    /// What it returned, as a term.
    pub base: Term,
    /// Where it is in this trace.
    pub number: u64,
    /// How many bytes were asked for.
    pub size: u64,
}

/// The most instructions of an allocation.
const LONGEST: u64 = 1 << 20;
/// The largest allocation.
const LARGEST: u64 = 1 << 24;

/// Registers that a call does not preserve, beside vectors, masks and flags.
const CLOBBERED: [usize; 9] = [0, 1, 2, 6, 7, 8, 9, 10, 11];

impl InstructionTracer {
    /// Makes a stretch of memory unknown until it is written.
    pub fn forget_memory(&mut self, start: u64, end: u64) {
        self.memory_mut().forget_stretch(start, end);
    }

    /// The offset of an address in a region, if it is one for every base.
    pub fn offset_in_region(terms: &TermStore, term: Term, base: Term) -> Option<u64> {
        if term == base {
            return Some(0);
        }
        match terms.op(term) {
            TermOp::BvAdd => {
                let (mut sum, mut found) = (0u64, false);
                for part in terms.args(term) {
                    match terms.as_bv(*part) {
                        Some(number) => sum = sum.wrapping_add(u64::try_from(number).ok()?),
                        None if found => return None,
                        None => {
                            sum = sum.wrapping_add(InstructionTracer::offset_in_region(
                                terms, *part, base,
                            )?);
                            found = true;
                        }
                    }
                }
                found.then_some(sum)
            }
            _ => None,
        }
    }

    /// Whether an address lies in a region, wherever that is.
    pub(crate) fn is_in_fresh_region(&self, terms: &TermStore, term: Term, size: u64) -> bool {
        self.regions.iter().any(|region| {
            InstructionTracer::offset_in_region(terms, term, region.base).is_some_and(|offset| {
                let start = i128::from(offset.cast_signed());
                start >= i128::from(region.from)
                    && start + i128::from(size) <= i128::from(region.to)
            })
        })
    }

    /// Refuses an address that is a number and lies where a region is; keeps in mind one that lies where an
    /// allocator keeps what is its own.
    pub(crate) fn check_absolute_address(
        &mut self,
        instruction: &LiftedInstruction,
        address: u64,
        size: u64,
    ) -> Result<(), TraceHalt> {
        if self.regions.iter().any(|region| region.contains(address, size)) {
            return Err(TraceHalt::Alias(instruction.named.clone(), address));
        }
        let next = self.hidden.partition_point(|(_, end)| *end <= address);
        let peeks = |(start, _): &(u64, u64)| *start < address.saturating_add(size);
        if self.peeked.is_none() && self.hidden.get(next).is_some_and(peeks) {
            self.peeked = Some((instruction.named.clone(), address));
        }
        Ok(())
    }

    /// Executes a call of an allocator, if that is what comes next.
    pub(crate) fn run_allocator_call(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        program: &mut InstructionCache,
    ) -> Result<bool, TraceHalt> {
        let Some(which) = self.allocators.get(&machine.rip).copied() else { return Ok(false) };
        let instruction = program.fetch_instruction(&mut machine.memory, machine.rip)?;
        let refuse = |why: &str| {
            TraceHalt::Stop(PcodeStop::Unsupported(instruction.named.clone(), why.to_owned()))
        };
        if which == AllocatorFunction::Other {
            return Err(refuse("it frees or moves allocated memory"));
        }
        if which == AllocatorFunction::Reveals {
            return Err(refuse(REVEALS));
        }
        let mut size = 1u64;
        for register in if which == AllocatorFunction::Calloc { &[7, 6][..] } else { &[7] } {
            let at = file::general_register_offset(*register) as u64;
            let arg = PcodeArgument { place: ArgumentPlace::File, size: 8, value: at };
            self.fix_argument(terms, machine, &instruction, arg, ConditionReason::Operand)?;
            size = size.saturating_mul(machine.general_register(*register));
        }
        if size > LARGEST {
            return Err(refuse("it allocates too much"));
        }
        let entry = machine.general_register(4);
        let absent = |trouble: MemoryFault| stop_for_refusal(&instruction, trouble);
        let back = machine.memory.read_number(entry, 8).map_err(absent)?;
        if (0..8).any(|i| self.memory_mut().get(entry + i).is_some()) {
            return Err(TraceHalt::Opaque(instruction.named.clone()));
        }
        // The return takes its address from the stack.
        let pointer = PcodeArgument {
            place: ArgumentPlace::File,
            size: 8,
            value: file::general_register_offset(4) as u64,
        };
        let above = match self.argument_term(terms, machine, &instruction, pointer)? {
            Some(Some(term)) => {
                let eight = terms.bv(64, 8);
                Some(terms.bv_add(term, eight))
            }
            Some(None) => None,
            None => return Err(TraceHalt::Opaque(instruction.named.clone())),
        };
        let before = machine.memory.clone();
        let first = machine.steps;
        while machine.rip != back || machine.general_register(4) != entry.wrapping_add(8) {
            machine.step(program)?;
            if machine.steps - first > LONGEST {
                return Err(refuse("it does not return"));
            }
        }
        let changed = machine.memory.differing_words(&before, usize::MAX).unwrap_or_default();
        for (address, here, there) in changed {
            let (here, there) = (here.to_le_bytes(), there.to_le_bytes());
            for i in (0..8).filter(|i| here[*i] != there[*i]) {
                self.memory_mut().set_shade(address + i as u64, Some(ByteShade::Opaque));
            }
        }
        self.clobber_registers();
        if let Some(above) = above {
            self.name_register(file::general_register_offset(4), 8, above);
        }
        let number = machine.general_register(0);
        if number == 0 {
            return Err(refuse("it failed"));
        }
        let name = format!("fresh{}", self.allocations.len());
        let base = terms
            .intern_symbol(&name, ouro_term::Sort::BitVec(64))
            .ok_or_else(|| refuse("its name is taken"))?;
        self.name_register(file::general_register_offset(0), 8, base);
        let to = size.cast_signed();
        self.regions.push(FreshRegion { base, number, from: 0, to });
        self.allocations.push(TracedAllocation { base, number, size });
        if which == AllocatorFunction::Malloc {
            self.forget_memory(number, number.saturating_add(size));
        } else {
            self.memory_mut().clear(number, usize::try_from(size).unwrap_or(0));
        }
        Ok(true)
    }

    /// What a call leaves in the registers that it need not preserve.
    fn clobber_registers(&mut self) {
        let general = CLOBBERED.iter().map(|number| (file::general_register_offset(*number), 8));
        let flags = file::FLAGS.iter().map(|(flag, _)| (*flag, 1)).filter(|f| f.0 != file::DF);
        let others = [(file::K, 64), (file::ZMM, 2048)];
        let all: Vec<(usize, usize)> = general.chain(flags).chain(others).collect();
        for (start, length) in all {
            for at in start..start + length {
                self.file_mut().set_shade(at as u64, Some(ByteShade::Opaque));
            }
        }
    }
}
