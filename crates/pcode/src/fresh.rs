//! Memory that is new each time: the stack below a frame, and what an allocator hands out.
//!
//! An address that is the base of a region plus a number needs no condition: wherever the region lies, the
//! same bytes of it are meant. That is sound as long as nothing else uses the region, so every address that
//! is a plain number is compared with the regions, and one that lies in a region ends the trace
//! ([`Halt::Alias`]). What a region holds before it is written is unknown.
//!
//! Calls of an allocator are not traced: [`Allocator`] says what they promise. The machine executes them on
//! numbers, and whatever they change is unknown afterwards.

use ouro_term::{Op as TermOp, Term, Terms};

use crate::lift::Instruction;
use crate::machine::{Machine, Program, Stop, stop};
use crate::memory::Trouble;
use crate::op::{Arg, Place, file};
use crate::shadow::Shade;
use crate::tracer::{Halt, Tracer, Why};

/// A stretch of memory that is somewhere else each time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Where it begins, as a term.
    pub base: Term,
    /// Where it begins in this trace.
    pub number: u64,
    /// The least offset that may be used.
    pub from: i64,
    /// The offset after the last.
    pub to: i64,
}

impl Region {
    fn contains(&self, address: u64, size: u64) -> bool {
        let offset = i128::from(address) - i128::from(self.number);
        offset < i128::from(self.to) && offset + i128::from(size) > i128::from(self.from)
    }
}

/// What a function of an allocator promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocator {
    /// Memory of as many bytes as its first argument says, that nobody else uses.
    Malloc,
    /// The same for the product of two arguments, all zero.
    Calloc,
    /// It frees or moves what is allocated: it must not be called.
    Other,
    /// It tells what the allocator has, or where memory ends: it must not be called.
    Reveals,
}

/// Why a call of [`Allocator::Reveals`] is refused.
pub const REVEALS: &str = "it asks the allocator what it has";

/// An allocation of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocation {
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

impl Tracer {
    /// Makes a stretch of memory unknown until it is written.
    pub fn forget(&mut self, start: u64, end: u64) {
        self.memory_mut().forget(start, end);
    }

    /// The offset of an address in a region, if it is one for every base.
    pub fn offset(terms: &Terms, term: Term, base: Term) -> Option<u64> {
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
                            sum = sum.wrapping_add(Tracer::offset(terms, *part, base)?);
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
    pub(crate) fn is_relative(&self, terms: &Terms, term: Term, size: u64) -> bool {
        self.regions.iter().any(|region| {
            Tracer::offset(terms, term, region.base).is_some_and(|offset| {
                let start = i128::from(offset.cast_signed());
                start >= i128::from(region.from)
                    && start + i128::from(size) <= i128::from(region.to)
            })
        })
    }

    /// Refuses an address that is a number and lies where a region is; keeps in mind one that lies where an
    /// allocator keeps what is its own.
    pub(crate) fn absolute(
        &mut self,
        instruction: &Instruction,
        address: u64,
        size: u64,
    ) -> Result<(), Halt> {
        if self.regions.iter().any(|region| region.contains(address, size)) {
            return Err(Halt::Alias(instruction.named.clone(), address));
        }
        let next = self.hidden.partition_point(|(_, end)| *end <= address);
        let peeks = |(start, _): &(u64, u64)| *start < address.saturating_add(size);
        if self.peeked.is_none() && self.hidden.get(next).is_some_and(peeks) {
            self.peeked = Some((instruction.named.clone(), address));
        }
        Ok(())
    }

    /// Executes a call of an allocator, if that is what comes next.
    pub(crate) fn allocator(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        program: &mut Program,
    ) -> Result<bool, Halt> {
        let Some(which) = self.allocators.get(&machine.rip).copied() else { return Ok(false) };
        let instruction = program.instruction(&mut machine.memory, machine.rip)?;
        let refuse =
            |why: &str| Halt::Stop(Stop::Unsupported(instruction.named.clone(), why.to_owned()));
        if which == Allocator::Other {
            return Err(refuse("it frees or moves memory of an allocator"));
        }
        if which == Allocator::Reveals {
            return Err(refuse(REVEALS));
        }
        let mut size = 1u64;
        for register in if which == Allocator::Calloc { &[7, 6][..] } else { &[7] } {
            let at = file::general(*register) as u64;
            let arg = Arg { place: Place::File, size: 8, value: at };
            self.fix(terms, machine, &instruction, arg, Why::Operand)?;
            size = size.saturating_mul(machine.general(*register));
        }
        if size > LARGEST {
            return Err(refuse("it allocates too much"));
        }
        let entry = machine.general(4);
        let absent = |trouble: Trouble| stop(&instruction, trouble);
        let back = machine.memory.number(entry, 8).map_err(absent)?;
        if (0..8).any(|i| self.memory_mut().get(entry + i).is_some()) {
            return Err(Halt::Opaque(instruction.named.clone()));
        }
        // The return takes its address from the stack.
        let pointer = Arg { place: Place::File, size: 8, value: file::general(4) as u64 };
        let above = match self.see(terms, machine, &instruction, pointer)? {
            Some(Some(term)) => {
                let eight = terms.bv(64, 8);
                Some(terms.bv_add(term, eight))
            }
            Some(None) => None,
            None => return Err(Halt::Opaque(instruction.named.clone())),
        };
        let before = machine.memory.clone();
        let first = machine.steps;
        while machine.rip != back || machine.general(4) != entry.wrapping_add(8) {
            machine.step(program)?;
            if machine.steps - first > LONGEST {
                return Err(refuse("it does not return"));
            }
        }
        let changed = machine.memory.differences(&before, usize::MAX).unwrap_or_default();
        for (address, here, there) in changed {
            let (here, there) = (here.to_le_bytes(), there.to_le_bytes());
            for i in (0..8).filter(|i| here[*i] != there[*i]) {
                self.memory_mut().put(address + i as u64, Some(Shade::Opaque));
            }
        }
        self.clobber();
        if let Some(above) = above {
            self.name_register(file::general(4), 8, above);
        }
        let number = machine.general(0);
        if number == 0 {
            return Err(refuse("it failed"));
        }
        let name = format!("fresh{}", self.allocations.len());
        let base = terms
            .symbol(&name, ouro_term::Sort::BitVec(64))
            .ok_or_else(|| refuse("its name is taken"))?;
        self.name_register(file::general(0), 8, base);
        let to = size.cast_signed();
        self.regions.push(Region { base, number, from: 0, to });
        self.allocations.push(Allocation { base, number, size });
        if which == Allocator::Malloc {
            self.forget(number, number.saturating_add(size));
        } else {
            self.memory_mut().clear(number, usize::try_from(size).unwrap_or(0));
        }
        Ok(true)
    }

    /// What a call leaves in the registers that it need not preserve.
    fn clobber(&mut self) {
        let general = CLOBBERED.iter().map(|number| (file::general(*number), 8));
        let flags = file::FLAGS.iter().map(|(flag, _)| (*flag, 1)).filter(|f| f.0 != file::DF);
        let others = [(file::K, 64), (file::ZMM, 2048)];
        let all: Vec<(usize, usize)> = general.chain(flags).chain(others).collect();
        for (start, length) in all {
            for at in start..start + length {
                self.file_mut().put(at as u64, Some(Shade::Opaque));
            }
        }
    }
}
