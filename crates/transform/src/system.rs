//! Locations and edges as a transition system.

use ouro_evidence::Place;
use ouro_model::Fairness;
use ouro_model::ids::EdgeId;
use ouro_model::transition::{Compassion, Edge, Location, TransitionSystem};
use ouro_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Lowered;
use crate::back::{EdgeBack, HeadBack, WayBack};
use crate::lower::{Lowering, Passage};
use crate::names::Named;
use crate::places::users_place;
use crate::walk::{symbol_id, symbols};

impl Lowering<'_> {
    /// The system of the last round.
    pub(crate) fn finish(mut self) -> Option<Lowered> {
        let used: FxHashSet<Term> =
            self.locations.iter().flat_map(|l| &l.holes).map(|hole| hole.symbol).collect();
        let variables: Vec<Named> =
            self.names.all.iter().filter(|named| used.contains(&named.symbol)).cloned().collect();
        let mut heads = Vec::new();
        for location in &self.locations {
            // What is no hole here is always the same: what it is, or nothing that matters.
            let mut constants = FxHashMap::default();
            for named in &variables {
                if location.hole(named.symbol).is_some() {
                    continue;
                }
                let here = named.key.spot(self.machine, &location.state);
                let seen =
                    here.and_then(|s| self.machine.look(&mut self.terms, &location.state, s));
                let known = seen.filter(|term| {
                    self.terms.as_constant(*term).is_some() && self.terms.sort(*term) == named.sort
                });
                let value = match (known, named.sort) {
                    (Some(term), _) => term,
                    (None, Sort::BitVec(width)) => self.terms.bv(width, 0),
                    (None, Sort::Int) => self.terms.int(0),
                    (None, Sort::Bool) => self.terms.bool(false),
                };
                constants.insert(named.symbol, value);
            }
            let (function, position) = location.position;
            heads.push(HeadBack {
                place: users_place(self.program, self.machine, &location.state),
                function: self.machine.name(function).to_owned(),
                position,
                frames: location.frames,
                holes: location.holes.clone(),
                open: location.open.clone(),
                shape: match self.links.is_empty() {
                    true => String::new(),
                    false => self.machine.shape(&location.state),
                },
                constants,
            });
        }
        let mut edges = Vec::new();
        let mut backs = Vec::new();
        for (index, passage) in self.passages.iter().enumerate() {
            // Each edge has symbols of its own.
            let mut own: FxHashMap<Term, Term> = FxHashMap::default();
            let mut choices = Vec::new();
            for (k, choice) in passage.choices.iter().enumerate() {
                let sort = self.terms.sort(choice.symbol);
                let symbol = self.terms.symbol(&format!("in{}.e{index}", k + 1), sort)?;
                own.insert(choice.symbol, symbol);
                choices.push(symbol);
            }
            let mut terms: Vec<Term> = passage.path.clone();
            terms.extend(passage.values.values());
            let met = symbols(&self.terms, &terms);
            let mut unknowns = Vec::new();
            for unknown in &passage.unknowns {
                if symbol_id(&self.terms, *unknown).is_some_and(|id| met.contains(&id)) {
                    let symbol = self.terms.fresh("unknown", self.terms.sort(*unknown));
                    own.insert(*unknown, symbol);
                    unknowns.push(symbol);
                }
            }
            let guard = self.terms.and_all(&passage.path);
            let guard = self.terms.substitute(guard, &own);
            let target = passage.to.map(|to| &heads[to]);
            let mut update = Vec::new();
            for named in &variables {
                let value = match target {
                    Some(target) => match target.constants.get(&named.symbol) {
                        Some(constant) => *constant,
                        None => *passage.values.get(&named.symbol)?,
                    },
                    // Nobody asks what is where a run has ended.
                    None => named.symbol,
                };
                update.push(self.terms.substitute(value, &own));
            }
            let location = |index: usize| ouro_model::ids::LocationId(index as u32 + 1);
            edges.push(Edge {
                from: passage.from.map_or(ouro_model::ids::LocationId(0), location),
                to: location(passage.to.unwrap_or(heads.len())),
                guard,
                update,
                choices,
                unknowns,
                spans: passage.spans.clone(),
            });
            backs.push(EdgeBack {
                steps: passage.steps,
                choices: passage.choices.iter().map(|c| (c.width, c.source.clone())).collect(),
            });
        }
        let fairness = self.program.fairness.iter().map(|pair| compassion(pair, &self.passages));
        let fairness = fairness.collect();
        let mut system = TransitionSystem::new(self.terms);
        system.fairness = fairness;
        for named in &variables {
            system.add_variable(&named.name, named.sort)?;
        }
        for (location, head) in self.locations.iter().zip(&heads) {
            let span = Some(self.machine.place(&location.state)).filter(|span| span.is_known());
            system.locations.push(Location { name: named(&head.place), span });
        }
        for edge in edges {
            system.edges.push(edge);
        }
        if self.passages.iter().any(|passage| passage.to.is_none()) {
            // Where an obligation is broken the system stays forever, and no pair objects. So only
            // a proof that no run comes there makes all fair runs end.
            let name = "violation".to_owned();
            let at = system.locations.push(Location { name, span: None });
            system.edges.push(Edge {
                from: at,
                to: at,
                guard: system.terms.bool(true),
                update: system.unchanged(),
                choices: Vec::new(),
                unknowns: Vec::new(),
                spans: Vec::new(),
            });
            backs.push(EdgeBack { steps: 0, choices: Vec::new() });
        }
        let back = WayBack {
            recursion: self.base > 0,
            vague: self.walker.vague,
            links: self.links,
            heads,
            edges: backs,
            users: (variables.into_iter())
                .map(|named| (named.symbol, (named.users, named.unsigned)))
                .collect(),
        };
        Some(Lowered {
            system,
            back,
            complete: self.complete,
            grows: self.grows,
            returns: self.returns,
        })
    }
}

/// A pair of the program as one of the system. An edge on which any event may have been passed is
/// owed, and does not oblige: then no fewer runs are fair.
fn compassion(pair: &Fairness, passages: &[Passage]) -> Compassion {
    let edges = |has: &dyn Fn(&Passage) -> bool| {
        let with = passages.iter().enumerate().filter(|(_, passage)| has(passage));
        with.map(|(index, _)| EdgeId(index as u32)).collect()
    };
    Compassion {
        p: edges(&|passage| pair.has_p(&passage.passed)),
        q: edges(&|passage| passage.others || pair.has_q(&passage.passed)),
    }
}

fn named(place: &Place) -> String {
    format!("{}:{}", place.function, place.line)
}
