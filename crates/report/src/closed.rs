//! Evidence about the loop heads of a program, in the user's words: a run that stays in a set of
//! states, or rankings.

use std::collections::BTreeMap;

use ouro_evidence::{ClosedSet, Head, Hole, Level, Place, ProgramRanking, RankedHead};
use ouro_term::{Sort, Terms};

use crate::infix::{Name, infix};
use crate::system::{Ranked, measures};

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
    let mut words = Words::new(&head.holes);
    StatesAt {
        place: head.place.clone(),
        set: words.term(&head.set),
        choices: head.choices.iter().map(|text| words.term(text)).collect(),
        variables: head.holes.iter().map(|hole| words.names[&hole.symbol].text.clone()).collect(),
    }
}

/// A level of a ranking in words.
pub(crate) fn shown(level: &Level, mut words: impl FnMut(&str) -> String) -> String {
    match level {
        Level::Function(text) => words(text),
        Level::Pair { pair, when: None } => format!("fairness {pair}"),
        Level::Pair { pair, when: Some(when) } => {
            format!("fairness {pair} where {}", words(when))
        }
    }
}

/// The rankings at each head.
pub(crate) fn ranked(ranking: &ProgramRanking) -> Vec<Ranked> {
    let head = |(number, head): (usize, &RankedHead)| {
        let mut words = Words::new(&head.holes);
        Ranked {
            location: head.place.to_string(),
            line: head.place.line,
            invariant: words.term(&head.invariant),
            ranking: head
                .ranking
                .iter()
                .map(|level| shown(level, |text| words.term(text)))
                .collect(),
            measures: measures(&ranking.snapshots, number).map(|text| words.term(text)).collect(),
        }
    };
    ranking.heads.iter().enumerate().map(head).collect()
}

/// Puts terms over the holes of a head into words.
struct Words {
    terms: Terms,
    names: BTreeMap<String, Name>,
}

impl Words {
    fn new(holes: &[Hole]) -> Words {
        let mut terms = Terms::new();
        let mut names = BTreeMap::new();
        for hole in holes {
            let shared = holes.iter().filter(|other| other.name == hole.name).count() > 1;
            // The symbols of all heads but the first have a number behind their name.
            let symbol = hole.symbol.rsplit_once('!').map_or(hole.symbol.as_str(), |parts| parts.0);
            let text = if shared { symbol } else { &hole.name }.to_owned();
            names.insert(hole.symbol.clone(), Name { text, unsigned: hole.unsigned });
            if let Some(sort) = sort(&hole.sort) {
                terms.symbol(&hole.symbol, sort);
            }
        }
        Words { terms, names }
    }

    fn term(&mut self, text: &str) -> String {
        match self.terms.parse(text) {
            Ok(term) => infix(&self.terms, term, &|symbol| {
                let other = || Name { text: symbol.to_owned(), unsigned: false };
                self.names.get(symbol).cloned().unwrap_or_else(other)
            }),
            Err(_) => text.to_owned(),
        }
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
