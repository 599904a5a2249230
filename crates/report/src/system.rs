//! Evidence about a transition system, in the user's words: a run that never ends, or rankings.

use std::collections::BTreeSet;

use ouro_evidence::{RecurrentSet, SourcePlace, SystemRanking, TransitionInvariant};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_term::{Term, TermOp, TermStore};

use crate::closed::level_text;
use crate::infix::{SymbolName, infix_text};

/// The run: where it starts, how it gets to the loop, and the states that it stays in.
pub(crate) struct EndlessRun {
    /// The loop.
    pub(crate) place: SourcePlace,
    /// Where its steps are, the loop's first.
    pub(crate) cycle: Vec<SourcePlace>,
    /// Each variable and its value at the start.
    pub(crate) initial: Vec<NamedValue>,
    /// The steps on the way to the loop.
    pub(crate) stem: Vec<EdgeStep>,
    /// The states of the loop; the way there ends at the first.
    pub(crate) states: Vec<StatesAtLocation>,
}

/// A variable, or what the environment decides, and what it is.
pub(crate) struct NamedValue {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// A step along an edge.
pub(crate) struct EdgeStep {
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) line: u32,
    pub(crate) choices: Vec<NamedValue>,
}

/// States at one location and what may be done there.
pub(crate) struct StatesAtLocation {
    pub(crate) location: String,
    pub(crate) line: u32,
    pub(crate) set: String,
    pub(crate) moves: Vec<Vec<EdgeStep>>,
}

/// The run that a recurrent set describes.
pub(crate) fn endless_run(system: &TransitionSystem, file: &str, set: &RecurrentSet) -> EndlessRun {
    let mut words = SystemWords::new(system);
    let initial = (system.variables.iter().zip(&set.initial))
        .map(|(variable, text)| NamedValue {
            name: variable.name.clone(),
            value: words.term_text(text),
        })
        .collect();
    let stem =
        set.stem.iter().filter_map(|step| words.edge_step(step.edge, &step.choices)).collect();
    let states: Vec<StatesAtLocation> = (set.places.iter())
        .map(|place| {
            let moves: Vec<Vec<EdgeStep>> = (place.moves.iter())
                .map(|way| {
                    let steps = way.steps.iter();
                    steps.filter_map(|step| words.edge_step(step.edge, &step.choices)).collect()
                })
                .collect();
            StatesAtLocation {
                location: words.location_name(LocationId(place.location)),
                line: moves.iter().flatten().next().map_or(0, |step| step.line),
                set: words.term_text(&place.set),
                moves,
            }
        })
        .collect();
    let at = |line: u32, location: &str| SourcePlace {
        file: file.to_owned(),
        line,
        function: location.to_owned(),
    };
    let (line, location) = states.first().map_or((0, ""), |first| (first.line, &first.location));
    let steps = states.iter().flat_map(|states| &states.moves).flatten();
    EndlessRun {
        place: at(line, location),
        cycle: steps.map(|step| at(step.line, &step.from)).collect(),
        initial,
        stem,
        states,
    }
}

/// A location, what holds there, and what gets smaller.
pub(crate) struct RankingText {
    pub(crate) location: String,
    pub(crate) line: u32,
    pub(crate) invariant: String,
    /// The most important first.
    pub(crate) ranking: Vec<String>,
    /// Of these, one is smaller whenever the run is here again.
    pub(crate) measures: Vec<String>,
}

/// The measures at a place or head, as they are written.
pub(crate) fn measures_at(
    snapshots: &[TransitionInvariant],
    place: usize,
) -> impl Iterator<Item = &String> {
    let here = snapshots.iter().filter(move |snapshot| snapshot.place as usize == place);
    here.flat_map(|snapshot| &snapshot.measures)
}

/// The rankings of a system's locations.
pub(crate) fn ranking_texts_of_system(
    system: &TransitionSystem,
    ranking: &SystemRanking,
) -> Vec<RankingText> {
    let mut words = SystemWords::new(system);
    (ranking.places.iter().enumerate())
        .map(|(number, place)| {
            let id = LocationId(place.location);
            // Where a run leaves it; where its name comes first says less.
            let edge = system.edges.iter().find(|edge| edge.from == id);
            RankingText {
                location: words.location_name(id),
                line: edge.and_then(|edge| edge.spans.first()).map_or(0, |span| span.line),
                invariant: words.term_text(&place.invariant),
                ranking: place
                    .ranking
                    .iter()
                    .map(|level| level_text(level, |text| words.term_text(text)))
                    .collect(),
                measures: measures_at(&ranking.snapshots, number)
                    .map(|text| words.term_text(text))
                    .collect(),
            }
        })
        .collect()
}

/// Puts the terms and edges of the evidence into words.
struct SystemWords<'a> {
    system: &'a TransitionSystem,
    /// The variables of the system, and nothing else: the evidence speaks of no more.
    terms: TermStore,
    names: BTreeSet<&'a str>,
}

impl<'a> SystemWords<'a> {
    fn new(system: &'a TransitionSystem) -> SystemWords<'a> {
        let mut terms = TermStore::new();
        for variable in &system.variables {
            terms.intern_symbol(&variable.name, variable.sort);
        }
        let names = system.variables.iter().map(|variable| variable.name.as_str()).collect();
        SystemWords { system, terms, names }
    }

    /// A term as people write it.
    fn term_text(&mut self, text: &str) -> String {
        match self.terms.parse(text) {
            Ok(term) => infix_text(&self.terms, term, &|symbol| SymbolName {
                text: symbol.to_owned(),
                unsigned: false,
            }),
            Err(_) => text.to_owned(),
        }
    }

    fn location_name(&self, id: LocationId) -> String {
        self.system.locations.get(id).map(|location| location.name.clone()).unwrap_or_default()
    }

    fn edge_step(&mut self, edge: u32, choices: &[String]) -> Option<EdgeStep> {
        let system = self.system;
        let edge = system.edges.get(EdgeId(edge))?;
        let choices = (edge.choices.iter().zip(choices))
            .map(|(symbol, text)| NamedValue {
                name: self.choice_name(edge, *symbol),
                value: self.term_text(text),
            })
            .collect();
        Some(EdgeStep {
            from: self.location_name(edge.from),
            to: self.location_name(edge.to),
            line: edge.spans.first().map_or(0, |span| span.line),
            choices,
        })
    }

    /// What the file calls a choice. Those of different edges have a number behind their name, to
    /// tell them apart; of one edge the name is enough, unless a variable has it too.
    fn choice_name(&self, edge: &TransitionEdge, symbol: Term) -> String {
        let name = |symbol: Term| match self.system.terms.op(symbol) {
            TermOp::Symbol(id) => self.system.terms.symbol_declaration(*id).name.as_str(),
            _ => "",
        };
        let stem = |symbol: Term| match name(symbol).rsplit_once('!') {
            Some((stem, number)) if number.bytes().all(|b| b.is_ascii_digit()) => stem,
            _ => name(symbol),
        };
        let same = edge.choices.iter().filter(|other| stem(**other) == stem(symbol)).count();
        let clear = same == 1 && !self.names.contains(stem(symbol));
        if clear { stem(symbol).to_owned() } else { name(symbol).to_owned() }
    }
}
