//! The machine on terms beside numbers.
//!
//! Some registers and stretches of memory are named by symbols; everything else is the number that the
//! machine has. A [`InstructionTracer`] executes an instruction on numbers, as [`PcodeMachine`] does, and on terms where
//! a symbol takes part. It collects [`TraceCondition`]s: whenever all of them hold, a state that agrees on the
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
use ouro_term::{Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fresh::{AllocatorFunction, FreshRegion, TracedAllocation};
use crate::lift::{ExecutionMode, LiftedInstruction, NamedInstruction};
use crate::machine::{InstructionCache, PcodeMachine, PcodeStop, stop_for_refusal};
use crate::op::{ArgumentPlace, PcodeArgument, file};
use crate::shadow::{ByteShade, ShadowBytes, StretchMeaning};

/// Why a condition is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConditionReason {
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
pub struct TraceCondition {
    /// A formula over the symbols.
    pub term: Term,
    /// The instruction that asks for it.
    pub address: u64,
    /// Why.
    pub why: ConditionReason,
}

/// Why a trace ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceHalt {
    /// The machine does not go on.
    Stop(PcodeStop),
    /// An undefined value decides.
    Opaque(NamedInstruction),
    /// An address that is a number lies in memory that is somewhere else each time.
    Alias(NamedInstruction, u64),
}

impl fmt::Display for TraceHalt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceHalt::Stop(stop) => write!(f, "{stop}"),
            TraceHalt::Opaque(named) => write!(f, "it depends on an undefined value, at {named}"),
            TraceHalt::Alias(named, address) => {
                write!(
                    f,
                    "it uses newly allocated memory at {address:#x} with two different \
                     sizes, at {named}"
                )
            }
        }
    }
}

impl From<PcodeStop> for TraceHalt {
    fn from(stop: PcodeStop) -> TraceHalt {
        TraceHalt::Stop(stop)
    }
}

/// Terms beside the numbers of a machine.
#[derive(Clone, Default)]
pub struct InstructionTracer {
    file: ShadowBytes,
    memory: ShadowBytes,
    /// Bytes that hold a truth value, and the truth value.
    truths: FxHashMap<Term, Term>,
    /// All that has to hold, in the order in which it was asked.
    pub conditions: Vec<TraceCondition>,
    known: FxHashSet<Term>,
    /// Some float is a term: the sticky bits of SSE's status are not known for other values.
    pub float_terms: bool,
    /// An instruction read them.
    pub reads_status: bool,
    /// Where and how wide memory was used, if that is to be kept.
    pub accesses: Option<Vec<(u64, u8)>>,
    /// Memory that is somewhere else each time.
    pub regions: Vec<FreshRegion>,
    /// Functions of an allocator, by address; they are not traced.
    pub allocators: FxHashMap<u64, AllocatorFunction>,
    /// What they handed out.
    pub allocations: Vec<TracedAllocation>,
    /// What an allocator keeps for itself, as stretches in order: first address, and the one after the last.
    pub hidden: Rc<Vec<(u64, u64)>>,
    /// The first instruction that looked there behind the allocator's back, and at which address.
    pub peeked: Option<(NamedInstruction, u64)>,
}

impl InstructionTracer {
    /// No symbol anywhere; the auxiliary carry is opaque.
    pub fn new() -> InstructionTracer {
        let mut tracer = InstructionTracer::default();
        tracer.file.set_shade(file::AF as u64, Some(ByteShade::Opaque));
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
    pub fn shaded_registers(&self) -> Vec<(usize, ByteShade)> {
        let registers = self.file.listed_bytes().into_iter();
        registers
            .filter_map(|(at, shade)| Some((usize::try_from(at).ok()?, shade)))
            .filter(|(at, _)| *at < file::TEMPORARIES)
            .collect()
    }

    /// Memory that is not plain numbers, by byte.
    pub fn shaded_memory(&self) -> Vec<(u64, ByteShade)> {
        self.memory.listed_bytes()
    }

    /// The value of registers now; `None` if it is opaque.
    pub fn register_term(
        &self,
        terms: &mut TermStore,
        machine: &PcodeMachine,
        at: usize,
        size: usize,
    ) -> Option<Term> {
        let numbers = &machine.file[at..at + size];
        let seen = self.file.stretch_meaning(terms, at as u64, numbers);
        term_of_stretch(terms, &seen, numbers)
    }

    /// The value of memory now; `None` if it is opaque or absent.
    pub fn memory_term(
        &self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        at: u64,
        size: usize,
    ) -> Option<Term> {
        let mut numbers = vec![0; size];
        machine.memory.read(at, &mut numbers).ok()?;
        let seen = self.memory.stretch_meaning(terms, at, &numbers);
        term_of_stretch(terms, &seen, &numbers)
    }

    /// Executes one instruction.
    ///
    /// # Errors
    /// If the machine stops, or an undefined value decides.
    pub fn step(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        program: &mut InstructionCache,
    ) -> Result<(), TraceHalt> {
        if !self.allocators.is_empty() && self.run_allocator_call(terms, machine, program)? {
            return Ok(());
        }
        let instruction = machine.fetch_next(program)?;
        match &instruction.how {
            ExecutionMode::Operations => self.trace_operations(terms, machine, &instruction)?,
            ExecutionMode::Native(_) => self.trace_native(terms, machine, program, &instruction)?,
            _ => machine.execute_instruction(program, &instruction)?,
        }
        for flag in &instruction.undefined {
            self.file.set_shade(*flag as u64, Some(ByteShade::Opaque));
        }
        self.reads_status |= matches!(
            instruction.decoded.mnemonic(),
            Mnemonic::Stmxcsr | Mnemonic::Vstmxcsr | Mnemonic::Ldmxcsr | Mnemonic::Vldmxcsr
        );
        if self.float_terms && self.reads_status {
            return Err(TraceHalt::Opaque(instruction.named.clone()));
        }
        Ok(())
    }

    fn require_condition(
        &mut self,
        terms: &TermStore,
        term: Term,
        instruction: &LiftedInstruction,
        why: ConditionReason,
    ) {
        if terms.as_bool(term) != Some(true) && self.known.insert(term) {
            self.conditions.push(TraceCondition { term, address: instruction.named.address, why });
        }
    }

    /// Makes an address a number, unless it lies in a region wherever that is.
    fn fix_address(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        arg: PcodeArgument,
        size: u8,
    ) -> Result<(), TraceHalt> {
        if !self.regions.is_empty()
            && let Some(Some(term)) = self.argument_term(terms, machine, instruction, arg)?
            && self.is_in_fresh_region(terms, term, u64::from(size))
        {
            let address =
                machine.read_u64(arg).map_err(|refused| stop_for_refusal(instruction, refused))?;
            self.require_alignment(terms, address, term, instruction);
            return Ok(());
        }
        self.fix_argument(terms, machine, instruction, arg, ConditionReason::Address)?;
        let address =
            machine.read_u64(arg).map_err(|refused| stop_for_refusal(instruction, refused))?;
        self.check_absolute_address(instruction, address, u64::from(size))
    }

    /// An address that may be another next time must be a multiple of as much as it is now.
    fn require_alignment(
        &mut self,
        terms: &mut TermStore,
        number: u64,
        address: Term,
        instruction: &LiftedInstruction,
    ) {
        let bits = instruction.aligned.trailing_zeros();
        if bits > 0 {
            let low = terms.truncate(bits, address);
            let same = terms.bv(bits, u128::from(number));
            let aligned = terms.eq(low, same);
            self.require_condition(terms, aligned, instruction, ConditionReason::Address);
        }
    }

    pub(crate) fn file_mut(&mut self) -> &mut ShadowBytes {
        &mut self.file
    }

    pub(crate) fn memory_mut(&mut self) -> &mut ShadowBytes {
        &mut self.memory
    }

    /// Makes an argument a number, with the condition that it is this one.
    pub(crate) fn fix_argument(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        arg: PcodeArgument,
        why: ConditionReason,
    ) -> Result<(), TraceHalt> {
        let opaque = || TraceHalt::Opaque(instruction.named.clone());
        let Some(term) =
            self.argument_term(terms, machine, instruction, arg)?.ok_or_else(opaque)?
        else {
            return Ok(());
        };
        let number =
            machine.read_u128(arg).map_err(|refused| stop_for_refusal(instruction, refused))?;
        let constant = terms.bv(8 * u32::from(arg.size), number);
        let same = terms.eq(term, constant);
        self.require_condition(terms, same, instruction, why);
        Ok(())
    }

    /// The term of an argument of at most 16 bytes: `None` if opaque, `Some(None)` if a plain number.
    #[allow(clippy::option_option, reason = "opaque, plain, or a term")]
    pub(crate) fn argument_term(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        arg: PcodeArgument,
    ) -> Result<Option<Option<Term>>, TraceHalt> {
        let size = usize::from(arg.size);
        let seen = match arg.place {
            ArgumentPlace::Constant => StretchMeaning::Plain,
            ArgumentPlace::File => {
                let numbers = &machine.file[arg.file_offset()..arg.file_offset() + size];
                self.file.stretch_meaning(terms, arg.value, numbers)
            }
            ArgumentPlace::Memory => {
                let mut numbers = vec![0; size];
                self.note_access(arg.value, arg.size);
                machine
                    .memory
                    .read(arg.value, &mut numbers)
                    .map_err(|t| stop_for_refusal(instruction, t))?;
                self.memory.stretch_meaning(terms, arg.value, &numbers)
            }
        };
        Ok(match seen {
            StretchMeaning::Plain => Some(None),
            StretchMeaning::Term(term) => Some(Some(term)),
            StretchMeaning::Opaque => None,
        })
    }

    fn note_access(&mut self, address: u64, size: u8) {
        if let Some(accesses) = &mut self.accesses {
            accesses.push((address, size));
        }
    }

    fn shadow_of_place(&mut self, place: ArgumentPlace) -> &mut ShadowBytes {
        if place == ArgumentPlace::Memory { &mut self.memory } else { &mut self.file }
    }

    fn copy_arg(&mut self, from: PcodeArgument, to: PcodeArgument) {
        if from.place == ArgumentPlace::Constant {
            self.shadow_of_place(to.place).clear(to.value, usize::from(to.size));
        } else {
            self.copy_shades(from.place, from.value, to);
        }
    }

    fn copy_shades(&mut self, place: ArgumentPlace, from: u64, to: PcodeArgument) {
        if self.shadow_of_place(place).is_clear(from, usize::from(to.size)) {
            self.shadow_of_place(to.place).clear(to.value, usize::from(to.size));
            return;
        }
        for i in 0..u64::from(to.size) {
            let shade = self.shadow_of_place(place).get(from.wrapping_add(i));
            self.shadow_of_place(to.place).set_shade(to.value.wrapping_add(i), shade);
        }
    }

    fn put_term(&mut self, arg: PcodeArgument, shade: Option<Term>) {
        if arg.place == ArgumentPlace::Memory {
            self.note_access(arg.value, arg.size);
        }
        let shadow = self.shadow_of_place(arg.place);
        match shade {
            Some(term) => shadow.put_term(arg.value, arg.size, term),
            None => shadow.clear(arg.value, usize::from(arg.size)),
        }
    }

    fn put_opaque(&mut self, arg: PcodeArgument) {
        for i in 0..u64::from(arg.size) {
            self.shadow_of_place(arg.place).set_shade(arg.value + i, Some(ByteShade::Opaque));
        }
    }
}

fn term_of_stretch(terms: &mut TermStore, seen: &StretchMeaning, numbers: &[u8]) -> Option<Term> {
    match seen {
        StretchMeaning::Plain => {
            let value = numbers.iter().rev().fold(0u128, |v, b| v << 8 | u128::from(*b));
            let bytes = u32::try_from(numbers.len()).ok()?;
            Some(terms.bv(8 * bytes, value))
        }
        StretchMeaning::Term(term) => Some(*term),
        StretchMeaning::Opaque => None,
    }
}
