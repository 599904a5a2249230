//! The machine on terms beside numbers.
//!
//! Some registers and stretches of memory are named by symbols; everything else is the number that the
//! machine has. A [`Tracer`] executes an instruction on numbers, as [`Machine`] does, and on terms where
//! a symbol takes part. It collects [`Condition`]s: whenever all of them hold, a state that agrees on the
//! numbers takes the same path and ends in the terms.
//!
//! What a term cannot carry is made a number, with the condition that it be this one: addresses, targets
//! of jumps, operands of instructions that only the CPU knows. Undefined flags are opaque, and so is what
//! is computed from them; an opaque value that decides anything ends the trace.

mod native;
mod operations;

use std::fmt;
use std::rc::Rc;

use iced_x86::Mnemonic;
use ouro_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fresh::{Allocation, Allocator, Region};
use crate::lift::{How, Instruction, Named};
use crate::machine::{Machine, Program, Stop, stop};
use crate::op::{Arg, Place, file};
use crate::shadow::{Seen, Shade, Shadow};

/// Why a condition is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// A branch was taken, or was not.
    Branch,
    /// Memory was used at this address.
    Address,
    /// Control went to this address.
    Target,
    /// An instruction that no term describes had these operands.
    Operand,
    /// A division was defined, a float a number.
    Defined,
}

/// What has to hold for the same path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    /// A formula over the symbols.
    pub term: Term,
    /// The instruction that asks for it.
    pub address: u64,
    /// Why.
    pub why: Why,
}

/// Why a trace ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The machine does not go on.
    Stop(Stop),
    /// An undefined value decides.
    Opaque(Named),
    /// An address that is a number lies in memory that is somewhere else each time.
    Alias(Named, u64),
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Stop(stop) => write!(f, "{stop}"),
            Halt::Opaque(named) => write!(f, "it depends on something undefined, at {named}"),
            Halt::Alias(named, address) => {
                write!(f, "it uses new memory at {address:#x} in two ways, at {named}")
            }
        }
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

/// Terms beside the numbers of a machine.
#[derive(Clone, Default)]
pub struct Tracer {
    file: Shadow,
    memory: Shadow,
    /// Bytes that hold a truth value, and the truth value.
    truths: FxHashMap<Term, Term>,
    /// All that has to hold, in the order in which it was asked.
    pub conditions: Vec<Condition>,
    known: FxHashSet<Term>,
    /// Some float is a term: the sticky bits of SSE's status are not known for other values.
    pub float_terms: bool,
    /// An instruction read them.
    pub reads_status: bool,
    /// Where and how wide memory was used, if that is to be kept.
    pub accesses: Option<Vec<(u64, u8)>>,
    /// Memory that is somewhere else each time.
    pub regions: Vec<Region>,
    /// Functions of an allocator, by address; they are not traced.
    pub allocators: FxHashMap<u64, Allocator>,
    /// What they handed out.
    pub allocations: Vec<Allocation>,
    /// What an allocator keeps for itself, as stretches in order: first address, and the one after the last.
    pub hidden: Rc<Vec<(u64, u64)>>,
    /// The first instruction that looked there behind the allocator's back, and at which address.
    pub peeked: Option<(Named, u64)>,
}

impl Tracer {
    /// No symbol anywhere; the auxiliary carry is opaque.
    pub fn new() -> Tracer {
        let mut tracer = Tracer::default();
        tracer.file.put(file::AF as u64, Some(Shade::Opaque));
        tracer
    }

    /// Names a stretch of registers by a term.
    pub fn name_register(&mut self, at: usize, size: u8, term: Term) {
        self.file.put_term(at as u64, size, term);
    }

    /// Names a stretch of memory by a term.
    pub fn name_memory(&mut self, at: u64, size: u8, term: Term) {
        self.memory.put_term(at, size, term);
    }

    /// Registers that are not plain numbers, by byte.
    pub fn shaded_registers(&self) -> Vec<(usize, Shade)> {
        let registers = self.file.listed().into_iter();
        registers
            .filter_map(|(at, shade)| Some((usize::try_from(at).ok()?, shade)))
            .filter(|(at, _)| *at < file::TEMPORARIES)
            .collect()
    }

    /// Memory that is not plain numbers, by byte.
    pub fn shaded_memory(&self) -> Vec<(u64, Shade)> {
        self.memory.listed()
    }

    /// The value of registers now; `None` if it is opaque.
    pub fn register(
        &self,
        terms: &mut Terms,
        machine: &Machine,
        at: usize,
        size: usize,
    ) -> Option<Term> {
        let numbers = &machine.file[at..at + size];
        let seen = self.file.see(terms, at as u64, numbers);
        value(terms, &seen, numbers)
    }

    /// The value of memory now; `None` if it is opaque or absent.
    pub fn memory(
        &self,
        terms: &mut Terms,
        machine: &mut Machine,
        at: u64,
        size: usize,
    ) -> Option<Term> {
        let mut numbers = vec![0; size];
        machine.memory.read(at, &mut numbers).ok()?;
        let seen = self.memory.see(terms, at, &numbers);
        value(terms, &seen, &numbers)
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// If the machine stops, or an undefined value decides.
    pub fn step(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        program: &mut Program,
    ) -> Result<(), Halt> {
        if !self.allocators.is_empty() && self.allocator(terms, machine, program)? {
            return Ok(());
        }
        let instruction = program.instruction(&mut machine.memory, machine.rip)?;
        match &instruction.how {
            How::Operations => self.operations(terms, machine, &instruction)?,
            How::Native(_) => self.native(terms, machine, program, &instruction)?,
            _ => machine.execute(program, &instruction)?,
        }
        for flag in &instruction.undefined {
            self.file.put(*flag as u64, Some(Shade::Opaque));
        }
        self.reads_status |= matches!(
            instruction.decoded.mnemonic(),
            Mnemonic::Stmxcsr | Mnemonic::Vstmxcsr | Mnemonic::Ldmxcsr | Mnemonic::Vldmxcsr
        );
        if self.float_terms && self.reads_status {
            return Err(Halt::Opaque(instruction.named.clone()));
        }
        Ok(())
    }

    fn require(&mut self, terms: &Terms, term: Term, instruction: &Instruction, why: Why) {
        if terms.as_bool(term) != Some(true) && self.known.insert(term) {
            self.conditions.push(Condition { term, address: instruction.named.address, why });
        }
    }

    /// Makes an address a number, unless it lies in a region wherever that is.
    fn locate(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
        size: u8,
    ) -> Result<(), Halt> {
        if !self.regions.is_empty()
            && let Some(Some(term)) = self.see(terms, machine, instruction, arg)?
            && self.is_relative(terms, term, u64::from(size))
        {
            let address = machine.small(arg).map_err(|refused| stop(instruction, refused))?;
            self.require_alignment(terms, address, term, instruction);
            return Ok(());
        }
        self.fix(terms, machine, instruction, arg, Why::Address)?;
        let address = machine.small(arg).map_err(|refused| stop(instruction, refused))?;
        self.absolute(instruction, address, u64::from(size))
    }

    /// An address that may be another next time must be a multiple of as much as it is now.
    fn require_alignment(
        &mut self,
        terms: &mut Terms,
        number: u64,
        address: Term,
        instruction: &Instruction,
    ) {
        let bits = instruction.aligned.trailing_zeros();
        if bits > 0 {
            let low = terms.truncate(bits, address);
            let same = terms.bv(bits, u128::from(number));
            let aligned = terms.eq(low, same);
            self.require(terms, aligned, instruction, Why::Address);
        }
    }

    pub(crate) fn file_mut(&mut self) -> &mut Shadow {
        &mut self.file
    }

    pub(crate) fn memory_mut(&mut self) -> &mut Shadow {
        &mut self.memory
    }

    /// Makes an argument a number, with the condition that it is this one.
    pub(crate) fn fix(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
        why: Why,
    ) -> Result<(), Halt> {
        let opaque = || Halt::Opaque(instruction.named.clone());
        let Some(term) = self.see(terms, machine, instruction, arg)?.ok_or_else(opaque)? else {
            return Ok(());
        };
        let number = machine.wide(arg).map_err(|refused| stop(instruction, refused))?;
        let constant = terms.bv(8 * u32::from(arg.size), number);
        let same = terms.eq(term, constant);
        self.require(terms, same, instruction, why);
        Ok(())
    }

    /// The term of an argument of at most 16 bytes: `None` if opaque, `Some(None)` if a plain number.
    #[allow(clippy::option_option, reason = "opaque, plain, or a term")]
    pub(crate) fn see(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
    ) -> Result<Option<Option<Term>>, Halt> {
        let size = usize::from(arg.size);
        let seen = match arg.place {
            Place::Constant => Seen::Plain,
            Place::File => {
                let numbers = &machine.file[arg.at()..arg.at() + size];
                self.file.see(terms, arg.value, numbers)
            }
            Place::Memory => {
                let mut numbers = vec![0; size];
                self.note(arg.value, arg.size);
                machine.memory.read(arg.value, &mut numbers).map_err(|t| stop(instruction, t))?;
                self.memory.see(terms, arg.value, &numbers)
            }
        };
        Ok(match seen {
            Seen::Plain => Some(None),
            Seen::Term(term) => Some(Some(term)),
            Seen::Opaque => None,
        })
    }

    fn note(&mut self, address: u64, size: u8) {
        if let Some(accesses) = &mut self.accesses {
            accesses.push((address, size));
        }
    }

    fn shadow(&mut self, place: Place) -> &mut Shadow {
        if place == Place::Memory { &mut self.memory } else { &mut self.file }
    }

    fn copy_arg(&mut self, from: Arg, to: Arg) {
        if from.place == Place::Constant {
            self.shadow(to.place).clear(to.value, usize::from(to.size));
        } else {
            self.copy(from.place, from.value, to);
        }
    }

    fn copy(&mut self, place: Place, from: u64, to: Arg) {
        if self.shadow(place).is_clear(from, usize::from(to.size)) {
            self.shadow(to.place).clear(to.value, usize::from(to.size));
            return;
        }
        for i in 0..u64::from(to.size) {
            let shade = self.shadow(place).get(from.wrapping_add(i));
            self.shadow(to.place).put(to.value.wrapping_add(i), shade);
        }
    }

    fn put(&mut self, arg: Arg, shade: Option<Term>) {
        if arg.place == Place::Memory {
            self.note(arg.value, arg.size);
        }
        let shadow = self.shadow(arg.place);
        match shade {
            Some(term) => shadow.put_term(arg.value, arg.size, term),
            None => shadow.clear(arg.value, usize::from(arg.size)),
        }
    }

    fn put_opaque(&mut self, arg: Arg) {
        for i in 0..u64::from(arg.size) {
            self.shadow(arg.place).put(arg.value + i, Some(Shade::Opaque));
        }
    }
}

fn value(terms: &mut Terms, seen: &Seen, numbers: &[u8]) -> Option<Term> {
    match seen {
        Seen::Plain => {
            let value = numbers.iter().rev().fold(0u128, |v, b| v << 8 | u128::from(*b));
            let bytes = u32::try_from(numbers.len()).ok()?;
            Some(terms.bv(8 * bytes, value))
        }
        Seen::Term(term) => Some(*term),
        Seen::Opaque => None,
    }
}
