//! A state with holes: symbols in some of its spots, and no symbols elsewhere.

use std::collections::BTreeSet;

use ouro_machine::{Machine, MachineState, ObjectRef, StateCell, StateDifferenceKind};
use ouro_model::{FunctionId, Program};
use ouro_term::{Term, TermStore};

use crate::limits::LIMITS;
use crate::names::{HoleKey, HoleNames};
use crate::walk::symbols_of_terms;

/// A spot with a symbol in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PatternHole {
    pub(crate) key: HoleKey,
    pub(crate) spot: StateCell,
    pub(crate) symbol: Term,
}

/// A state with holes.
#[derive(Clone)]
pub(crate) struct StatePattern {
    pub(crate) position: (FunctionId, u32),
    pub(crate) state: MachineState,
    /// How many of the innermost calls matter.
    pub(crate) frames: usize,
    pub(crate) holes: Vec<PatternHole>,
    /// The phase of the specification.
    pub(crate) phase: Vec<Option<Term>>,
    /// Objects in which anything may be.
    pub(crate) open: Vec<ObjectRef>,
}

impl StatePattern {
    /// The pattern of a state: holes at all symbols, and at these keys as far as they are numbers
    /// that the rest of the run can see. `None` if a symbol is in an address of nothing known.
    pub(crate) fn of_state(
        program: &Program,
        machine: &Machine,
        terms: &mut TermStore,
        names: &mut HoleNames,
        from: &MachineState,
        frames: usize,
        wanted: &BTreeSet<HoleKey>,
    ) -> Option<StatePattern> {
        let mut from = from.clone();
        let mut keys = BTreeSet::new();
        let mut open: Vec<ObjectRef> = machine.havocked_objects(&from).collect();
        for key in wanted {
            match key {
                HoleKey::Content { object } if open.contains(object) => {}
                HoleKey::Content { object } => open.push(*object),
                key => insert_hole_key(&mut keys, *key)?,
            }
        }
        open.retain(|object| machine.havoc_object(&mut from, *object));
        let from = &from;
        for found in machine.list_differences(terms, from, from, frames)? {
            if symbols_of_terms(terms, &[found.first]).is_empty() {
                continue;
            }
            if found.kind == StateDifferenceKind::Opaque {
                return None;
            }
            insert_hole_key(&mut keys, HoleKey::of_cell(machine, from, found.spot)?)?;
        }
        let mut visible: Option<BTreeSet<HoleKey>> = None;
        loop {
            let mut state = from.clone();
            let mut holes = Vec::new();
            for key in &keys {
                if visible.as_ref().is_some_and(|visible| !visible.contains(key)) {
                    continue;
                }
                let Some(spot) = key.cell_in_state(machine, &state) else { continue };
                if machine.number_in(terms, from, spot).is_none() {
                    continue;
                }
                let Some(symbol) = names.hole_symbol(program, machine, terms, from, *key) else {
                    continue;
                };
                if machine.put_number(terms, &mut state, spot, symbol) {
                    holes.push(PatternHole { key: *key, spot, symbol });
                }
            }
            let seen: BTreeSet<Term> = machine
                .list_differences(terms, &state, &state, frames)?
                .into_iter()
                .map(|found| found.first)
                .collect();
            if holes.iter().all(|hole| seen.contains(&hole.symbol)) {
                state.low = state.depth();
                let position = state.position();
                return Some(StatePattern {
                    position,
                    state,
                    frames,
                    holes,
                    phase: Vec::new(),
                    open,
                });
            }
            let kept = holes.iter().filter(|h| seen.contains(&h.symbol)).map(|h| h.key);
            visible = Some(kept.collect());
        }
    }

    /// The hole with a symbol.
    pub(crate) fn hole_with_symbol(&self, symbol: Term) -> Option<&PatternHole> {
        self.holes.iter().find(|hole| hole.symbol == symbol)
    }
}

/// Adds a key; bytes that overlap become one. `None` if that is too long.
pub(crate) fn insert_hole_key(keys: &mut BTreeSet<HoleKey>, key: HoleKey) -> Option<()> {
    let HoleKey::Memory { object, mut offset, bytes } = key else {
        keys.insert(key);
        return Some(());
    };
    let mut end = offset + u64::from(bytes);
    loop {
        let touching = keys.iter().copied().find(|other| match other {
            HoleKey::Memory { object: same, offset: from, bytes } => {
                *same == object && *from < end && offset < from + u64::from(*bytes)
            }
            HoleKey::Variable { .. }
            | HoleKey::Size { .. }
            | HoleKey::Length { .. }
            | HoleKey::Content { .. } => false,
        });
        let Some(other @ HoleKey::Memory { offset: from, bytes, .. }) = touching else { break };
        keys.remove(&other);
        offset = offset.min(from);
        end = end.max(from + u64::from(bytes));
    }
    let bytes = end - offset;
    keys.insert(HoleKey::Memory { object, offset, bytes: bytes as u32 });
    (bytes <= LIMITS.hole_bytes).then_some(())
}
