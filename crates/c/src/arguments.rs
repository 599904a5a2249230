//! The command line of a program that looks at some of its arguments by number: `argv[1]`, and not `argv[i]`.
//!
//! Then nobody sees how long the vector is beyond the last of these numbers, so there is one vector for each count of
//! arguments up to there and one for all larger counts, and nothing is left out. Arguments that are not looked at have
//! no text. One of few characters is an object of that size, so that runs can be followed exactly; a longer one has a
//! size that is chosen.

use std::collections::BTreeSet;

use ouro_model::{BinaryOp, BlockId, CompareOp, Instruction, Operand, Terminator, Type, VarId};

use crate::llvm::{LlvmValue, Opcode, TypeKind, ValueKind};
use crate::start::{EntryBuilder, LONGEST_ARGUMENT};
use crate::values::int_constant;

/// The largest number by which an argument is looked at.
const LARGEST_NUMBER: u64 = 4;
/// No argument has more bytes on Linux, with its closing zero: 32 pages.
const MOST_BYTES: u64 = 0x2_0000;

/// The numbers by which a program looks at its arguments; nothing if it does anything else with them.
pub(crate) fn argument_numbers(argv: LlvmValue<'_>) -> Option<BTreeSet<u64>> {
    let mut numbers = BTreeSet::new();
    for user in instructions(argv)? {
        let is_saved = matches!(user.opcode(), Opcode::LLVMStore) && user.operand(0) == argv;
        let slot = is_saved.then(|| user.operand(1))?;
        if !slot.is_instruction() || !matches!(slot.opcode(), Opcode::LLVMAlloca) {
            return None;
        }
        for user in instructions(slot)? {
            match user.opcode() {
                Opcode::LLVMStore if user.operand(0) == argv => {}
                Opcode::LLVMLoad if is_pointer(user) => numbers.append(&mut numbers_used(user)?),
                Opcode::LLVMCall if user.callee().name().starts_with("llvm.dbg.") => {}
                _ => return None,
            }
        }
    }
    Some(numbers)
}

/// The same of the vector as it was loaded once.
fn numbers_used(vector: LlvmValue<'_>) -> Option<BTreeSet<u64>> {
    let mut numbers = BTreeSet::new();
    for user in instructions(vector)? {
        match user.opcode() {
            Opcode::LLVMLoad if is_pointer(user) => {
                numbers.insert(0);
            }
            Opcode::LLVMGetElementPtr => {
                let operands = user.operands();
                let is_plain = operands.len() == 2
                    && operands[0] == vector
                    && matches!(user.element_type().kind(), TypeKind::LLVMPointerTypeKind);
                let number = u64::try_from(operands.get(1)?.int_value()?).ok()?;
                let is_read = |user: &LlvmValue<'_>| {
                    matches!(user.opcode(), Opcode::LLVMLoad) && is_pointer(*user)
                };
                if !is_plain || number > LARGEST_NUMBER || !instructions(user)?.iter().all(is_read)
                {
                    return None;
                }
                numbers.insert(number);
            }
            _ => return None,
        }
    }
    Some(numbers)
}

/// The instructions that use a value, if nothing else does.
fn instructions<'c>(value: LlvmValue<'c>) -> Option<Vec<LlvmValue<'c>>> {
    let users = value.users();
    let all = |user: &LlvmValue<'c>| matches!(user.kind(), ValueKind::LLVMInstructionValueKind);
    users.iter().all(all).then_some(users)
}

fn is_pointer(load: LlvmValue<'_>) -> bool {
    matches!(load.ty().kind(), TypeKind::LLVMPointerTypeKind)
}

impl EntryBuilder<'_, '_> {
    /// Builds `argv` for a program that looks at it by these numbers.
    pub(crate) fn emit_numbered_arguments(
        &mut self,
        argc: Operand,
        numbers: &BTreeSet<u64>,
    ) -> Operand {
        let largest = numbers.last().copied().unwrap_or(0);
        let vector = self.builder.add_temporary(Type::Ptr);
        let done = self.builder.reserve_block();
        for count in 0..=largest {
            let is_count =
                self.emit_compare(CompareOp::Eq, argc, int_constant(32, u128::from(count)));
            let (these, more) = (self.builder.reserve_block(), self.builder.reserve_block());
            self.builder.finish(Terminator::Branch {
                condition: is_count,
                then: these,
                otherwise: more,
            });
            self.builder.start_block(these);
            self.emit_vector_of(vector, count, true, numbers, done);
            self.builder.start_block(more);
        }
        self.emit_vector_of(vector, largest + 1, false, numbers, done);
        self.builder.start_block(done);
        Operand::Var(vector)
    }

    /// A vector of so many arguments, and the null behind them if it is seen.
    fn emit_vector_of(
        &mut self,
        vector: VarId,
        count: u64,
        is_ended: bool,
        numbers: &BTreeSet<u64>,
        done: BlockId,
    ) {
        let bytes = u64::from(self.program.pointer_bits / 8);
        let size = self.size_constant((count + u64::from(is_ended)) * bytes);
        let value = self.emit_alloca(size, bytes, "argv");
        self.builder.emit(Instruction::Assign { dst: vector, value });
        for index in numbers.range(..count) {
            let text = self.emit_text_of_any_length(&format!("argv[{index}]"));
            self.emit_slot(vector, *index, text);
        }
        if is_ended {
            self.emit_slot(vector, count, Operand::Const { ty: Type::Ptr, bits: 0 });
        }
        self.builder.finish(Terminator::Goto(done));
    }

    fn emit_slot(&mut self, vector: VarId, index: u64, value: Operand) {
        let scale = i64::from(self.program.pointer_bits / 8);
        let index = self.size_constant(index);
        let base = Operand::Var(vector);
        let address = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base,
            index,
            scale,
        });
        self.builder.emit(Instruction::Store { address, value });
    }

    /// A text of free content: one of few characters, or one whose length is chosen, too.
    fn emit_text_of_any_length(&mut self, name: &str) -> Operand {
        let text = self.builder.add_temporary(Type::Ptr);
        let [short, long, done] = [(); 3].map(|()| self.builder.reserve_block());
        let condition = self.emit_choice(
            &format!("{name} has at most {LONGEST_ARGUMENT} characters"),
            Type::Int(1),
        );
        self.builder.finish(Terminator::Branch { condition, then: short, otherwise: long });
        self.builder.start_block(short);
        let (size, last) =
            (self.size_constant(LONGEST_ARGUMENT + 1), self.size_constant(LONGEST_ARGUMENT));
        self.emit_text(text, size, last, name);
        self.builder.finish(Terminator::Goto(done));
        self.builder.start_block(long);
        let size =
            self.emit_choice(&format!("bytes of {name}"), Type::Int(self.program.pointer_bits));
        for (op, left, right) in [
            (CompareOp::Slt, self.size_constant(LONGEST_ARGUMENT + 1), size),
            (CompareOp::Sle, size, self.size_constant(MOST_BYTES)),
        ] {
            let condition = self.emit_compare(op, left, right);
            self.builder.emit(Instruction::Assume { condition });
        }
        let one = self.size_constant(1);
        let last = self.builder.emit_with_result(Type::Int(self.program.pointer_bits), |dst| {
            let op = BinaryOp::Sub { signed: false };
            Instruction::Binary { dst, op, left: size, right: one }
        });
        self.emit_text(text, size, last, name);
        self.builder.finish(Terminator::Goto(done));
        self.builder.start_block(done);
        Operand::Var(text)
    }

    fn emit_text(&mut self, text: VarId, size: Operand, last: Operand, name: &str) {
        let value = self.emit_alloca(size, 1, name);
        self.builder.emit(Instruction::Assign { dst: text, value });
        let end = self.builder.emit_with_result(Type::Ptr, |dst| Instruction::Offset {
            dst,
            base: value,
            index: last,
            scale: 1,
        });
        self.builder.emit(Instruction::Store { address: end, value: int_constant(8, 0) });
    }
}
