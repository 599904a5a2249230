//! Which addresses certainly belong to different objects.

use std::collections::{BTreeSet, HashMap};

use ouro_model::{Function, Instruction, Operand, Program, Terminator, Type, VarId};

use crate::effects::unique_definitions;
use crate::places::InvariantBase;

/// What is known of the objects of a function.
pub(crate) struct FunctionObjects<'a> {
    program: &'a Program,
    /// The variables that hold the address of an object of the frame.
    local: BTreeSet<VarId>,
    /// Those among them whose address goes nowhere but into accesses.
    private: BTreeSet<VarId>,
    /// Parameters that still hold what the caller passed.
    passed: BTreeSet<VarId>,
}

impl<'a> FunctionObjects<'a> {
    pub(crate) fn of_function(program: &'a Program, function: &'a Function) -> FunctionObjects<'a> {
        let defined = unique_definitions(function);
        let is_alloca =
            |var: &VarId| matches!(defined.get(var), Some(Some(Instruction::Alloca { .. })));
        let local: BTreeSet<VarId> = function.vars.ids().filter(is_alloca).collect();
        let mut private = local.clone();
        let mut lose = |operand: Operand| {
            if let Some(root) = find_frame_object(&defined, operand) {
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
            let writes = |instruction: &Instruction| instruction.destination_vars().contains(param);
            let mut all = function.blocks.iter().flat_map(|block| &block.statements);
            function.vars[**param].ty == Type::Ptr && !all.any(|one| writes(&one.instruction))
        };
        let passed = function.params.iter().filter(untouched).copied().collect();
        FunctionObjects { program, local, private, passed }
    }

    /// Whether two bases are certainly in different objects.
    pub(crate) fn are_apart(&self, one: InvariantBase, other: InvariantBase) -> bool {
        if one == other {
            return false;
        }
        let is_object =
            |base: InvariantBase| matches!(base, InvariantBase::Global(_)) || self.is_local(base);
        let was_before = |base: InvariantBase| match base {
            InvariantBase::Var(var) => self.passed.contains(&var),
            InvariantBase::Global(_) => true,
            InvariantBase::Inside(_) | InvariantBase::Element(_) => false,
        };
        (is_object(one) && is_object(other))
            || self.is_private(one)
            || self.is_private(other)
            // What a caller passed is older than an object of this call.
            || (self.is_local(one) && was_before(other))
            || (self.is_local(other) && was_before(one))
    }

    /// Whether the object can be reached in no other way than from this base.
    pub(crate) fn is_private(&self, base: InvariantBase) -> bool {
        matches!(base, InvariantBase::Var(var) if self.private.contains(&var))
    }

    /// Whether a call that writes memory may write there.
    pub(crate) fn is_seen_by_calls(&self, base: InvariantBase) -> bool {
        !self.is_private(base) && !self.is_constant(base)
    }

    /// Whether nothing may write there.
    pub(crate) fn is_constant(&self, base: InvariantBase) -> bool {
        matches!(base, InvariantBase::Global(id) if self.program.globals[id].constant)
    }

    fn is_local(&self, base: InvariantBase) -> bool {
        matches!(base, InvariantBase::Var(var) if self.local.contains(&var))
    }
}

/// The object of the frame that an address is made from by steps of offsets.
fn find_frame_object(
    defined: &HashMap<VarId, Option<&Instruction>>,
    operand: Operand,
) -> Option<VarId> {
    let mut operand = operand;
    let mut seen = BTreeSet::new();
    loop {
        let Operand::Var(var) = operand else { return None };
        match defined.get(&var) {
            Some(Some(Instruction::Alloca { .. })) => return Some(var),
            // One that nobody has set may be made from itself.
            Some(Some(Instruction::Offset { base, .. })) if seen.insert(var) => operand = *base,
            _ => return None,
        }
    }
}
