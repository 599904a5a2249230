//! Building the graph of regions, breadth first, until a run can stay in some that it can reach.

use std::collections::VecDeque;

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use super::graph::{RegionGraph, RegionStatus};
use super::interval::{self, CongruenceInterval};
use super::region::StateRegion;
use crate::lassos::choices::choose_locals;
use crate::lassos::cycles::find_cycles;
use crate::lassos::stems::{StemEnumeration, accelerate_loops};
use crate::lassos::strengthen::ReachRequirement;
use crate::lassos::write::{RecurrentPlace, RecurrentPlaceCase, decide_path, write_recurrent_set};
use crate::limits::FORWARD_LIMITS;
use crate::paths::ask::{PolyAnswer, PolySolver, negate_atom};
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::PolyAtom;

/// Looks for a recurrent component that a run reaches.
pub(crate) fn find_recurrent_component(
    system: &TransitionSystem,
    graph: &PathGraph,
    ask: &mut PolySolver,
) -> Option<RecurrentSet> {
    let mut done = vec![false; graph.locations];
    for location in 0..graph.locations {
        if std::mem::replace(&mut done[graph.part[location]], true) {
            continue;
        }
        let Some(part) = ForwardComponent::containing_location(graph, location) else { continue };
        let mut search = RegionSearch {
            system,
            graph,
            part: &part,
            ask: &mut *ask,
            states: RegionGraph::default(),
            queue: VecDeque::new(),
        };
        if let Some(found) = search.search_component() {
            return Some(found);
        }
        if ask.is_out_of_time() {
            return None;
        }
    }
    None
}

/// A strongly connected part with its moves.
struct ForwardComponent {
    locations: Vec<usize>,
    /// Its paths, with everything chosen.
    moves: Vec<PolyPath>,
    /// For each location of the graph, the conditions that decide about moves there, as `>= 0`.
    literals: Vec<Vec<PolyAtom>>,
    /// The same and their opposites.
    asked: Vec<Vec<PolyAtom>>,
}

impl ForwardComponent {
    /// The part that a location is in, if it is one with cycles.
    fn containing_location(graph: &PathGraph, location: usize) -> Option<ForwardComponent> {
        let inside = |at: usize| graph.in_same_component(location, at);
        let mut moves = Vec::new();
        for path in graph.paths.iter().filter(|path| inside(path.from) && inside(path.to)) {
            moves.extend(choose_locals(path).into_iter().take(FORWARD_LIMITS.choices));
        }
        if !(1..=FORWARD_LIMITS.moves).contains(&moves.len()) {
            return None;
        }
        let mut literals = vec![Vec::new(); graph.locations];
        for path in &moves {
            for literal in path.atoms.iter().flat_map(split_into_inequalities) {
                if !literals[path.from].contains(&literal) {
                    literals[path.from].push(literal);
                }
            }
        }
        let both = |literal: &PolyAtom| [Some(vec![literal.clone()]), negate_atom(literal)];
        let closed = |literals: &Vec<PolyAtom>| {
            let mut all: Vec<PolyAtom> =
                literals.iter().flat_map(both).flatten().flatten().collect();
            all.sort();
            all.dedup();
            all
        };
        let asked = literals.iter().map(closed).collect();
        let locations = (0..graph.locations).filter(|at| inside(*at)).collect();
        Some(ForwardComponent { locations, moves, literals, asked })
    }
}

/// A condition as one or two of the form `>= 0`.
fn split_into_inequalities(atom: &PolyAtom) -> Vec<PolyAtom> {
    match atom {
        PolyAtom::Ge(_) => vec![atom.clone()],
        PolyAtom::Eq(poly) => {
            let other = poly.neg().map(PolyAtom::Ge);
            [Some(PolyAtom::Ge(poly.clone())), other].into_iter().flatten().collect()
        }
    }
}

struct RegionSearch<'a> {
    system: &'a TransitionSystem,
    graph: &'a PathGraph,
    part: &'a ForwardComponent,
    ask: &'a mut PolySolver,
    states: RegionGraph,
    queue: VecDeque<usize>,
}

impl RegionSearch<'_> {
    fn search_component(&mut self) -> Option<RecurrentSet> {
        for location in self.part.locations.clone() {
            self.add_region(StateRegion::all_states(location, self.graph.variables), 0);
        }
        if let Some(found) = self.explore_regions() {
            return Some(found);
        }
        self.seed_from_stems();
        if let Some(found) = self.explore_regions() {
            return Some(found);
        }
        while !self.is_exhausted() && self.cut_regions() {
            if let Some(found) = self.explore_regions() {
                return Some(found);
            }
        }
        None
    }

    fn is_exhausted(&self) -> bool {
        self.states.nodes.len() > FORWARD_LIMITS.regions || self.ask.is_out_of_time()
    }

    /// Looks at all regions that wait.
    fn explore_regions(&mut self) -> Option<RecurrentSet> {
        while let Some(at) = self.queue.pop_front() {
            if self.is_exhausted() {
                return None;
            }
            self.states.propagate_statuses();
            if self.states.nodes[at].status != RegionStatus::Unknown {
                continue;
            }
            self.expand_region(at);
            self.states.propagate_statuses();
            if self.states.mark_recurrent_component()
                && let Some(found) = self.reached_recurrent_set()
            {
                return Some(found);
            }
        }
        None
    }

    /// Adds a region, cut where a condition of a move holds in one part of it only.
    fn add_region(&mut self, region: StateRegion, cuts: usize) -> Vec<usize> {
        let literals = &self.part.literals[region.at];
        let mut pieces = vec![region];
        for literal in literals {
            let mut finer = Vec::new();
            for piece in pieces {
                finer.extend(divide_region(self.ask, piece, literal));
            }
            pieces = finer;
            if pieces.len() > FORWARD_LIMITS.pieces || self.ask.is_out_of_time() {
                break;
            }
        }
        let mut numbers = Vec::new();
        for piece in pieces {
            let (number, is_new) = self.states.add_region(piece, cuts);
            if is_new {
                self.queue.push_back(number);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Makes all moves that can be made everywhere in a region.
    fn expand_region(&mut self, at: usize) {
        let region = self.states.nodes[at].region.clone();
        let cuts = self.states.nodes[at].cuts;
        let mut open = false;
        for (number, path) in self.part.moves.iter().enumerate() {
            if path.from != region.at {
                continue;
            }
            let truths: Vec<Option<bool>> =
                path.atoms.iter().map(|atom| region.atom_truth(self.ask, atom)).collect();
            if truths.contains(&Some(false)) {
                continue;
            }
            if truths.contains(&None) {
                open = true;
                continue;
            }
            match region.image_after(self.ask, path, &self.part.asked[path.to]) {
                Some(after) => {
                    let targets = self.add_region(after, cuts);
                    self.states.nodes[at].moves.push((number, targets));
                }
                None => open = true,
            }
        }
        self.states.nodes[at].open = open;
        self.states.nodes[at].expanded = true;
    }

    /// Adds the regions that stems lead to.
    fn seed_from_stems(&mut self) {
        let mut stems = StemEnumeration::new(self.graph, self.stem_shortcuts(), 3, 100);
        let mut seeds = 0;
        while let Some(stem) = stems.next_stem(self.ask) {
            if !self.part.locations.contains(&stem.to) {
                continue;
            }
            let width = stem.update.len() + stem.locals as usize;
            let Some(bounds) =
                interval::narrow_bounds(vec![CongruenceInterval::ALL; width], &stem.atoms)
            else {
                continue;
            };
            let bounds =
                stem.update.iter().map(|poly| interval::evaluate_poly(&bounds, poly)).collect();
            self.add_region(StateRegion { at: stem.to, bounds, facts: Vec::new() }, 0);
            seeds += 1;
            if seeds >= FORWARD_LIMITS.seeded_stems || self.is_exhausted() {
                return;
            }
        }
    }

    /// Cuts regions from which only some states stay, by the conditions that decide about it one
    /// move later, and by those under which what holds goes on to hold. Says whether there was anything to cut.
    fn cut_regions(&mut self) -> bool {
        let mut found = false;
        for at in 0..self.states.nodes.len() {
            let node = &self.states.nodes[at];
            let lost = matches!(node.status, RegionStatus::Unknown | RegionStatus::MayExit);
            if !lost || !node.expanded || node.cuts >= FORWARD_LIMITS.cuts || node.moves.is_empty()
            {
                continue;
            }
            if self.is_exhausted() {
                return found;
            }
            let (region, cuts) = (node.region.clone(), node.cuts + 1);
            // Cut once: what is left of it is in the pieces.
            self.states.nodes[at].cuts = FORWARD_LIMITS.cuts;
            for literals in [self.deciding_atoms(at), self.lasting_atoms(at)] {
                for literal in literals {
                    let pieces = divide_region(self.ask, region.clone(), &literal);
                    if pieces.len() > 1 {
                        for piece in pieces {
                            self.add_region(piece, cuts);
                        }
                        found = true;
                        break;
                    }
                }
            }
        }
        found && !self.queue.is_empty()
    }

    /// What decides where the moves of a region lead, before they are made: the conditions there,
    /// and the bounds of regions that a run can stay in.
    fn deciding_atoms(&self, at: usize) -> Vec<PolyAtom> {
        let mut literals = Vec::new();
        for (number, targets) in &self.states.nodes[at].moves {
            let path = &self.part.moves[*number];
            let recurrent = (self.states.nodes.iter())
                .filter(|node| node.status == RegionStatus::Recurrent && node.region.at == path.to)
                .flat_map(|node| node.region.to_plain_atoms());
            let there = recurrent.chain(match targets.len() {
                0 | 1 => Vec::new(),
                _ => self.part.literals[path.to].clone(),
            });
            for literal in there
                .flat_map(|atom| split_into_inequalities(&atom))
                .filter_map(|a| path.precondition_of(&a))
            {
                if literal.constant_truth().is_none() && !literals.contains(&literal) {
                    literals.push(literal);
                }
            }
        }
        literals
    }

    /// Under what the conditions of a region last when its moves are made: that what must not be negative
    /// does not get smaller, or that the condition holds once more.
    fn lasting_atoms(&self, at: usize) -> Vec<PolyAtom> {
        let node = &self.states.nodes[at];
        let mut literals = Vec::new();
        for (number, _) in &node.moves {
            let path = &self.part.moves[*number];
            for atom in node.region.to_plain_atoms().iter().flat_map(split_into_inequalities) {
                let Some(after) = path.precondition_of(&atom) else { continue };
                let growth = after.poly().sub(atom.poly()).map(PolyAtom::Ge);
                for literal in growth.into_iter().chain([after]) {
                    if literal.constant_truth().is_none() && !literals.contains(&literal) {
                        literals.push(literal);
                    }
                }
            }
        }
        literals
    }

    /// The evidence, if a stem leads into a recurrent region.
    fn reached_recurrent_set(&mut self) -> Option<RecurrentSet> {
        let mut stems = StemEnumeration::new(
            self.graph,
            self.stem_shortcuts(),
            FORWARD_LIMITS.stems.0,
            FORWARD_LIMITS.stems.1,
        );
        while let Some(stem) = stems.next_stem(self.ask) {
            let regions: Vec<StateRegion> = (self.states.nodes.iter())
                .filter(|node| node.status == RegionStatus::Recurrent && node.region.at == stem.to)
                .map(|node| node.region.clone())
                .collect();
            for region in regions {
                let arrives = ReachRequirement { stem: Some(&stem) }
                    .find_arrival(self.ask, &region.to_atoms());
                if let PolyAnswer::Sat(values) = arrives {
                    let places = self.recurrent_places(stem.to);
                    return write_recurrent_set(self.system, &stem, &values, &places);
                }
            }
        }
        None
    }

    fn stem_shortcuts(&mut self) -> Vec<Vec<PolyPath>> {
        let loops = find_cycles(self.graph, self.ask, 2, 12);
        loops.iter().map(|loops| accelerate_loops(loops.iter(), &self.graph.matters)).collect()
    }

    /// The recurrent regions as places, the one where the stem ends first.
    fn recurrent_places(&self, first: usize) -> Vec<RecurrentPlace> {
        let nodes = &self.states.nodes;
        let inside = |at: usize| nodes[at].status == RegionStatus::Recurrent;
        let mut locations = self.part.locations.clone();
        locations.sort_by_key(|at| *at != first);
        let mut places = Vec::new();
        for location in locations {
            let here =
                (0..nodes.len()).filter(|at| inside(*at) && nodes[*at].region.at == location);
            let mut place = RecurrentPlace { location, cases: Vec::new(), moves: Vec::new() };
            let mut used = Vec::new();
            for at in here {
                let node = &nodes[at];
                if node.within.iter().any(|other| inside(*other)) {
                    continue;
                }
                let (atoms, multiples) =
                    (node.region.to_plain_atoms(), node.region.known_multiples());
                place.cases.push(RecurrentPlaceCase { atoms, multiples });
                let stays = |(_, to): &&(usize, Vec<usize>)| to.iter().all(|to| inside(*to));
                for (number, _) in node.moves.iter().filter(stays) {
                    if !used.contains(number) {
                        used.push(*number);
                        place.moves.push(decide_path(&self.part.moves[*number]));
                    }
                }
            }
            if !place.cases.is_empty() {
                places.push(place);
            }
        }
        places
    }
}

/// The parts of a region in which a condition holds and does not hold.
fn divide_region(
    ask: &mut PolySolver,
    region: StateRegion,
    literal: &PolyAtom,
) -> Vec<StateRegion> {
    if region.atom_truth(ask, literal).is_some() {
        return vec![region];
    }
    let Some(against) = negate_atom(literal) else { return vec![region] };
    let pieces = [Some(literal.clone())].into_iter().chain(against.into_iter().map(Some));
    pieces.flatten().filter_map(|atom| region.with_atom(&atom)).collect()
}
