//! The way back: from a recurrent set of the system to a closed set of the program, and from a ranking
//! of the one to a ranking of the other.

use num_traits::ToPrimitive;
use ouro_evidence::{
    ClosedSet, ClosedSetHead, HavocObject, HoleCell, ListLink, OLD, PASSED_P, PASSED_Q,
    ProgramRanking, RankedHead, RankingLevel, RecurrentLocation, RecurrentMove, RecurrentSet,
    RunInput, SnapshotRelation, SourcePlace, StateHole, SystemRanking, TransitionInvariant,
};
use ouro_machine::{ObjectRef, SegmentLink, StateCell};
use ouro_model::ChoiceSource;
use ouro_model::ids::{EdgeId, TypedId};
use ouro_model::transition::TransitionSystem;
use ouro_term::{Constant, Sort, Term, TermStore, sign_extend, width_mask};
use rustc_hash::FxHashMap;

use crate::names::HoleKey;
use crate::pattern;

/// What a location is in the program.
pub(crate) struct LocationOrigin {
    pub(crate) place: SourcePlace,
    pub(crate) function: String,
    pub(crate) position: u32,
    pub(crate) frames: usize,
    pub(crate) holes: Vec<pattern::PatternHole>,
    /// Objects in which anything may be.
    pub(crate) open: Vec<ObjectRef>,
    /// How lists are linked.
    pub(crate) shape: String,
    /// What the variables are that are no holes here.
    pub(crate) constants: FxHashMap<Term, Term>,
}

/// What an edge is in the program.
pub(crate) struct EdgeOrigin {
    /// Steps of the machine.
    pub(crate) steps: u64,
    /// Width and source of each choice, in order.
    pub(crate) choices: Vec<(u32, ChoiceSource)>,
}

/// What is what in the program.
pub struct EvidenceBackTranslator {
    /// For each location but the start.
    pub(crate) heads: Vec<LocationOrigin>,
    /// For each edge.
    pub(crate) edges: Vec<EdgeOrigin>,
    /// What the user calls each variable, and whether it is unsigned.
    pub(crate) users: FxHashMap<Term, (String, bool)>,
    /// Whether calls are left out of the comparison because they may never return.
    pub(crate) recursion: bool,
    /// Whether memory is vague.
    pub(crate) vague: bool,
    /// How lists are linked.
    pub(crate) links: Vec<SegmentLink>,
}

impl EvidenceBackTranslator {
    /// The evidence about the program that a recurrent set of the system is. `None` if the set does
    /// not fit the system, if it speaks of more than holes, or if moves from one location make different choices in a way that the
    /// program cannot tell apart.
    pub fn translate_closed_set(
        &self,
        system: &TransitionSystem,
        set: &RecurrentSet,
    ) -> Option<ClosedSet> {
        let mut terms = system.terms.clone();
        let mut inputs = Vec::new();
        let mut step = 0;
        for stem in &set.stem {
            let edge = self.edges.get(stem.edge as usize)?;
            step += edge.steps;
            if stem.choices.len() != edge.choices.len() {
                return None;
            }
            for (text, (width, source)) in stem.choices.iter().zip(&edge.choices) {
                let value = terms.parse_with(text, |_| None).ok()?;
                let bits = constant_bits(&terms, value, *width)?;
                let place = SourcePlace { file: String::new(), line: 0, function: String::new() };
                inputs.push(RunInput { bits, width: *width, source: source.clone(), place });
            }
        }
        let mut sets = FxHashMap::default();
        for place in &set.places {
            sets.insert(place.location, parse_system_term(system, &mut terms, &place.set)?);
        }
        let mut heads = Vec::new();
        for (number, place) in set.places.iter().enumerate() {
            heads.push(self.translate_head(system, &mut terms, place, number, &sets)?);
        }
        let first = set.places.first()?;
        let frames = self.origin_of(first.location)?.frames;
        Some(ClosedSet {
            inputs,
            step,
            frames,
            recursion: self.recursion,
            links: self.list_links(),
            heads,
        })
    }

    /// The evidence about the program that a ranking of the system is; `None` if it does not fit.
    pub fn translate_ranking(
        &self,
        system: &TransitionSystem,
        ranking: &SystemRanking,
    ) -> Option<ProgramRanking> {
        let mut terms = system.terms.clone();
        let mut heads = Vec::new();
        let mut owns = Vec::new();
        for (number, place) in ranking.places.iter().enumerate() {
            let Some(back) = self.origin_of(place.location) else {
                // Where an obligation is broken is no head: no run may come there.
                let reached = parse_system_term(system, &mut terms, &place.invariant)?;
                match terms.as_bool(reached) {
                    Some(false) => continue,
                    _ => return None,
                }
            };
            let (holes, own) = self.translate_holes(system, &mut terms, back, number)?;
            let mut words = |text: &str| {
                let term = parse_system_term(system, &mut terms, text)?;
                let term = terms.substitute(term, &own);
                has_only_holes(&terms, term, &holes).then(|| terms.display(term).to_string())
            };
            let invariant = words(&place.invariant)?;
            let mut level = |level: &RankingLevel| {
                Some(match level {
                    RankingLevel::Function(text) => RankingLevel::Function(words(text)?),
                    RankingLevel::Pair { pair, when: None } => {
                        RankingLevel::Pair { pair: *pair, when: None }
                    }
                    RankingLevel::Pair { pair, when: Some(text) } => {
                        RankingLevel::Pair { pair: *pair, when: Some(words(text)?) }
                    }
                })
            };
            let ranking: Option<Vec<RankingLevel>> = place.ranking.iter().map(&mut level).collect();
            heads.push(RankedHead {
                place: back.place.clone(),
                function: back.function.clone(),
                position: back.position,
                calls: self.vague.then(|| u32::try_from(back.frames).ok()).flatten(),
                holes,
                shape: back.shape.clone(),
                open: back
                    .open
                    .iter()
                    .map(|object| HavocObject { slot: object.slot, generation: object.generation })
                    .collect(),
                invariant,
                ranking: ranking?,
            });
            owns.push(own);
        }
        if heads.len() != ranking.places.len() && !ranking.snapshots.is_empty() {
            // Snapshots speak of places by their numbers.
            return None;
        }
        let snapshots =
            translate_transition_invariants(system, &mut terms, ranking, &heads, &owns)?;
        Some(ProgramRanking {
            vague: self.vague,
            first_calls: false,
            links: self.list_links(),
            heads,
            snapshots,
            summaries: Vec::new(),
        })
    }

    /// How lists are linked that are chains.
    pub fn segment_links(&self) -> &[SegmentLink] {
        &self.links
    }

    /// The same in the words of evidence.
    fn list_links(&self) -> Vec<ListLink> {
        let words = |l: &SegmentLink| {
            let SegmentLink { size, link, entry, alike } = *l;
            ListLink { size, link, entry, alike }
        };
        self.links.iter().map(words).collect()
    }

    /// Which variables of the system are unsigned numbers in the program: all of them, and those of fewer than 64
    /// bits, the others being sizes and differences of sizes as often as numbers.
    pub fn unsigned_variables(&self, system: &TransitionSystem) -> (Vec<bool>, Vec<bool>) {
        let unsigned = |symbol| self.users.get(&symbol).is_some_and(|(_, unsigned)| *unsigned);
        let up_to = |most: u32| {
            let fits = |sort| matches!(sort, Sort::BitVec(width) if width <= most);
            system.variables.iter().map(|v| fits(v.sort) && unsigned(v.symbol)).collect()
        };
        (up_to(64), up_to(63))
    }

    fn origin_of(&self, location: u32) -> Option<&LocationOrigin> {
        self.heads.get((location as usize).checked_sub(1)?)
    }

    fn translate_head(
        &self,
        system: &TransitionSystem,
        terms: &mut TermStore,
        place: &RecurrentLocation,
        number: usize,
        sets: &FxHashMap<u32, Term>,
    ) -> Option<ClosedSetHead> {
        let back = self.origin_of(place.location)?;
        let (holes, own) = self.translate_holes(system, terms, back, number)?;
        let set = terms.substitute(sets[&place.location], &own);
        let mut choices = Vec::new();
        for choice in self.translate_choices(system, terms, place, sets)? {
            let choice = terms.substitute(choice, &own);
            if !has_only_holes(terms, choice, &holes) {
                return None;
            }
            choices.push(terms.display(choice).to_string());
        }
        if !has_only_holes(terms, set, &holes) {
            return None;
        }
        Some(ClosedSetHead {
            place: back.place.clone(),
            function: back.function.clone(),
            position: back.position,
            holes,
            shape: back.shape.clone(),
            set: terms.display(set).to_string(),
            choices,
        })
    }

    /// The holes of a head, and what the system's variables are there.
    fn translate_holes(
        &self,
        system: &TransitionSystem,
        terms: &mut TermStore,
        back: &LocationOrigin,
        number: usize,
    ) -> Option<(Vec<StateHole>, FxHashMap<Term, Term>)> {
        // Each head has symbols of its own.
        let mut own = back.constants.clone();
        let mut holes = Vec::new();
        for hole in &back.holes {
            let variable = system.variables.iter().find(|v| v.symbol == hole.symbol)?;
            let symbol = match number {
                0 => variable.name.clone(),
                _ => format!("{}!{number}", variable.name),
            };
            own.insert(hole.symbol, terms.intern_symbol(&symbol, variable.sort)?);
            let cell = match hole.spot {
                StateCell::Variable { call, variable } => HoleCell::Variable {
                    call: u32::try_from(call).ok()?,
                    variable: variable.index() as u32,
                },
                StateCell::Memory { object, offset, bytes } => HoleCell::Memory {
                    slot: object.slot,
                    generation: object.generation,
                    offset,
                    bytes,
                },
                StateCell::Size { object } => {
                    HoleCell::Size { slot: object.slot, generation: object.generation }
                }
                StateCell::Length { .. } => match hole.key {
                    HoleKey::Length { number } => {
                        HoleCell::Length { number: u32::try_from(number).ok()? }
                    }
                    _ => return None,
                },
            };
            let (name, unsigned) = self.users.get(&hole.symbol)?.clone();
            let sort = variable.sort.to_string();
            holes.push(StateHole { symbol, sort, name, unsigned, cell });
        }
        Some((holes, own))
    }

    /// The choices at a location, over the system's variables: those of its moves, by which of them
    /// works.
    fn translate_choices(
        &self,
        system: &TransitionSystem,
        terms: &mut TermStore,
        place: &RecurrentLocation,
        sets: &FxHashMap<u32, Term>,
    ) -> Option<Vec<Term>> {
        let mut combined: Vec<Term> = Vec::new();
        for way in place.moves.iter().rev() {
            let mut chosen = Vec::new();
            for text in way.steps.iter().flat_map(|step| &step.choices) {
                chosen.push(parse_system_term(system, terms, text)?);
            }
            if chosen.iter().zip(&combined).all(|(a, b)| a == b) {
                if chosen.len() > combined.len() {
                    combined = chosen;
                }
                continue;
            }
            let works = move_condition(system, terms, way, &chosen, sets)?;
            for (k, choice) in chosen.iter().enumerate() {
                match combined.get_mut(k) {
                    Some(other) if terms.sort(*other) == terms.sort(*choice) => {
                        *other = terms.ite(works, *choice, *other);
                    }
                    Some(_) => return None,
                    None => combined.push(*choice),
                }
            }
        }
        Some(combined)
    }
}

/// What snapshots of the system are in the program, given what its variables are at each head.
fn translate_transition_invariants(
    system: &TransitionSystem,
    terms: &mut TermStore,
    ranking: &SystemRanking,
    heads: &[RankedHead],
    owns: &[FxHashMap<Term, Term>],
) -> Option<Vec<TransitionInvariant>> {
    let mut all = Vec::new();
    for snapshot in &ranking.snapshots {
        let (head, own) = (heads.get(snapshot.place as usize)?, owns.get(snapshot.place as usize)?);
        // The holes of the head as they were.
        let mut was: FxHashMap<Term, Term> = FxHashMap::default();
        let mut names: Vec<String> = Vec::new();
        for hole in &head.holes {
            let now = terms.parse(&hole.symbol).ok()?;
            let name = format!("{OLD}{}", hole.symbol);
            was.insert(now, terms.intern_symbol(&name, terms.sort(now))?);
            names.push(name);
        }
        // The variables of the system as they were: by name, and what they are in the program.
        let mut old_names: FxHashMap<String, Term> = FxHashMap::default();
        let mut old: FxHashMap<Term, Term> = FxHashMap::default();
        for variable in &system.variables {
            let symbol = terms.fresh_symbol("was", variable.sort);
            old_names.insert(format!("{OLD}{}", variable.name), symbol);
            if let Some(value) = own.get(&variable.symbol) {
                let value = terms.substitute(*value, &was);
                old.insert(symbol, value);
            }
        }
        // What was passed since then has the same name in both.
        for pair in 0..system.fairness.len() {
            for name in [format!("{PASSED_P}{pair}"), format!("{PASSED_Q}{pair}")] {
                old_names.insert(name.clone(), terms.intern_symbol(&name, Sort::Bool)?);
                names.push(name);
            }
        }
        let mut relations = Vec::new();
        for relation in &snapshot.relations {
            let (there, own) =
                (heads.get(relation.place as usize)?, owns.get(relation.place as usize)?);
            let formula = parse_system_term_with(system, terms, &relation.formula, &old_names)?;
            let mut words = own.clone();
            words.extend(old.iter().map(|(symbol, value)| (*symbol, *value)));
            let formula = terms.substitute(formula, &words);
            let known = there.holes.iter().map(|hole| &hole.symbol).chain(&names);
            let known: Vec<&String> = known.collect();
            let formula = has_only_named_symbols(terms, formula, &known)
                .then(|| terms.display(formula).to_string());
            relations.push(SnapshotRelation { place: relation.place, formula: formula? });
        }
        let mut measures = Vec::new();
        for text in &snapshot.measures {
            let measure = parse_system_term(system, terms, text)?;
            let measure = terms.substitute(measure, own);
            measures.push(has_only_holes(terms, measure, &head.holes).then_some(measure)?);
        }
        let measures = measures.into_iter().map(|term| terms.display(term).to_string()).collect();
        all.push(TransitionInvariant { place: snapshot.place, measures, relations });
    }
    Some(all)
}

/// When a move works, with these choices; `None` if that depends on what nobody knows.
pub(crate) fn move_condition(
    system: &TransitionSystem,
    terms: &mut TermStore,
    way: &RecurrentMove,
    chosen: &[Term],
    sets: &FxHashMap<u32, Term>,
) -> Option<Term> {
    let mut parts = Vec::new();
    let mut chosen = chosen.iter().copied();
    let mut now: FxHashMap<Term, Term> = FxHashMap::default();
    let mut end = None;
    for step in &way.steps {
        let edge = system.edges.get(EdgeId(step.edge))?;
        if !edge.unknowns.is_empty() {
            return None;
        }
        now.extend(edge.choices.iter().copied().zip(chosen.by_ref().take(edge.choices.len())));
        parts.push(terms.substitute(edge.guard, &now));
        let after: Vec<Term> = edge.update.iter().map(|t| terms.substitute(*t, &now)).collect();
        now = system.variables.iter().map(|v| v.symbol).zip(after).collect();
        end = Some(edge.to.0);
    }
    let target = *sets.get(&end?)?;
    parts.push(terms.substitute(target, &now));
    Some(terms.and_all(&parts))
}

/// Whether a term speaks of holes alone. What is no hole can be an input of long ago, which the
/// evidence has no name for.
fn has_only_holes(terms: &TermStore, term: Term, holes: &[StateHole]) -> bool {
    let known: Vec<&String> = holes.iter().map(|hole| &hole.symbol).collect();
    has_only_named_symbols(terms, term, &known)
}

/// Whether a term has only symbols of these names.
fn has_only_named_symbols(terms: &TermStore, term: Term, known: &[&String]) -> bool {
    let mut all = true;
    terms.visit_symbols(&[term], |id| {
        all &= known.iter().any(|name| **name == terms.symbol_declaration(id).name);
    });
    all
}

fn constant_bits(terms: &TermStore, value: Term, width: u32) -> Option<u128> {
    match terms.as_constant(value)? {
        Constant::Int(number) => {
            let bits = number.to_i128()?.cast_unsigned() & width_mask(width);
            (number == sign_extend(width, bits).into()).then_some(bits)
        }
        Constant::Bv { width: found, value } if found == width => Some(value),
        _ => None,
    }
}

/// A term over the variables of the system.
pub(crate) fn parse_system_term(
    system: &TransitionSystem,
    terms: &mut TermStore,
    text: &str,
) -> Option<Term> {
    parse_system_term_with(system, terms, text, &FxHashMap::default())
}

/// A term over the variables of the system and further names.
fn parse_system_term_with(
    system: &TransitionSystem,
    terms: &mut TermStore,
    text: &str,
    more: &FxHashMap<String, Term>,
) -> Option<Term> {
    let variables: FxHashMap<&str, Term> =
        system.variables.iter().map(|v| (v.name.as_str(), v.symbol)).collect();
    let known = |name: &str| variables.get(name).or_else(|| more.get(name)).copied();
    terms.parse_with(text, known).ok()
}
