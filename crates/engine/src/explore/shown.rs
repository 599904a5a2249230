//! Values in the user's terms. The model does not say which integers are signed, but how a variable
//! is used does.

use ouro_machine::{Machine, MachineState, MachineValue};
use ouro_model::flow::is_unsigned;
use ouro_model::{Program, Type, VarKind};

/// The user's variables of the innermost call in a concrete state, by name.
pub(crate) fn shown_variables(
    program: &Program,
    machine: &Machine,
    state: &MachineState,
) -> Vec<(String, String)> {
    let function = &program.functions[state.position().0];
    machine
        .live_user_variables(state)
        .into_iter()
        .filter(|(id, _)| function.vars[*id].kind == VarKind::User)
        .filter(|(id, _)| !function.vars[*id].name.is_empty())
        .filter_map(|(id, value)| {
            let var = &function.vars[id];
            Some((var.name.clone(), show_value(var.ty, value, is_unsigned(function, id))?))
        })
        .collect()
}

fn show_value(ty: Type, value: MachineValue, unsigned: bool) -> Option<String> {
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
