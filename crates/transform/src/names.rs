//! What a hole is called: by the user's name, made unique, the same at every location.

use ouro_machine::{Machine, MachineState, ObjectRef, StateCell};
use ouro_model::flow::is_unsigned;
use ouro_model::ids::TypedId;
use ouro_model::{FunctionId, Program, VarId};
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// A spot, the same at every location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum HoleKey {
    /// A variable of a call in progress; depth 0 is the outermost.
    Variable { depth: usize, function: FunctionId, variable: VarId },
    /// Bytes of an object.
    Memory { object: ObjectRef, offset: u64, bytes: u32 },
    /// How large an object is.
    Size { object: ObjectRef },
    /// How many objects a chain has: its number among those that the run can reach.
    Length { number: usize },
    /// All that is in an object: no number, but left open.
    Content { object: ObjectRef },
}

impl HoleKey {
    /// The key of a spot of a state.
    pub(crate) fn of_cell(
        machine: &Machine,
        state: &MachineState,
        spot: StateCell,
    ) -> Option<HoleKey> {
        Some(match spot {
            StateCell::Variable { call, variable } => {
                let depth = state.depth() - 1 - call;
                let function = state.functions().nth(depth).expect("a spot of the state");
                HoleKey::Variable { depth, function, variable }
            }
            StateCell::Memory { object, offset, bytes } => {
                HoleKey::Memory { object, offset, bytes }
            }
            StateCell::Size { object } => HoleKey::Size { object },
            StateCell::Length { object } => {
                HoleKey::Length { number: machine.number_of_object(state, object)? }
            }
        })
    }

    /// The spot in a state; `None` if it has none.
    pub(crate) fn cell_in_state(
        self,
        machine: &Machine,
        state: &MachineState,
    ) -> Option<StateCell> {
        match self {
            HoleKey::Variable { depth, function, variable } => {
                let here = state.functions().nth(depth)? == function;
                here.then(|| StateCell::Variable { call: state.depth() - 1 - depth, variable })
            }
            HoleKey::Memory { object, offset, bytes } => {
                Some(StateCell::Memory { object, offset, bytes })
            }
            HoleKey::Size { object } => Some(StateCell::Size { object }),
            HoleKey::Length { number } => {
                Some(StateCell::Length { object: machine.object_of_number(state, number)? })
            }
            HoleKey::Content { .. } => None,
        }
    }
}

/// A variable of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedHole {
    pub(crate) key: HoleKey,
    pub(crate) name: String,
    /// The user's name, which another variable may have too.
    pub(crate) users: String,
    /// Whether its bits are an unsigned number.
    pub(crate) unsigned: bool,
    pub(crate) sort: Sort,
    pub(crate) symbol: Term,
}

/// All names given.
#[derive(Default)]
pub(crate) struct HoleNames {
    pub(crate) all: Vec<NamedHole>,
    known: FxHashMap<(HoleKey, Sort), usize>,
    used: FxHashSet<String>,
}

impl HoleNames {
    /// The symbol of a spot.
    pub(crate) fn hole_symbol(
        &mut self,
        program: &Program,
        machine: &Machine,
        terms: &mut TermStore,
        state: &MachineState,
        key: HoleKey,
    ) -> Option<Term> {
        let spot = key.cell_in_state(machine, state)?;
        let sort = machine.sort_of_cell(state, spot)?;
        if let Some(index) = self.known.get(&(key, sort)) {
            return Some(self.all[*index].symbol);
        }
        let users = match machine.is_address(terms, state, spot) {
            true => format!("offset({})", user_name_of_key(program, machine, state, key)),
            false => user_name_of_key(program, machine, state, key),
        };
        let (function, unsigned) = match key {
            HoleKey::Variable { function, variable, .. } => {
                let function = &program.functions[function];
                (Some(&function.name), is_unsigned(function, variable))
            }
            HoleKey::Memory { .. }
            | HoleKey::Size { .. }
            | HoleKey::Length { .. }
            | HoleKey::Content { .. } => (None, false),
        };
        let mut candidates = vec![users.clone()];
        candidates.extend(function.map(|function| format!("{users}@{function}")));
        candidates.extend((2..1_000).map(|n| format!("{users}#{n}")));
        for name in candidates {
            if self.used.contains(&name) || terms.find_symbol(&name).is_some() {
                continue;
            }
            let symbol = terms.intern_symbol(&name, sort)?;
            self.used.insert(name.clone());
            self.known.insert((key, sort), self.all.len());
            self.all.push(NamedHole { key, name, users, unsigned, sort, symbol });
            return Some(symbol);
        }
        None
    }
}

fn user_name_of_key(
    program: &Program,
    machine: &Machine,
    state: &MachineState,
    key: HoleKey,
) -> String {
    match key {
        HoleKey::Variable { function, variable, .. } => {
            match program.functions[function].vars[variable].name.as_str() {
                "" => format!("t{}", variable.index()),
                name => name.to_owned(),
            }
        }
        HoleKey::Length { number } => {
            let object = machine.object_of_number(state, number);
            // A list is called like a variable that points to it.
            let function = &program.functions[state.position().0];
            let names = machine.live_user_variables(state).into_iter();
            let mut names = names
                .filter(|(_, value)| value.object() == object)
                .map(|(variable, _)| function.vars[variable].name.as_str());
            let name = names.find(|name| !name.is_empty()).unwrap_or("list");
            format!("length({name})")
        }
        HoleKey::Size { object } | HoleKey::Content { object } => {
            let name = state.memory.object(object).map_or("memory", |object| &object.name);
            format!("size({name})")
        }
        HoleKey::Memory { object, offset, bytes } => {
            let Some(object) = state.memory.object(object) else { return "memory".to_owned() };
            let (name, size, bytes) = (&object.name, object.size(), u64::from(bytes));
            if size == bytes {
                name.to_string()
            } else if size % bytes == 0 && offset % bytes == 0 {
                format!("{name}[{}]", offset / bytes)
            } else {
                format!("{name}+{offset}")
            }
        }
    }
}
