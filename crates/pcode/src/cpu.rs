//! An instruction of a machine, run by the CPU: operands out, registers back.

use iced_x86::{Mnemonic, OpKind, Register};

use crate::lift::LiftedInstruction;
use crate::machine::{InstructionCache, PcodeMachine, PcodeStop, stop_for_refusal};
use crate::native::{NativeInstruction, RegisterSet};
use crate::op::file;

impl PcodeMachine {
    pub(crate) fn run_native(
        &mut self,
        program: &mut InstructionCache,
        instruction: &LiftedInstruction,
        native: &NativeInstruction,
    ) -> Result<(), PcodeStop> {
        let unmasked = match native.set {
            RegisterSet::X87 => self.fx[0] & 0x3f != 0x3f,
            _ => self.mxcsr & 0x1f80 != 0x1f80,
        };
        if unmasked {
            let why = "floating point exceptions are not masked".to_owned();
            return Err(PcodeStop::Unsupported(instruction.named.clone(), why));
        }
        let InstructionCache { context, bounce, .. } = program;
        for number in 0..16 {
            context.gpr[number] = self.general_register(number);
        }
        context.flags = self.flags() | 0x202;
        context.mxcsr = self.mxcsr;
        match native.set {
            RegisterSet::General => {}
            RegisterSet::X87 => {
                context.fx.copy_from_slice(&*self.fx);
                // The CPU remembers where its last instruction was; nobody compares that.
                context.fx[24..28].copy_from_slice(&self.mxcsr.to_le_bytes());
            }
            RegisterSet::Vector => {
                context.zmm.copy_from_slice(&self.file[file::ZMM..file::ZMM + 2048]);
                for (i, k) in context.k.iter_mut().enumerate() {
                    *k = self.read_file_number(file::K + 8 * i, 8);
                }
            }
        }
        let mut place = (0, 0);
        if let Some(operand) = native.operand {
            let address = self.operand_address(instruction);
            let offset = usize::try_from(address % 64).unwrap_or(0);
            self.check_alignment(instruction)?;
            if operand.reads {
                self.memory
                    .read(address, &mut bounce.0[offset..offset + operand.size])
                    .map_err(|trouble| stop_for_refusal(instruction, trouble))?;
            }
            let bits = &bounce.0[offset..offset + operand.size];
            let loads =
                matches!(instruction.decoded.mnemonic(), Mnemonic::Ldmxcsr | Mnemonic::Vldmxcsr);
            if loads && bits[2..] != [0, 0] {
                let why = "it sets reserved bits".to_owned();
                return Err(PcodeStop::Fault(instruction.named.clone(), why));
            }
            place = (offset, address);
        }
        native.run_on_cpu(context, bounce, place.0);
        if let Some(operand) = native.operand
            && operand.writes
        {
            self.memory
                .write(place.1, &bounce.0[place.0..place.0 + operand.size])
                .map_err(|trouble| stop_for_refusal(instruction, trouble))?;
        }
        for number in 0..16 {
            if number != 4 {
                self.set_general_register(number, context.gpr[number]);
            }
        }
        self.set_flags(context.flags);
        self.mxcsr = context.mxcsr;
        match native.set {
            RegisterSet::General => {}
            RegisterSet::X87 => {
                self.fx.copy_from_slice(&context.fx);
                // Instruction and data pointers are the host's.
                self.fx[8..24].fill(0);
                self.fx[6..8].fill(0);
                self.fx[24..28].fill(0);
                self.fx[160..].fill(0);
            }
            RegisterSet::Vector => {
                self.file[file::ZMM..file::ZMM + 2048].copy_from_slice(&context.zmm);
                for (i, k) in context.k.iter().enumerate() {
                    self.file[file::K + 8 * i..file::K + 8 * i + 8]
                        .copy_from_slice(&k.to_le_bytes());
                }
            }
        }
        Ok(())
    }

    /// Faults if the memory operand lies where it must not.
    pub(crate) fn check_alignment(&self, instruction: &LiftedInstruction) -> Result<(), PcodeStop> {
        if instruction.aligned == 1 {
            return Ok(());
        }
        let address = self.operand_address(instruction);
        if address.is_multiple_of(u64::from(instruction.aligned)) {
            return Ok(());
        }
        let why = format!("{address:#x} is not aligned");
        Err(PcodeStop::Fault(instruction.named.clone(), why))
    }

    /// Where the memory operand of an instruction lies now, and how many bytes it has, if there is one.
    pub fn memory_operand(&self, instruction: &LiftedInstruction) -> Option<(u64, usize)> {
        let decoded = &instruction.decoded;
        let memory = (0..decoded.op_count()).any(|i| decoded.op_kind(i) == OpKind::Memory);
        let size = decoded.memory_size().size();
        (memory && (1..=8).contains(&size)).then(|| (self.operand_address(instruction), size))
    }

    /// The address of the memory operand.
    pub(crate) fn operand_address(&self, instruction: &LiftedInstruction) -> u64 {
        let decoded = &instruction.decoded;
        let register = |register: Register| -> u64 {
            match register {
                Register::None => 0,
                Register::FS => self.read_file_number(file::FS_BASE, 8),
                Register::GS => self.read_file_number(file::GS_BASE, 8),
                r if r.is_segment_register() => 0,
                r if r.is_gpr64() => self.general_register(r.number()),
                r if r.is_gpr32() => self.general_register(r.number()) & 0xffff_ffff,
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
}
