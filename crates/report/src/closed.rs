//! A run of a program that stays in a set of states, in the user's words.

use std::collections::BTreeMap;

use ouro_evidence::{ClosedSet, Head, Place};
use ouro_term::{Sort, Terms};

use crate::infix::{Name, infix};

/// The states at one loop head.
pub(crate) struct StatesAt {
    pub(crate) place: Place,
    /// What may differ from time to time.
    pub(crate) variables: Vec<String>,
    pub(crate) set: String,
    /// What the environment chooses on the way to the next head, in order.
    pub(crate) choices: Vec<String>,
}

/// The states at each head.
pub(crate) fn states(set: &ClosedSet) -> Vec<StatesAt> {
    set.heads.iter().map(states_at).collect()
}

fn states_at(head: &Head) -> StatesAt {
    let mut terms = Terms::new();
    let mut names: BTreeMap<&str, Name> = BTreeMap::new();
    for hole in &head.holes {
        let shared = head.holes.iter().filter(|other| other.name == hole.name).count() > 1;
        // The symbols of all heads but the first have a number behind their name.
        let symbol = hole.symbol.rsplit_once('!').map_or(hole.symbol.as_str(), |parts| parts.0);
        let text = if shared { symbol } else { &hole.name }.to_owned();
        names.insert(&hole.symbol, Name { text, unsigned: hole.unsigned });
        if let Some(sort) = sort(&hole.sort) {
            terms.symbol(&hole.symbol, sort);
        }
    }
    let mut words = |text: &String| match terms.parse(text) {
        Ok(term) => infix(&terms, term, &|symbol| {
            let other = || Name { text: symbol.to_owned(), unsigned: false };
            names.get(symbol).cloned().unwrap_or_else(other)
        }),
        Err(_) => text.clone(),
    };
    StatesAt {
        place: head.place.clone(),
        set: words(&head.set),
        choices: head.choices.iter().map(&mut words).collect(),
        variables: head.holes.iter().map(|hole| names[hole.symbol.as_str()].text.clone()).collect(),
    }
}

fn sort(text: &str) -> Option<Sort> {
    match text {
        "Bool" => Some(Sort::Bool),
        "Int" => Some(Sort::Int),
        _ => {
            let width = text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?;
            width.parse().ok().map(Sort::BitVec)
        }
    }
}
