//! What a hole is called: by the user's name, made unique, the same at every location.

use ouro_machine::{Machine, ObjectRef, Spot, State};
use ouro_model::flow::is_unsigned;
use ouro_model::ids::Id;
use ouro_model::{FunctionId, Program, VarId};
use ouro_term::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// A spot, the same at every location.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the comment of each variant speaks of its fields")]
pub enum Key {
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

impl Key {
    /// The key of a spot of a state.
    pub(crate) fn of(machine: &Machine, state: &State, spot: Spot) -> Option<Key> {
        Some(match spot {
            Spot::Variable { call, variable } => {
                let depth = state.depth() - 1 - call;
                let function = state.functions().nth(depth).expect("a spot of the state");
                Key::Variable { depth, function, variable }
            }
            Spot::Memory { object, offset, bytes } => Key::Memory { object, offset, bytes },
            Spot::Size { object } => Key::Size { object },
            Spot::Length { object } => Key::Length { number: machine.number_of(state, object)? },
        })
    }

    /// The spot in a state; `None` if it has none.
    pub(crate) fn spot(self, machine: &Machine, state: &State) -> Option<Spot> {
        match self {
            Key::Variable { depth, function, variable } => {
                let here = state.functions().nth(depth)? == function;
                here.then(|| Spot::Variable { call: state.depth() - 1 - depth, variable })
            }
            Key::Memory { object, offset, bytes } => Some(Spot::Memory { object, offset, bytes }),
            Key::Size { object } => Some(Spot::Size { object }),
            Key::Length { number } => {
                Some(Spot::Length { object: machine.numbered(state, number)? })
            }
            Key::Content { .. } => None,
        }
    }
}

/// A variable of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Named {
    pub(crate) key: Key,
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
pub(crate) struct Names {
    pub(crate) all: Vec<Named>,
    known: FxHashMap<(Key, Sort), usize>,
    used: FxHashSet<String>,
}

impl Names {
    /// The symbol of a spot.
    pub(crate) fn symbol(
        &mut self,
        program: &Program,
        machine: &Machine,
        terms: &mut Terms,
        state: &State,
        key: Key,
    ) -> Option<Term> {
        let spot = key.spot(machine, state)?;
        let sort = machine.sort_of(state, spot)?;
        if let Some(index) = self.known.get(&(key, sort)) {
            return Some(self.all[*index].symbol);
        }
        let users = match machine.is_address(terms, state, spot) {
            true => format!("offset({})", users_name(program, machine, state, key)),
            false => users_name(program, machine, state, key),
        };
        let (function, unsigned) = match key {
            Key::Variable { function, variable, .. } => {
                let function = &program.functions[function];
                (Some(&function.name), is_unsigned(function, variable))
            }
            Key::Memory { .. } | Key::Size { .. } | Key::Length { .. } | Key::Content { .. } => {
                (None, false)
            }
        };
        let mut candidates = vec![users.clone()];
        candidates.extend(function.map(|function| format!("{users}@{function}")));
        candidates.extend((2..1_000).map(|n| format!("{users}#{n}")));
        for name in candidates {
            if self.used.contains(&name) || terms.find_symbol(&name).is_some() {
                continue;
            }
            let symbol = terms.symbol(&name, sort)?;
            self.used.insert(name.clone());
            self.known.insert((key, sort), self.all.len());
            self.all.push(Named { key, name, users, unsigned, sort, symbol });
            return Some(symbol);
        }
        None
    }
}

fn users_name(program: &Program, machine: &Machine, state: &State, key: Key) -> String {
    match key {
        Key::Variable { function, variable, .. } => {
            match program.functions[function].vars[variable].name.as_str() {
                "" => format!("t{}", variable.index()),
                name => name.to_owned(),
            }
        }
        Key::Length { number } => {
            let object = machine.numbered(state, number);
            // A list is called like a variable that points to it.
            let function = &program.functions[state.position().0];
            let names = machine.variables(state).into_iter();
            let mut names = names
                .filter(|(_, value)| value.object() == object)
                .map(|(variable, _)| function.vars[variable].name.as_str());
            let name = names.find(|name| !name.is_empty()).unwrap_or("list");
            format!("length({name})")
        }
        Key::Size { object } | Key::Content { object } => {
            let name = state.memory.object(object).map_or("memory", |object| &object.name);
            format!("size({name})")
        }
        Key::Memory { object, offset, bytes } => {
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
