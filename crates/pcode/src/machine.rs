//! The machine on numbers: millions of instructions a second.

use std::fmt;
use std::rc::Rc;

use crate::compute::{check_quotient_fits, compute_u64, compute_u128, mask_u64, mask_u128};
use crate::lift::{ExecutionMode, InstructionLifter, LiftedInstruction, NamedInstruction};
use crate::memory::{MemoryFault, PagedMemory};
use crate::native::{BounceBuffer, NativeRegisters};
use crate::op::{ArgumentPlace, PcodeArgument, PcodeOp, PcodeOpcode, file};

/// Why the machine does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PcodeStop {
    /// The next instruction is a system call.
    Call(NamedInstruction),
    /// The next instruction asks for the time, a random number or the like.
    Outside(NamedInstruction),
    /// The next instruction raises an exception; the text says which.
    Fault(NamedInstruction, String),
    /// The next instruction uses memory at this address, which is not there: not mapped, not in the
    /// snapshot, or not to be relied on.
    Absent(NamedInstruction, u64),
    /// The next instruction cannot be followed.
    Unsupported(NamedInstruction, String),
    /// There is no instruction at this address.
    NoCode(u64),
}

impl fmt::Display for PcodeStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PcodeStop::Call(named) => write!(f, "it makes a system call, at {named}"),
            PcodeStop::Outside(named) => write!(f, "it asks the outside world, at {named}"),
            PcodeStop::Fault(named, why) => write!(f, "it faults, at {named}: {why}"),
            PcodeStop::Absent(named, address) => {
                write!(f, "it uses memory at {address:#x} whose contents are not known, at {named}")
            }
            PcodeStop::Unsupported(named, why) => {
                write!(f, "Ouro cannot execute an instruction, at {named}: {why}")
            }
            PcodeStop::NoCode(address) => write!(f, "there is no known code at {address:#x}"),
        }
    }
}

/// Registers and memory of one thread.
pub struct PcodeMachine {
    /// Registers and temporaries.
    pub(crate) file: Box<[u8; file::LENGTH]>,
    /// The next instruction.
    pub rip: u64,
    /// x87, as FXSAVE keeps it.
    pub fx: Box<[u8; 512]>,
    /// Control and status of SSE.
    pub mxcsr: u32,
    /// Memory.
    pub memory: PagedMemory,
    /// Instructions executed.
    pub steps: u64,
    /// Why nobody knows what the registers hold that only AVX-512 has, if so: no instruction that has to do with them
    /// is executed then.
    pub lacks_avx512: Option<&'static str>,
}

impl Clone for PcodeMachine {
    fn clone(&self) -> PcodeMachine {
        PcodeMachine {
            file: self.file.clone(),
            rip: self.rip,
            fx: self.fx.clone(),
            mxcsr: self.mxcsr,
            memory: self.memory.clone(),
            steps: self.steps,
            lacks_avx512: self.lacks_avx512,
        }
    }
}

/// Instructions by address, and what running them natively needs. Shared by all machines over the same
/// memory.
pub struct InstructionCache {
    /// The lifter.
    pub lifter: InstructionLifter,
    recent: Vec<(u64, Option<Rc<LiftedInstruction>>)>,
    pub(crate) context: Box<NativeRegisters>,
    pub(crate) bounce: Box<BounceBuffer>,
}

const RECENT: usize = 1 << 14;

impl InstructionCache {
    /// Nothing lifted yet.
    pub fn new() -> InstructionCache {
        InstructionCache {
            lifter: InstructionLifter::new(),
            recent: vec![(u64::MAX, None); RECENT],
            context: Box::default(),
            bounce: Box::new(BounceBuffer([0; 256])),
        }
    }

    /// The instruction at an address.
    ///
    /// # Errors
    /// If there is none.
    pub fn fetch_instruction(
        &mut self,
        memory: &mut PagedMemory,
        address: u64,
    ) -> Result<Rc<LiftedInstruction>, PcodeStop> {
        let slot = &mut self.recent[usize::try_from(address).unwrap_or(0) % RECENT];
        if let (found, Some(instruction)) = slot
            && *found == address
        {
            return Ok(Rc::clone(instruction));
        }
        let bytes = memory.instruction_bytes(address).map_err(|_| PcodeStop::NoCode(address))?;
        let instruction = self.lifter.lift(address, &bytes);
        // A machine that changed the code before running it would see old instructions.
        let length = instruction.named.bytes.len();
        if bytes.get(..length) != Some(&instruction.named.bytes[..]) {
            let why = "the program changes its own code".to_owned();
            return Err(PcodeStop::Unsupported(instruction.named.clone(), why));
        }
        *slot = (address, Some(Rc::clone(&instruction)));
        Ok(instruction)
    }
}

impl Default for InstructionCache {
    fn default() -> InstructionCache {
        InstructionCache::new()
    }
}

/// Where an instruction went.
enum ControlTransfer {
    Next,
    To(u64),
}

impl PcodeMachine {
    /// A machine with all registers zero.
    pub fn new(memory: PagedMemory) -> PcodeMachine {
        let mut fx = Box::new([0; 512]);
        fx[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        PcodeMachine {
            file: Box::new([0; file::LENGTH]),
            rip: 0,
            fx,
            mxcsr: 0x1f80,
            memory,
            steps: 0,
            lacks_avx512: None,
        }
    }

    /// A general register, in the order of encodings.
    pub fn general_register(&self, number: usize) -> u64 {
        self.read_file_number(file::general_register_offset(number), 8)
    }

    /// Sets a general register.
    pub fn set_general_register(&mut self, number: usize, value: u64) {
        let at = file::general_register_offset(number);
        self.file[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    /// Bytes of the file: registers, up to `file::TEMPORARIES`.
    pub fn registers(&self) -> &[u8] {
        &self.file[..file::TEMPORARIES]
    }

    /// Bytes of the file, to be set.
    pub fn registers_mut(&mut self) -> &mut [u8] {
        &mut self.file[..file::TEMPORARIES]
    }

    /// The flags as RFLAGS has them.
    pub fn flags(&self) -> u64 {
        file::FLAGS.iter().fold(2, |all, (at, bit)| all | u64::from(self.file[*at] & 1) << bit)
    }

    /// Sets the flags.
    pub fn set_flags(&mut self, flags: u64) {
        for (at, bit) in file::FLAGS {
            self.file[at] = u8::from(flags >> bit & 1 == 1);
        }
    }

    /// A number in the file.
    #[inline]
    pub fn read_file_number(&self, at: usize, size: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.file[at..at + size]);
        u64::from_le_bytes(bytes)
    }

    /// The next instruction.
    ///
    /// # Errors
    /// If there is none, or it has to do with registers that are not known.
    pub(crate) fn fetch_next(
        &mut self,
        program: &mut InstructionCache,
    ) -> Result<Rc<LiftedInstruction>, PcodeStop> {
        let instruction = program.fetch_instruction(&mut self.memory, self.rip)?;
        match self.lacks_avx512 {
            Some(why) if instruction.has_to_do_with_avx512() => {
                Err(PcodeStop::Unsupported(instruction.named.clone(), why.to_owned()))
            }
            _ => Ok(instruction),
        }
    }

    /// Executes one instruction. A machine that stopped stays where it was, though registers may be
    /// half-way through the instruction.
    ///
    /// # Errors
    /// If it cannot.
    pub fn step(&mut self, program: &mut InstructionCache) -> Result<(), PcodeStop> {
        let instruction = self.fetch_next(program)?;
        self.execute_instruction(program, &instruction)
    }

    /// Executes instructions until one cannot be, the address is reached again, or so many are done.
    ///
    /// # Errors
    /// If an instruction cannot be executed.
    pub fn run_until(
        &mut self,
        program: &mut InstructionCache,
        most: u64,
        until: Option<u64>,
    ) -> Result<(), PcodeStop> {
        for _ in 0..most {
            self.step(program)?;
            if Some(self.rip) == until {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn execute_instruction(
        &mut self,
        program: &mut InstructionCache,
        instruction: &LiftedInstruction,
    ) -> Result<(), PcodeStop> {
        let named = || instruction.named.clone();
        match &instruction.how {
            ExecutionMode::Operations => {
                self.check_alignment(instruction)?;
                let went = self
                    .execute_operations(instruction)
                    .map_err(|trouble| stop_for_refusal(instruction, trouble))?;
                let mut next = match went {
                    ControlTransfer::Next => instruction.named.address + instruction.length,
                    ControlTransfer::To(address) => address,
                };
                // The CPU notices the last round of a repetition at once.
                if instruction.repeats
                    && next == instruction.named.address
                    && self.general_register(1) == 0
                {
                    next += instruction.length;
                }
                self.rip = next;
            }
            ExecutionMode::Native(native) => {
                self.run_native(program, instruction, native)?;
                self.rip = instruction.named.address + instruction.length;
            }
            ExecutionMode::Call => return Err(PcodeStop::Call(named())),
            ExecutionMode::Outside => return Err(PcodeStop::Outside(named())),
            ExecutionMode::Trap => {
                return Err(PcodeStop::Fault(
                    named(),
                    "an invalid instruction or a trap".to_owned(),
                ));
            }
            ExecutionMode::Unknown => {
                return Err(PcodeStop::Unsupported(named(), "not modelled".to_owned()));
            }
        }
        self.steps += 1;
        Ok(())
    }

    fn execute_operations(
        &mut self,
        instruction: &LiftedInstruction,
    ) -> Result<ControlTransfer, OperationRefusal> {
        let ops = &*instruction.ops;
        // A store that cannot be done leaves registers changed before it; x86 does nothing then.
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            match op.code {
                PcodeOpcode::Jump => at = value_as_index(op.a.value),
                PcodeOpcode::JumpIf => {
                    if self.read_u64(op.b)? != 0 {
                        at = value_as_index(op.a.value);
                    }
                }
                PcodeOpcode::Branch => return Ok(ControlTransfer::To(op.a.value)),
                PcodeOpcode::BranchIf => {
                    if self.read_u64(op.b)? != 0 {
                        return Ok(ControlTransfer::To(op.a.value));
                    }
                }
                PcodeOpcode::BranchTo => return Ok(ControlTransfer::To(self.read_u64(op.a)?)),
                _ => self.execute_operation(op, instruction.divides)?,
            }
        }
        Ok(ControlTransfer::Next)
    }

    /// One operation that is no branch.
    pub(crate) fn execute_operation(
        &mut self,
        op: &PcodeOp,
        divides: bool,
    ) -> Result<(), OperationRefusal> {
        match op.code {
            PcodeOpcode::Load => {
                let address = self.read_u64(op.a)?;
                let mut bytes = [0; 64];
                let size = usize::from(op.out.size);
                self.memory.read(address, &mut bytes[..size])?;
                self.write_argument_bytes(op.out, &bytes[..size])
            }
            PcodeOpcode::Store => {
                let address = self.read_u64(op.a)?;
                let bytes = self.read_argument_bytes(op.b)?;
                Ok(self.memory.write(address, &bytes[..usize::from(op.b.size)])?)
            }
            PcodeOpcode::Copy => {
                let bytes = self.read_argument_bytes(op.a)?;
                self.write_argument_bytes(op.out, &bytes[..usize::from(op.out.size)])
            }
            PcodeOpcode::Subpiece if op.a.size > 16 => {
                let bytes = self.read_argument_bytes(op.a)?;
                let from = value_as_index(op.b.value);
                self.write_argument_bytes(op.out, &bytes[from..from + usize::from(op.out.size)])
            }
            PcodeOpcode::ZeroExtend if op.out.size > 16 => {
                let bytes = self.read_argument_bytes(op.a)?;
                let mut wide = [0; 64];
                let size = usize::from(op.a.size);
                wide[..size].copy_from_slice(&bytes[..size]);
                self.write_argument_bytes(op.out, &wide[..usize::from(op.out.size)])
            }
            _ if op.out.size <= 8 && op.a.size <= 8 && op.b.size <= 8 => {
                let (a, b) = (self.read_u64(op.a)?, self.read_u64(op.b)?);
                let value = compute_u64(op, a, b)?;
                self.write_argument_bytes(op.out, &value.to_le_bytes()[..usize::from(op.out.size)])
            }
            _ => {
                let (a, b) = (self.read_u128(op.a)?, self.read_u128(op.b)?);
                let value = compute_u128(op, a, b)?;
                if divides && matches!(op.code, PcodeOpcode::Udiv | PcodeOpcode::Sdiv) {
                    check_quotient_fits(op, value)?;
                }
                self.write_argument_bytes(op.out, &value.to_le_bytes()[..usize::from(op.out.size)])
            }
        }?;
        if divides && op.out.size <= 8 && matches!(op.code, PcodeOpcode::Udiv | PcodeOpcode::Sdiv) {
            let value = u128::from(self.read_u64(op.out)?);
            check_quotient_fits(op, value)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn read_u64(&mut self, arg: PcodeArgument) -> Result<u64, OperationRefusal> {
        let size = usize::from(arg.size);
        Ok(match arg.place {
            ArgumentPlace::Constant => arg.value & mask_u64(arg.size),
            ArgumentPlace::File => {
                let at = arg.file_offset();
                match arg.size {
                    8 => u64::from_le_bytes(self.file[at..at + 8].try_into().expect("eight")),
                    4 => u64::from(u32::from_le_bytes(
                        self.file[at..at + 4].try_into().expect("four"),
                    )),
                    1 => u64::from(self.file[at]),
                    _ => self.read_file_number(at, size),
                }
            }
            ArgumentPlace::Memory => self.memory.read_number(arg.value, size)?,
        })
    }

    pub(crate) fn read_u128(&mut self, arg: PcodeArgument) -> Result<u128, OperationRefusal> {
        let mut bytes = [0; 16];
        let size = usize::from(arg.size);
        match arg.place {
            ArgumentPlace::Constant => return Ok(u128::from(arg.value) & mask_u128(arg.size)),
            ArgumentPlace::File => bytes[..size]
                .copy_from_slice(&self.file[arg.file_offset()..arg.file_offset() + size]),
            ArgumentPlace::Memory => self.memory.read(arg.value, &mut bytes[..size])?,
        }
        Ok(u128::from_le_bytes(bytes))
    }

    fn read_argument_bytes(&mut self, arg: PcodeArgument) -> Result<[u8; 64], OperationRefusal> {
        let mut bytes = [0; 64];
        let size = usize::from(arg.size);
        match arg.place {
            ArgumentPlace::Constant => {
                bytes[..8].copy_from_slice(&(arg.value & mask_u64(arg.size)).to_le_bytes());
            }
            ArgumentPlace::File => bytes[..size]
                .copy_from_slice(&self.file[arg.file_offset()..arg.file_offset() + size]),
            ArgumentPlace::Memory => self.memory.read(arg.value, &mut bytes[..size])?,
        }
        Ok(bytes)
    }

    #[inline]
    fn write_argument_bytes(
        &mut self,
        arg: PcodeArgument,
        bytes: &[u8],
    ) -> Result<(), OperationRefusal> {
        match arg.place {
            ArgumentPlace::File => {
                let at = arg.file_offset();
                self.file[at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            ArgumentPlace::Memory => Ok(self.memory.write(arg.value, bytes)?),
            ArgumentPlace::Constant => Err(OperationRefusal::NotModelled),
        }
    }
}

/// Why an operation cannot be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OperationRefusal {
    Memory(MemoryFault),
    Division,
    NotModelled,
}

impl From<MemoryFault> for OperationRefusal {
    fn from(trouble: MemoryFault) -> OperationRefusal {
        OperationRefusal::Memory(trouble)
    }
}

pub(crate) fn stop_for_refusal(
    instruction: &LiftedInstruction,
    refused: impl Into<OperationRefusal>,
) -> PcodeStop {
    let named = instruction.named.clone();
    match refused.into() {
        OperationRefusal::Memory(MemoryFault::Absent(address)) => PcodeStop::Absent(named, address),
        OperationRefusal::Memory(MemoryFault::ReadOnly(address)) => {
            PcodeStop::Fault(named, format!("it writes memory at {address:#x}, which is read-only"))
        }
        OperationRefusal::Memory(MemoryFault::Code(address)) => PcodeStop::Unsupported(
            named,
            format!("it writes {address:#x}, on a page that contains code"),
        ),
        OperationRefusal::Division => PcodeStop::Fault(
            named,
            "a division by zero, or one whose quotient does not fit".to_owned(),
        ),
        OperationRefusal::NotModelled => PcodeStop::Unsupported(named, "not modelled".to_owned()),
    }
}

fn value_as_index(value: u64) -> usize {
    usize::try_from(value).expect("a number of an operation")
}
