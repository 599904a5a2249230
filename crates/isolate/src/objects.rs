//! Which addresses certainly belong to different objects.

use std::collections::{BTreeSet, HashMap};

use ouro_model::{Function, Instruction, Operand, Program, Terminator, Type, VarId};

use crate::effects::definitions;
use crate::places::Base;

/// What is known of the objects of a function.
pub(crate) struct Objects<'a> {
    program: &'a Program,
    /// The variables that hold the address of an object of the frame.
    local: BTreeSet<VarId>,
    /// Those among them whose address goes nowhere but into accesses.
    private: BTreeSet<VarId>,
    /// Parameters that still hold what the caller passed.
    passed: BTreeSet<VarId>,
}

impl<'a> Objects<'a> {
    pub(crate) fn of(program: &'a Program, function: &'a Function) -> Objects<'a> {
        let defined = definitions(function);
        let is_alloca =
            |var: &VarId| matches!(defined.get(var), Some(Some(Instruction::Alloca { .. })));
        let local: BTreeSet<VarId> = function.vars.ids().filter(is_alloca).collect();
        let mut private = local.clone();
        let mut lose = |operand: Operand| {
            if let Some(root) = root(&defined, operand) {
                private.remove(&root);
            }
        };
        for block in function.blocks.iter() {
            for statement in &block.statements {
                match &statement.instruction {
                    // These only look at what is there, or make an address that is looked at in turn.
                    Instruction::Load { .. }
                    | Instruction::Fill { .. }
                    | Instruction::Compare { .. } => {}
                    Instruction::Copy { size, .. } => lose(*size),
                    Instruction::Store { value, .. } => lose(*value),
                    Instruction::Offset { dst, index, base, .. } => {
                        lose(*index);
                        if !matches!(defined.get(dst), Some(Some(_))) {
                            lose(*base);
                        }
                    }
                    other => other.each_operand(&mut lose),
                }
            }
            match &block.terminator {
                Terminator::Return(values) => values.iter().copied().for_each(&mut lose),
                other => other.each_operand(&mut lose),
            }
        }
        let untouched = |param: &&VarId| {
            let writes = |instruction: &Instruction| instruction.dsts().contains(param);
            let mut all = function.blocks.iter().flat_map(|block| &block.statements);
            function.vars[**param].ty == Type::Ptr && !all.any(|one| writes(&one.instruction))
        };
        let passed = function.params.iter().filter(untouched).copied().collect();
        Objects { program, local, private, passed }
    }

    /// Whether two bases are certainly in different objects.
    pub(crate) fn are_apart(&self, one: Base, other: Base) -> bool {
        if one == other {
            return false;
        }
        let is_object = |base: Base| matches!(base, Base::Global(_)) || self.is_local(base);
        let was_before = |base: Base| match base {
            Base::Var(var) => self.passed.contains(&var),
            Base::Global(_) => true,
            Base::Inside(_) | Base::Element(_) => false,
        };
        (is_object(one) && is_object(other))
            || self.is_private(one)
            || self.is_private(other)
            // What a caller passed is older than an object of this call.
            || (self.is_local(one) && was_before(other))
            || (self.is_local(other) && was_before(one))
    }

    /// Whether the object can be reached in no other way than from this base.
    pub(crate) fn is_private(&self, base: Base) -> bool {
        matches!(base, Base::Var(var) if self.private.contains(&var))
    }

    /// Whether a call that writes memory may write there.
    pub(crate) fn is_seen_by_calls(&self, base: Base) -> bool {
        !self.is_private(base) && !self.is_constant(base)
    }

    /// Whether nothing may write there.
    pub(crate) fn is_constant(&self, base: Base) -> bool {
        matches!(base, Base::Global(id) if self.program.globals[id].constant)
    }

    fn is_local(&self, base: Base) -> bool {
        matches!(base, Base::Var(var) if self.local.contains(&var))
    }
}

/// The object of the frame that an address is made from by steps of offsets.
fn root(defined: &HashMap<VarId, Option<&Instruction>>, operand: Operand) -> Option<VarId> {
    let Operand::Var(var) = operand else { return None };
    match defined.get(&var) {
        Some(Some(Instruction::Alloca { .. })) => Some(var),
        Some(Some(Instruction::Offset { base, .. })) => root(defined, *base),
        _ => None,
    }
}
