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

use iced_x86::{Mnemonic, Register};
use ouro_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fresh::{Allocation, Allocator, Region};
use crate::lift::{How, Instruction, Named, place_of};
use crate::machine::{Machine, Program, Refused, Stop, stop};
use crate::meaning::{Meaning, meaning};
use crate::op::{Arg, Code, Op, Place, file};
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
            return Ok(());
        }
        self.fix(terms, machine, instruction, arg, Why::Address)?;
        let address = machine.small(arg).map_err(|refused| stop(instruction, refused))?;
        self.absolute(instruction, address, u64::from(size))
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

    fn operations(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
    ) -> Result<(), Halt> {
        let target = self.run(terms, machine, instruction)?;
        let start = instruction.named.address;
        let mut next = target.unwrap_or(start + instruction.length);
        // As the machine does: the last round of a repetition is noticed at once.
        if instruction.repeats && next == start {
            let counter = Arg { place: Place::File, size: 8, value: file::general(1) as u64 };
            let done = machine.general(1) == 0;
            self.decide(terms, machine, instruction, counter, !done)?;
            if done {
                next += instruction.length;
            }
        }
        machine.rip = next;
        machine.steps += 1;
        Ok(())
    }

    /// Whether an argument is not zero decides the way: the condition that it does so again.
    fn decide(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
        nonzero: bool,
    ) -> Result<(), Halt> {
        let opaque = || Halt::Opaque(instruction.named.clone());
        if let Some(term) = self.see(terms, machine, instruction, arg)?.ok_or_else(opaque)? {
            let holds = self.truth(terms, term);
            let condition = if nonzero { holds } else { terms.not(holds) };
            self.require(terms, condition, instruction, Why::Branch);
        }
        Ok(())
    }

    fn truth(&mut self, terms: &mut Terms, byte: Term) -> Term {
        match self.truths.get(&byte) {
            Some(truth) => *truth,
            None => terms.bv_is_nonzero(byte),
        }
    }

    /// Runs the operations; where control goes, if not to the next instruction.
    fn run(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
    ) -> Result<Option<u64>, Halt> {
        let refuse = |refused: Refused| Halt::Stop(stop(instruction, refused));
        let number = |value: u64| usize::try_from(value).expect("a number of an operation");
        let mut at = 0;
        while let Some(op) = instruction.ops.get(at) {
            at += 1;
            for arg in [op.out, op.a, op.b] {
                if arg.place == Place::Memory {
                    self.absolute(instruction, arg.value, u64::from(arg.size))?;
                }
            }
            match op.code {
                Code::Jump => at = number(op.a.value),
                Code::Branch => return Ok(Some(op.a.value)),
                Code::JumpIf | Code::BranchIf => {
                    let taken = machine.small(op.b).map_err(refuse)? != 0;
                    self.decide(terms, machine, instruction, op.b, taken)?;
                    match (taken, op.code) {
                        (true, Code::JumpIf) => at = number(op.a.value),
                        (true, _) => return Ok(Some(op.a.value)),
                        (false, _) => {}
                    }
                }
                Code::BranchTo => {
                    self.fix(terms, machine, instruction, op.a, Why::Target)?;
                    return Ok(Some(machine.small(op.a).map_err(refuse)?));
                }
                Code::Load => {
                    self.locate(terms, machine, instruction, op.a, op.out.size)?;
                    let address = machine.small(op.a).map_err(refuse)?;
                    self.note(address, op.out.size);
                    machine.operation(op, false).map_err(refuse)?;
                    self.copy(Place::Memory, address, op.out);
                }
                Code::Store => {
                    self.locate(terms, machine, instruction, op.a, op.b.size)?;
                    let address = machine.small(op.a).map_err(refuse)?;
                    self.note(address, op.b.size);
                    machine.operation(op, false).map_err(refuse)?;
                    let out = Arg { place: Place::Memory, size: op.b.size, value: address };
                    self.copy_arg(op.b, out);
                }
                Code::Copy => {
                    machine.operation(op, false).map_err(refuse)?;
                    self.copy_arg(op.a, op.out);
                }
                _ => self.compute(terms, machine, instruction, op)?,
            }
        }
        Ok(None)
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

    /// An operation that computes.
    fn compute(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        op: &Op,
    ) -> Result<(), Halt> {
        let refuse = |refused: Refused| Halt::Stop(stop(instruction, refused));
        if op.a.size > 16 || op.b.size > 16 || op.out.size > 16 {
            // Only extensions and parts are that wide.
            self.fix_wide(terms, machine, instruction, op.a)?;
            machine.operation(op, false).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        let a = self.see(terms, machine, instruction, op.a)?;
        let b = self.see(terms, machine, instruction, op.b)?;
        if let (Some(None), Some(None)) = (a, b) {
            machine.operation(op, instruction.divides).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        // The same register twice: `xor eax, eax` is 0 whatever it was, opaque or not.
        if op.a == op.b && matches!(op.code, Code::Xor | Code::Sub) {
            machine.operation(op, false).map_err(refuse)?;
            self.put(op.out, None);
            return Ok(());
        }
        let (Some(seen_a), Some(seen_b)) = (a, b) else {
            machine.operation(op, instruction.divides).map_err(refuse)?;
            self.put_opaque(op.out);
            return Ok(());
        };
        let mut term_of = |seen: Option<Term>, arg: Arg| -> Result<Option<Term>, Halt> {
            if arg.size == 0 {
                return Ok(None);
            }
            match seen {
                Some(term) => Ok(Some(term)),
                None => {
                    let number = machine.wide(arg).map_err(refuse)?;
                    Ok(Some(terms.bv(8 * u32::from(arg.size), number)))
                }
            }
        };
        let (a, b) = (term_of(seen_a, op.a)?, term_of(seen_b, op.b)?);
        let a = a.expect("every operation has an argument");
        let result = match op.code {
            Code::BoolNot | Code::BoolAnd | Code::BoolOr | Code::BoolXor => {
                let x = self.truth(terms, a);
                let y = b.map(|b| self.truth(terms, b));
                Meaning::Truth(match (op.code, y) {
                    (Code::BoolAnd, Some(y)) => terms.and(x, y),
                    (Code::BoolOr, Some(y)) => terms.or(x, y),
                    (Code::BoolXor, Some(y)) => {
                        let same = terms.eq(x, y);
                        terms.not(same)
                    }
                    _ => terms.not(x),
                })
            }
            _ => meaning(terms, op, a, b),
        };
        // Terms round to nearest, and know no flushing to zero.
        let rounds = machine.mxcsr & 0xe040 == 0;
        let without = match result {
            Meaning::None => true,
            Meaning::Float(_) => !rounds,
            _ => op.code == Code::IntToFloat && !rounds,
        };
        self.float_terms |= !without && is_float(op.code);
        if without {
            self.fix(terms, machine, instruction, op.a, Why::Operand)?;
            self.fix(terms, machine, instruction, op.b, Why::Operand)?;
        }
        machine.operation(op, instruction.divides).map_err(refuse)?;
        match result {
            _ if without => self.put(op.out, None),
            Meaning::Value(term) => self.put(op.out, plain(terms, term)),
            Meaning::Truth(truth) => {
                let byte = terms.bool_to_bv(8 * u32::from(op.out.size), truth);
                self.truths.insert(byte, truth);
                self.put(op.out, plain(terms, byte));
            }
            Meaning::Guarded(term, condition) => {
                self.require(terms, condition, instruction, Why::Defined);
                self.put(op.out, plain(terms, term));
            }
            Meaning::Float(term) => {
                let nan = terms.fp_is_nan(term);
                let number = terms.not(nan);
                self.require(terms, number, instruction, Why::Defined);
                self.put(op.out, plain(terms, term));
            }
            Meaning::Opaque | Meaning::None => self.put_opaque(op.out),
        }
        Ok(())
    }

    /// Makes a wide argument a number, in pieces of 8 bytes.
    fn fix_wide(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        arg: Arg,
    ) -> Result<(), Halt> {
        let mut done = 0;
        while done < arg.size {
            let size = (arg.size - done).min(8);
            let piece = Arg { value: arg.value + u64::from(done), size, ..arg };
            self.fix(terms, machine, instruction, piece, Why::Operand)?;
            done += size;
        }
        Ok(())
    }

    fn native(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        program: &mut Program,
        instruction: &Instruction,
    ) -> Result<(), Halt> {
        let How::Native(native) = &instruction.how else { return Ok(()) };
        let operand = native.operand;
        let relative = match &operand {
            Some(operand) if !self.regions.is_empty() => {
                self.is_relative_operand(terms, machine, instruction, operand.size)?
            }
            _ => false,
        };
        if operand.is_some() && !relative {
            // Registers of an address are numbers from here on.
            let decoded = &instruction.decoded;
            for register in [decoded.memory_base(), decoded.memory_index()] {
                if register != Register::None
                    && let Some((at, size)) = place_of(register)
                {
                    let size = u8::try_from(size).unwrap_or(8);
                    let arg = Arg { place: Place::File, size, value: at as u64 };
                    self.fix(terms, machine, instruction, arg, Why::Address)?;
                }
            }
        }
        let memory = operand.map(|operand| (machine.address(instruction), operand));
        if let Some((address, operand)) = memory {
            self.note(address, u8::try_from(operand.size).unwrap_or(64));
            if !relative {
                self.absolute(instruction, address, operand.size as u64)?;
            }
        }
        // Where a region lies is not read; only its bytes are.
        let base = place_of(instruction.decoded.memory_base()).filter(|_| relative);
        let reads: Vec<(usize, usize)> = instruction
            .reads
            .iter()
            .filter(|place| Some(**place) != base || instruction.has_operand(**place))
            .copied()
            .collect();
        let shaded = reads
            .iter()
            .any(|(at, size)| (0..*size).any(|i| self.file.get((at + i) as u64).is_some()))
            || memory.is_some_and(|(address, operand)| {
                operand.reads
                    && (0..operand.size as u64).any(|i| self.memory.get(address + i).is_some())
            });
        if shaded
            && !instruction.ops.is_empty()
            && self.by_terms(terms, machine, program, instruction)?
        {
            return Ok(());
        }
        if shaded {
            let memory = memory.map(|(address, operand)| (address, operand.size));
            self.fix_operands(terms, machine, instruction, &reads, memory)?;
        }
        machine.execute(program, instruction)?;
        for (at, size) in &instruction.writes {
            self.file.clear(*at as u64, *size);
        }
        if let Some((address, operand)) = memory
            && operand.writes
        {
            self.memory.clear(address, operand.size);
        }
        Ok(())
    }

    /// Whether the memory operand of a native instruction lies in a region, wherever that is.
    fn is_relative_operand(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        size: usize,
    ) -> Result<bool, Halt> {
        let decoded = &instruction.decoded;
        let base = decoded.memory_base();
        if matches!(decoded.memory_segment(), Register::FS | Register::GS) {
            return Ok(false);
        }
        let Some((at, 8)) = place_of(base).filter(|_| base.is_gpr64()) else { return Ok(false) };
        let mut rest = decoded.memory_displacement64();
        if let Some((index, size)) = place_of(decoded.memory_index()) {
            let size = u8::try_from(size).unwrap_or(8);
            let arg = Arg { place: Place::File, size, value: index as u64 };
            // A term here moves within the region: nobody knows where to.
            if !matches!(self.see(terms, machine, instruction, arg)?, Some(None)) {
                return Ok(false);
            }
            let scale = u64::from(decoded.memory_index_scale());
            rest = rest.wrapping_add(machine.number(index, 8).wrapping_mul(scale));
        }
        let arg = Arg { place: Place::File, size: 8, value: at as u64 };
        let Some(Some(term)) = self.see(terms, machine, instruction, arg)? else {
            return Ok(false);
        };
        let rest = terms.bv(64, u128::from(rest));
        let address = terms.bv_add(term, rest);
        Ok(self.is_relative(terms, address, size as u64))
    }

    /// Makes everything that a native instruction reads a number.
    fn fix_operands(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        instruction: &Instruction,
        reads: &[(usize, usize)],
        memory: Option<(u64, usize)>,
    ) -> Result<(), Halt> {
        for (at, size) in reads {
            // Undefined flags that are only passed through (`read` of a partial write) decide.
            let size = u8::try_from(*size).unwrap_or(64);
            let arg = Arg { place: Place::File, size, value: *at as u64 };
            self.fix_wide(terms, machine, instruction, arg)?;
        }
        if let Some((address, size)) = memory {
            let size = u8::try_from(size).unwrap_or(64);
            let arg = Arg { place: Place::Memory, size, value: address };
            self.fix_wide(terms, machine, instruction, arg)?;
        }
        Ok(())
    }

    /// Runs a native instruction on terms by its operations, if they give the numbers that the CPU gives.
    fn by_terms(
        &mut self,
        terms: &mut Terms,
        machine: &mut Machine,
        program: &mut Program,
        instruction: &Instruction,
    ) -> Result<bool, Halt> {
        let before = (self.clone(), machine.clone());
        let ran = self.run(terms, machine, instruction);
        let by_operations = machine.file.clone();
        let changed = machine.memory.clone();
        machine.file.copy_from_slice(&*before.1.file);
        machine.memory = before.1.memory.clone();
        machine.execute(program, instruction)?;
        let same = matches!(ran, Ok(None))
            && by_operations[..0x200] == machine.file[..0x200]
            && by_operations[0x834..0x874] == machine.file[0x834..0x874]
            && by_operations[file::ZMM..file::TEMPORARIES]
                == machine.file[file::ZMM..file::TEMPORARIES]
            && file::FLAGS.iter().all(|(flag, _)| {
                *flag == file::AF
                    || instruction.undefined.contains(flag)
                    || by_operations[*flag] == machine.file[*flag]
            })
            && machine.memory.differences(&changed, 0).is_some_and(|d| d.is_empty());
        if !same {
            let (tracer, old) = before;
            *self = tracer;
            *machine = old;
        }
        Ok(same)
    }
}

fn is_float(code: Code) -> bool {
    matches!(
        code,
        Code::FloatAdd
            | Code::FloatSub
            | Code::FloatMul
            | Code::FloatDiv
            | Code::FloatEq
            | Code::FloatNe
            | Code::FloatLt
            | Code::FloatLe
            | Code::IntToFloat
            | Code::FloatSqrt
    )
}

/// A term unless it is a number.
fn plain(terms: &Terms, term: Term) -> Option<Term> {
    terms.as_bv(term).is_none().then_some(term)
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
