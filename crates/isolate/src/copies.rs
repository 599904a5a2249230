//! What a variable may be a copy of: `q = p;` somewhere makes a write to `*q` one to `*p`.
//!
//! Where two pointers may or may not refer to one object, a finding can assume that they do not. It must not
//! where the function itself makes one from the other: such an assumption would be plainly wrong. This is not
//! about soundness, since the assumption is named, but about what is worth naming. So it need not be
//! complete, and it asks neither when a copy is made nor whether it still is one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ouro_model::{
    Callee, CastOp, Function, FunctionId, GlobalId, Instruction, Operand, Type, VarId,
};

use crate::limits::LIMITS;
use crate::places::signed_value;

/// An address that somebody may have copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum AddressOrigin {
    Global(GlobalId),
    Var(VarId),
}

/// What an address is made from in the end: something that is no copy itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct AddressRoot {
    pub(crate) origin: AddressOrigin,
    /// The bytes on top; the least there can be if not `exact`. An index is taken not to be negative.
    pub(crate) offset: i64,
    pub(crate) exact: bool,
}

/// All that writes each variable of a function.
pub(crate) struct CopyAnalysis<'a> {
    written: HashMap<VarId, Vec<&'a Instruction>>,
    params: &'a [VarId],
}

impl<'a> CopyAnalysis<'a> {
    pub(crate) fn of_function(function: &'a Function) -> CopyAnalysis<'a> {
        let mut written: HashMap<VarId, Vec<&Instruction>> = HashMap::new();
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            for dst in statement.instruction.destination_vars() {
                written.entry(*dst).or_default().push(&statement.instruction);
            }
        }
        CopyAnalysis { written, params: &function.params }
    }

    /// Whether a variable is the address of an object of the frame, and nothing else.
    pub(crate) fn is_frame_address(&self, var: VarId) -> bool {
        let all = self.written.get(&var).map_or(&[][..], Vec::as_slice);
        !all.is_empty() && all.iter().all(|one| matches!(one, Instruction::Alloca { .. }))
    }

    /// Whether a variable may hold what was read from memory.
    pub(crate) fn is_loaded(&self, var: VarId) -> bool {
        let all = self.written.get(&var).map_or(&[][..], Vec::as_slice);
        all.iter().any(|one| matches!(one, Instruction::Load { .. }))
    }

    /// The instruction that writes a variable, if there is one only.
    pub(crate) fn only_writer(&self, var: VarId) -> Option<&'a Instruction> {
        match self.written.get(&var).map_or(&[][..], Vec::as_slice) {
            [one] if !self.params.contains(&var) => Some(one),
            _ => None,
        }
    }

    /// The place in memory that a value is read from, if it is read from one place only.
    pub(crate) fn loaded_from(&self, operand: Operand) -> Option<Operand> {
        let Operand::Var(var) = operand else { return None };
        match self.written.get(&var).map_or(&[][..], Vec::as_slice) {
            [Instruction::Load { address, .. }] => Some(*address),
            _ => None,
        }
    }

    /// The calls that a variable may be the result of: who is called, and with what.
    pub(crate) fn calls_returning(
        &self,
        var: VarId,
    ) -> impl Iterator<Item = (FunctionId, &'a [Operand])> {
        let all = self.written.get(&var).into_iter().flatten();
        all.filter_map(|one| match one {
            Instruction::Call { callee: Callee::Function(id), args, .. } => {
                Some((*id, args.as_slice()))
            }
            _ => None,
        })
    }

    /// What an address may be made from, followed through all copies and steps. Other than [`CopyAnalysis::origins`] this
    /// leaves out what is only in between, and keeps steps by numbers that are not known.
    pub(crate) fn roots(&self, operand: Operand) -> Vec<AddressRoot> {
        let mut seen: BTreeMap<AddressOrigin, (i64, bool)> = BTreeMap::new();
        let mut pending = vec![(operand, 0_i64, true)];
        let mut steps = 0;
        while let Some((operand, offset, exact)) = pending.pop() {
            let (origin, offset) = match operand {
                Operand::Global(id, more) => {
                    (AddressOrigin::Global(id), offset.saturating_add(more))
                }
                Operand::Var(var) => (AddressOrigin::Var(var), offset),
                _ => continue,
            };
            steps += 1;
            let met = match seen.get(&origin) {
                None => (offset, exact),
                Some(known) if *known == (offset, exact) => continue,
                // A pointer that moves back without end may be anywhere.
                Some(_) if steps > LIMITS.copied_addresses * 4 => (i64::MIN, false),
                Some((least, _)) => (offset.min(*least), false),
            };
            if seen.insert(origin, met) == Some(met) {
                continue;
            }
            let AddressOrigin::Var(var) = origin else { continue };
            for instruction in self.written.get(&var).into_iter().flatten() {
                if let Some(next) = copied_operands(instruction, met) {
                    pending.extend(next);
                }
            }
        }
        let is_root = |origin: &AddressOrigin| match origin {
            AddressOrigin::Global(_) => true,
            AddressOrigin::Var(var) => {
                let all = self.written.get(var).map_or(&[][..], Vec::as_slice);
                let copied = |one: &&Instruction| copied_operands(one, (0, true)).is_some();
                self.params.contains(var) || all.is_empty() || !all.iter().all(copied)
            }
        };
        let roots = seen.into_iter().filter(|(origin, _)| is_root(origin));
        roots.map(|(origin, (offset, exact))| AddressRoot { origin, offset, exact }).collect()
    }

    /// The addresses that an operand may be, each with a number of bytes on top. Steps by a number that is not
    /// known are left out.
    pub(crate) fn origins(&self, operand: Operand) -> BTreeSet<(AddressOrigin, i64)> {
        let mut found = BTreeSet::new();
        let mut pending = vec![(operand, 0_i64)];
        while let Some((operand, offset)) = pending.pop() {
            let (origin, offset) = match operand {
                Operand::Global(id, more) => {
                    (AddressOrigin::Global(id), offset.saturating_add(more))
                }
                Operand::Var(var) => (AddressOrigin::Var(var), offset),
                _ => continue,
            };
            if found.len() > LIMITS.copied_addresses || !found.insert((origin, offset)) {
                continue;
            }
            let AddressOrigin::Var(var) = origin else { continue };
            for instruction in self.written.get(&var).into_iter().flatten() {
                match instruction {
                    Instruction::Assign { value, .. } => pending.push((*value, offset)),
                    Instruction::Select { left, right, .. } => {
                        pending.extend([(*left, offset), (*right, offset)]);
                    }
                    Instruction::Offset { base, index, scale, .. } => {
                        let step =
                            constant_step(*index, *scale).and_then(|step| step.checked_add(offset));
                        pending.extend(step.map(|offset| (*base, offset)));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// What an instruction copies, with the bytes on top; `None` if it does something else.
fn copied_operands(
    instruction: &Instruction,
    (offset, exact): (i64, bool),
) -> Option<Vec<(Operand, i64, bool)>> {
    match instruction {
        Instruction::Assign { value, .. } => Some(vec![(*value, offset, exact)]),
        Instruction::Select { left, right, .. } => {
            Some(vec![(*left, offset, exact), (*right, offset, exact)])
        }
        Instruction::Offset { base, index, scale, .. } => {
            Some(match constant_step(*index, *scale) {
                Some(step) => vec![(*base, offset.saturating_add(step), exact)],
                None => vec![(*base, offset, false)],
            })
        }
        Instruction::Cast { op: CastOp::IntToPtr | CastOp::PtrToInt, value, .. } => {
            Some(vec![(*value, offset, exact)])
        }
        _ => None,
    }
}

fn constant_step(index: Operand, scale: i64) -> Option<i64> {
    match index {
        Operand::Const { ty: Type::Int(width), bits } => {
            i64::try_from(signed_value(bits, width)).ok()?.checked_mul(scale)
        }
        _ => None,
    }
}

/// The variables and objects that have to do with a pointer: copies of it in either direction, steps by a known
/// number of bytes, and what is read through it.
pub(crate) fn related_origins(function: &Function, pointer: VarId) -> BTreeSet<AddressOrigin> {
    let origin = |operand: Operand| match operand {
        Operand::Var(var) => Some(AddressOrigin::Var(var)),
        Operand::Global(id, _) => Some(AddressOrigin::Global(id)),
        _ => None,
    };
    let mut all = BTreeSet::from([AddressOrigin::Var(pointer)]);
    loop {
        let before = all.len();
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            let mut join = |dst: VarId, value: Operand, back: bool| {
                let Some(value) = origin(value) else { return };
                if all.contains(&value) {
                    all.insert(AddressOrigin::Var(dst));
                } else if back && all.contains(&AddressOrigin::Var(dst)) {
                    all.insert(value);
                }
            };
            match &statement.instruction {
                Instruction::Assign { dst, value } => join(*dst, *value, true),
                Instruction::Select { dst, left, right, .. } => {
                    join(*dst, *left, true);
                    join(*dst, *right, true);
                }
                Instruction::Offset { dst, base, .. } => join(*dst, *base, true),
                Instruction::Load { dst, address } if function.vars[*dst].ty == Type::Ptr => {
                    join(*dst, *address, false);
                }
                _ => {}
            }
        }
        if all.len() == before {
            return all;
        }
    }
}
