//! Machine code to P-code: SLEIGH says what an instruction does, a table of corrections says where it is
//! wrong, and iced-x86 says what it is called.
//!
//! SLEIGH keeps what it decoded, by address, and has no way to forget: each distinct instruction is lifted
//! once and cached here, and the memory refuses writes to pages that hold instructions.

use std::collections::hash_map::Entry;
use std::fmt;
use std::rc::Rc;

use iced_x86::{
    Decoder, DecoderOptions, EncodingKind, FlowControl, Formatter as _, Instruction as Decoded,
    InstructionInfoFactory, IntelFormatter, Mnemonic, OpKind, Register, RflagsBits,
};
use libsla::{
    Address, AddressSpace, BoolOp, FloatOp, GhidraSleigh, InstructionLoader, IntOp, IntSign,
    OpCode, PcodeDisassembly, PcodeInstruction, PseudoOp, Sleigh as _, VarnodeData,
};
use rustc_hash::FxHashMap;

use crate::native::{Buffer, Native};
use crate::op::{Arg, Code, NOTHING, Op, Place, file};

/// Which instruction, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Where it is.
    pub address: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its text, as a disassembler shows it.
    pub text: String,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}: ", self.address)?;
        for byte in &self.bytes {
            write!(f, "{byte:02x}")?;
        }
        write!(f, " {}", self.text)
    }
}

/// How an instruction is run.
pub(crate) enum How {
    /// By its operations.
    Operations,
    /// By the CPU; the operations, if there are any, say the same.
    Native(Native),
    /// A system call.
    Call,
    /// It asks something that is not in memory or registers: the time, a random number.
    Outside,
    /// It raises an exception.
    Trap,
    /// Nobody knows.
    Unknown,
}

/// An instruction, lifted.
pub struct Instruction {
    /// What it is called.
    pub named: Named,
    /// How many bytes it has.
    pub length: u64,
    /// What it does; empty if SLEIGH does not know, or is not believed.
    pub ops: Box<[Op]>,
    pub(crate) how: How,
    /// Repeats itself as long as RCX is not 0.
    pub(crate) repeats: bool,
    /// A division: what faults if the quotient does not fit.
    pub(crate) divides: bool,
    /// Flags whose value nobody knows afterwards: offsets in the file.
    pub undefined: Box<[usize]>,
    /// What a native instruction reads and writes in the file: offset and length.
    pub(crate) reads: Box<[(usize, usize)]>,
    pub(crate) writes: Box<[(usize, usize)]>,
    /// Registers that the address of a native memory operand is made of.
    pub(crate) decoded: Decoded,
    /// A call (of any kind).
    pub calls: bool,
    /// A return.
    pub returns: bool,
    /// A branch, call or return: control may go elsewhere.
    pub branches: bool,
}

impl Instruction {
    /// Whether a register is an operand by itself, not only a part of an address.
    pub(crate) fn has_operand(&self, place: (usize, usize)) -> bool {
        (0..self.decoded.op_count()).any(|i| {
            self.decoded.op_kind(i) == OpKind::Register
                && place_of(self.decoded.op_register(i)) == Some(place)
        })
    }
}

/// Offset and length in the file.
type Stretch = (usize, usize);

struct Bytes<'a> {
    start: u64,
    bytes: &'a [u8],
}

impl InstructionLoader for Bytes<'_> {
    fn load_instruction_bytes(&self, source: &VarnodeData) -> Result<Vec<u8>, String> {
        let from = usize::try_from(source.address.offset.wrapping_sub(self.start))
            .unwrap_or(usize::MAX)
            .min(self.bytes.len());
        let mut bytes = self.bytes[from..].to_vec();
        // SLEIGH reads ahead; what lies behind the instruction does not matter.
        bytes.resize(source.size.max(bytes.len()), 0x90);
        bytes.truncate(source.size);
        Ok(bytes)
    }
}

/// Lifts instructions, each once.
pub struct Lifter {
    sleigh: GhidraSleigh,
    code_space: AddressSpace,
    factory: InstructionInfoFactory,
    formatter: IntelFormatter,
    buffer: Buffer,
    known: FxHashMap<u64, Rc<Instruction>>,
}

impl Lifter {
    /// A lifter with nothing lifted. Takes a tenth of a second.
    ///
    /// # Panics
    /// If SLEIGH's own specification of x86 cannot be read.
    pub fn new() -> Lifter {
        let sleigh = GhidraSleigh::builder()
            .processor_spec(sleigh_config::processor_x86::PSPEC_X86_64)
            .and_then(|builder| builder.build(sleigh_config::processor_x86::SLA_X86_64))
            .expect("the specification is part of the program");
        let code_space = sleigh.default_code_space();
        Lifter {
            sleigh,
            code_space,
            factory: InstructionInfoFactory::new(),
            formatter: IntelFormatter::new(),
            buffer: Buffer::default(),
            known: FxHashMap::default(),
        }
    }

    /// The instruction at an address, if it was lifted.
    pub fn get(&self, address: u64) -> Option<&Rc<Instruction>> {
        self.known.get(&address)
    }

    /// How many instructions were lifted.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Lifts the instruction at an address.
    pub(crate) fn lift(&mut self, address: u64, bytes: &[u8]) -> Rc<Instruction> {
        if let Entry::Occupied(entry) = self.known.entry(address) {
            return Rc::clone(entry.get());
        }
        let lifted = Rc::new(self.translate(address, bytes));
        self.known.insert(address, Rc::clone(&lifted));
        lifted
    }

    fn translate(&mut self, address: u64, bytes: &[u8]) -> Instruction {
        let decoded = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
        let mut text = String::new();
        self.formatter.format(&decoded, &mut text);
        let length = decoded.len().max(1).min(bytes.len());
        let named = Named { address, bytes: bytes[..length].to_vec(), text };
        let mnemonic = decoded.mnemonic();
        let mut how = None;
        if decoded.is_invalid() {
            how = Some(How::Trap);
        }
        match mnemonic {
            Mnemonic::Syscall | Mnemonic::Sysenter => how = Some(How::Call),
            Mnemonic::Rdtsc
            | Mnemonic::Rdtscp
            | Mnemonic::Rdrand
            | Mnemonic::Rdseed
            | Mnemonic::Rdpid
            | Mnemonic::Rdpmc
            | Mnemonic::Cpuid => how = Some(How::Outside),
            Mnemonic::Ud2 | Mnemonic::Ud1 | Mnemonic::Ud0 | Mnemonic::Hlt | Mnemonic::Int3 => {
                how = Some(How::Trap);
            }
            Mnemonic::Int | Mnemonic::Int1 | Mnemonic::Into | Mnemonic::Xbegin => {
                how = Some(How::Unknown);
            }
            _ => {}
        }
        let mut ops = Vec::new();
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        if how.is_none() {
            how = Some(if nothing(&decoded) {
                How::Operations
            } else if mnemonic == Mnemonic::Xtest {
                // Not in a transaction: no traced program is for long.
                for (flag, _) in file::FLAGS.iter().filter(|(flag, _)| *flag != file::DF) {
                    ops.push(set(*flag, u64::from(*flag == file::ZF)));
                }
                How::Operations
            } else if reads_unmodelled_flags(mnemonic) {
                How::Unknown
            } else {
                let from_sleigh = self.operations(address, bytes, &decoded);
                let believed = believed(&decoded);
                match from_sleigh {
                    Some(lifted) if believed => {
                        ops = lifted;
                        How::Operations
                    }
                    lifted => match self.buffer.prepare(&decoded, &mut self.factory) {
                        Some(native) => {
                            (reads, writes) = self.used(&decoded);
                            if symbolic_too(mnemonic) {
                                ops = lifted.unwrap_or_default();
                            }
                            How::Native(native)
                        }
                        None => How::Unknown,
                    },
                }
            });
        }
        let undefined = decoded.rflags_undefined();
        let mut unknown = vec![file::AF];
        for (bit, flag) in [
            (RflagsBits::OF, file::OF),
            (RflagsBits::SF, file::SF),
            (RflagsBits::ZF, file::ZF),
            (RflagsBits::CF, file::CF),
            (RflagsBits::PF, file::PF),
        ] {
            if undefined & bit != 0 || (flag == file::OF && wrong_overflow(mnemonic)) {
                unknown.push(flag);
            }
        }
        let touches_flags = decoded.rflags_modified() != 0 || undefined != 0;
        let flow = decoded.flow_control();
        Instruction {
            named,
            length: length as u64,
            ops: ops.into(),
            how: how.unwrap_or(How::Unknown),
            repeats: decoded.is_string_instruction()
                && (decoded.has_rep_prefix() || decoded.has_repne_prefix()),
            divides: matches!(mnemonic, Mnemonic::Div | Mnemonic::Idiv),
            undefined: if touches_flags { unknown.into() } else { Box::new([]) },
            reads: reads.into(),
            writes: writes.into(),
            decoded,
            calls: matches!(flow, FlowControl::Call | FlowControl::IndirectCall),
            returns: flow == FlowControl::Return,
            branches: flow != FlowControl::Next,
        }
    }

    /// SLEIGH's operations; `None` if it has none or calls something that has no meaning to us.
    fn operations(&self, address: u64, bytes: &[u8], decoded: &Decoded) -> Option<Vec<Op>> {
        let loader = Bytes { start: address, bytes };
        let at = Address::new(self.code_space.clone(), address);
        let lifted = self.sleigh.disassemble_pcode(&loader, at).ok()?;
        if lifted.origin.size != decoded.len() {
            // The two disassemblers disagree about where it ends.
            return None;
        }
        let mut ops = translate(&lifted)?;
        // 32-bit results clear the upper half; with a memory operand, SLEIGH forgets.
        if matches!(decoded.mnemonic(), Mnemonic::Xchg | Mnemonic::Xadd) {
            for i in 0..decoded.op_count() {
                let register = decoded.op_register(i);
                if decoded.op_kind(i) == OpKind::Register && register.is_gpr32() {
                    let at = file::general(register.number()) as u64;
                    let arg = |size| Arg { place: Place::File, size, value: at };
                    ops.push(Op { code: Code::ZeroExtend, out: arg(8), a: arg(4), b: NOTHING });
                }
            }
        }
        Some(ops)
    }

    /// What a native instruction reads and writes in the file.
    fn used(&mut self, decoded: &Decoded) -> (Vec<Stretch>, Vec<Stretch>) {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let info = self.factory.info(decoded);
        for used in info.used_registers() {
            let Some(place) = place_of(used.register()) else { continue };
            use iced_x86::OpAccess as A;
            let access = used.access();
            if !matches!(access, A::None | A::Write | A::NoMemAccess) {
                reads.push(place);
            }
            if !matches!(access, A::None | A::Read | A::CondRead | A::NoMemAccess) {
                writes.push(written(used.register(), decoded.encoding()).unwrap_or(place));
            }
        }
        for (bit, flag) in [
            (RflagsBits::OF, file::OF),
            (RflagsBits::SF, file::SF),
            (RflagsBits::ZF, file::ZF),
            (RflagsBits::CF, file::CF),
            (RflagsBits::PF, file::PF),
            (RflagsBits::AF, file::AF),
            (RflagsBits::DF, file::DF),
        ] {
            // A count of 0 leaves the flags as they are.
            let kept = shifts(decoded.mnemonic()) && decoded.rflags_modified() & bit != 0;
            if decoded.rflags_read() & bit != 0 || kept {
                reads.push((flag, 1));
            }
            if (decoded.rflags_modified() | decoded.rflags_undefined()) & bit != 0 {
                writes.push((flag, 1));
            }
        }
        (reads, writes)
    }
}

impl Default for Lifter {
    fn default() -> Lifter {
        Lifter::new()
    }
}

/// Where a register lies in the file; writes may reach further (to the whole register).
pub(crate) fn place_of(register: Register) -> Option<(usize, usize)> {
    if register.is_gpr() {
        Some((file::general(register.full_register().number()), 8))
    } else if register.is_vector_register() {
        Some((file::ZMM + 64 * register.number(), 64))
    } else if register.is_k() {
        Some((file::K + 8 * register.number(), 8))
    } else {
        None
    }
}

/// The part of a register that a write to it replaces; what it leaves alone may be a term.
fn written(register: Register, encoding: EncodingKind) -> Option<(usize, usize)> {
    let (at, size) = place_of(register)?;
    Some(match register {
        Register::AH | Register::CH | Register::DH | Register::BH => (at + 1, 1),
        r if r.is_gpr8() => (at, 1),
        r if r.is_gpr16() => (at, 2),
        r if r.is_vector_register() && encoding == EncodingKind::Legacy => (at, 16),
        _ => (at, size),
    })
}

fn shifts(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Rcl
            | Mnemonic::Rcr
            | Mnemonic::Rol
            | Mnemonic::Ror
            | Mnemonic::Shl
            | Mnemonic::Shr
            | Mnemonic::Sal
            | Mnemonic::Sar
            | Mnemonic::Shld
            | Mnemonic::Shrd
    )
}

fn set(flag: usize, value: u64) -> Op {
    let out = Arg { place: Place::File, size: 1, value: flag as u64 };
    let a = Arg { place: Place::Constant, size: 1, value };
    Op { code: Code::Copy, out, a, b: NOTHING }
}

/// Instructions without effect on registers and memory.
fn nothing(decoded: &Decoded) -> bool {
    matches!(
        decoded.mnemonic(),
        Mnemonic::Nop
            | Mnemonic::Fnop
            | Mnemonic::Endbr64
            | Mnemonic::Endbr32
            | Mnemonic::Pause
            | Mnemonic::Mfence
            | Mnemonic::Lfence
            | Mnemonic::Sfence
            | Mnemonic::Prefetch
            | Mnemonic::Prefetchnta
            | Mnemonic::Prefetcht0
            | Mnemonic::Prefetcht1
            | Mnemonic::Prefetcht2
            | Mnemonic::Prefetchw
            | Mnemonic::Clflush
            | Mnemonic::Clflushopt
            | Mnemonic::Clwb
            | Mnemonic::Cldemote
            | Mnemonic::Reservednop
    )
}

/// They look at the auxiliary carry, which is not modelled, or at more of the flags than there is.
fn reads_unmodelled_flags(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Pushf
            | Mnemonic::Pushfq
            | Mnemonic::Popf
            | Mnemonic::Popfq
            | Mnemonic::Lahf
            | Mnemonic::Sahf
    )
}

/// The overflow flag that SLEIGH computes for a shift by one is wrong.
fn wrong_overflow(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Shr | Mnemonic::Sar | Mnemonic::Shl | Mnemonic::Rol | Mnemonic::Ror
    )
}

/// Integer instructions that SLEIGH gets right. All others are run by the CPU.
fn believed(decoded: &Decoded) -> bool {
    let wide = (0..decoded.op_count()).any(|i| {
        let register = decoded.op_register(i);
        decoded.op_kind(i) == OpKind::Register && !register.is_gpr()
    });
    let corrected = matches!(
        decoded.mnemonic(),
        Mnemonic::Bsf
            | Mnemonic::Bsr
            | Mnemonic::Lzcnt
            | Mnemonic::Tzcnt
            | Mnemonic::Popcnt
            | Mnemonic::Rcl
            | Mnemonic::Rcr
            | Mnemonic::Shld
            | Mnemonic::Shrd
            | Mnemonic::Bextr
            | Mnemonic::Pdep
            | Mnemonic::Pext
            | Mnemonic::Bzhi
            | Mnemonic::Blsi
            | Mnemonic::Blsr
            | Mnemonic::Blsmsk
            | Mnemonic::Adcx
            | Mnemonic::Adox
            | Mnemonic::Crc32
            | Mnemonic::Ldmxcsr
            | Mnemonic::Stmxcsr
            | Mnemonic::Vldmxcsr
            | Mnemonic::Vstmxcsr
    );
    let other_unit = decoded.cpuid_features().iter().any(|feature| {
        use iced_x86::CpuidFeature as F;
        !matches!(
            feature,
            F::INTEL8086
                | F::INTEL186
                | F::INTEL286
                | F::INTEL386
                | F::INTEL486
                | F::X64
                | F::CMOV
                | F::BMI1
                | F::BMI2
                | F::MOVBE
                | F::CX8
                | F::CMPXCHG16B
        )
    });
    !wide && !corrected && !other_unit
}

/// Vector instructions whose operations are plain enough to be believed on terms as well: moves, and
/// bitwise operations, and scalar arithmetic.
fn symbolic_too(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Movaps
            | Mnemonic::Movups
            | Mnemonic::Movapd
            | Mnemonic::Movupd
            | Mnemonic::Movdqa
            | Mnemonic::Movdqu
            | Mnemonic::Movd
            | Mnemonic::Movq
            | Mnemonic::Movss
            | Mnemonic::Movsd
            | Mnemonic::Movhps
            | Mnemonic::Movhpd
            | Mnemonic::Movlps
            | Mnemonic::Movlpd
            | Mnemonic::Movhlps
            | Mnemonic::Movlhps
            | Mnemonic::Pxor
            | Mnemonic::Xorps
            | Mnemonic::Xorpd
            | Mnemonic::Pand
            | Mnemonic::Por
            | Mnemonic::Punpcklqdq
            | Mnemonic::Addsd
            | Mnemonic::Subsd
            | Mnemonic::Mulsd
            | Mnemonic::Divsd
            | Mnemonic::Ucomisd
            | Mnemonic::Comisd
            | Mnemonic::Cvtsi2sd
            | Mnemonic::Paddd
            | Mnemonic::Paddq
    )
}

/// SLEIGH's operations in compact form.
fn translate(lifted: &PcodeDisassembly) -> Option<Vec<Op>> {
    let temporaries = Temporaries::of(&lifted.instructions);
    let arg = |varnode: &VarnodeData| -> Option<Arg> {
        let value = varnode.address.offset;
        let size = u8::try_from(varnode.size).ok().filter(|size| *size <= 64)?;
        match &*varnode.address.address_space.name {
            "const" => Some(Arg { place: Place::Constant, size, value }),
            "register" if value + u64::from(size) <= file::TEMPORARIES as u64 => {
                Some(Arg { place: Place::File, size, value })
            }
            "unique" => Some(Arg { place: Place::File, size, value: temporaries.place(value)? }),
            "ram" => Some(Arg { place: Place::Memory, size, value }),
            _ => None,
        }
    };
    let mut ops = Vec::new();
    // Operations left out shift the targets of jumps.
    let mut position = Vec::new();
    for instruction in &lifted.instructions {
        position.push(ops.len() as u64);
        let out = match &instruction.output {
            Some(output) => arg(output)?,
            None => NOTHING,
        };
        let inputs = &instruction.inputs;
        let input = |i: usize| inputs.get(i).map_or(Some(NOTHING), &arg);
        let op = |code: Code, a: Arg, b: Arg| Op { code, out, a, b };
        let here = (position.len() - 1) as u64;
        let translated = match instruction.op_code {
            // LOCK and UNLOCK around an atomic operation: one thread at a time runs here anyway.
            OpCode::Pseudo(PseudoOp::CallOther)
                if instruction.output.is_none() && inputs.len() == 1 =>
            {
                continue;
            }
            OpCode::Load => {
                let target = input(1)?;
                if space(&inputs[0]) == "const" {
                    op(Code::Copy, target, NOTHING)
                } else {
                    op(Code::Load, target, NOTHING)
                }
            }
            OpCode::Store => {
                let value = input(2)?;
                Op { code: Code::Store, out: NOTHING, a: input(1)?, b: value }
            }
            OpCode::Branch | OpCode::Call | OpCode::BranchConditional => {
                let target = input(0)?;
                let condition = input(1)?;
                let conditional = instruction.op_code == OpCode::BranchConditional;
                match target.place {
                    // Relative: so many operations further.
                    Place::Constant => {
                        let value = here.wrapping_add(signed(target));
                        let code = if conditional { Code::JumpIf } else { Code::Jump };
                        op(code, Arg { value, ..target }, condition)
                    }
                    Place::Memory => {
                        let address = Arg { place: Place::Constant, size: 8, ..target };
                        let code = if conditional { Code::BranchIf } else { Code::Branch };
                        op(code, address, condition)
                    }
                    Place::File => return None,
                }
            }
            OpCode::BranchIndirect | OpCode::CallIndirect | OpCode::Return => {
                op(Code::BranchTo, input(0)?, NOTHING)
            }
            other => op(code(other)?, input(0)?, input(1)?),
        };
        ops.push(translated);
    }
    position.push(ops.len() as u64);
    for op in &mut ops {
        if matches!(op.code, Code::Jump | Code::JumpIf) {
            op.a.value = *position.get(usize::try_from(op.a.value).ok()?)?;
        }
        // Wide arithmetic does not occur in what is believed.
        let widest = op.out.size.max(op.a.size).max(op.b.size);
        if widest > 16
            && !matches!(
                op.code,
                Code::Copy | Code::Load | Code::Store | Code::Subpiece | Code::ZeroExtend
            )
        {
            return None;
        }
    }
    Some(ops)
}

/// The space that a LOAD or STORE names: its identifier is an address of SLEIGH's.
fn space(varnode: &VarnodeData) -> &'static str {
    let id = libsla::AddressSpaceId::new(usize::try_from(varnode.address.offset).unwrap_or(0));
    // SAFETY: the first input of LOAD and STORE is always the identifier of a space of this SLEIGH.
    let space = unsafe { AddressSpace::from_ghidra_id(id) };
    if space.is_constant() { "const" } else { "ram" }
}

fn signed(arg: Arg) -> u64 {
    match arg.size {
        0 | 8.. => arg.value,
        size => {
            let shift = 64 - 8 * u32::from(size);
            ((arg.value << shift).cast_signed() >> shift).cast_unsigned()
        }
    }
}

fn code(op: OpCode) -> Option<Code> {
    Some(match op {
        OpCode::Copy => Code::Copy,
        OpCode::Piece => Code::Piece,
        OpCode::Subpiece => Code::Subpiece,
        OpCode::Popcount => Code::Popcount,
        OpCode::LzCount => Code::LzCount,
        OpCode::Bool(BoolOp::Negate) => Code::BoolNot,
        OpCode::Bool(BoolOp::And) => Code::BoolAnd,
        OpCode::Bool(BoolOp::Or) => Code::BoolOr,
        OpCode::Bool(BoolOp::Xor) => Code::BoolXor,
        OpCode::Int(int) => match int {
            IntOp::Add => Code::Add,
            IntOp::Subtract => Code::Sub,
            IntOp::Multiply => Code::Mul,
            IntOp::Divide(IntSign::Unsigned) => Code::Udiv,
            IntOp::Divide(IntSign::Signed) => Code::Sdiv,
            IntOp::Remainder(IntSign::Unsigned) => Code::Urem,
            IntOp::Remainder(IntSign::Signed) => Code::Srem,
            IntOp::Negate => Code::Negate,
            IntOp::Equal => Code::Eq,
            IntOp::NotEqual => Code::Ne,
            IntOp::LessThan(IntSign::Unsigned) => Code::Ult,
            IntOp::LessThan(IntSign::Signed) => Code::Slt,
            IntOp::LessThanOrEqual(IntSign::Unsigned) => Code::Ule,
            IntOp::LessThanOrEqual(IntSign::Signed) => Code::Sle,
            IntOp::Extension(IntSign::Unsigned) => Code::ZeroExtend,
            IntOp::Extension(IntSign::Signed) => Code::SignExtend,
            IntOp::Carry(IntSign::Unsigned) => Code::Carry,
            IntOp::Carry(IntSign::Signed) => Code::SignedCarry,
            IntOp::Borrow => Code::SignedBorrow,
            IntOp::ShiftLeft => Code::Shl,
            IntOp::ShiftRight(IntSign::Unsigned) => Code::Lshr,
            IntOp::ShiftRight(IntSign::Signed) => Code::Ashr,
            IntOp::Bitwise(BoolOp::Negate) => Code::Not,
            IntOp::Bitwise(BoolOp::And) => Code::And,
            IntOp::Bitwise(BoolOp::Or) => Code::Or,
            IntOp::Bitwise(BoolOp::Xor) => Code::Xor,
        },
        OpCode::Float(float) => match float {
            FloatOp::Add => Code::FloatAdd,
            FloatOp::Subtract => Code::FloatSub,
            FloatOp::Multiply => Code::FloatMul,
            FloatOp::Divide => Code::FloatDiv,
            FloatOp::Equal => Code::FloatEq,
            FloatOp::NotEqual => Code::FloatNe,
            FloatOp::LessThan => Code::FloatLt,
            FloatOp::LessThanOrEqual => Code::FloatLe,
            FloatOp::IsNaN => Code::FloatIsNan,
            FloatOp::IntToFloat => Code::IntToFloat,
            FloatOp::FloatToFloat => Code::FloatToFloat,
            FloatOp::Truncate => Code::FloatToInt,
            FloatOp::SquareRoot => Code::FloatSqrt,
            _ => return None,
        },
        _ => return None,
    })
}

/// Temporaries of one instruction, packed behind the registers; what overlaps stays together.
struct Temporaries(Vec<(u64, u64, u64)>);

impl Temporaries {
    fn of(instructions: &[PcodeInstruction]) -> Temporaries {
        let mut stretches: Vec<(u64, u64)> = instructions
            .iter()
            .flat_map(|i| i.inputs.iter().chain(&i.output))
            .filter(|v| v.address.address_space.name == "unique")
            .map(|v| (v.address.offset, v.address.offset + v.size as u64))
            .collect();
        stretches.sort_unstable();
        let mut packed: Vec<(u64, u64, u64)> = Vec::new();
        let mut next = file::TEMPORARIES as u64;
        for (start, end) in stretches {
            match packed.last_mut() {
                Some(last) if start < last.1 => {
                    if end > last.1 {
                        next += end - last.1;
                        last.1 = end;
                    }
                }
                _ => {
                    next = next.next_multiple_of(8);
                    packed.push((start, end, next));
                    next += end - start;
                }
            }
        }
        if next > file::LENGTH as u64 {
            packed.clear();
        }
        Temporaries(packed)
    }

    fn place(&self, offset: u64) -> Option<u64> {
        let (start, _, at) = self.0.iter().find(|(s, e, _)| (*s..*e).contains(&offset))?;
        Some(at + (offset - start))
    }
}
