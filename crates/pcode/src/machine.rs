//! The machine on numbers: millions of instructions a second.

use std::rc::Rc;

use iced_x86::{Mnemonic, OpKind, Register};

use crate::lift::{How, Instruction, Lifter, Named};
use crate::memory::{Memory, Trouble};
use crate::native::{Bounce, Context, Native, Set};
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
    context: Box<Context>,
    bounce: Box<Bounce>,
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

    fn native(
        &mut self,
        program: &mut Program,
        instruction: &Instruction,
        native: &Native,
    ) -> Result<(), Stop> {
        let unmasked = match native.set {
            Set::X87 => self.fx[0] & 0x3f != 0x3f,
            _ => self.mxcsr & 0x1f80 != 0x1f80,
        };
        if unmasked {
            let why = "floating point exceptions are not masked".to_owned();
            return Err(Stop::Unsupported(instruction.named.clone(), why));
        }
        let Program { context, bounce, .. } = program;
        for number in 0..16 {
            context.gpr[number] = self.general(number);
        }
        context.flags = self.flags() | 0x202;
        context.mxcsr = self.mxcsr;
        match native.set {
            Set::General => {}
            Set::X87 => {
                context.fx.copy_from_slice(&*self.fx);
                // The CPU remembers where its last instruction was; nobody compares that.
                context.fx[24..28].copy_from_slice(&self.mxcsr.to_le_bytes());
            }
            Set::Vector => {
                context.zmm.copy_from_slice(&self.file[file::ZMM..file::ZMM + 2048]);
                for (i, k) in context.k.iter_mut().enumerate() {
                    *k = self.number(file::K + 8 * i, 8);
                }
            }
        }
        let mut place = (0, 0);
        if let Some(operand) = native.operand {
            let address = self.address(instruction);
            let offset = usize::try_from(address % 64).unwrap_or(0);
            if operand.aligned && offset % operand.size != 0 {
                let why = format!("{address:#x} is not aligned");
                return Err(Stop::Fault(instruction.named.clone(), why));
            }
            if operand.reads {
                self.memory
                    .read(address, &mut bounce.0[offset..offset + operand.size])
                    .map_err(|trouble| stop(instruction, trouble))?;
            }
            let bits = &bounce.0[offset..offset + operand.size];
            let loads =
                matches!(instruction.decoded.mnemonic(), Mnemonic::Ldmxcsr | Mnemonic::Vldmxcsr);
            if loads && bits[2..] != [0, 0] {
                let why = "it sets reserved bits".to_owned();
                return Err(Stop::Fault(instruction.named.clone(), why));
            }
            place = (offset, address);
        }
        native.run(context, bounce, place.0);
        if let Some(operand) = native.operand
            && operand.writes
        {
            self.memory
                .write(place.1, &bounce.0[place.0..place.0 + operand.size])
                .map_err(|trouble| stop(instruction, trouble))?;
        }
        for number in 0..16 {
            if number != 4 {
                self.set_general(number, context.gpr[number]);
            }
        }
        self.set_flags(context.flags);
        self.mxcsr = context.mxcsr;
        match native.set {
            Set::General => {}
            Set::X87 => {
                self.fx.copy_from_slice(&context.fx);
                // Instruction and data pointers are the host's.
                self.fx[8..24].fill(0);
                self.fx[6..8].fill(0);
                self.fx[24..28].fill(0);
                self.fx[160..].fill(0);
            }
            Set::Vector => {
                self.file[file::ZMM..file::ZMM + 2048].copy_from_slice(&context.zmm);
                for (i, k) in context.k.iter().enumerate() {
                    self.file[file::K + 8 * i..file::K + 8 * i + 8]
                        .copy_from_slice(&k.to_le_bytes());
                }
            }
        }
        Ok(())
    }

    /// Where the memory operand of an instruction lies now, and how many bytes it has, if there is one.
    pub fn operand(&self, instruction: &Instruction) -> Option<(u64, usize)> {
        let decoded = &instruction.decoded;
        let memory = (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory);
        let size = decoded.memory_size().size();
        (memory && (1..=8).contains(&size)).then(|| (self.address(instruction), size))
    }

    /// The address of the memory operand.
    pub(crate) fn address(&self, instruction: &Instruction) -> u64 {
        let decoded = &instruction.decoded;
        let register = |register: Register| -> u64 {
            match register {
                Register::None => 0,
                Register::FS => self.number(file::FS_BASE, 8),
                Register::GS => self.number(file::GS_BASE, 8),
                r if r.is_segment_register() => 0,
                r if r.is_gpr64() => self.general(r.number()),
                r if r.is_gpr32() => self.general(r.number()) & 0xffff_ffff,
                _ => 0,
            }
        };
        let segment = register(decoded.memory_segment());
        if decoded.memory_base() == Register::RIP || decoded.memory_base() == Register::EIP {
            // iced has added the address of the next instruction already.
            return segment.wrapping_add(decoded.memory_displacement64());
        }
        let scaled =
            register(decoded.memory_index()).wrapping_mul(u64::from(decoded.memory_index_scale()));
        let offset = register(decoded.memory_base())
            .wrapping_add(scaled)
            .wrapping_add(decoded.memory_displacement64());
        let narrow = decoded.memory_base().is_gpr32() || decoded.memory_index().is_gpr32();
        segment.wrapping_add(if narrow { offset & 0xffff_ffff } else { offset })
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

#[inline]
fn mask64(size: u8) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

fn mask128(size: u8) -> u128 {
    if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 }
}

fn sign(value: u128, size: u8) -> i128 {
    let shift = 128 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

#[inline]
fn sign64(value: u64, size: u8) -> i64 {
    let shift = 64 - 8 * u32::from(size);
    (value << shift).cast_signed() >> shift
}

/// Whether the quotient of a DIV or IDIV fits into half of what it is computed in.
fn fits(op: &Op, quotient: u128) -> Result<(), Refused> {
    let half = op.out.size / 2;
    let ok = if op.code == Code::Udiv {
        quotient <= mask128(half)
    } else {
        let value = sign(quotient, op.out.size);
        value == sign(quotient & mask128(half), half)
    };
    if ok { Ok(()) } else { Err(Refused::Division) }
}

/// The common case: everything fits into 64 bits.
#[inline]
fn compute64(op: &Op, a: u64, b: u64) -> Result<u64, Refused> {
    let size = op.a.size;
    Ok(match op.code {
        Code::Add => a.wrapping_add(b),
        Code::Sub => a.wrapping_sub(b),
        Code::Mul => a.wrapping_mul(b),
        Code::Negate => a.wrapping_neg(),
        Code::Not => !a,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Shl => {
            if b < 64 {
                a << b
            } else {
                0
            }
        }
        Code::Lshr => {
            if b < 64 {
                a >> b
            } else {
                0
            }
        }
        Code::Ashr => (sign64(a, size) >> b.min(63)).cast_unsigned(),
        Code::Eq => u64::from(a == b),
        Code::Ne => u64::from(a != b),
        Code::Ult => u64::from(a < b),
        Code::Ule => u64::from(a <= b),
        Code::Slt => u64::from(sign64(a, size) < sign64(b, size)),
        Code::Sle => u64::from(sign64(a, size) <= sign64(b, size)),
        Code::ZeroExtend => a,
        Code::SignExtend => sign64(a, size).cast_unsigned(),
        Code::Carry => u64::from((a.wrapping_add(b) & mask64(size)) < a),
        Code::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::BoolNot => a & 1 ^ 1,
        Code::BoolAnd => a & b & 1,
        Code::BoolOr => (a | b) & 1,
        Code::BoolXor => (a ^ b) & 1,
        Code::Popcount => u64::from(a.count_ones()),
        Code::LzCount => u64::from(a.leading_zeros()) - (64 - 8 * u64::from(size)),
        Code::Subpiece => {
            if b < 8 {
                a >> (8 * b)
            } else {
                0
            }
        }
        Code::Piece => a << (8 * u32::from(op.b.size)) | b,
        _ => {
            let value = compute(op, u128::from(a), u128::from(b))?;
            u64::try_from(value & u128::from(u64::MAX)).expect("masked")
        }
    })
}

/// Any operation on numbers of up to 16 bytes.
pub(crate) fn compute(op: &Op, a: u128, b: u128) -> Result<u128, Refused> {
    let size = op.a.size;
    let shift = |b: u128| u32::try_from(b).unwrap_or(u32::MAX);
    let truth = u128::from;
    let nonzero = |b: u128| if b == 0 { Err(Refused::Division) } else { Ok(b) };
    let value = match op.code {
        Code::Add => a.wrapping_add(b),
        Code::Sub => a.wrapping_sub(b),
        Code::Mul => a.wrapping_mul(b),
        Code::Udiv => a / nonzero(b)?,
        Code::Urem => a % nonzero(b)?,
        Code::Sdiv => sign(a, size).wrapping_div(sign(nonzero(b)?, size)).cast_unsigned(),
        Code::Srem => sign(a, size).wrapping_rem(sign(nonzero(b)?, size)).cast_unsigned(),
        Code::Negate => a.wrapping_neg(),
        Code::Not => !a,
        Code::And => a & b,
        Code::Or => a | b,
        Code::Xor => a ^ b,
        Code::Shl => a.checked_shl(shift(b)).unwrap_or(0),
        Code::Lshr => a.checked_shr(shift(b)).unwrap_or(0),
        Code::Ashr => (sign(a, size) >> shift(b).min(127)).cast_unsigned(),
        Code::Eq => truth(a == b),
        Code::Ne => truth(a != b),
        Code::Ult => truth(a < b),
        Code::Ule => truth(a <= b),
        Code::Slt => truth(sign(a, size) < sign(b, size)),
        Code::Sle => truth(sign(a, size) <= sign(b, size)),
        Code::ZeroExtend => a,
        Code::SignExtend => sign(a, size).cast_unsigned(),
        Code::Carry => truth((a.wrapping_add(b) & mask128(size)) < a),
        Code::SignedCarry => {
            let sum = a.wrapping_add(b);
            ((a ^ sum) & (b ^ sum)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::SignedBorrow => {
            let difference = a.wrapping_sub(b);
            ((a ^ b) & (a ^ difference)) >> (8 * u32::from(size) - 1) & 1
        }
        Code::Popcount => u128::from(a.count_ones()),
        Code::LzCount => u128::from(a.leading_zeros()) - (128 - 8 * u128::from(size)),
        Code::Subpiece => a.checked_shr(8 * shift(b).min(16)).unwrap_or(0),
        Code::Piece => a.checked_shl(8 * u32::from(op.b.size)).unwrap_or(0) | b,
        _ => return float(op, a, b),
    };
    Ok(value & mask128(op.out.size))
}

/// Scalar arithmetic in the default rounding mode. The CPU computes the values that count; these are
/// compared with them.
fn float(op: &Op, a: u128, b: u128) -> Result<u128, Refused> {
    let double = |bits: u128| f64::from_bits(low64(bits));
    let single = |bits: u128| f32::from_bits(u32::try_from(bits & 0xffff_ffff).expect("masked"));
    let truth = |holds: bool| Ok(u128::from(holds));
    let (x, y) = match op.a.size {
        8 => (double(a), double(b)),
        4 => (f64::from(single(a)), f64::from(single(b))),
        _ => return Err(Refused::NotModelled),
    };
    match op.code {
        Code::FloatEq => return truth(x == y),
        Code::FloatNe => return truth(x != y),
        Code::FloatLt => return truth(x < y),
        Code::FloatLe => return truth(x <= y),
        Code::FloatIsNan => return truth(x.is_nan()),
        Code::IntToFloat if op.out.size == 8 => {
            #[allow(clippy::cast_precision_loss, reason = "rounding is what the instruction does")]
            let value = sign64(low64(a), op.a.size) as f64;
            return Ok(u128::from(value.to_bits()));
        }
        _ if op.a.size != 8 || op.out.size != 8 => return Err(Refused::NotModelled),
        _ => {}
    }
    let value = match op.code {
        Code::FloatAdd => x + y,
        Code::FloatSub => x - y,
        Code::FloatMul => x * y,
        Code::FloatDiv => x / y,
        Code::FloatSqrt => x.sqrt(),
        _ => return Err(Refused::NotModelled),
    };
    Ok(u128::from(value.to_bits()))
}

fn low64(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).expect("masked")
}
