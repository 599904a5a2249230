//! The machine on numbers: millions of instructions a second.

use std::fmt;
use std::rc::Rc;

use crate::compute::{compute, compute64, fits, mask64, mask128};
use crate::lift::{How, Instruction, Lifter, Named};
use crate::memory::{Memory, Trouble};
use crate::native::{Bounce, Context};
use crate::op::{Arg, Code, Op, Place, file};

/// Why the machine does not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The next instruction is a system call.
    Call(Named),
    /// The next instruction asks for the time, a random number or the like.
    Outside(Named),
    /// The next instruction raises an exception; the text says which.
    Fault(Named, String),
    /// The next instruction uses memory at this address, which is not there: not mapped, not in the
    /// snapshot, or not to be relied on.
    Absent(Named, u64),
    /// The next instruction cannot be followed.
    Unsupported(Named, String),
    /// There is no instruction at this address.
    NoCode(u64),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Call(named) => write!(f, "it makes a system call, at {named}"),
            Stop::Outside(named) => write!(f, "it asks the outside, at {named}"),
            Stop::Fault(named, why) => write!(f, "it faults, at {named}: {why}"),
            Stop::Absent(named, address) => {
                write!(f, "it uses memory at {address:#x} that is not known, at {named}")
            }
            Stop::Unsupported(named, why) => {
                write!(f, "an instruction cannot be followed, at {named}: {why}")
            }
            Stop::NoCode(address) => write!(f, "no code is known at {address:#x}"),
        }
    }
}

/// Registers and memory of one thread.
pub struct Machine {
    /// Registers and temporaries.
    pub(crate) file: Box<[u8; file::LENGTH]>,
    /// The next instruction.
    pub rip: u64,
    /// x87, as FXSAVE keeps it.
    pub fx: Box<[u8; 512]>,
    /// Control and status of SSE.
    pub mxcsr: u32,
    /// Memory.
    pub memory: Memory,
    /// Instructions executed.
    pub steps: u64,
}

impl Clone for Machine {
    fn clone(&self) -> Machine {
        Machine {
            file: self.file.clone(),
            rip: self.rip,
            fx: self.fx.clone(),
            mxcsr: self.mxcsr,
            memory: self.memory.clone(),
            steps: self.steps,
        }
    }
}

/// Instructions by address, and what running them natively needs. Shared by all machines over the same
/// memory.
pub struct Program {
    /// The lifter.
    pub lifter: Lifter,
    recent: Vec<(u64, Option<Rc<Instruction>>)>,
    pub(crate) context: Box<Context>,
    pub(crate) bounce: Box<Bounce>,
}

const RECENT: usize = 1 << 14;

impl Program {
    /// Nothing lifted yet.
    pub fn new() -> Program {
        Program {
            lifter: Lifter::new(),
            recent: vec![(u64::MAX, None); RECENT],
            context: Box::default(),
            bounce: Box::new(Bounce([0; 256])),
        }
    }

    /// The instruction at an address.
    ///
    /// # Errors
    /// If there is none.
    pub fn instruction(
        &mut self,
        memory: &mut Memory,
        address: u64,
    ) -> Result<Rc<Instruction>, Stop> {
        let slot = &mut self.recent[usize::try_from(address).unwrap_or(0) % RECENT];
        if let (found, Some(instruction)) = slot
            && *found == address
        {
            return Ok(Rc::clone(instruction));
        }
        let bytes = memory.instruction(address).map_err(|_| Stop::NoCode(address))?;
        let instruction = self.lifter.lift(address, &bytes);
        // A machine that changed the code before running it would see old instructions.
        let length = instruction.named.bytes.len();
        if bytes.get(..length) != Some(&instruction.named.bytes[..]) {
            let why = "the program changes its own code".to_owned();
            return Err(Stop::Unsupported(instruction.named.clone(), why));
        }
        *slot = (address, Some(Rc::clone(&instruction)));
        Ok(instruction)
    }
}

impl Default for Program {
    fn default() -> Program {
        Program::new()
    }
}

/// Where an instruction went.
enum Went {
    Next,
    To(u64),
}

impl Machine {
    /// A machine with all registers zero.
    pub fn new(memory: Memory) -> Machine {
        let mut fx = Box::new([0; 512]);
        fx[0..2].copy_from_slice(&0x37fu16.to_le_bytes());
        Machine { file: Box::new([0; file::LENGTH]), rip: 0, fx, mxcsr: 0x1f80, memory, steps: 0 }
    }

    /// A general register, in the order of encodings.
    pub fn general(&self, number: usize) -> u64 {
        self.number(file::general(number), 8)
    }

    /// Sets a general register.
    pub fn set_general(&mut self, number: usize, value: u64) {
        let at = file::general(number);
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
    pub fn number(&self, at: usize, size: usize) -> u64 {
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.file[at..at + size]);
        u64::from_le_bytes(bytes)
    }

    /// Executes one instruction. A machine that stopped stays where it was, though registers may be
    /// half-way through the instruction.
    ///
    /// # Errors
    /// If it cannot.
    pub fn step(&mut self, program: &mut Program) -> Result<(), Stop> {
        let instruction = program.instruction(&mut self.memory, self.rip)?;
        self.execute(program, &instruction)
    }

    /// Executes instructions until one cannot be, the address is reached again, or so many are done.
    ///
    /// # Errors
    /// If an instruction cannot be executed.
    pub fn run(
        &mut self,
        program: &mut Program,
        most: u64,
        until: Option<u64>,
    ) -> Result<(), Stop> {
        for _ in 0..most {
            self.step(program)?;
            if Some(self.rip) == until {
                break;
            }
        }
        Ok(())
    }

    pub(crate) fn execute(
        &mut self,
        program: &mut Program,
        instruction: &Instruction,
    ) -> Result<(), Stop> {
        let named = || instruction.named.clone();
        match &instruction.how {
            How::Operations => {
                self.check_alignment(instruction)?;
                let went =
                    self.operations(instruction).map_err(|trouble| stop(instruction, trouble))?;
                let mut next = match went {
                    Went::Next => instruction.named.address + instruction.length,
                    Went::To(address) => address,
                };
                // The CPU notices the last round of a repetition at once.
                if instruction.repeats && next == instruction.named.address && self.general(1) == 0
                {
                    next += instruction.length;
                }
                self.rip = next;
            }
            How::Native(native) => {
                self.native(program, instruction, native)?;
                self.rip = instruction.named.address + instruction.length;
            }
            How::Call => return Err(Stop::Call(named())),
            How::Outside => return Err(Stop::Outside(named())),
            How::Trap => {
                return Err(Stop::Fault(named(), "an invalid instruction or a trap".to_owned()));
            }
            How::Unknown => return Err(Stop::Unsupported(named(), "not modelled".to_owned())),
        }
        self.steps += 1;
        Ok(())
    }

    fn operations(&mut self, instruction: &Instruction) -> Result<Went, Refused> {
        let ops = &*instruction.ops;
        // A store that cannot be done leaves registers changed before it; x86 does nothing then.
        let mut at = 0;
        while let Some(op) = ops.get(at) {
            at += 1;
            match op.code {
                Code::Jump => at = index(op.a.value),
                Code::JumpIf => {
                    if self.small(op.b)? != 0 {
                        at = index(op.a.value);
                    }
                }
                Code::Branch => return Ok(Went::To(op.a.value)),
                Code::BranchIf => {
                    if self.small(op.b)? != 0 {
                        return Ok(Went::To(op.a.value));
                    }
                }
                Code::BranchTo => return Ok(Went::To(self.small(op.a)?)),
                _ => self.operation(op, instruction.divides)?,
            }
        }
        Ok(Went::Next)
    }

    /// One operation that is no branch.
    pub(crate) fn operation(&mut self, op: &Op, divides: bool) -> Result<(), Refused> {
        match op.code {
            Code::Load => {
                let address = self.small(op.a)?;
                let mut bytes = [0; 64];
                let size = usize::from(op.out.size);
                self.memory.read(address, &mut bytes[..size])?;
                self.put(op.out, &bytes[..size])
            }
            Code::Store => {
                let address = self.small(op.a)?;
                let bytes = self.bytes(op.b)?;
                Ok(self.memory.write(address, &bytes[..usize::from(op.b.size)])?)
            }
            Code::Copy => {
                let bytes = self.bytes(op.a)?;
                self.put(op.out, &bytes[..usize::from(op.out.size)])
            }
            Code::Subpiece if op.a.size > 16 => {
                let bytes = self.bytes(op.a)?;
                let from = index(op.b.value);
                self.put(op.out, &bytes[from..from + usize::from(op.out.size)])
            }
            Code::ZeroExtend if op.out.size > 16 => {
                let bytes = self.bytes(op.a)?;
                let mut wide = [0; 64];
                let size = usize::from(op.a.size);
                wide[..size].copy_from_slice(&bytes[..size]);
                self.put(op.out, &wide[..usize::from(op.out.size)])
            }
            _ if op.out.size <= 8 && op.a.size <= 8 && op.b.size <= 8 => {
                let (a, b) = (self.small(op.a)?, self.small(op.b)?);
                let value = compute64(op, a, b)?;
                self.put(op.out, &value.to_le_bytes()[..usize::from(op.out.size)])
            }
            _ => {
                let (a, b) = (self.wide(op.a)?, self.wide(op.b)?);
                let value = compute(op, a, b)?;
                if divides && matches!(op.code, Code::Udiv | Code::Sdiv) {
                    fits(op, value)?;
                }
                self.put(op.out, &value.to_le_bytes()[..usize::from(op.out.size)])
            }
        }?;
        if divides && op.out.size <= 8 && matches!(op.code, Code::Udiv | Code::Sdiv) {
            let value = u128::from(self.small(op.out)?);
            fits(op, value)?;
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn small(&mut self, arg: Arg) -> Result<u64, Refused> {
        let size = usize::from(arg.size);
        Ok(match arg.place {
            Place::Constant => arg.value & mask64(arg.size),
            Place::File => {
                let at = arg.at();
                match arg.size {
                    8 => u64::from_le_bytes(self.file[at..at + 8].try_into().expect("eight")),
                    4 => u64::from(u32::from_le_bytes(
                        self.file[at..at + 4].try_into().expect("four"),
                    )),
                    1 => u64::from(self.file[at]),
                    _ => self.number(at, size),
                }
            }
            Place::Memory => self.memory.number(arg.value, size)?,
        })
    }

    pub(crate) fn wide(&mut self, arg: Arg) -> Result<u128, Refused> {
        let mut bytes = [0; 16];
        let size = usize::from(arg.size);
        match arg.place {
            Place::Constant => return Ok(u128::from(arg.value) & mask128(arg.size)),
            Place::File => bytes[..size].copy_from_slice(&self.file[arg.at()..arg.at() + size]),
            Place::Memory => self.memory.read(arg.value, &mut bytes[..size])?,
        }
        Ok(u128::from_le_bytes(bytes))
    }

    fn bytes(&mut self, arg: Arg) -> Result<[u8; 64], Refused> {
        let mut bytes = [0; 64];
        let size = usize::from(arg.size);
        match arg.place {
            Place::Constant => {
                bytes[..8].copy_from_slice(&(arg.value & mask64(arg.size)).to_le_bytes());
            }
            Place::File => bytes[..size].copy_from_slice(&self.file[arg.at()..arg.at() + size]),
            Place::Memory => self.memory.read(arg.value, &mut bytes[..size])?,
        }
        Ok(bytes)
    }

    #[inline]
    fn put(&mut self, arg: Arg, bytes: &[u8]) -> Result<(), Refused> {
        match arg.place {
            Place::File => {
                let at = arg.at();
                self.file[at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            Place::Memory => Ok(self.memory.write(arg.value, bytes)?),
            Place::Constant => Err(Refused::NotModelled),
        }
    }
}

/// Why an operation cannot be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    Memory(Trouble),
    Division,
    NotModelled,
}

impl From<Trouble> for Refused {
    fn from(trouble: Trouble) -> Refused {
        Refused::Memory(trouble)
    }
}

pub(crate) fn stop(instruction: &Instruction, refused: impl Into<Refused>) -> Stop {
    let named = instruction.named.clone();
    match refused.into() {
        Refused::Memory(Trouble::Absent(address)) => Stop::Absent(named, address),
        Refused::Memory(Trouble::ReadOnly(address)) => {
            Stop::Fault(named, format!("it writes memory at {address:#x}, which is read-only"))
        }
        Refused::Memory(Trouble::Code(address)) => {
            Stop::Unsupported(named, format!("it writes {address:#x}, on a page of instructions"))
        }
        Refused::Division => {
            Stop::Fault(named, "a division by zero, or one whose quotient does not fit".to_owned())
        }
        Refused::NotModelled => Stop::Unsupported(named, "not modelled".to_owned()),
    }
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("a number of an operation")
}
