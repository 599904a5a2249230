//! Which integers are signed: the model does not say, but how a variable is used does.

use crate::{BinaryOp, CastOp, CompareOp, Function, Instruction, Operand, VarId};

/// Whether a variable is used as an unsigned number more often than as a signed one.
pub fn is_unsigned(function: &Function, var: VarId) -> bool {
    let mut balance = 0i32;
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    for statement in statements {
        let mut mentioned = statement.instruction.destination_vars().contains(&var);
        statement.instruction.each_operand(|operand| mentioned |= operand == Operand::Var(var));
        if mentioned {
            balance += operation_sign(&statement.instruction);
        }
    }
    balance > 0
}

/// 1 for an operation on unsigned numbers, -1 for one on signed numbers.
fn operation_sign(instruction: &Instruction) -> i32 {
    match instruction {
        Instruction::Binary { op, .. } => match op {
            BinaryOp::Add { signed } | BinaryOp::Sub { signed } | BinaryOp::Mul { signed } => {
                if *signed {
                    -1
                } else {
                    1
                }
            }
            BinaryOp::LShr | BinaryOp::UDiv | BinaryOp::URem => 1,
            BinaryOp::AShr | BinaryOp::SDiv | BinaryOp::SRem => -1,
            BinaryOp::Shl { .. } | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => 0,
        },
        Instruction::Compare { op, .. } => match op {
            CompareOp::Ult | CompareOp::Ule => 1,
            CompareOp::Slt | CompareOp::Sle => -1,
            _ => 0,
        },
        Instruction::Cast { op, .. } => match op {
            CastOp::ZeroExtend | CastOp::UnsignedToFloat | CastOp::FloatToUnsigned => 1,
            CastOp::SignExtend | CastOp::SignedToFloat | CastOp::FloatToSigned => -1,
            _ => 0,
        },
        _ => 0,
    }
}
