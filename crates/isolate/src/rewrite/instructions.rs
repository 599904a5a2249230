//! Each instruction as one or more on integers.

use ouro_model::{
    BinaryOp, BlockId, Callee, CastOp, CompareOp, Instruction, Operand, Terminator, Type, VarId,
};

use super::{ADDRESS, LAST, Rewrite, integer};
use crate::places::{Change, signed};

impl Rewrite<'_> {
    /// Rewrites an instruction, or says how the block ends there.
    pub(super) fn instruction(
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
            I::Call { callee: Callee::Function(id), .. } if self.effects.at(*id).limit => {
                let name = &self.program.functions[*id].name;
                return Some(Terminator::Limit(format!("a call of {name}")));
            }
            I::Call { callee: Callee::Function(id), .. } if !self.effects.at(*id).returns => {
                return Some(Terminator::Goto(LAST));
            }
            I::Call { dsts, .. } => {
                dsts.iter().for_each(|dst| self.lose(*dst));
                self.change(block, instruction);
            }
            I::Store { .. } | I::Copy { .. } | I::Fill { .. } | I::VaStart { .. } => {
                self.change(block, instruction);
            }
            I::StackRestore { .. } => {}
            _ if floats => instruction.dsts().iter().for_each(|dst| self.lose(*dst)),
            I::Assign { dst, value } => {
                let value = self.operand(*value);
                self.emit(I::Assign { dst: *dst, value });
            }
            I::Unary { dst, op, value } => {
                let value = self.operand(*value);
                self.emit(I::Unary { dst: *dst, op: *op, value });
            }
            I::Binary { dst, op, left, right } => {
                let (left, right) = (self.operand(*left), self.operand(*right));
                self.emit(I::Binary { dst: *dst, op: *op, left, right });
            }
            I::Compare { dst, op, left, right } => self.compare(*dst, *op, *left, *right),
            I::Cast { dst, op, value } => self.cast(*dst, *op, *value),
            I::Select { dst, condition, left, right } => {
                let condition = self.operand(*condition);
                let (left, right) = (self.operand(*left), self.operand(*right));
                self.emit(I::Select { dst: *dst, condition, left, right });
            }
            I::Offset { dst, base, index, scale } => self.offset(*dst, *base, *index, *scale),
            I::Load { dst, address } => {
                let ty = self.function.vars[*dst].ty;
                match self.places.read(block, *address, ty) {
                    Some(cell) => {
                        let value = Operand::Var(self.cells[cell]);
                        self.emit(I::Assign { dst: *dst, value });
                    }
                    None => self.lose(*dst),
                }
            }
            I::Assume { condition } => {
                let condition = self.operand(*condition);
                self.emit(I::Assume { condition });
            }
            I::Alloca { dst, .. } => {
                self.lose(*dst);
                self.bound(Operand::Var(*dst));
            }
            I::Float { dst, .. }
            | I::StackSave { dst }
            | I::Choice { dst, .. }
            | I::Unknown { dst, .. } => self.lose(*dst),
        }
        None
    }

    /// What an instruction does to cells.
    fn change(&mut self, block: BlockId, instruction: &Instruction) {
        let (changes, assumed) = self.places.changes(block, instruction, self.span);
        self.assumed.extend(assumed);
        for (cell, change) in changes {
            let dst = self.cells[cell];
            match change {
                Change::Set(value) => {
                    let value = self.operand(value);
                    self.emit(Instruction::Assign { dst, value });
                }
                Change::Lose => self.lose(dst),
            }
        }
    }

    fn compare(&mut self, dst: VarId, op: CompareOp, left: Operand, right: Operand) {
        let pointers = self.function.type_of(left) == Some(Type::Ptr);
        let op = match op {
            CompareOp::Ult | CompareOp::Ule if pointers => {
                // Only addresses of one object have an order; a number such as `(char *)-1` is none.
                if [left, right].into_iter().any(is_no_object) {
                    return self.lose(dst);
                }
                self.bound_compared(left);
                self.bound_compared(right);
                if op == CompareOp::Ult { CompareOp::Slt } else { CompareOp::Sle }
            }
            op => op,
        };
        let (left, right) = (self.operand(left), self.operand(right));
        self.emit(Instruction::Compare { dst, op, left, right });
    }

    fn cast(&mut self, dst: VarId, op: CastOp, value: Operand) {
        let (Some(from), Some(to)) =
            (self.function.type_of(value).and_then(integer), integer(self.function.vars[dst].ty))
        else {
            return self.lose(dst);
        };
        let value = self.operand(value);
        let (Type::Int(from), Type::Int(to)) = (from, to) else { return self.lose(dst) };
        let op = match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => op,
            CastOp::PtrToInt | CastOp::IntToPtr if from > to => CastOp::Truncate,
            CastOp::PtrToInt | CastOp::IntToPtr if from < to => CastOp::ZeroExtend,
            CastOp::PtrToInt | CastOp::IntToPtr => {
                return self.emit(Instruction::Assign { dst, value });
            }
            _ => return self.lose(dst),
        };
        self.emit(Instruction::Cast { dst, op, value });
    }

    /// `dst = base + index * scale`. It does not leave the object, and so not the address space, unless nobody says so.
    fn offset(&mut self, dst: VarId, base: Operand, index: Operand, scale: i64) {
        if self.strays.steps.contains(&self.at) {
            return self.stray(dst, base, index, scale);
        }
        let base = self.operand(base);
        let Some(Type::Int(width)) = self.function.type_of(index) else { return self.lose(dst) };
        let bytes = match index {
            Operand::Const { bits, .. } => {
                let Some(bytes) = signed(bits, width).checked_mul(i128::from(scale)) else {
                    return self.lose(dst);
                };
                address(bytes)
            }
            _ if width > 64 => return self.lose(dst),
            _ => {
                let mut index = self.operand(index);
                if width < 64 {
                    let dst = self.temp(ADDRESS);
                    self.emit(Instruction::Cast { dst, op: CastOp::SignExtend, value: index });
                    index = Operand::Var(dst);
                }
                if scale != 1 {
                    let dst = self.temp(ADDRESS);
                    let op = BinaryOp::Mul { signed: true };
                    let right = address(i128::from(scale));
                    self.emit(Instruction::Binary { dst, op, left: index, right });
                    index = Operand::Var(dst);
                }
                index
            }
        };
        let op = BinaryOp::Add { signed: true };
        self.emit(Instruction::Binary { dst, op, left: base, right: bytes });
        self.bound(Operand::Var(dst));
    }

    /// The same where nobody says that it stays within the object: anywhere, once there are no more addresses.
    fn stray(&mut self, dst: VarId, base: Operand, index: Operand, scale: i64) {
        let (Operand::Const { bits, .. }, Some(Type::Int(width))) =
            (index, self.function.type_of(index))
        else {
            return self.lose(dst);
        };
        let Some(bytes) = signed(bits, width).checked_mul(i128::from(scale)) else {
            return self.lose(dst);
        };
        let base = self.operand(base);
        let last = if bytes < 0 { i128::from(i64::MIN) } else { self.most_address() + 1 };
        let last = address(last - bytes);
        let (left, right) = if bytes < 0 { (last, base) } else { (base, last) };
        let condition = self.temp(Type::Int(1));
        self.emit(Instruction::Compare { dst: condition, op: CompareOp::Sle, left, right });
        let (sum, anything) = (self.temp(ADDRESS), self.temp(ADDRESS));
        let op = BinaryOp::Add { signed: false };
        self.emit(Instruction::Binary { dst: sum, op, left: base, right: address(bytes) });
        self.lose(anything);
        let condition = Operand::Var(condition);
        let (left, right) = (Operand::Var(sum), Operand::Var(anything));
        self.emit(Instruction::Select { dst, condition, left, right });
    }

    /// The highest address of an object.
    fn most_address(&self) -> i128 {
        match self.program.target.pointer_bits {
            32 => i128::from(u32::MAX),
            _ => i128::from(i64::MAX) - 1,
        }
    }

    /// That an address which is compared with others is one of an object: the order of other numbers means nothing.
    /// Pointers that stray are no such addresses, nor are numbers that were made pointers.
    fn bound_compared(&mut self, operand: Operand) {
        let Operand::Var(var) = operand else { return };
        let is_number = |one: &ouro_model::Statement| match &one.instruction {
            Instruction::Cast { dst, .. } => *dst == var,
            Instruction::Assign { dst, value } => *dst == var && is_no_object(*value),
            _ => false,
        };
        let mut statements = self.function.blocks.iter().flat_map(|block| &block.statements);
        if self.strays.pointers.contains(&var) || statements.any(is_number) {
            return;
        }
        // No object is so near to the end of addresses that a step of a structure's size leads beyond it.
        self.between(operand, self.most_address() - (1 << 24));
    }

    /// That an address is one of an object, or just behind it.
    pub(super) fn bound(&mut self, value: Operand) {
        self.between(value, self.most_address());
    }

    fn between(&mut self, value: Operand, most: i128) {
        for (left, right) in [(address(0), value), (value, address(most))] {
            let dst = self.temp(Type::Int(1));
            self.emit(Instruction::Compare { dst, op: CompareOp::Sle, left, right });
            self.emit(Instruction::Assume { condition: Operand::Var(dst) });
        }
    }

    /// An operand as an integer.
    pub(super) fn operand(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Var(_) => operand,
            Operand::Const { ty: Type::Ptr, bits } => {
                let width = self.program.target.pointer_bits;
                // An address of 32 bits has no sign.
                address(if width == 64 { signed(bits, 64) } else { bits.cast_signed() })
            }
            Operand::Const { .. } => operand,
            Operand::Global(id, offset) => {
                let known = self.globals.get(&id).copied();
                let var = known.unwrap_or_else(|| self.temp(ADDRESS));
                self.globals.insert(id, var);
                if offset == 0 {
                    return Operand::Var(var);
                }
                let dst = self.temp(ADDRESS);
                let op = BinaryOp::Add { signed: true };
                let right = address(i128::from(offset));
                self.emit(Instruction::Binary { dst, op, left: Operand::Var(var), right });
                Operand::Var(dst)
            }
            Operand::Function(_) | Operand::Label(_) => {
                let dst = self.temp(ADDRESS);
                self.lose(dst);
                Operand::Var(dst)
            }
        }
    }
}

pub(super) fn address(number: i128) -> Operand {
    let bits = number.cast_unsigned() & u128::from(u64::MAX);
    Operand::Const { ty: ADDRESS, bits }
}

/// Whether an address is a number that no object has.
fn is_no_object(operand: Operand) -> bool {
    matches!(operand, Operand::Const { bits, .. } if bits > u128::from(i64::MAX.unsigned_abs()))
}
