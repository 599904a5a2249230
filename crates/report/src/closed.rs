//! Evidence about the loop heads of a program, in the user's words: a run that stays in a set of
//! states, or rankings.

use std::collections::BTreeMap;

use ouro_evidence::{
    ClosedSet, ClosedSetHead, ProgramRanking, RankedHead, RankingLevel, SourcePlace, StateHole,
};
use ouro_term::{Sort, TermStore};

use crate::infix::{SymbolName, infix_text};
use crate::system::{RankingText, measures_at};

/// The states at one loop head.
pub(crate) struct StatesAtHead {
    pub(crate) place: SourcePlace,
    /// What may differ from time to time.
    pub(crate) variables: Vec<String>,
    pub(crate) set: String,
    /// What the environment chooses on the way to the next head, in order.
    pub(crate) choices: Vec<String>,
}

/// The states at each head.
pub(crate) fn states_at_heads(set: &ClosedSet) -> Vec<StatesAtHead> {
    set.heads.iter().map(states_at_head).collect()
}

fn states_at_head(head: &ClosedSetHead) -> StatesAtHead {
    let mut words = HoleWords::new(&head.holes);
    StatesAtHead {
        place: head.place.clone(),
        set: words.term_text(&head.set),
        choices: head.choices.iter().map(|text| words.term_text(text)).collect(),
        variables: head.holes.iter().map(|hole| words.names[&hole.symbol].text.clone()).collect(),
    }
}

/// A level of a ranking in words.
pub(crate) fn level_text(level: &RankingLevel, mut words: impl FnMut(&str) -> String) -> String {
    match level {
        RankingLevel::Function(text) => words(text),
        RankingLevel::Pair { pair, when: None } => format!("fairness {pair}"),
        RankingLevel::Pair { pair, when: Some(when) } => {
            format!("fairness {pair} where {}", words(when))
        }
    }
}

/// The rankings at each head.
pub(crate) fn rankings_at_heads(ranking: &ProgramRanking) -> Vec<RankingText> {
    let head = |(number, head): (usize, &RankedHead)| {
        let mut words = HoleWords::new(&head.holes);
        RankingText {
            location: head.place.to_string(),
            line: head.place.line,
            invariant: words.term_text(&head.invariant),
            ranking: head
                .ranking
                .iter()
                .map(|level| level_text(level, |text| words.term_text(text)))
                .collect(),
            measures: measures_at(&ranking.snapshots, number)
                .map(|text| words.term_text(text))
                .collect(),
        }
    };
    ranking.heads.iter().enumerate().map(head).collect()
}

/// Puts terms over the holes of a head into words.
struct HoleWords {
    terms: TermStore,
    names: BTreeMap<String, SymbolName>,
}

impl HoleWords {
    fn new(holes: &[StateHole]) -> HoleWords {
        let mut terms = TermStore::new();
        let mut names = BTreeMap::new();
        for hole in holes {
            let shared = holes.iter().filter(|other| other.name == hole.name).count() > 1;
            // The symbols of all heads but the first have a number behind their name.
            let symbol = hole.symbol.rsplit_once('!').map_or(hole.symbol.as_str(), |parts| parts.0);
            let text = if shared { symbol } else { &hole.name }.to_owned();
            names.insert(hole.symbol.clone(), SymbolName { text, unsigned: hole.unsigned });
            if let Some(sort) = parse_sort(&hole.sort) {
                terms.intern_symbol(&hole.symbol, sort);
            }
        }
        HoleWords { terms, names }
    }

    fn term_text(&mut self, text: &str) -> String {
        match self.terms.parse(text) {
            Ok(term) => infix_text(&self.terms, term, &|symbol| {
                let other = || SymbolName { text: symbol.to_owned(), unsigned: false };
                self.names.get(symbol).cloned().unwrap_or_else(other)
            }),
            Err(_) => text.to_owned(),
        }
    }
}

fn parse_sort(text: &str) -> Option<Sort> {
    match text {
        "Bool" => Some(Sort::Bool),
        "Int" => Some(Sort::Int),
        _ => {
            let width = text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?;
            width.parse().ok().map(Sort::BitVec)
        }
    }
}
