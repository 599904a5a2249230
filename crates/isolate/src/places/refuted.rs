//! Where the code itself shows that a write changes a cell, so that nobody may assume that it does not.

use std::collections::BTreeSet;

use ouro_model::{CompareOp, Function, Instruction, Operand, Type};

use super::{InvariantBase, PromotedCell, PromotedCells};
use crate::copies::{AddressOrigin, AddressRoot, CopyAnalysis};
use crate::flows::{AddressClass, ObjectBytes, ReadPlace};
use crate::writes::WrittenBytes;

/// Where the code finds the address of a cell's base.
struct BaseSources {
    /// What it is made from, with the bytes on top.
    roots: Vec<AddressRoot>,
    class: Option<AddressClass>,
    /// The bytes from there to the base, the least there can be if not `exact`.
    offset: i64,
    exact: bool,
}

impl PromotedCells<'_> {
    /// What an instruction is seen to write, by itself or in what it calls.
    pub(super) fn seen_writes(&self, instruction: &Instruction) -> Vec<WrittenBytes> {
        self.effects.writes.instruction_writes(self.program, self.id, &self.copies, instruction)
    }

    /// Whether one of these writes is seen to be one to a cell: its address comes from where that of the cell does.
    pub(super) fn is_seen_to_write(&self, writes: &[WrittenBytes], cell: &PromotedCell) -> bool {
        let base = self.base_sources(cell.base);
        let bytes = i64::from(cell.ty.size_in_bytes(self.program.target.pointer_bits));
        let overlaps = |one: &WrittenBytes, offset: i64, exact: bool| {
            let start = offset.saturating_add(cell.offset);
            one.end.is_none_or(|end| start < end)
                && (!exact || one.start < start.saturating_add(bytes))
        };
        writes.iter().any(|one| {
            let same = |root: &&AddressRoot| Some(root.origin) == one.base;
            let mut direct = base.roots.iter().filter(same).peekable();
            if direct.peek().is_some() {
                return direct.any(|root| {
                    let offset = root.offset.saturating_add(base.offset);
                    overlaps(one, offset, root.exact && base.exact)
                });
            }
            let compared = base.roots.iter().any(|root| {
                one.base.is_some_and(|other| self.compared.contains(&(root.origin, other)))
            });
            let flows = &self.effects.writes.flows;
            let same_class = base.class.is_some_and(|class| one.class == Some(class));
            let interior = base.class.is_some_and(|class| flows.is_interior(class));
            (compared && overlaps(one, base.offset, base.exact))
                || self.leads_to_own_place(&base, one, cell)
                || (same_class
                    && !self.are_parameters(&base, one)
                    && (interior || overlaps(one, base.offset, base.exact)))
        })
    }

    /// Whether a write goes by an address that is kept in the object of the cell, and objects are seen to keep that of a
    /// place in themselves there.
    fn leads_to_own_place(
        &self,
        base: &BaseSources,
        write: &WrittenBytes,
        cell: &PromotedCell,
    ) -> bool {
        let (Some(object), Some(kept)) = (base.class, write.class) else { return false };
        let at = |more: i64| more.saturating_add(base.offset).saturating_add(cell.offset);
        let mut starts = base.roots.iter().map(|root| at(root.offset)).chain([at(0)]);
        let written = ObjectBytes { start: write.start, end: write.end };
        starts.any(|start| {
            let place = ReadPlace { start, exact: base.exact, ty: cell.ty };
            self.effects.writes.flows.lead_to_own_place(
                object,
                kept,
                written,
                place,
                self.program.target.pointer_bits,
            )
        })
    }

    /// Whether both addresses are parameters: what other functions do says little about this call of this one.
    fn are_parameters(&self, base: &BaseSources, write: &WrittenBytes) -> bool {
        let is_parameter = |origin: AddressOrigin| matches!(origin, AddressOrigin::Var(var) if self.function.params.contains(&var));
        write.base.is_some_and(is_parameter)
            && !base.roots.is_empty()
            && base.roots.iter().all(|root| is_parameter(root.origin))
    }

    fn base_sources(&self, base: InvariantBase) -> BaseSources {
        let flows = &self.effects.writes.flows;
        let plain = |operand: Operand, origin: AddressOrigin| BaseSources {
            roots: self.copies.roots(operand),
            class: Some(flows.class_of(self.id, origin)),
            offset: 0,
            exact: true,
        };
        match base {
            InvariantBase::Global(id) => plain(Operand::Global(id, 0), AddressOrigin::Global(id)),
            InvariantBase::Var(var) => plain(Operand::Var(var), AddressOrigin::Var(var)),
            InvariantBase::Inside(outer) => {
                let PromotedCell { base, offset, .. } = self.cells[outer];
                let outer = self.base_sources(base);
                let place = outer.offset.saturating_add(offset);
                let class = outer.class.and_then(|class| {
                    let from = |root: &AddressRoot| root.offset.saturating_add(place);
                    let places = outer.roots.iter().map(from).chain([place]);
                    places.into_iter().find_map(|at| flows.class_inside(class, at))
                });
                BaseSources { roots: Vec::new(), class, offset: 0, exact: true }
            }
            InvariantBase::Element(number) => {
                let array = self.elements[number];
                let inner = self.base_sources(array.base);
                BaseSources {
                    offset: inner.offset.saturating_add(array.offset),
                    exact: false,
                    ..inner
                }
            }
        }
    }
}

/// Pairs of addresses that a function compares with each other: they may be the same.
pub(super) fn compared_origins(
    function: &Function,
    copies: &CopyAnalysis<'_>,
) -> BTreeSet<(AddressOrigin, AddressOrigin)> {
    let mut all = BTreeSet::new();
    for statement in function.blocks.iter().flat_map(|block| &block.statements) {
        let Instruction::Compare { op: CompareOp::Eq | CompareOp::Ne, left, right, .. } =
            statement.instruction
        else {
            continue;
        };
        if function.type_of(left) != Some(Type::Ptr) {
            continue;
        }
        for one in copies.roots(left) {
            for other in copies.roots(right) {
                all.extend([(one.origin, other.origin), (other.origin, one.origin)]);
            }
        }
    }
    all
}
