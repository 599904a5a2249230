//! SLEIGH's operations in the compact form that the machines run.

use iced_x86::{Instruction as Decoded, Mnemonic, OpKind};
use libsla::{
    AddressSpace, BoolOp, FloatOp, InstructionLoader, IntOp, IntSign, OpCode, PcodeDisassembly,
    PcodeInstruction, PseudoOp, VarnodeData,
};

use crate::op::{ArgumentPlace, NOTHING, PcodeArgument, PcodeOp, PcodeOpcode, file};

/// The bytes of an instruction, for SLEIGH to read.
pub(crate) struct InstructionBytes<'a> {
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
}

impl InstructionLoader for InstructionBytes<'_> {
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
fn is_atomic(decoded: &Decoded) -> bool {
    let memory = (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory);
    decoded.has_lock_prefix()
        || decoded.has_xacquire_prefix()
        || decoded.has_xrelease_prefix()
        || decoded.mnemonic() == Mnemonic::Xchg && memory
}

/// The operations of an instruction; `None` if one of them has no meaning to us.
pub(crate) fn translate_operations(
    lifted: &PcodeDisassembly,
    decoded: &Decoded,
) -> Option<Vec<PcodeOp>> {
    let atomic = is_atomic(decoded);
    let temporaries = TemporaryLayout::of_instructions(&lifted.instructions);
    let arg = |varnode: &VarnodeData| -> Option<PcodeArgument> {
        let value = varnode.address.offset;
        let size = u8::try_from(varnode.size).ok().filter(|size| *size <= 64)?;
        match &*varnode.address.address_space.name {
            "const" => Some(PcodeArgument { place: ArgumentPlace::Constant, size, value }),
            "register" if value + u64::from(size) <= file::TEMPORARIES as u64 => {
                Some(PcodeArgument { place: ArgumentPlace::File, size, value })
            }
            "unique" => Some(PcodeArgument {
                place: ArgumentPlace::File,
                size,
                value: temporaries.packed_offset(value)?,
            }),
            "ram" => Some(PcodeArgument { place: ArgumentPlace::Memory, size, value }),
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
        let op =
            |code: PcodeOpcode, a: PcodeArgument, b: PcodeArgument| PcodeOp { code, out, a, b };
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
                if space_name(&inputs[0]) == "const" {
                    op(PcodeOpcode::Copy, target, NOTHING)
                } else {
                    op(PcodeOpcode::Load, target, NOTHING)
                }
            }
            OpCode::Store => {
                let value = input(2)?;
                PcodeOp { code: PcodeOpcode::Store, out: NOTHING, a: input(1)?, b: value }
            }
            OpCode::Branch | OpCode::Call | OpCode::BranchConditional => {
                let target = input(0)?;
                let condition = input(1)?;
                let conditional = instruction.op_code == OpCode::BranchConditional;
                match target.place {
                    // Relative: so many operations further.
                    ArgumentPlace::Constant => {
                        let value = here.wrapping_add(sign_extended_constant(target));
                        let code =
                            if conditional { PcodeOpcode::JumpIf } else { PcodeOpcode::Jump };
                        op(code, PcodeArgument { value, ..target }, condition)
                    }
                    ArgumentPlace::Memory => {
                        let address =
                            PcodeArgument { place: ArgumentPlace::Constant, size: 8, ..target };
                        let code =
                            if conditional { PcodeOpcode::BranchIf } else { PcodeOpcode::Branch };
                        op(code, address, condition)
                    }
                    ArgumentPlace::File => return None,
                }
            }
            OpCode::BranchIndirect | OpCode::CallIndirect | OpCode::Return => {
                op(PcodeOpcode::BranchTo, input(0)?, NOTHING)
            }
            other => op(translate_opcode(other)?, input(0)?, input(1)?),
        };
        ops.push(translated);
    }
    position.push(ops.len() as u64);
    for op in &mut ops {
        if matches!(op.code, PcodeOpcode::Jump | PcodeOpcode::JumpIf) {
            op.a.value = *position.get(usize::try_from(op.a.value).ok()?)?;
        }
        // Wide arithmetic does not occur in what is believed.
        let widest = op.out.size.max(op.a.size).max(op.b.size);
        if widest > 16
            && !matches!(
                op.code,
                PcodeOpcode::Copy
                    | PcodeOpcode::Load
                    | PcodeOpcode::Store
                    | PcodeOpcode::Subpiece
                    | PcodeOpcode::ZeroExtend
            )
        {
            return None;
        }
    }
    Some(ops)
}

/// The space that a LOAD or STORE names: its identifier is an address of SLEIGH's.
fn space_name(varnode: &VarnodeData) -> &'static str {
    let id = libsla::AddressSpaceId::new(usize::try_from(varnode.address.offset).unwrap_or(0));
    // SAFETY: the first input of LOAD and STORE is always the identifier of a space of this SLEIGH.
    let space = unsafe { AddressSpace::from_ghidra_id(id) };
    if space.is_constant() { "const" } else { "ram" }
}

fn sign_extended_constant(arg: PcodeArgument) -> u64 {
    match arg.size {
        0 | 8.. => arg.value,
        size => {
            let shift = 64 - 8 * u32::from(size);
            ((arg.value << shift).cast_signed() >> shift).cast_unsigned()
        }
    }
}

fn translate_opcode(op: OpCode) -> Option<PcodeOpcode> {
    Some(match op {
        OpCode::Copy => PcodeOpcode::Copy,
        OpCode::Piece => PcodeOpcode::Piece,
        OpCode::Subpiece => PcodeOpcode::Subpiece,
        OpCode::Popcount => PcodeOpcode::Popcount,
        OpCode::LzCount => PcodeOpcode::LzCount,
        OpCode::Bool(BoolOp::Negate) => PcodeOpcode::BoolNot,
        OpCode::Bool(BoolOp::And) => PcodeOpcode::BoolAnd,
        OpCode::Bool(BoolOp::Or) => PcodeOpcode::BoolOr,
        OpCode::Bool(BoolOp::Xor) => PcodeOpcode::BoolXor,
        OpCode::Int(int) => match int {
            IntOp::Add => PcodeOpcode::Add,
            IntOp::Subtract => PcodeOpcode::Sub,
            IntOp::Multiply => PcodeOpcode::Mul,
            IntOp::Divide(IntSign::Unsigned) => PcodeOpcode::Udiv,
            IntOp::Divide(IntSign::Signed) => PcodeOpcode::Sdiv,
            IntOp::Remainder(IntSign::Unsigned) => PcodeOpcode::Urem,
            IntOp::Remainder(IntSign::Signed) => PcodeOpcode::Srem,
            IntOp::Negate => PcodeOpcode::Negate,
            IntOp::Equal => PcodeOpcode::Eq,
            IntOp::NotEqual => PcodeOpcode::Ne,
            IntOp::LessThan(IntSign::Unsigned) => PcodeOpcode::Ult,
            IntOp::LessThan(IntSign::Signed) => PcodeOpcode::Slt,
            IntOp::LessThanOrEqual(IntSign::Unsigned) => PcodeOpcode::Ule,
            IntOp::LessThanOrEqual(IntSign::Signed) => PcodeOpcode::Sle,
            IntOp::Extension(IntSign::Unsigned) => PcodeOpcode::ZeroExtend,
            IntOp::Extension(IntSign::Signed) => PcodeOpcode::SignExtend,
            IntOp::Carry(IntSign::Unsigned) => PcodeOpcode::Carry,
            IntOp::Carry(IntSign::Signed) => PcodeOpcode::SignedCarry,
            IntOp::Borrow => PcodeOpcode::SignedBorrow,
            IntOp::ShiftLeft => PcodeOpcode::Shl,
            IntOp::ShiftRight(IntSign::Unsigned) => PcodeOpcode::Lshr,
            IntOp::ShiftRight(IntSign::Signed) => PcodeOpcode::Ashr,
            IntOp::Bitwise(BoolOp::Negate) => PcodeOpcode::Not,
            IntOp::Bitwise(BoolOp::And) => PcodeOpcode::And,
            IntOp::Bitwise(BoolOp::Or) => PcodeOpcode::Or,
            IntOp::Bitwise(BoolOp::Xor) => PcodeOpcode::Xor,
        },
        OpCode::Float(float) => match float {
            FloatOp::Add => PcodeOpcode::FloatAdd,
            FloatOp::Subtract => PcodeOpcode::FloatSub,
            FloatOp::Multiply => PcodeOpcode::FloatMul,
            FloatOp::Divide => PcodeOpcode::FloatDiv,
            FloatOp::Equal => PcodeOpcode::FloatEq,
            FloatOp::NotEqual => PcodeOpcode::FloatNe,
            FloatOp::LessThan => PcodeOpcode::FloatLt,
            FloatOp::LessThanOrEqual => PcodeOpcode::FloatLe,
            FloatOp::IsNaN => PcodeOpcode::FloatIsNan,
            FloatOp::IntToFloat => PcodeOpcode::IntToFloat,
            FloatOp::FloatToFloat => PcodeOpcode::FloatToFloat,
            FloatOp::Truncate => PcodeOpcode::FloatToInt,
            FloatOp::SquareRoot => PcodeOpcode::FloatSqrt,
            _ => return None,
        },
        _ => return None,
    })
}

/// Temporaries of one instruction, packed behind the registers; what overlaps stays together.
struct TemporaryLayout(Vec<(u64, u64, u64)>);

impl TemporaryLayout {
    fn of_instructions(instructions: &[PcodeInstruction]) -> TemporaryLayout {
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
        TemporaryLayout(packed)
    }

    fn packed_offset(&self, offset: u64) -> Option<u64> {
        let (start, _, at) = self.0.iter().find(|(s, e, _)| (*s..*e).contains(&offset))?;
        Some(at + (offset - start))
    }
}
