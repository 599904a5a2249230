//! Which addresses certainly belong to different objects.

use std::collections::{BTreeSet, HashMap};

use ouro_model::{Function, Instruction, Operand, Program, Terminator, Type, VarId};

use crate::effects::unique_definitions;
use crate::places::{InvariantBase, signed_value};

/// What is known of the objects of a function.
pub(crate) struct FunctionObjects<'a> {
    program: &'a Program,
    /// The variables that hold an address in an object of the frame, wherever they are set.
    frame: HashMap<VarId, FrameAddress>,
    /// The objects among them whose address goes nowhere but into accesses and into variables of `frame`.
    private: BTreeSet<VarId>,
    /// Parameters that still hold what the caller passed.
    passed: BTreeSet<VarId>,
}

/// An address in an object of the frame. Where the object is made again and again, it is in one of those.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FrameAddress {
    /// The variable that holds where the object is.
    pub(crate) object: VarId,
    /// Bytes from there. If not `exact`, indices that are not known come on top.
    pub(crate) offset: i64,
    pub(crate) exact: bool,
}

impl<'a> FunctionObjects<'a> {
    pub(crate) fn of_function(program: &'a Program, function: &'a Function) -> FunctionObjects<'a> {
        let defined = unique_definitions(function);
        let found = |var| find_frame_address(&defined, var).map(|at| (var, at));
        let frame: HashMap<VarId, FrameAddress> = function.vars.ids().filter_map(found).collect();
        let mut private: BTreeSet<VarId> = frame.values().map(|at| at.object).collect();
        let mut lose = |operand: Operand| {
            if let Operand::Var(var) = operand
                && let Some(at) = frame.get(&var)
            {
                private.remove(&at.object);
            }
        };
        for block in function.blocks.iter() {
            for statement in &block.statements {
                match &statement.instruction {
                    // These only look at what is there.
                    Instruction::Load { .. }
                    | Instruction::Fill { .. }
                    | Instruction::Compare { .. } => {}
                    Instruction::Copy { size, .. } => lose(*size),
                    Instruction::Store { value, .. } => lose(*value),
                    Instruction::Offset { dst, index, base, .. } => {
                        lose(*index);
                        // What is known to be in the object is looked at in turn.
                        if !frame.contains_key(dst) {
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
        FunctionObjects { program, frame, private, passed }
    }

    /// Whether two bases are certainly in different objects.
    pub(crate) fn are_apart(&self, one: InvariantBase, other: InvariantBase) -> bool {
        let (one, other) = (self.object_base(one), self.object_base(other));
        if one == other {
            return false;
        }
        let is_object =
            |base| matches!(base, InvariantBase::Global(_)) || self.is_frame_object(base);
        let was_before = |base: InvariantBase| match base {
            InvariantBase::Var(var) => self.passed.contains(&var),
            InvariantBase::Global(_) => true,
            InvariantBase::Inside(_) | InvariantBase::Element(_) => false,
        };
        (is_object(one) && is_object(other))
            || self.is_private(one)
            || self.is_private(other)
            // What a caller passed is older than an object of this call.
            || (self.is_frame_object(one) && was_before(other))
            || (self.is_frame_object(other) && was_before(one))
    }

    /// Whether a base is in an object that can be reached in no other way than by variables which are known to hold an
    /// address in it.
    pub(crate) fn is_private(&self, base: InvariantBase) -> bool {
        matches!(self.object_base(base), InvariantBase::Var(var) if self.private.contains(&var))
    }

    /// Where a variable leads to in an object of the frame.
    pub(crate) fn frame_address(&self, var: VarId) -> Option<FrameAddress> {
        self.frame.get(&var).copied()
    }

    /// Whether a call that writes memory may write there.
    pub(crate) fn is_seen_by_calls(&self, base: InvariantBase) -> bool {
        !self.is_private(base) && !self.is_constant(base)
    }

    /// Whether nothing may write there.
    pub(crate) fn is_constant(&self, base: InvariantBase) -> bool {
        matches!(base, InvariantBase::Global(id) if self.program.globals[id].constant)
    }

    /// The base of the object that a base is in, where that is one of the frame.
    pub(crate) fn object_base(&self, base: InvariantBase) -> InvariantBase {
        match base {
            InvariantBase::Var(var) => {
                InvariantBase::Var(self.frame_address(var).map_or(var, |at| at.object))
            }
            other => other,
        }
    }

    fn is_frame_object(&self, base: InvariantBase) -> bool {
        matches!(base, InvariantBase::Var(var) if self.frame.contains_key(&var))
    }
}

/// The address in an object of the frame that a variable is set to, made by steps of offsets.
fn find_frame_address(
    defined: &HashMap<VarId, Option<&Instruction>>,
    var: VarId,
) -> Option<FrameAddress> {
    let (mut var, mut offset, mut exact) = (var, 0_i64, true);
    let mut seen = BTreeSet::new();
    loop {
        match defined.get(&var) {
            Some(Some(Instruction::Alloca { .. })) => {
                return Some(FrameAddress { object: var, offset, exact });
            }
            // One that nobody has set may be made from itself.
            Some(Some(Instruction::Offset { base: Operand::Var(base), index, scale, .. }))
                if seen.insert(var) =>
            {
                match index {
                    Operand::Const { ty: Type::Int(width), bits } => {
                        let step = signed_value(*bits, *width).checked_mul(i128::from(*scale));
                        let sum = step.and_then(|step| step.checked_add(i128::from(offset)));
                        match sum.and_then(|sum| i64::try_from(sum).ok()) {
                            Some(sum) => offset = sum,
                            // Too far to be counted, so anywhere.
                            None => (offset, exact) = (i64::MIN, false),
                        }
                    }
                    _ => exact = false,
                }
                var = *base;
            }
            _ => return None,
        }
    }
}
