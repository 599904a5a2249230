//! Makes translated code read as the source does: `x = x + 1` instead of a copy, a sum and a copy.
//!
//! Nothing is reordered and nothing that can have an effect (a choice, a load, an overflow) goes
//! away: only copies between variables are seen through, and results are written at once where
//! they end up. Nobody but the function itself can touch its variables, so this holds across calls.

use std::collections::HashMap;

use ouro_model::{Block, Function, IdVec, Instruction, Operand, Terminator, VarId, VarKind};

use crate::builder::visit_operands;

/// Removes copies and the variables that nobody needs any more.
pub(crate) fn tidy_function(function: &mut Function) {
    for block in function.blocks.iter_mut() {
        forward_copies(block, &function.vars);
    }
    let (mut reads, writes) = count_reads_and_writes(function);
    for block in function.blocks.iter_mut() {
        merge_write_and_copy(block, &function.vars, &mut reads, &writes);
    }
    remove_unread(function);
    remove_variables(function);
}

/// Replaces reads of a copy by reads of the original, as long as both are unchanged.
fn forward_copies(block: &mut Block, vars: &IdVec<VarId, ouro_model::LocalVar>) {
    let mut copies: HashMap<VarId, Operand> = HashMap::new();
    for statement in &mut block.statements {
        visit_operands(&mut statement.instruction, &mut |operand| replace_copy(operand, &copies));
        for written in statement.instruction.destination_vars() {
            copies.remove(written);
            copies.retain(|_, value| *value != Operand::Var(*written));
        }
        if let Instruction::Assign { dst, value } = statement.instruction
            && vars[dst].kind == VarKind::Temp
            && value != Operand::Var(dst)
        {
            copies.insert(dst, value);
        }
    }
    visit_terminator(&mut block.terminator, &mut |operand| replace_copy(operand, &copies));
}

fn replace_copy(operand: &mut Operand, copies: &HashMap<VarId, Operand>) {
    if let Operand::Var(var) = operand
        && let Some(original) = copies.get(var)
    {
        *operand = *original;
    }
}

/// Turns `t = …; x = t` into `x = …` where `t` has no other use and `x` none in between.
fn merge_write_and_copy(
    block: &mut Block,
    vars: &IdVec<VarId, ouro_model::LocalVar>,
    reads: &mut HashMap<VarId, usize>,
    writes: &HashMap<VarId, usize>,
) {
    let mut index = 0;
    while index < block.statements.len() {
        if let Instruction::Assign { dst, value: Operand::Var(temp) } =
            block.statements[index].instruction
            && vars[temp].kind == VarKind::Temp
            && vars[temp].ty == vars[dst].ty
            && reads.get(&temp) == Some(&1)
            && writes.get(&temp) == Some(&1)
            && let Some(definition) = definition_before(block, index, temp, dst)
        {
            rename_written(&mut block.statements[definition].instruction, temp, dst);
            block.statements.remove(index);
            reads.insert(temp, 0);
            continue;
        }
        index += 1;
    }
}

/// The statement before `index` that writes `temp`, if nothing from there on touches `dst`.
fn definition_before(block: &Block, index: usize, temp: VarId, dst: VarId) -> Option<usize> {
    for position in (0..index).rev() {
        let instruction = &block.statements[position].instruction;
        let written = instruction.destination_vars();
        if written.contains(&temp) {
            // Two results of one call must not end up in one variable.
            return (!written.contains(&dst)).then_some(position);
        }
        if written.contains(&dst) {
            return None;
        }
        let mut touched = false;
        instruction.each_operand(|operand| touched |= operand == Operand::Var(dst));
        if touched {
            return None;
        }
    }
    None
}

/// Removes copies and unknowns that nobody reads.
fn remove_unread(function: &mut Function) {
    loop {
        let (reads, _) = count_reads_and_writes(function);
        let vars = &function.vars;
        let unread = |instruction: &Instruction| match instruction {
            Instruction::Assign { dst, .. }
            | Instruction::Unknown { dst, .. }
            | Instruction::Select { dst, .. } => {
                vars[*dst].kind == VarKind::Temp && reads.get(dst).is_none_or(|count| *count == 0)
            }
            _ => false,
        };
        let mut changed = false;
        for block in function.blocks.iter_mut() {
            let before = block.statements.len();
            block.statements.retain(|statement| !unread(&statement.instruction));
            changed |= block.statements.len() != before;
        }
        if !changed {
            return;
        }
    }
}

/// Removes temporaries that are not mentioned, and renumbers the rest.
fn remove_variables(function: &mut Function) {
    let (reads, writes) = count_reads_and_writes(function);
    let mut map: HashMap<VarId, VarId> = HashMap::new();
    let mut kept = IdVec::new();
    for (id, var) in function.vars.enumerate() {
        let mentioned = reads.get(&id).is_some_and(|count| *count > 0) || writes.contains_key(&id);
        if mentioned || function.params.contains(&id) || !var.name.is_empty() {
            map.insert(id, kept.push(var.clone()));
        }
    }
    function.vars = kept;
    for param in &mut function.params {
        *param = map[param];
    }
    let mut rename = |operand: &mut Operand| {
        if let Operand::Var(var) = operand {
            *var = map[var];
        }
    };
    for block in function.blocks.iter_mut() {
        for statement in &mut block.statements {
            visit_operands(&mut statement.instruction, &mut rename);
            for dst in statement.instruction.destination_vars_mut() {
                *dst = map[dst];
            }
        }
        visit_terminator(&mut block.terminator, &mut rename);
    }
}

/// How often each variable is read and written.
fn count_reads_and_writes(function: &Function) -> (HashMap<VarId, usize>, HashMap<VarId, usize>) {
    let mut reads = HashMap::new();
    let mut writes = HashMap::new();
    let mut read = |operand: Operand| {
        if let Operand::Var(var) = operand {
            *reads.entry(var).or_insert(0) += 1;
        }
    };
    for block in function.blocks.iter() {
        for statement in &block.statements {
            statement.instruction.each_operand(&mut read);
            for var in statement.instruction.destination_vars() {
                *writes.entry(*var).or_insert(0) += 1;
            }
        }
        block.terminator.each_operand(&mut read);
    }
    // A call writes the parameters.
    for param in &function.params {
        *writes.entry(*param).or_insert(0) += 1;
    }
    (reads, writes)
}

fn rename_written(instruction: &mut Instruction, from: VarId, to: VarId) {
    for dst in instruction.destination_vars_mut() {
        if *dst == from {
            *dst = to;
        }
    }
}

fn visit_terminator(terminator: &mut Terminator, visit: &mut dyn FnMut(&mut Operand)) {
    match terminator {
        Terminator::Branch { condition, .. } => visit(condition),
        Terminator::Switch { value, .. } => visit(value),
        Terminator::GotoAddress { address, .. } => visit(address),
        Terminator::Return(values) => values.iter_mut().for_each(visit),
        Terminator::Exit(status) => visit(status),
        Terminator::Goto(_)
        | Terminator::Abort(_)
        | Terminator::Undefined(_)
        | Terminator::Limit(_) => {}
    }
}
