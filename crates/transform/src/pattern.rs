//! A state with holes: symbols in some of its spots, and no symbols elsewhere.

use std::collections::BTreeSet;

use ouro_machine::{Kind, Machine, ObjectRef, Spot, State};
use ouro_model::{FunctionId, Program};
use ouro_term::{Term, Terms};

use crate::names::{Key, Names};
use crate::walk::symbols;

/// No hole has more bytes.
const MOST_BYTES: u64 = 16;

/// A spot with a symbol in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Hole {
    pub(crate) key: Key,
    pub(crate) spot: Spot,
    pub(crate) symbol: Term,
}

/// A state with holes.
#[derive(Clone)]
pub(crate) struct Pattern {
    pub(crate) position: (FunctionId, u32),
    pub(crate) state: State,
    /// How many of the innermost calls matter.
    pub(crate) frames: usize,
    pub(crate) holes: Vec<Hole>,
    /// The phase of the specification.
    pub(crate) phase: Vec<Option<Term>>,
    /// Objects in which anything may be.
    pub(crate) open: Vec<ObjectRef>,
}

impl Pattern {
    /// The pattern of a state: holes at all symbols, and at these keys as far as they are numbers
    /// that the rest of the run can see. `None` if a symbol is in an address of nothing known.
    pub(crate) fn of(
        program: &Program,
        machine: &Machine,
        terms: &mut Terms,
        names: &mut Names,
        from: &State,
        frames: usize,
        wanted: &BTreeSet<Key>,
    ) -> Option<Pattern> {
        let mut from = from.clone();
        let mut keys = BTreeSet::new();
        let mut open: Vec<ObjectRef> = machine.vague(&from).collect();
        for key in wanted {
            match key {
                Key::Content { object } if open.contains(object) => {}
                Key::Content { object } => open.push(*object),
                key => insert(&mut keys, *key)?,
            }
        }
        open.retain(|object| machine.blur(&mut from, *object));
        let from = &from;
        for found in machine.differences(terms, from, from, frames)? {
            if symbols(terms, &[found.first]).is_empty() {
                continue;
            }
            if found.kind == Kind::Opaque {
                return None;
            }
            insert(&mut keys, Key::of(machine, from, found.spot)?)?;
        }
        let mut visible: Option<BTreeSet<Key>> = None;
        loop {
            let mut state = from.clone();
            let mut holes = Vec::new();
            for key in &keys {
                if visible.as_ref().is_some_and(|visible| !visible.contains(key)) {
                    continue;
                }
                let Some(spot) = key.spot(machine, &state) else { continue };
                if machine.look(terms, from, spot).is_none() {
                    continue;
                }
                let Some(symbol) = names.symbol(program, machine, terms, from, *key) else {
                    continue;
                };
                if machine.put(terms, &mut state, spot, symbol) {
                    holes.push(Hole { key: *key, spot, symbol });
                }
            }
            let seen: BTreeSet<Term> = machine
                .differences(terms, &state, &state, frames)?
                .into_iter()
                .map(|found| found.first)
                .collect();
            if holes.iter().all(|hole| seen.contains(&hole.symbol)) {
                state.low = state.depth();
                let position = state.position();
                return Some(Pattern { position, state, frames, holes, phase: Vec::new(), open });
            }
            let kept = holes.iter().filter(|h| seen.contains(&h.symbol)).map(|h| h.key);
            visible = Some(kept.collect());
        }
    }

    /// The hole with a symbol.
    pub(crate) fn hole(&self, symbol: Term) -> Option<&Hole> {
        self.holes.iter().find(|hole| hole.symbol == symbol)
    }
}

/// Adds a key; bytes that overlap become one. `None` if that is too long.
pub(crate) fn insert(keys: &mut BTreeSet<Key>, key: Key) -> Option<()> {
    let Key::Memory { object, mut offset, bytes } = key else {
        keys.insert(key);
        return Some(());
    };
    let mut end = offset + u64::from(bytes);
    loop {
        let touching = keys.iter().copied().find(|other| match other {
            Key::Memory { object: same, offset: from, bytes } => {
                *same == object && *from < end && offset < from + u64::from(*bytes)
            }
            Key::Variable { .. } | Key::Size { .. } | Key::Length { .. } | Key::Content { .. } => {
                false
            }
        });
        let Some(other @ Key::Memory { offset: from, bytes, .. }) = touching else { break };
        keys.remove(&other);
        offset = offset.min(from);
        end = end.max(from + u64::from(bytes));
    }
    let bytes = end - offset;
    keys.insert(Key::Memory { object, offset, bytes: bytes as u32 });
    (bytes <= MOST_BYTES).then_some(())
}
