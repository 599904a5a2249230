//! What a variable may be a copy of: `q = p;` somewhere makes a write to `*q` one to `*p`.
//!
//! Where two pointers may or may not refer to one object, a finding can assume that they do not. It must not
//! where the function itself makes one from the other: such an assumption would be plainly wrong. This is not
//! about soundness, since the assumption is named, but about what is worth naming. So it need not be
//! complete, and it asks neither when a copy is made nor whether it still is one.

use std::collections::{BTreeSet, HashMap};

use ouro_model::{Function, GlobalId, Instruction, Operand, Type, VarId};

use crate::places::signed;

/// An address that somebody may have copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Origin {
    Global(GlobalId),
    Var(VarId),
}

/// All that writes each variable of a function.
pub(crate) struct Copies<'a> {
    written: HashMap<VarId, Vec<&'a Instruction>>,
}

impl<'a> Copies<'a> {
    pub(crate) fn of(function: &'a Function) -> Copies<'a> {
        let mut written: HashMap<VarId, Vec<&Instruction>> = HashMap::new();
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            for dst in statement.instruction.dsts() {
                written.entry(*dst).or_default().push(&statement.instruction);
            }
        }
        Copies { written }
    }

    /// The addresses that an operand may be, each with a number of bytes on top. Steps by a number that is not
    /// known are left out.
    pub(crate) fn origins(&self, operand: Operand) -> BTreeSet<(Origin, i64)> {
        let mut found = BTreeSet::new();
        let mut pending = vec![(operand, 0_i64)];
        while let Some((operand, offset)) = pending.pop() {
            let (origin, offset) = match operand {
                Operand::Global(id, more) => (Origin::Global(id), offset.saturating_add(more)),
                Operand::Var(var) => (Origin::Var(var), offset),
                _ => continue,
            };
            if found.len() > MOST || !found.insert((origin, offset)) {
                continue;
            }
            let Origin::Var(var) = origin else { continue };
            for instruction in self.written.get(&var).into_iter().flatten() {
                match instruction {
                    Instruction::Assign { value, .. } => pending.push((*value, offset)),
                    Instruction::Select { left, right, .. } => {
                        pending.extend([(*left, offset), (*right, offset)]);
                    }
                    Instruction::Offset { base, index, scale, .. } => {
                        let step = step(*index, *scale).and_then(|step| step.checked_add(offset));
                        pending.extend(step.map(|offset| (*base, offset)));
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// The most addresses that are looked at; a pointer that moves in a loop is at another one each time.
const MOST: usize = 64;

fn step(index: Operand, scale: i64) -> Option<i64> {
    match index {
        Operand::Const { ty: Type::Int(width), bits } => {
            i64::try_from(signed(bits, width)).ok()?.checked_mul(scale)
        }
        _ => None,
    }
}
