//! Locations and edges as a transition system.

use ouro_evidence::SourcePlace;
use ouro_model::CompassionPair;
use ouro_model::ids::EdgeId;
use ouro_model::transition::{EdgeCompassionPair, Location, TransitionEdge, TransitionSystem};
use ouro_term::{Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::LoweredProgram;
use crate::back::{EdgeOrigin, EvidenceBackTranslator, LocationOrigin};
use crate::lower::{EdgeDraft, ProgramLowering};
use crate::names::NamedHole;
use crate::places::user_place;
use crate::walk::{symbol_id, symbols_of_terms};

impl ProgramLowering<'_> {
    /// The system of the last round.
    pub(crate) fn build_system(mut self) -> Option<LoweredProgram> {
        let used: FxHashSet<Term> =
            self.locations.iter().flat_map(|l| &l.holes).map(|hole| hole.symbol).collect();
        let variables: Vec<NamedHole> =
            self.names.all.iter().filter(|named| used.contains(&named.symbol)).cloned().collect();
        let mut heads = Vec::new();
        for location in &self.locations {
            // What is no hole here is always the same: what it is, or nothing that matters.
            let mut constants = FxHashMap::default();
            for named in &variables {
                if location.hole_with_symbol(named.symbol).is_some() {
                    continue;
                }
                let here = named.key.cell_in_state(self.machine, &location.state);
                let seen =
                    here.and_then(|s| self.machine.number_in(&mut self.terms, &location.state, s));
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
            heads.push(LocationOrigin {
                place: user_place(self.program, self.machine, &location.state),
                function: self.machine.function_name(function).to_owned(),
                position,
                frames: location.frames,
                holes: location.holes.clone(),
                open: location.open.clone(),
                shape: match self.links.is_empty() {
                    true => String::new(),
                    false => self.machine.heap_shape(&location.state),
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
                let symbol = self.terms.intern_symbol(&format!("in{}.e{index}", k + 1), sort)?;
                own.insert(choice.symbol, symbol);
                choices.push(symbol);
            }
            let mut terms: Vec<Term> = passage.path.clone();
            terms.extend(passage.values.values());
            let met = symbols_of_terms(&self.terms, &terms);
            let mut unknowns = Vec::new();
            for unknown in &passage.unknowns {
                if symbol_id(&self.terms, *unknown).is_some_and(|id| met.contains(&id)) {
                    let symbol = self.terms.fresh_symbol("unknown", self.terms.sort(*unknown));
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
            edges.push(TransitionEdge {
                from: passage.from.map_or(ouro_model::ids::LocationId(0), location),
                to: location(passage.to.unwrap_or(heads.len())),
                guard,
                update,
                choices,
                unknowns,
                spans: passage.spans.clone(),
            });
            backs.push(EdgeOrigin {
                steps: passage.steps,
                choices: passage.choices.iter().map(|c| (c.width, c.source.clone())).collect(),
            });
        }
        let fairness =
            self.program.fairness.iter().map(|pair| edge_compassion_pair(pair, &self.passages));
        let fairness = fairness.collect();
        let mut system = TransitionSystem::new(self.terms);
        system.fairness = fairness;
        for named in &variables {
            system.add_variable(&named.name, named.sort)?;
        }
        for (location, head) in self.locations.iter().zip(&heads) {
            let span = Some(self.machine.next_instruction_span(&location.state))
                .filter(|span| span.is_known());
            system.locations.push(Location { name: location_name(&head.place), span });
        }
        for edge in edges {
            system.edges.push(edge);
        }
        if self.passages.iter().any(|passage| passage.to.is_none()) {
            // Where an obligation is broken the system stays forever, and no pair objects. So only
            // a proof that no run comes there makes all fair runs end.
            let name = "violation".to_owned();
            let at = system.locations.push(Location { name, span: None });
            system.edges.push(TransitionEdge {
                from: at,
                to: at,
                guard: system.terms.bool(true),
                update: system.identity_update(),
                choices: Vec::new(),
                unknowns: Vec::new(),
                spans: Vec::new(),
            });
            backs.push(EdgeOrigin { steps: 0, choices: Vec::new() });
        }
        let back = EvidenceBackTranslator {
            recursion: self.base > 0,
            vague: self.walker.vague,
            links: self.links,
            heads,
            edges: backs,
            users: (variables.into_iter())
                .map(|named| (named.symbol, (named.users, named.unsigned)))
                .collect(),
        };
        Some(LoweredProgram {
            system,
            back,
            complete: self.complete,
            grows: self.grows,
            returns: self.returns,
            unanswered: self.walker.unanswered,
        })
    }
}

/// A pair of the program as one of the system. An edge on which any event may have been passed is
/// owed, and does not oblige: then no fewer runs are fair.
fn edge_compassion_pair(pair: &CompassionPair, passages: &[EdgeDraft]) -> EdgeCompassionPair {
    let edges = |has: &dyn Fn(&EdgeDraft) -> bool| {
        let with = passages.iter().enumerate().filter(|(_, passage)| has(passage));
        with.map(|(index, _)| EdgeId(index as u32)).collect()
    };
    EdgeCompassionPair {
        p: edges(&|passage| pair.has_p(&passage.passed)),
        q: edges(&|passage| passage.others || pair.has_q(&passage.passed)),
    }
}

fn location_name(place: &SourcePlace) -> String {
    format!("{}:{}", place.function, place.line)
}
