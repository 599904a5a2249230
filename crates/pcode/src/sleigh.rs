//! SLEIGH's operations in the compact form that the machines run.

use iced_x86::{Instruction as Decoded, Mnemonic, OpKind};
use libsla::{
    AddressSpace, BoolOp, FloatOp, InstructionLoader, IntOp, IntSign, OpCode, PcodeDisassembly,
    PcodeInstruction, PseudoOp, VarnodeData,
};

use crate::op::{Arg, Code, NOTHING, Op, Place, file};

/// The bytes of an instruction, for SLEIGH to read.
pub(crate) struct Bytes<'a> {
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
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

/// Whether an instruction is atomic: SLEIGH marks it so, before and after.
fn atomic(decoded: &Decoded) -> bool {
    let memory = (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory);
    decoded.has_lock_prefix()
        || decoded.has_xacquire_prefix()
        || decoded.has_xrelease_prefix()
        || decoded.mnemonic() == Mnemonic::Xchg && memory
}

/// The operations of an instruction; `None` if one of them has no meaning to us.
pub(crate) fn translate(lifted: &PcodeDisassembly, decoded: &Decoded) -> Option<Vec<Op>> {
    let atomic = atomic(decoded);
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
            // LOCK and UNLOCK around an atomic operation: one thread at a time runs here anyway. Elsewhere
            // such a mark is an effect that is not modelled.
            OpCode::Pseudo(PseudoOp::CallOther)
                if atomic && instruction.output.is_none() && inputs.len() == 1 =>
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
