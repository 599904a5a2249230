//! An instruction that the CPU runs, on terms: by its operations where they are believed, and otherwise on
//! numbers, with the condition that its operands are these.

use iced_x86::Register;
use ouro_term::{Term, TermStore};

use super::{ConditionReason, InstructionTracer, TraceHalt};
use crate::lift::{ExecutionMode, LiftedInstruction, register_stretch};
use crate::machine::{InstructionCache, PcodeMachine};
use crate::op::{ArgumentPlace, PcodeArgument, file};

impl InstructionTracer {
    pub(super) fn trace_native(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        program: &mut InstructionCache,
        instruction: &LiftedInstruction,
    ) -> Result<(), TraceHalt> {
        let ExecutionMode::Native(native) = &instruction.how else { return Ok(()) };
        let operand = native.operand;
        let relative = match &operand {
            Some(operand) if !self.regions.is_empty() => {
                self.relative_operand(terms, machine, instruction, operand.size)?
            }
            _ => None,
        };
        if let Some(address) = relative {
            self.require_alignment(
                terms,
                machine.operand_address(instruction),
                address,
                instruction,
            );
        }
        let relative = relative.is_some();
        if operand.is_some() && !relative {
            // Registers of an address are numbers from here on.
            let decoded = &instruction.decoded;
            for register in [decoded.memory_base(), decoded.memory_index()] {
                if register != Register::None
                    && let Some((at, size)) = register_stretch(register)
                {
                    let size = u8::try_from(size).unwrap_or(8);
                    let arg = PcodeArgument { place: ArgumentPlace::File, size, value: at as u64 };
                    self.fix_argument(terms, machine, instruction, arg, ConditionReason::Address)?;
                }
            }
        }
        let memory = operand.map(|operand| (machine.operand_address(instruction), operand));
        if let Some((address, operand)) = memory {
            self.note_access(address, u8::try_from(operand.size).unwrap_or(64));
            if !relative {
                self.check_absolute_address(instruction, address, operand.size as u64)?;
            }
        }
        // Where a region lies is not read; only its bytes are.
        let base = register_stretch(instruction.decoded.memory_base()).filter(|_| relative);
        let reads: Vec<(usize, usize)> = instruction
            .reads
            .iter()
            .filter(|place| Some(**place) != base || instruction.has_operand(**place))
            .copied()
            .collect();
        let shaded = reads
            .iter()
            .any(|(at, size)| (0..*size).any(|i| self.file.get((at + i) as u64).is_some()))
            || memory.is_some_and(|(address, operand)| {
                operand.reads
                    && (0..operand.size as u64).any(|i| self.memory.get(address + i).is_some())
            });
        if shaded
            && !instruction.ops.is_empty()
            && self.trace_native_on_terms(terms, machine, program, instruction)?
        {
            return Ok(());
        }
        if shaded {
            let memory = memory.map(|(address, operand)| (address, operand.size));
            self.fix_operands(terms, machine, instruction, &reads, memory)?;
        }
        machine.execute_instruction(program, instruction)?;
        for (at, size) in &instruction.writes {
            self.file.clear(*at as u64, *size);
        }
        if let Some((address, operand)) = memory
            && operand.writes
        {
            self.memory.clear(address, operand.size);
        }
        Ok(())
    }

    /// The address of the memory operand of a native instruction, if it lies in a region wherever that is.
    fn relative_operand(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        size: usize,
    ) -> Result<Option<Term>, TraceHalt> {
        let decoded = &instruction.decoded;
        let base = decoded.memory_base();
        if matches!(decoded.memory_segment(), Register::FS | Register::GS) {
            return Ok(None);
        }
        let Some((at, 8)) = register_stretch(base).filter(|_| base.is_gpr64()) else {
            return Ok(None);
        };
        let mut rest = decoded.memory_displacement64();
        if let Some((index, size)) = register_stretch(decoded.memory_index()) {
            let size = u8::try_from(size).unwrap_or(8);
            let arg = PcodeArgument { place: ArgumentPlace::File, size, value: index as u64 };
            // A term here moves within the region: nobody knows where to.
            if !matches!(self.argument_term(terms, machine, instruction, arg)?, Some(None)) {
                return Ok(None);
            }
            let scale = u64::from(decoded.memory_index_scale());
            rest = rest.wrapping_add(machine.read_file_number(index, 8).wrapping_mul(scale));
        }
        let arg = PcodeArgument { place: ArgumentPlace::File, size: 8, value: at as u64 };
        let Some(Some(term)) = self.argument_term(terms, machine, instruction, arg)? else {
            return Ok(None);
        };
        let rest = terms.bv(64, u128::from(rest));
        let address = terms.bv_add(term, rest);
        Ok(self.is_in_fresh_region(terms, address, size as u64).then_some(address))
    }

    /// Makes everything that a native instruction reads a number.
    fn fix_operands(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        reads: &[(usize, usize)],
        memory: Option<(u64, usize)>,
    ) -> Result<(), TraceHalt> {
        for (at, size) in reads {
            // Undefined flags that are only passed through (`read` of a partial write) decide.
            let size = u8::try_from(*size).unwrap_or(64);
            let arg = PcodeArgument { place: ArgumentPlace::File, size, value: *at as u64 };
            self.fix_wide(terms, machine, instruction, arg)?;
        }
        if let Some((address, size)) = memory {
            let size = u8::try_from(size).unwrap_or(64);
            let arg = PcodeArgument { place: ArgumentPlace::Memory, size, value: address };
            self.fix_wide(terms, machine, instruction, arg)?;
        }
        Ok(())
    }

    /// Runs a native instruction on terms by its operations, if they give the numbers that the CPU gives.
    fn trace_native_on_terms(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        program: &mut InstructionCache,
        instruction: &LiftedInstruction,
    ) -> Result<bool, TraceHalt> {
        let before = (self.clone(), machine.clone());
        let ran = self.run_operations(terms, machine, instruction);
        let by_operations = machine.file.clone();
        let changed = machine.memory.clone();
        machine.file.copy_from_slice(&*before.1.file);
        machine.memory = before.1.memory.clone();
        machine.execute_instruction(program, instruction)?;
        let same = matches!(ran, Ok(None))
            && by_operations[..0x200] == machine.file[..0x200]
            && by_operations[0x834..0x874] == machine.file[0x834..0x874]
            && by_operations[file::ZMM..file::TEMPORARIES]
                == machine.file[file::ZMM..file::TEMPORARIES]
            && file::FLAGS.iter().all(|(flag, _)| {
                *flag == file::AF
                    || instruction.undefined.contains(flag)
                    || by_operations[*flag] == machine.file[*flag]
            })
            && machine.memory.differing_words(&changed, 0).is_some_and(|d| d.is_empty());
        if !same {
            let (tracer, old) = before;
            *self = tracer;
            *machine = old;
        }
        Ok(same)
    }
}
