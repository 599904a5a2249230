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

use crate::native::{Buffer, Native};
use crate::op::{Arg, Code, NOTHING, Op, Place, file};
use crate::sleigh::{Bytes, translate};
use crate::table::{apart, believed, nothing, shifts, symbolic_too, wrong_overflow};

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
        let mut how = apart(&decoded);
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
        let aligned = match &how {
            Some(How::Native(native)) => native.alignment(),
            _ if mnemonic == Mnemonic::Cmpxchg16b => 16,
            _ => 1,
        };
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
    fn operations(&self, address: u64, bytes: &[u8], decoded: &Decoded) -> Option<Vec<Op>> {
        let loader = Bytes { start: address, bytes };
        let at = Address::new(self.code_space.clone(), address);
        let lifted = self.sleigh.disassemble_pcode(&loader, at).ok()?;
        if lifted.origin.size != decoded.len() {
            // The two disassemblers disagree about where it ends.
            return None;
        }
        let mut ops = translate(&lifted, decoded)?;
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

fn set(flag: usize, value: u64) -> Op {
    let out = Arg { place: Place::File, size: 1, value: flag as u64 };
    let a = Arg { place: Place::Constant, size: 1, value };
    Op { code: Code::Copy, out, a, b: NOTHING }
}
