//! Values in the user's terms. The model does not say which integers are signed, but how a variable
//! is used does.

use ouro_machine::{Machine, State, Value};
use ouro_model::{
    BinaryOp, CastOp, CompareOp, Function, Instruction, Operand, Program, Type, VarId, VarKind,
};

/// The user's variables of the innermost call in a concrete state, by name.
pub(crate) fn variables(
    program: &Program,
    machine: &Machine,
    state: &State,
) -> Vec<(String, String)> {
    let function = &program.functions[state.position().0];
    machine
        .variables(state)
        .into_iter()
        .filter(|(id, _)| function.vars[*id].kind == VarKind::User)
        .filter(|(id, _)| !function.vars[*id].name.is_empty())
        .filter_map(|(id, value)| {
            let var = &function.vars[id];
            Some((var.name.clone(), shown(var.ty, value, is_unsigned(function, id))?))
        })
        .collect()
}

fn shown(ty: Type, value: Value, unsigned: bool) -> Option<String> {
    let bits = value.bits()?;
    match ty {
        Type::Int(width) if width <= 64 && !unsigned => {
            let unused = 64 - width;
            Some(((bits << unused).cast_signed() >> unused).to_string())
        }
        Type::Int(width) if width <= 64 => Some(bits.to_string()),
        Type::Float(64) => Some(f64::from_bits(bits).to_string()),
        Type::Float(32) => Some(f32::from_bits(bits as u32).to_string()),
        Type::Ptr if bits == 0 => Some("NULL".to_owned()),
        _ => None,
    }
}

/// Whether a variable is used as an unsigned number more often than as a signed one.
fn is_unsigned(function: &Function, var: VarId) -> bool {
    let mut balance = 0i32;
    let statements = function.blocks.iter().flat_map(|block| &block.statements);
    for statement in statements {
        let mut mentioned = statement.instruction.dsts().contains(&var);
        statement.instruction.each_operand(|operand| mentioned |= operand == Operand::Var(var));
        if mentioned {
            balance += sign(&statement.instruction);
        }
    }
    balance > 0
}

/// 1 for an operation on unsigned numbers, -1 for one on signed numbers.
fn sign(instruction: &Instruction) -> i32 {
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
