//! Each instruction as one or more on integers.

use ouro_model::{
    BinaryOp, BlockId, Callee, CastOp, CompareOp, Instruction, Operand, Terminator, Type, VarId,
};

use super::{ADDRESS, LAST, RegionRewriter, integer_type};
use crate::MemoryTrust;
use crate::places::{CellChange, signed_value};

impl RegionRewriter<'_> {
    /// Rewrites an instruction, or says how the block ends there.
    pub(super) fn rewrite_instruction(
        &mut self,
        block: BlockId,
        instruction: &Instruction,
    ) -> Option<Terminator> {
        use Instruction as I;
        let floats = {
            let is_float =
                |operand| matches!(self.function.type_of(operand), Some(Type::Float(_)) | None);
            let mut any = false;
            instruction.each_operand(|operand| any |= is_float(operand));
            any
        };
        match instruction {
            // Calls and stores of floats still do what they do to memory.
            I::Call { callee: Callee::Function(id), .. } if self.effects.effect_of(*id).limit => {
                let name = &self.program.functions[*id].name;
                return Some(Terminator::Limit(format!("a call of {name}")));
            }
            I::Call { callee: Callee::Function(id), .. }
                if !self.effects.effect_of(*id).returns =>
            {
                return Some(Terminator::Goto(LAST));
            }
            I::Call { dsts, .. } => {
                dsts.iter().for_each(|dst| self.havoc_variable(*dst));
                self.rewrite_cell_changes(block, instruction);
            }
            I::Store { .. } | I::Copy { .. } | I::Fill { .. } | I::VaStart { .. } => {
                self.rewrite_cell_changes(block, instruction);
            }
            I::StackRestore { .. } => {}
            _ if floats => {
                instruction.destination_vars().iter().for_each(|dst| self.havoc_variable(*dst));
            }
            I::Assign { dst, value } => {
                let value = self.rewrite_operand(*value);
                self.emit(I::Assign { dst: *dst, value });
            }
            I::Unary { dst, op, value } => {
                let value = self.rewrite_operand(*value);
                self.emit(I::Unary { dst: *dst, op: *op, value });
            }
            I::Binary { dst, op, left, right } => {
                let (left, right) = (self.rewrite_operand(*left), self.rewrite_operand(*right));
                self.emit(I::Binary { dst: *dst, op: *op, left, right });
            }
            I::Compare { dst, op, left, right } => self.rewrite_compare(*dst, *op, *left, *right),
            I::Cast { dst, op, value } => self.rewrite_cast(*dst, *op, *value),
            I::Select { dst, condition, left, right } => {
                let condition = self.rewrite_operand(*condition);
                let (left, right) = (self.rewrite_operand(*left), self.rewrite_operand(*right));
                self.emit(I::Select { dst: *dst, condition, left, right });
            }
            I::Offset { dst, base, index, scale } => {
                self.rewrite_offset(*dst, *base, *index, *scale);
            }
            I::Load { dst, address } => {
                let ty = self.function.vars[*dst].ty;
                match self.places.cell_read_by(block, *address, ty) {
                    Some(cell) => {
                        let value = Operand::Var(self.cells[cell]);
                        self.emit(I::Assign { dst: *dst, value });
                    }
                    None => self.havoc_variable(*dst),
                }
            }
            I::Assume { condition } => {
                let condition = self.rewrite_operand(*condition);
                self.emit(I::Assume { condition });
            }
            I::Alloca { dst, .. } => {
                self.havoc_variable(*dst);
                self.assume_object_address(Operand::Var(*dst));
            }
            I::Float { dst, .. }
            | I::StackSave { dst }
            | I::Choice { dst, .. }
            | I::Unknown { dst, .. } => self.havoc_variable(*dst),
        }
        None
    }

    /// What an instruction does to cells.
    fn rewrite_cell_changes(&mut self, block: BlockId, instruction: &Instruction) {
        let (changes, assumed) = self.places.instruction_changes(block, instruction, self.span);
        self.assumed.extend(assumed);
        for (cell, change) in changes {
            let dst = self.cells[cell];
            match change {
                CellChange::Set(value) => {
                    let value = self.rewrite_operand(value);
                    self.emit(Instruction::Assign { dst, value });
                }
                CellChange::Lose => self.havoc_variable(dst),
            }
        }
    }

    fn rewrite_compare(&mut self, dst: VarId, op: CompareOp, left: Operand, right: Operand) {
        let pointers = self.function.type_of(left) == Some(Type::Ptr);
        let op = match op {
            CompareOp::Ult | CompareOp::Ule if pointers => {
                // Only addresses of one object have an order; a number such as `(char *)-1` is none.
                if [left, right].into_iter().any(is_outside_objects) {
                    return self.havoc_variable(dst);
                }
                // Addresses have no sign, unless both are known to be in the lower half, where it does not matter.
                let is_below = [left, right].map(|side| self.assume_compared_in_object(side));
                match (op, is_below) {
                    (CompareOp::Ult, [true, true]) => CompareOp::Slt,
                    (_, [true, true]) => CompareOp::Sle,
                    (op, _) => op,
                }
            }
            op => op,
        };
        let (left, right) = (self.rewrite_operand(left), self.rewrite_operand(right));
        self.emit(Instruction::Compare { dst, op, left, right });
    }

    fn rewrite_cast(&mut self, dst: VarId, op: CastOp, value: Operand) {
        let (Some(from), Some(to)) = (
            self.function.type_of(value).and_then(integer_type),
            integer_type(self.function.vars[dst].ty),
        ) else {
            return self.havoc_variable(dst);
        };
        let value = self.rewrite_operand(value);
        let (Type::Int(from), Type::Int(to)) = (from, to) else { return self.havoc_variable(dst) };
        let op = match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => op,
            CastOp::PtrToInt | CastOp::IntToPtr if from > to => CastOp::Truncate,
            CastOp::PtrToInt | CastOp::IntToPtr if from < to => CastOp::ZeroExtend,
            CastOp::PtrToInt | CastOp::IntToPtr => {
                return self.emit(Instruction::Assign { dst, value });
            }
            _ => return self.havoc_variable(dst),
        };
        self.emit(Instruction::Cast { dst, op, value });
    }

    /// `dst = base + index * scale`. It does not leave the object, and so not the address space, unless nobody says so.
    fn rewrite_offset(&mut self, dst: VarId, base: Operand, index: Operand, scale: i64) {
        if self.strays.steps.contains(&self.at) {
            return self.rewrite_stray_offset(dst, base, index, scale);
        }
        let base = self.rewrite_operand(base);
        let Some(Type::Int(width)) = self.function.type_of(index) else {
            return self.havoc_variable(dst);
        };
        let bytes = match index {
            Operand::Const { bits, .. } => {
                let Some(bytes) = signed_value(bits, width).checked_mul(i128::from(scale)) else {
                    return self.havoc_variable(dst);
                };
                address_constant(bytes)
            }
            _ if width > 64 => return self.havoc_variable(dst),
            _ => {
                let mut index = self.rewrite_operand(index);
                if width < 64 {
                    let dst = self.add_temporary(ADDRESS);
                    self.emit(Instruction::Cast { dst, op: CastOp::SignExtend, value: index });
                    index = Operand::Var(dst);
                }
                if scale != 1 {
                    let dst = self.add_temporary(ADDRESS);
                    let op = BinaryOp::Mul { signed: true };
                    let right = address_constant(i128::from(scale));
                    self.emit(Instruction::Binary { dst, op, left: index, right });
                    index = Operand::Var(dst);
                }
                index
            }
        };
        let op = BinaryOp::Add { signed: true };
        self.emit(Instruction::Binary { dst, op, left: base, right: bytes });
        self.assume_object_address(Operand::Var(dst));
    }

    /// The same where nobody says that it stays within the object: anywhere, once there are no more addresses.
    fn rewrite_stray_offset(&mut self, dst: VarId, base: Operand, index: Operand, scale: i64) {
        let (Operand::Const { bits, .. }, Some(Type::Int(width))) =
            (index, self.function.type_of(index))
        else {
            return self.havoc_variable(dst);
        };
        let Some(bytes) = signed_value(bits, width).checked_mul(i128::from(scale)) else {
            return self.havoc_variable(dst);
        };
        let base = self.rewrite_operand(base);
        // Addresses have no sign here: this pointer may be any number.
        let (left, right) = if bytes < 0 {
            (address_constant(-bytes), base)
        } else {
            let last = (1_i128 << self.program.target.pointer_bits) - 1;
            (base, address_constant(last - bytes))
        };
        let condition = self.add_temporary(Type::Int(1));
        self.emit(Instruction::Compare { dst: condition, op: CompareOp::Ule, left, right });
        let (sum, anything) = (self.add_temporary(ADDRESS), self.add_temporary(ADDRESS));
        let op = BinaryOp::Add { signed: false };
        self.emit(Instruction::Binary { dst: sum, op, left: base, right: address_constant(bytes) });
        self.havoc_variable(anything);
        let condition = Operand::Var(condition);
        let (left, right) = (Operand::Var(sum), Operand::Var(anything));
        self.emit(Instruction::Select { dst, condition, left, right });
    }

    /// The highest address of an object.
    fn highest_address(&self) -> i128 {
        match self.program.target.pointer_bits {
            32 => i128::from(u32::MAX),
            _ => i128::from(i64::MAX) - 1,
        }
    }

    /// Assumes that an address which is compared with others is one of an object: by C's rules the order of other numbers
    /// means nothing, but compilers compare them all the same. Says whether it is, and so in the lower half of all numbers.
    /// Pointers that stray are no such addresses, nor are numbers that were made pointers.
    fn assume_compared_in_object(&mut self, operand: Operand) -> bool {
        let Operand::Var(var) = operand else {
            return match operand {
                // As long as an address has 64 bits, others are seen before.
                Operand::Const { .. } => true,
                Operand::Global(..) => {
                    let address = self.rewrite_operand(operand);
                    self.assume_object_address(address);
                    true
                }
                _ => false,
            };
        };
        let is_number = |one: &ouro_model::Statement| match &one.instruction {
            Instruction::Cast { dst, .. } => *dst == var,
            Instruction::Assign { dst, value } => *dst == var && is_outside_objects(*value),
            _ => false,
        };
        let mut statements = self.function.blocks.iter().flat_map(|block| &block.statements);
        if self.strays.pointers.contains(&var) || statements.any(is_number) {
            return false;
        }
        let text = format!("the pointers that line {} compares point into objects", self.span.line);
        let how = self.ends.how;
        if how.trust < MemoryTrust::Writes || how.without.contains(&text) {
            return false;
        }
        // No object is so near to the end of addresses that a step of a structure's size leads beyond it.
        self.assume_between(operand, self.highest_address() - (1 << 24));
        self.compared.insert((var, text));
        true
    }

    /// That an address is one of an object, or just behind it.
    pub(super) fn assume_object_address(&mut self, value: Operand) {
        self.assume_between(value, self.highest_address());
    }

    fn assume_between(&mut self, value: Operand, most: i128) {
        for (left, right) in [(address_constant(0), value), (value, address_constant(most))] {
            let dst = self.add_temporary(Type::Int(1));
            self.emit(Instruction::Compare { dst, op: CompareOp::Sle, left, right });
            self.emit(Instruction::Assume { condition: Operand::Var(dst) });
        }
    }

    /// An operand as an integer.
    pub(super) fn rewrite_operand(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Var(_) => operand,
            Operand::Const { ty: Type::Ptr, bits } => {
                let width = self.program.target.pointer_bits;
                // An address of 32 bits has no sign.
                address_constant(if width == 64 {
                    signed_value(bits, 64)
                } else {
                    bits.cast_signed()
                })
            }
            Operand::Const { .. } => operand,
            Operand::Global(id, offset) => {
                let known = self.globals.get(&id).copied();
                let var = known.unwrap_or_else(|| self.add_temporary(ADDRESS));
                self.globals.insert(id, var);
                if offset == 0 {
                    return Operand::Var(var);
                }
                let dst = self.add_temporary(ADDRESS);
                let op = BinaryOp::Add { signed: true };
                let right = address_constant(i128::from(offset));
                self.emit(Instruction::Binary { dst, op, left: Operand::Var(var), right });
                Operand::Var(dst)
            }
            Operand::Function(_) | Operand::Label(_) => {
                let dst = self.add_temporary(ADDRESS);
                self.havoc_variable(dst);
                Operand::Var(dst)
            }
        }
    }
}

pub(super) fn address_constant(number: i128) -> Operand {
    let bits = number.cast_unsigned() & u128::from(u64::MAX);
    Operand::Const { ty: ADDRESS, bits }
}

/// Whether an address is a number that no object has.
fn is_outside_objects(operand: Operand) -> bool {
    matches!(operand, Operand::Const { bits, .. } if bits > u128::from(i64::MAX.unsigned_abs()))
}
