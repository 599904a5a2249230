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
use libsla::{Address, AddressSpace, GhidraSleigh, Sleigh as _};
use rustc_hash::FxHashMap;

use crate::native::{CodeBuffer, NativeInstruction};
use crate::op::{ArgumentPlace, NOTHING, PcodeArgument, PcodeOp, PcodeOpcode, file};
use crate::sleigh::{InstructionBytes, translate_operations};
use crate::table::{
    has_no_effect, has_wrong_overflow, is_believed_on_terms, is_shift, is_sleigh_believed,
    mode_if_not_run,
};

/// Which instruction, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedInstruction {
    /// Where it is.
    pub address: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its text, as a disassembler shows it.
    pub text: String,
}

impl fmt::Display for NamedInstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}: ", self.address)?;
        for byte in &self.bytes {
            write!(f, "{byte:02x}")?;
        }
        write!(f, " {}", self.text)
    }
}

/// How an instruction is run.
pub(crate) enum ExecutionMode {
    /// By its operations.
    Operations,
    /// By the CPU; the operations, if there are any, say the same.
    Native(NativeInstruction),
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
pub struct LiftedInstruction {
    /// What it is called.
    pub named: NamedInstruction,
    /// How many bytes it has.
    pub length: u64,
    /// What it does; empty if SLEIGH does not know, or is not believed.
    pub ops: Box<[PcodeOp]>,
    pub(crate) how: ExecutionMode,
    /// Repeats itself as long as RCX is not 0.
    pub repeats: bool,
    /// A division: what faults if the quotient does not fit.
    pub(crate) divides: bool,
    /// It faults unless the address of its memory operand is a multiple of this.
    pub(crate) aligned: u8,
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

impl LiftedInstruction {
    /// Whether it may read or write what only AVX-512 has: the upper half of a vector register, the second sixteen of
    /// them, the masks. What is encoded as VEX clears an upper half at most.
    pub(crate) fn has_to_do_with_avx512(&self) -> bool {
        let has_mask = (0..self.decoded.op_count()).any(|i| {
            self.decoded.op_kind(i) == OpKind::Register && self.decoded.op_register(i).is_k()
        });
        let saves_all = matches!(
            self.decoded.mnemonic(),
            Mnemonic::Xsave
                | Mnemonic::Xsave64
                | Mnemonic::Xsavec
                | Mnemonic::Xsavec64
                | Mnemonic::Xsaveopt
                | Mnemonic::Xsaveopt64
                | Mnemonic::Xrstor
                | Mnemonic::Xrstor64
        );
        has_mask || saves_all || self.decoded.encoding() == EncodingKind::EVEX
    }

    /// Whether a register is an operand by itself, not only a part of an address.
    pub(crate) fn has_operand(&self, place: (usize, usize)) -> bool {
        (0..self.decoded.op_count()).any(|i| {
            self.decoded.op_kind(i) == OpKind::Register
                && register_stretch(self.decoded.op_register(i)) == Some(place)
        })
    }
}

/// Offset and length in the file.
type RegisterStretch = (usize, usize);

/// Lifts instructions, each once.
pub struct InstructionLifter {
    sleigh: GhidraSleigh,
    code_space: AddressSpace,
    factory: InstructionInfoFactory,
    formatter: IntelFormatter,
    buffer: CodeBuffer,
    known: FxHashMap<u64, Rc<LiftedInstruction>>,
}

impl InstructionLifter {
    /// A lifter with nothing lifted. Takes a tenth of a second.
    ///
    /// # Panics
    /// If SLEIGH's own specification of x86 cannot be read.
    pub fn new() -> InstructionLifter {
        let sleigh = GhidraSleigh::builder()
            .processor_spec(sleigh_config::processor_x86::PSPEC_X86_64)
            .and_then(|builder| builder.build(sleigh_config::processor_x86::SLA_X86_64))
            .expect("the specification is part of the program");
        let code_space = sleigh.default_code_space();
        InstructionLifter {
            sleigh,
            code_space,
            factory: InstructionInfoFactory::new(),
            formatter: IntelFormatter::new(),
            buffer: CodeBuffer::default(),
            known: FxHashMap::default(),
        }
    }

    /// The instruction at an address, if it was lifted.
    pub fn get(&self, address: u64) -> Option<&Rc<LiftedInstruction>> {
        self.known.get(&address)
    }

    /// How many instructions were lifted.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// Lifts the instruction at an address.
    pub(crate) fn lift(&mut self, address: u64, bytes: &[u8]) -> Rc<LiftedInstruction> {
        if let Entry::Occupied(entry) = self.known.entry(address) {
            return Rc::clone(entry.get());
        }
        let lifted = Rc::new(self.lift_uncached(address, bytes));
        self.known.insert(address, Rc::clone(&lifted));
        lifted
    }

    fn lift_uncached(&mut self, address: u64, bytes: &[u8]) -> LiftedInstruction {
        let decoded = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
        let mut text = String::new();
        self.formatter.format(&decoded, &mut text);
        let length = decoded.len().max(1).min(bytes.len());
        let named = NamedInstruction { address, bytes: bytes[..length].to_vec(), text };
        let mnemonic = decoded.mnemonic();
        let mut how = mode_if_not_run(&decoded);
        let mut ops = Vec::new();
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        if how.is_none() {
            how = Some(if has_no_effect(&decoded) {
                ExecutionMode::Operations
            } else if mnemonic == Mnemonic::Xtest {
                // Not in a transaction: no traced program is for long.
                for (flag, _) in file::FLAGS.iter().filter(|(flag, _)| *flag != file::DF) {
                    ops.push(set_flag_operation(*flag, u64::from(*flag == file::ZF)));
                }
                ExecutionMode::Operations
            } else {
                let from_sleigh = self.sleigh_operations(address, bytes, &decoded);
                let believed = is_sleigh_believed(&decoded);
                match from_sleigh {
                    Some(lifted) if believed => {
                        ops = lifted;
                        ExecutionMode::Operations
                    }
                    lifted => match self.buffer.prepare_instruction(&decoded, &mut self.factory) {
                        Some(native) => {
                            (reads, writes) = self.used_stretches(&decoded);
                            if is_believed_on_terms(mnemonic) {
                                ops = lifted.unwrap_or_default();
                            }
                            ExecutionMode::Native(native)
                        }
                        None => ExecutionMode::Unknown,
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
            if undefined & bit != 0 || (flag == file::OF && has_wrong_overflow(mnemonic)) {
                unknown.push(flag);
            }
        }
        let aligned = match &how {
            Some(ExecutionMode::Native(native)) => native.alignment(),
            _ if mnemonic == Mnemonic::Cmpxchg16b => 16,
            _ => 1,
        };
        let touches_flags = decoded.rflags_modified() != 0 || undefined != 0;
        let flow = decoded.flow_control();
        LiftedInstruction {
            named,
            length: length as u64,
            ops: ops.into(),
            how: how.unwrap_or(ExecutionMode::Unknown),
            repeats: decoded.is_string_instruction()
                && (decoded.has_rep_prefix() || decoded.has_repne_prefix()),
            divides: matches!(mnemonic, Mnemonic::Div | Mnemonic::Idiv),
            aligned,
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
    fn sleigh_operations(
        &self,
        address: u64,
        bytes: &[u8],
        decoded: &Decoded,
    ) -> Option<Vec<PcodeOp>> {
        let loader = InstructionBytes { start: address, bytes };
        let at = Address::new(self.code_space.clone(), address);
        let lifted = self.sleigh.disassemble_pcode(&loader, at).ok()?;
        if lifted.origin.size != decoded.len() {
            // The two disassemblers disagree about where it ends.
            return None;
        }
        let mut ops = translate_operations(&lifted, decoded)?;
        // 32-bit results clear the upper half; with a memory operand, SLEIGH forgets.
        if matches!(decoded.mnemonic(), Mnemonic::Xchg | Mnemonic::Xadd) {
            for i in 0..decoded.op_count() {
                let register = decoded.op_register(i);
                if decoded.op_kind(i) == OpKind::Register && register.is_gpr32() {
                    let at = file::general_register_offset(register.number()) as u64;
                    let arg = |size| PcodeArgument { place: ArgumentPlace::File, size, value: at };
                    ops.push(PcodeOp {
                        code: PcodeOpcode::ZeroExtend,
                        out: arg(8),
                        a: arg(4),
                        b: NOTHING,
                    });
                }
            }
        }
        Some(ops)
    }

    /// What a native instruction reads and writes in the file.
    fn used_stretches(
        &mut self,
        decoded: &Decoded,
    ) -> (Vec<RegisterStretch>, Vec<RegisterStretch>) {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let info = self.factory.info(decoded);
        for used in info.used_registers() {
            let Some(place) = register_stretch(used.register()) else { continue };
            use iced_x86::OpAccess as A;
            let access = used.access();
            if !matches!(access, A::None | A::Write | A::NoMemAccess) {
                reads.push(place);
            }
            if !matches!(access, A::None | A::Read | A::CondRead | A::NoMemAccess) {
                writes.push(written_stretch(used.register(), decoded.encoding()).unwrap_or(place));
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
            let kept = is_shift(decoded.mnemonic()) && decoded.rflags_modified() & bit != 0;
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

impl Default for InstructionLifter {
    fn default() -> InstructionLifter {
        InstructionLifter::new()
    }
}

/// Where a register lies in the file; writes may reach further (to the whole register).
pub(crate) fn register_stretch(register: Register) -> Option<(usize, usize)> {
    if register.is_gpr() {
        Some((file::general_register_offset(register.full_register().number()), 8))
    } else if register.is_vector_register() {
        Some((file::ZMM + 64 * register.number(), 64))
    } else if register.is_k() {
        Some((file::K + 8 * register.number(), 8))
    } else {
        None
    }
}

/// The part of a register that a write to it replaces; what it leaves alone may be a term.
fn written_stretch(register: Register, encoding: EncodingKind) -> Option<(usize, usize)> {
    let (at, size) = register_stretch(register)?;
    Some(match register {
        Register::AH | Register::CH | Register::DH | Register::BH => (at + 1, 1),
        r if r.is_gpr8() => (at, 1),
        r if r.is_gpr16() => (at, 2),
        r if r.is_vector_register() && encoding == EncodingKind::Legacy => (at, 16),
        _ => (at, size),
    })
}

fn set_flag_operation(flag: usize, value: u64) -> PcodeOp {
    let out = PcodeArgument { place: ArgumentPlace::File, size: 1, value: flag as u64 };
    let a = PcodeArgument { place: ArgumentPlace::Constant, size: 1, value };
    PcodeOp { code: PcodeOpcode::Copy, out, a, b: NOTHING }
}
