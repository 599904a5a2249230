//! The operations of an instruction, on terms.

use ouro_term::{Term, TermStore};

use super::{ConditionReason, InstructionTracer, TraceHalt};
use crate::lift::LiftedInstruction;
use crate::machine::{OperationRefusal, PcodeMachine, stop_for_refusal};
use crate::meaning::{OperationMeaning, operation_meaning};
use crate::op::{ArgumentPlace, PcodeArgument, PcodeOp, PcodeOpcode, file};

impl InstructionTracer {
    pub(super) fn trace_operations(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
    ) -> Result<(), TraceHalt> {
        machine.check_alignment(instruction)?;
        let target = self.run_operations(terms, machine, instruction)?;
        let start = instruction.named.address;
        let mut next = target.unwrap_or(start + instruction.length);
        // As the machine does: the last round of a repetition is noticed at once.
        if instruction.repeats && next == start {
            let counter = PcodeArgument {
                place: ArgumentPlace::File,
                size: 8,
                value: file::general_register_offset(1) as u64,
            };
            let done = machine.general_register(1) == 0;
            self.require_same_decision(terms, machine, instruction, counter, !done)?;
            if done {
                next += instruction.length;
            }
        }
        machine.rip = next;
        machine.steps += 1;
        Ok(())
    }

    /// Whether an argument is not zero decides the way: the condition that it does so again.
    fn require_same_decision(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        arg: PcodeArgument,
        nonzero: bool,
    ) -> Result<(), TraceHalt> {
        let opaque = || TraceHalt::Opaque(instruction.named.clone());
        if let Some(term) =
            self.argument_term(terms, machine, instruction, arg)?.ok_or_else(opaque)?
        {
            let holds = self.truth_of_byte(terms, term);
            let condition = if nonzero { holds } else { terms.not(holds) };
            self.require_condition(terms, condition, instruction, ConditionReason::Branch);
        }
        Ok(())
    }

    fn truth_of_byte(&mut self, terms: &mut TermStore, byte: Term) -> Term {
        match self.truths.get(&byte) {
            Some(truth) => *truth,
            None => terms.bv_is_nonzero(byte),
        }
    }

    /// Runs the operations; where control goes, if not to the next instruction.
    pub(super) fn run_operations(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
    ) -> Result<Option<u64>, TraceHalt> {
        let refuse =
            |refused: OperationRefusal| TraceHalt::Stop(stop_for_refusal(instruction, refused));
        let number = |value: u64| usize::try_from(value).expect("a number of an operation");
        let mut at = 0;
        while let Some(op) = instruction.ops.get(at) {
            at += 1;
            for arg in [op.out, op.a, op.b] {
                if arg.place == ArgumentPlace::Memory {
                    self.note_access(arg.value, arg.size);
                    self.check_absolute_address(instruction, arg.value, u64::from(arg.size))?;
                }
            }
            match op.code {
                PcodeOpcode::Jump => at = number(op.a.value),
                PcodeOpcode::Branch => return Ok(Some(op.a.value)),
                PcodeOpcode::JumpIf | PcodeOpcode::BranchIf => {
                    let taken = machine.read_u64(op.b).map_err(refuse)? != 0;
                    self.require_same_decision(terms, machine, instruction, op.b, taken)?;
                    match (taken, op.code) {
                        (true, PcodeOpcode::JumpIf) => at = number(op.a.value),
                        (true, _) => return Ok(Some(op.a.value)),
                        (false, _) => {}
                    }
                }
                PcodeOpcode::BranchTo => {
                    self.fix_argument(terms, machine, instruction, op.a, ConditionReason::Target)?;
                    return Ok(Some(machine.read_u64(op.a).map_err(refuse)?));
                }
                PcodeOpcode::Load => {
                    self.fix_address(terms, machine, instruction, op.a, op.out.size)?;
                    let address = machine.read_u64(op.a).map_err(refuse)?;
                    self.note_access(address, op.out.size);
                    machine.execute_operation(op, false).map_err(refuse)?;
                    self.copy_shades(ArgumentPlace::Memory, address, op.out);
                }
                PcodeOpcode::Store => {
                    self.fix_address(terms, machine, instruction, op.a, op.b.size)?;
                    let address = machine.read_u64(op.a).map_err(refuse)?;
                    self.note_access(address, op.b.size);
                    machine.execute_operation(op, false).map_err(refuse)?;
                    let out = PcodeArgument {
                        place: ArgumentPlace::Memory,
                        size: op.b.size,
                        value: address,
                    };
                    self.copy_arg(op.b, out);
                }
                PcodeOpcode::Copy => {
                    machine.execute_operation(op, false).map_err(refuse)?;
                    self.copy_arg(op.a, op.out);
                }
                _ => self.compute_operation(terms, machine, instruction, op)?,
            }
        }
        Ok(None)
    }

    /// An operation that computes.
    fn compute_operation(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        op: &PcodeOp,
    ) -> Result<(), TraceHalt> {
        let refuse =
            |refused: OperationRefusal| TraceHalt::Stop(stop_for_refusal(instruction, refused));
        if op.a.size > 16 || op.b.size > 16 || op.out.size > 16 {
            // Only extensions and parts are that wide.
            self.fix_wide(terms, machine, instruction, op.a)?;
            machine.execute_operation(op, false).map_err(refuse)?;
            self.put_term(op.out, None);
            return Ok(());
        }
        let a = self.argument_term(terms, machine, instruction, op.a)?;
        let b = self.argument_term(terms, machine, instruction, op.b)?;
        if let (Some(None), Some(None)) = (a, b) {
            machine.execute_operation(op, instruction.divides).map_err(refuse)?;
            self.put_term(op.out, None);
            return Ok(());
        }
        // The same register twice: `xor eax, eax` is 0 whatever it was, opaque or not.
        if op.a == op.b && matches!(op.code, PcodeOpcode::Xor | PcodeOpcode::Sub) {
            machine.execute_operation(op, false).map_err(refuse)?;
            self.put_term(op.out, None);
            return Ok(());
        }
        let (Some(seen_a), Some(seen_b)) = (a, b) else {
            machine.execute_operation(op, instruction.divides).map_err(refuse)?;
            self.put_opaque(op.out);
            return Ok(());
        };
        let mut term_of =
            |seen: Option<Term>, arg: PcodeArgument| -> Result<Option<Term>, TraceHalt> {
                if arg.size == 0 {
                    return Ok(None);
                }
                match seen {
                    Some(term) => Ok(Some(term)),
                    None => {
                        let number = machine.read_u128(arg).map_err(refuse)?;
                        Ok(Some(terms.bv(8 * u32::from(arg.size), number)))
                    }
                }
            };
        let (a, b) = (term_of(seen_a, op.a)?, term_of(seen_b, op.b)?);
        let a = a.expect("every operation has an argument");
        let result = match op.code {
            PcodeOpcode::BoolNot
            | PcodeOpcode::BoolAnd
            | PcodeOpcode::BoolOr
            | PcodeOpcode::BoolXor => {
                let x = self.truth_of_byte(terms, a);
                let y = b.map(|b| self.truth_of_byte(terms, b));
                OperationMeaning::Truth(match (op.code, y) {
                    (PcodeOpcode::BoolAnd, Some(y)) => terms.and(x, y),
                    (PcodeOpcode::BoolOr, Some(y)) => terms.or(x, y),
                    (PcodeOpcode::BoolXor, Some(y)) => {
                        let same = terms.eq(x, y);
                        terms.not(same)
                    }
                    _ => terms.not(x),
                })
            }
            _ => operation_meaning(terms, op, a, b),
        };
        // Terms round to nearest, and know no flushing to zero.
        let rounds = machine.mxcsr & 0xe040 == 0;
        let without = match result {
            OperationMeaning::None => true,
            OperationMeaning::Float(_) => !rounds,
            _ => op.code == PcodeOpcode::IntToFloat && !rounds,
        };
        self.float_terms |= !without && is_float(op.code);
        if without {
            self.fix_argument(terms, machine, instruction, op.a, ConditionReason::Operand)?;
            self.fix_argument(terms, machine, instruction, op.b, ConditionReason::Operand)?;
        }
        machine.execute_operation(op, instruction.divides).map_err(refuse)?;
        match result {
            _ if without => self.put_term(op.out, None),
            OperationMeaning::Value(term) => self.put_term(op.out, unless_constant(terms, term)),
            OperationMeaning::Truth(truth) => {
                let byte = terms.bool_to_bv(8 * u32::from(op.out.size), truth);
                self.truths.insert(byte, truth);
                self.put_term(op.out, unless_constant(terms, byte));
            }
            OperationMeaning::Guarded(term, condition) => {
                self.require_condition(terms, condition, instruction, ConditionReason::Defined);
                self.put_term(op.out, unless_constant(terms, term));
            }
            OperationMeaning::Float(term) => {
                let nan = terms.fp_is_nan(term);
                let number = terms.not(nan);
                self.require_condition(terms, number, instruction, ConditionReason::Defined);
                self.put_term(op.out, unless_constant(terms, term));
            }
            OperationMeaning::Opaque | OperationMeaning::None => self.put_opaque(op.out),
        }
        Ok(())
    }

    /// Makes a wide argument a number, in pieces of 8 bytes.
    pub(super) fn fix_wide(
        &mut self,
        terms: &mut TermStore,
        machine: &mut PcodeMachine,
        instruction: &LiftedInstruction,
        arg: PcodeArgument,
    ) -> Result<(), TraceHalt> {
        let mut done = 0;
        while done < arg.size {
            let size = (arg.size - done).min(8);
            let piece = PcodeArgument { value: arg.value + u64::from(done), size, ..arg };
            self.fix_argument(terms, machine, instruction, piece, ConditionReason::Operand)?;
            done += size;
        }
        Ok(())
    }
}

fn is_float(code: PcodeOpcode) -> bool {
    matches!(
        code,
        PcodeOpcode::FloatAdd
            | PcodeOpcode::FloatSub
            | PcodeOpcode::FloatMul
            | PcodeOpcode::FloatDiv
            | PcodeOpcode::FloatEq
            | PcodeOpcode::FloatNe
            | PcodeOpcode::FloatLt
            | PcodeOpcode::FloatLe
            | PcodeOpcode::IntToFloat
            | PcodeOpcode::FloatSqrt
    )
}

/// A term unless it is a number.
fn unless_constant(terms: &TermStore, term: Term) -> Option<Term> {
    terms.as_bv(term).is_none().then_some(term)
}
