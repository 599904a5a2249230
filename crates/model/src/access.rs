//! What instructions read, write, and can do besides.

use std::slice;

use crate::{
    BinaryOp, BlockId, Callee, CastOp, Function, Instruction, Operand, Terminator, Type, VarId,
};

impl Function {
    /// The type of an operand; `None` if it names a variable that does not exist.
    pub fn type_of(&self, operand: Operand) -> Option<Type> {
        match operand {
            Operand::Var(var) => self.vars.get(var).map(|var| var.ty),
            Operand::Const { ty, .. } => Some(ty),
            Operand::Global(..) | Operand::Function(_) | Operand::Label(_) => Some(Type::Ptr),
        }
    }
}

/// The variables that an instruction writes, by whichever kind of reference is at hand.
macro_rules! dsts {
    ($instruction:expr, $one:path) => {{
        use Instruction as I;
        match $instruction {
            I::Assign { dst, .. }
            | I::Unary { dst, .. }
            | I::Binary { dst, .. }
            | I::Float { dst, .. }
            | I::Compare { dst, .. }
            | I::Cast { dst, .. }
            | I::Select { dst, .. }
            | I::Offset { dst, .. }
            | I::Load { dst, .. }
            | I::Alloca { dst, .. }
            | I::StackSave { dst }
            | I::Choice { dst, .. }
            | I::Unknown { dst, .. } => $one(dst),
            I::Call { dsts, .. } => dsts,
            I::Store { .. }
            | I::StackRestore { .. }
            | I::Copy { .. }
            | I::Fill { .. }
            | I::Assume { .. }
            | I::VaStart { .. } => Default::default(),
        }
    }};
}

impl Instruction {
    /// The variables it writes.
    pub fn destination_vars(&self) -> &[VarId] {
        dsts!(self, slice::from_ref)
    }

    /// The variables it writes, to be replaced by others of the same types.
    pub fn destination_vars_mut(&mut self) -> &mut [VarId] {
        dsts!(self, slice::from_mut)
    }

    /// Calls `visit` for each operand, left to right as the text form has them.
    pub fn each_operand(&self, mut visit: impl FnMut(Operand)) {
        use Instruction as I;
        match self {
            I::Assign { value, .. } | I::Unary { value, .. } | I::Cast { value, .. } => {
                visit(*value);
            }
            I::Binary { left, right, .. }
            | I::Float { left, right, .. }
            | I::Compare { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            I::Select { condition, left, right, .. } => {
                visit(*condition);
                visit(*left);
                visit(*right);
            }
            I::Offset { base, index, .. } => {
                visit(*base);
                visit(*index);
            }
            I::Load { address, .. } => visit(*address),
            I::Store { address, value } => {
                visit(*address);
                visit(*value);
            }
            I::Alloca { size, .. } => visit(*size),
            I::StackRestore { mark } => visit(*mark),
            I::Copy { to, from, size, .. } => {
                visit(*to);
                visit(*from);
                visit(*size);
            }
            I::Fill { to, value, size } => {
                visit(*to);
                visit(*value);
                visit(*size);
            }
            I::Assume { condition } => visit(*condition),
            I::Call { callee, args, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    visit(*pointer);
                }
                args.iter().for_each(|arg| visit(*arg));
            }
            I::VaStart { list } => visit(*list),
            I::StackSave { .. } | I::Choice { .. } | I::Unknown { .. } => {}
        }
    }

    /// Calls `visit` for each operand, in the same order, so that it can be replaced by another of the same type.
    pub fn each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        use Instruction as I;
        match self {
            I::Assign { value, .. } | I::Unary { value, .. } | I::Cast { value, .. } => {
                visit(value);
            }
            I::Binary { left, right, .. }
            | I::Float { left, right, .. }
            | I::Compare { left, right, .. } => {
                visit(left);
                visit(right);
            }
            I::Select { condition, left, right, .. } => {
                visit(condition);
                visit(left);
                visit(right);
            }
            I::Offset { base, index, .. } => {
                visit(base);
                visit(index);
            }
            I::Load { address, .. } => visit(address),
            I::Store { address, value } => {
                visit(address);
                visit(value);
            }
            I::Alloca { size, .. } => visit(size),
            I::StackRestore { mark } => visit(mark),
            I::Copy { to, from, size, .. } => {
                visit(to);
                visit(from);
                visit(size);
            }
            I::Fill { to, value, size } => {
                visit(to);
                visit(value);
                visit(size);
            }
            I::Assume { condition } => visit(condition),
            I::Call { callee, args, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    visit(pointer);
                }
                args.iter_mut().for_each(visit);
            }
            I::VaStart { list } => visit(list),
            I::StackSave { .. } | I::Choice { .. } | I::Unknown { .. } => {}
        }
    }

    /// Whether it can do anything besides writing its destination: change memory, call, cut off
    /// runs, or be undefined. What may or may not be undefined counts as if it were.
    pub fn has_effect(&self, function: &Function) -> bool {
        use Instruction as I;
        match self {
            I::Assign { .. }
            | I::Unary { .. }
            | I::Float { .. }
            | I::Select { .. }
            | I::StackSave { .. }
            | I::Choice { .. }
            | I::Unknown { .. } => false,
            I::Binary { op, right, .. } => binary_has_effect(*op, *right),
            // Comparing pointers into different objects, or to ended ones, can be undefined.
            I::Compare { left, .. } => {
                !matches!(function.type_of(*left), Some(Type::Int(_) | Type::Float(_)))
            }
            I::Cast { op, .. } => matches!(
                op,
                CastOp::FloatToSigned
                    | CastOp::FloatToUnsigned
                    | CastOp::PtrToInt
                    | CastOp::IntToPtr
            ),
            // A pointer must not leave its object.
            I::Offset { .. }
            | I::Load { .. }
            | I::Store { .. }
            | I::Alloca { .. }
            | I::StackRestore { .. }
            | I::Copy { .. }
            | I::Fill { .. }
            | I::Assume { .. }
            | I::Call { .. }
            | I::VaStart { .. } => true,
        }
    }
}

/// Whether an integer operation can be undefined, given its right operand.
fn binary_has_effect(op: BinaryOp, right: Operand) -> bool {
    let constant = match right {
        Operand::Const { ty: Type::Int(width), bits } => Some((width, bits)),
        _ => None,
    };
    match op {
        BinaryOp::Add { signed } | BinaryOp::Sub { signed } | BinaryOp::Mul { signed } => signed,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => false,
        BinaryOp::Shl { signed: true } => true,
        BinaryOp::Shl { signed: false } | BinaryOp::LShr | BinaryOp::AShr => {
            constant.is_none_or(|(width, count)| count >= u128::from(width))
        }
        BinaryOp::UDiv | BinaryOp::URem => constant.is_none_or(|(_, divisor)| divisor == 0),
        BinaryOp::SDiv | BinaryOp::SRem => constant
            .is_none_or(|(width, divisor)| divisor == 0 || divisor == ouro_term::width_mask(width)),
    }
}

impl Terminator {
    /// Calls `visit` for each operand.
    pub fn each_operand(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::GotoAddress { address: value, .. }
            | Terminator::Exit(value) => visit(*value),
            Terminator::Return(values) => values.iter().for_each(|value| visit(*value)),
            Terminator::Goto(_)
            | Terminator::Abort(_)
            | Terminator::Undefined(_)
            | Terminator::Limit(_) => {}
        }
    }

    /// Calls `visit` for each block it may go to, in the order of the text form, repeatedly if it
    /// is named repeatedly.
    pub fn each_successor(&self, mut visit: impl FnMut(BlockId)) {
        match self {
            Terminator::Goto(to) => visit(*to),
            Terminator::Branch { then, otherwise, .. } => {
                visit(*then);
                visit(*otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*default);
            }
            Terminator::GotoAddress { targets, .. } => targets.iter().for_each(|to| visit(*to)),
            Terminator::Return(_)
            | Terminator::Exit(_)
            | Terminator::Abort(_)
            | Terminator::Undefined(_)
            | Terminator::Limit(_) => {}
        }
    }
}
