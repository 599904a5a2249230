//! P-code operations, in the compact form that the machines run.
//!
//! Registers and temporaries lie in one array of bytes, the *file*: registers where SLEIGH puts them,
//! temporaries behind. An argument is a constant, a stretch of the file, or memory at a fixed address.

/// Where an argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentPlace {
    /// It is this number.
    Constant,
    /// In the file, at this offset.
    File,
    /// In memory, at this address.
    Memory,
}

/// An argument or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PcodeArgument {
    /// Where it is.
    pub place: ArgumentPlace,
    /// How many bytes it has.
    pub size: u8,
    /// The number, the offset or the address.
    pub value: u64,
}

impl PcodeArgument {
    /// The offset in the file.
    pub fn file_offset(self) -> usize {
        usize::try_from(self.value).expect("offsets in the file are small")
    }
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the P-code manual")]
pub enum PcodeOpcode {
    Copy,
    Load,
    Store,
    /// To an address.
    Branch,
    /// To another operation of the instruction, by its number.
    Jump,
    /// To an address, if.
    BranchIf,
    /// To another operation, if.
    JumpIf,
    /// To a computed address; calls and returns are no different here.
    BranchTo,
    Piece,
    Subpiece,
    Popcount,
    LzCount,
    BoolNot,
    BoolAnd,
    BoolOr,
    BoolXor,
    Add,
    Sub,
    Mul,
    Udiv,
    Sdiv,
    Urem,
    Srem,
    Negate,
    Not,
    And,
    Or,
    Xor,
    Shl,
    Lshr,
    Ashr,
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
    ZeroExtend,
    SignExtend,
    Carry,
    SignedCarry,
    SignedBorrow,
    FloatAdd,
    FloatSub,
    FloatMul,
    FloatDiv,
    FloatEq,
    FloatNe,
    FloatLt,
    FloatLe,
    FloatIsNan,
    IntToFloat,
    FloatToFloat,
    FloatToInt,
    FloatSqrt,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PcodeOp {
    /// What it does.
    pub code: PcodeOpcode,
    /// The result; its size is 0 if there is none.
    pub out: PcodeArgument,
    /// The first argument.
    pub a: PcodeArgument,
    /// The second argument.
    pub b: PcodeArgument,
}

/// No argument.
pub const NOTHING: PcodeArgument =
    PcodeArgument { place: ArgumentPlace::Constant, size: 0, value: 0 };

/// Where registers lie in the file.
pub mod file {
    /// The flags: a byte each.
    pub const CF: usize = 0x200;
    /// Parity.
    pub const PF: usize = 0x202;
    /// Auxiliary carry; SLEIGH does not compute it.
    pub const AF: usize = 0x204;
    /// Zero.
    pub const ZF: usize = 0x206;
    /// Sign.
    pub const SF: usize = 0x207;
    /// Direction.
    pub const DF: usize = 0x20a;
    /// Overflow.
    pub const OF: usize = 0x20b;
    /// Each flag and its bit in RFLAGS.
    pub const FLAGS: [(usize, u32); 7] =
        [(CF, 0), (PF, 2), (AF, 4), (ZF, 6), (SF, 7), (DF, 10), (OF, 11)];
    /// The base of FS.
    pub const FS_BASE: usize = 0x110;
    /// The base of GS.
    pub const GS_BASE: usize = 0x118;
    /// The mask registers, 8 bytes each.
    pub const K: usize = 0x834;
    /// The vector registers, 64 bytes each.
    pub const ZMM: usize = 0x1200;
    /// Where registers end and temporaries begin.
    pub const TEMPORARIES: usize = 0x1a00;
    /// How long the file is.
    pub const LENGTH: usize = 0x2a00;

    /// A general register, in the order of encodings.
    pub fn general_register_offset(number: usize) -> usize {
        if number < 8 { number * 8 } else { 0x80 + (number - 8) * 8 }
    }

    /// What a register byte is called.
    pub fn register_name(offset: usize) -> String {
        const NAMES: [&str; 16] = [
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11",
            "r12", "r13", "r14", "r15",
        ];
        match offset {
            0..0x40 => NAMES[offset / 8].to_owned(),
            0x80..0xc0 => NAMES[8 + (offset - 0x80) / 8].to_owned(),
            CF => "cf".to_owned(),
            PF => "pf".to_owned(),
            AF => "af".to_owned(),
            ZF => "zf".to_owned(),
            SF => "sf".to_owned(),
            DF => "df".to_owned(),
            OF => "of".to_owned(),
            FS_BASE => "fs".to_owned(),
            GS_BASE => "gs".to_owned(),
            K..0x874 => format!("k{}", (offset - K) / 8),
            ZMM..TEMPORARIES => format!("zmm{}+{}", (offset - ZMM) / 64, (offset - ZMM) % 64),
            other => format!("register {other:#x}"),
        }
    }
}
