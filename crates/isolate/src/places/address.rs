//! Addresses that stay the same.

use ouro_model::{BlockId, CastOp, Instruction, Operand, Type, VarId};

use super::{AccessAddress, InvariantBase, PromotedCells, signed_value};
use crate::limits::LIMITS;

/// A part of an array: `a[i]`, where `i` stays the same as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArrayElement {
    /// Where the array is.
    pub(super) base: InvariantBase,
    pub(super) offset: i64,
    pub(super) index: InvariantIndex,
    /// The bytes from one part to the next.
    pub(super) scale: i64,
}

/// An index that stays the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InvariantIndex {
    pub(super) var: VarId,
    /// How it is made as wide as an address.
    widened: Option<CastOp>,
}

impl PromotedCells<'_> {
    /// An address as base and offset. On the way to the loop, only what the whole region leaves alone is a
    /// base; in the iterations, what they leave alone.
    pub(super) fn resolve_address(
        &self,
        operand: Operand,
        turning: bool,
        depth: usize,
    ) -> Option<AccessAddress> {
        if depth > LIMITS.pointers_to_cell {
            return None;
        }
        let var = match operand {
            Operand::Global(id, offset) => {
                return Some(AccessAddress {
                    base: InvariantBase::Global(id),
                    offset,
                    exact: true,
                });
            }
            Operand::Var(var) => var,
            Operand::Const { .. } | Operand::Function(_) | Operand::Label(_) => return None,
        };
        let itself = AccessAddress { base: InvariantBase::Var(var), offset: 0, exact: true };
        if !self.written.contains(&var) {
            return Some(itself);
        }
        let steady = (turning && !self.written_in_turns.contains(&var)).then_some(itself);
        let Some((block, instruction)) = self.defined.get(&var) else { return steady };
        let turning = self.is_iterated_block(*block);
        let found = match instruction {
            Instruction::Assign { value, .. } => self.resolve_address(*value, turning, depth + 1),
            Instruction::Offset { base, index, scale, .. } => {
                let at = self.resolve_address(*base, turning, depth + 1);
                at.and_then(|at| self.offset_address(at, *index, *scale, turning))
            }
            Instruction::Load { address, .. } => {
                let inner = self.resolve_address(*address, turning, depth + 1);
                inner.filter(|at| at.exact).and_then(|at| {
                    let cell = *self.index.get(&(at.base, at.offset, Type::Ptr))?;
                    let steady = !self.changing.contains(&cell) && self.is_usable(cell);
                    let base = InvariantBase::Inside(cell);
                    steady.then_some(AccessAddress { base, offset: 0, exact: true })
                })
            }
            _ => None,
        };
        found.or(steady)
    }

    /// An address after a step of `index * scale` bytes.
    fn offset_address(
        &self,
        at: AccessAddress,
        index: Operand,
        scale: i64,
        turning: bool,
    ) -> Option<AccessAddress> {
        if let Operand::Const { ty: Type::Int(width), bits } = index {
            let index = i64::try_from(signed_value(bits, width)).ok()?;
            let offset = at.offset.checked_add(index.checked_mul(scale)?)?;
            return Some(AccessAddress { offset, ..at });
        }
        let element = self.find_element(at, index, scale, turning);
        let known = element.and_then(|one| self.elements.iter().position(|other| *other == one));
        match known {
            Some(number) => {
                Some(AccessAddress { base: InvariantBase::Element(number), offset: 0, exact: true })
            }
            None => Some(AccessAddress { exact: false, ..at }),
        }
    }

    /// The part of an array that an address and an index lead to, if both stay the same.
    fn find_element(
        &self,
        at: AccessAddress,
        index: Operand,
        scale: i64,
        turning: bool,
    ) -> Option<ArrayElement> {
        let index = self.invariant_index(index, turning)?;
        at.exact.then_some(ArrayElement { base: at.base, offset: at.offset, index, scale })
    }

    fn invariant_index(&self, operand: Operand, turning: bool) -> Option<InvariantIndex> {
        let Operand::Var(var) = operand else { return None };
        let is_steady = |var: &VarId| {
            !self.written.contains(var) || (turning && !self.written_in_turns.contains(var))
        };
        if is_steady(&var) {
            return Some(InvariantIndex { var, widened: None });
        }
        match self.defined.get(&var)? {
            (_, Instruction::Cast { op, value: Operand::Var(narrow), .. }) if is_steady(narrow) => {
                Some(InvariantIndex { var: *narrow, widened: Some(*op) })
            }
            _ => None,
        }
    }

    /// Notes the parts of arrays that the iterations lead to.
    pub(super) fn collect_elements(&mut self, block: BlockId) {
        for statement in &self.function.blocks[block].statements {
            let Instruction::Offset { base, index, scale, .. } = statement.instruction else {
                continue;
            };
            let element = self
                .resolve_address(base, true, 0)
                .and_then(|at| self.find_element(at, index, scale, true))
                .filter(|one| !self.elements.contains(one));
            if let Some(element) = element
                && self.elements.len() < LIMITS.cells
            {
                self.elements.push(element);
            }
        }
    }
}
