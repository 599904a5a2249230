//! Building the graph of regions, breadth first, until a run can stay in some that it can reach.

use std::collections::VecDeque;

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use super::graph::{StateGraph, Status};
use super::interval::{self, Interval};
use super::region::Region;
use crate::paths::ask::{Ask, Told, opposite};
use crate::paths::graph::Graph;
use crate::paths::path::Path;
use crate::paths::poly::Atom;
use crate::recurrent::choices::chosen;
use crate::recurrent::cycles::cycles;
use crate::recurrent::stems::{Stems, shortcuts};
use crate::recurrent::strengthen::Reach;
use crate::recurrent::write::{Case, Place, decided, recurrent_set};

/// Ways to choose that are considered for one path.
const VARIANTS: usize = 6;
/// Moves in a part; more are too many.
const MOVES: usize = 120;
/// Regions of a part.
const REGIONS: usize = 500;
/// Parts that one region is cut into at once.
const PIECES: usize = 40;
/// Times that a region is cut by what comes later.
const CUTS: usize = 4;
/// Stems from which regions are looked at: to each location, and in all.
const STEMS: (usize, usize) = (12, 400);
/// Regions that stems lead to are looked at for so many stems.
const SEEDS: usize = 6;

/// Looks for a recurrent component that a run reaches.
pub(crate) fn find(
    system: &TransitionSystem,
    graph: &Graph,
    ask: &mut Ask,
) -> Option<RecurrentSet> {
    let mut done = vec![false; graph.locations];
    for location in 0..graph.locations {
        if std::mem::replace(&mut done[graph.part[location]], true) {
            continue;
        }
        let Some(part) = Part::of(graph, location) else { continue };
        let mut search = Search {
            system,
            graph,
            part: &part,
            ask: &mut *ask,
            states: StateGraph::default(),
            queue: VecDeque::new(),
        };
        if let Some(found) = search.run() {
            return Some(found);
        }
        if ask.is_over() {
            return None;
        }
    }
    None
}

/// A strongly connected part with its moves.
struct Part {
    locations: Vec<usize>,
    /// Its paths, with everything chosen.
    moves: Vec<Path>,
    /// For each location of the graph, the conditions that decide about moves there, as `>= 0`.
    literals: Vec<Vec<Atom>>,
    /// The same and their opposites.
    asked: Vec<Vec<Atom>>,
}

impl Part {
    /// The part that a location is in, if it is one with cycles.
    fn of(graph: &Graph, location: usize) -> Option<Part> {
        let inside = |at: usize| graph.together(location, at);
        let mut moves = Vec::new();
        for path in graph.paths.iter().filter(|path| inside(path.from) && inside(path.to)) {
            moves.extend(chosen(path).into_iter().take(VARIANTS));
        }
        if !(1..=MOVES).contains(&moves.len()) {
            return None;
        }
        let mut literals = vec![Vec::new(); graph.locations];
        for path in &moves {
            for literal in path.atoms.iter().flat_map(halves) {
                if !literals[path.from].contains(&literal) {
                    literals[path.from].push(literal);
                }
            }
        }
        let both = |literal: &Atom| [Some(vec![literal.clone()]), opposite(literal)];
        let closed = |literals: &Vec<Atom>| {
            let mut all: Vec<Atom> = literals.iter().flat_map(both).flatten().flatten().collect();
            all.sort();
            all.dedup();
            all
        };
        let asked = literals.iter().map(closed).collect();
        let locations = (0..graph.locations).filter(|at| inside(*at)).collect();
        Some(Part { locations, moves, literals, asked })
    }
}

/// A condition as one or two of the form `>= 0`.
fn halves(atom: &Atom) -> Vec<Atom> {
    match atom {
        Atom::Ge(_) => vec![atom.clone()],
        Atom::Eq(poly) => {
            let other = poly.neg().map(Atom::Ge);
            [Some(Atom::Ge(poly.clone())), other].into_iter().flatten().collect()
        }
    }
}

struct Search<'a> {
    system: &'a TransitionSystem,
    graph: &'a Graph,
    part: &'a Part,
    ask: &'a mut Ask,
    states: StateGraph,
    queue: VecDeque<usize>,
}

impl Search<'_> {
    fn run(&mut self) -> Option<RecurrentSet> {
        for location in self.part.locations.clone() {
            self.add(Region::all(location, self.graph.variables), 0);
        }
        if let Some(found) = self.explore() {
            return Some(found);
        }
        self.seed();
        if let Some(found) = self.explore() {
            return Some(found);
        }
        while !self.is_over() && self.cut() {
            if let Some(found) = self.explore() {
                return Some(found);
            }
        }
        None
    }

    fn is_over(&self) -> bool {
        self.states.nodes.len() > REGIONS || self.ask.is_over()
    }

    /// Looks at all regions that wait.
    fn explore(&mut self) -> Option<RecurrentSet> {
        while let Some(at) = self.queue.pop_front() {
            if self.is_over() {
                return None;
            }
            self.states.propagate();
            if self.states.nodes[at].status != Status::Unknown {
                continue;
            }
            self.expand(at);
            self.states.propagate();
            if self.states.component()
                && let Some(found) = self.reached()
            {
                return Some(found);
            }
        }
        None
    }

    /// Adds a region, cut where a condition of a move holds in one part of it only.
    fn add(&mut self, region: Region, cuts: usize) -> Vec<usize> {
        let literals = &self.part.literals[region.at];
        let mut pieces = vec![region];
        for literal in literals {
            let mut finer = Vec::new();
            for piece in pieces {
                finer.extend(divided(self.ask, piece, literal));
            }
            pieces = finer;
            if pieces.len() > PIECES || self.ask.is_over() {
                break;
            }
        }
        let mut numbers = Vec::new();
        for piece in pieces {
            let (number, is_new) = self.states.add(piece, cuts);
            if is_new {
                self.queue.push_back(number);
            }
            numbers.push(number);
        }
        numbers
    }

    /// Makes all moves that can be made everywhere in a region.
    fn expand(&mut self, at: usize) {
        let region = self.states.nodes[at].region.clone();
        let cuts = self.states.nodes[at].cuts;
        let mut open = false;
        for (number, path) in self.part.moves.iter().enumerate() {
            if path.from != region.at {
                continue;
            }
            let truths: Vec<Option<bool>> =
                path.atoms.iter().map(|atom| region.truth(self.ask, atom)).collect();
            if truths.contains(&Some(false)) {
                continue;
            }
            if truths.contains(&None) {
                open = true;
                continue;
            }
            match region.after(self.ask, path, &self.part.asked[path.to]) {
                Some(after) => {
                    let targets = self.add(after, cuts);
                    self.states.nodes[at].moves.push((number, targets));
                }
                None => open = true,
            }
        }
        self.states.nodes[at].open = open;
        self.states.nodes[at].expanded = true;
    }

    /// Adds the regions that stems lead to.
    fn seed(&mut self) {
        let mut stems = Stems::new(self.graph, self.shortcuts(), 3, 100);
        let mut seeds = 0;
        while let Some(stem) = stems.next(self.ask) {
            if !self.part.locations.contains(&stem.to) {
                continue;
            }
            let width = stem.update.len() + stem.locals as usize;
            let Some(bounds) = interval::narrowed(vec![Interval::ALL; width], &stem.atoms) else {
                continue;
            };
            let bounds = stem.update.iter().map(|poly| interval::value(&bounds, poly)).collect();
            self.add(Region { at: stem.to, bounds, facts: Vec::new() }, 0);
            seeds += 1;
            if seeds >= SEEDS || self.is_over() {
                return;
            }
        }
    }

    /// Cuts regions from which only some states stay, by the conditions that decide about it one
    /// move later, and by those under which what holds goes on to hold. Says whether there was anything to cut.
    fn cut(&mut self) -> bool {
        let mut found = false;
        for at in 0..self.states.nodes.len() {
            let node = &self.states.nodes[at];
            let lost = matches!(node.status, Status::Unknown | Status::MayExit);
            if !lost || !node.expanded || node.cuts >= CUTS || node.moves.is_empty() {
                continue;
            }
            if self.is_over() {
                return found;
            }
            let (region, cuts) = (node.region.clone(), node.cuts + 1);
            // Cut once: what is left of it is in the pieces.
            self.states.nodes[at].cuts = CUTS;
            for literals in [self.deciding(at), self.lasting(at)] {
                for literal in literals {
                    let pieces = divided(self.ask, region.clone(), &literal);
                    if pieces.len() > 1 {
                        for piece in pieces {
                            self.add(piece, cuts);
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
    fn deciding(&self, at: usize) -> Vec<Atom> {
        let mut literals = Vec::new();
        for (number, targets) in &self.states.nodes[at].moves {
            let path = &self.part.moves[*number];
            let recurrent = (self.states.nodes.iter())
                .filter(|node| node.status == Status::Recurrent && node.region.at == path.to)
                .flat_map(|node| node.region.plain_atoms());
            let there = recurrent.chain(match targets.len() {
                0 | 1 => Vec::new(),
                _ => self.part.literals[path.to].clone(),
            });
            for literal in there.flat_map(|atom| halves(&atom)).filter_map(|a| path.before(&a)) {
                if literal.truth().is_none() && !literals.contains(&literal) {
                    literals.push(literal);
                }
            }
        }
        literals
    }

    /// Under what the conditions of a region last when its moves are made: that what must not be negative
    /// does not get smaller, or that the condition holds once more.
    fn lasting(&self, at: usize) -> Vec<Atom> {
        let node = &self.states.nodes[at];
        let mut literals = Vec::new();
        for (number, _) in &node.moves {
            let path = &self.part.moves[*number];
            for atom in node.region.plain_atoms().iter().flat_map(halves) {
                let Some(after) = path.before(&atom) else { continue };
                let growth = after.poly().sub(atom.poly()).map(Atom::Ge);
                for literal in growth.into_iter().chain([after]) {
                    if literal.truth().is_none() && !literals.contains(&literal) {
                        literals.push(literal);
                    }
                }
            }
        }
        literals
    }

    /// The evidence, if a stem leads into a recurrent region.
    fn reached(&mut self) -> Option<RecurrentSet> {
        let mut stems = Stems::new(self.graph, self.shortcuts(), STEMS.0, STEMS.1);
        while let Some(stem) = stems.next(self.ask) {
            let regions: Vec<Region> = (self.states.nodes.iter())
                .filter(|node| node.status == Status::Recurrent && node.region.at == stem.to)
                .map(|node| node.region.clone())
                .collect();
            for region in regions {
                let arrives = Reach { stem: Some(&stem) }.arrive(self.ask, &region.atoms());
                if let Told::Sat(values) = arrives {
                    let places = self.places(stem.to);
                    return recurrent_set(self.system, &stem, &values, &places);
                }
            }
        }
        None
    }

    fn shortcuts(&mut self) -> Vec<Vec<Path>> {
        let loops = cycles(self.graph, self.ask, 2, 12);
        loops.iter().map(|loops| shortcuts(loops.iter(), &self.graph.matters)).collect()
    }

    /// The recurrent regions as places, the one where the stem ends first.
    fn places(&self, first: usize) -> Vec<Place> {
        let nodes = &self.states.nodes;
        let inside = |at: usize| nodes[at].status == Status::Recurrent;
        let mut locations = self.part.locations.clone();
        locations.sort_by_key(|at| *at != first);
        let mut places = Vec::new();
        for location in locations {
            let here =
                (0..nodes.len()).filter(|at| inside(*at) && nodes[*at].region.at == location);
            let mut place = Place { location, cases: Vec::new(), moves: Vec::new() };
            let mut used = Vec::new();
            for at in here {
                let node = &nodes[at];
                if node.within.iter().any(|other| inside(*other)) {
                    continue;
                }
                let (atoms, multiples) = (node.region.plain_atoms(), node.region.multiples());
                place.cases.push(Case { atoms, multiples });
                let stays = |(_, to): &&(usize, Vec<usize>)| to.iter().all(|to| inside(*to));
                for (number, _) in node.moves.iter().filter(stays) {
                    if !used.contains(number) {
                        used.push(*number);
                        place.moves.push(decided(&self.part.moves[*number]));
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
fn divided(ask: &mut Ask, region: Region, literal: &Atom) -> Vec<Region> {
    if region.truth(ask, literal).is_some() {
        return vec![region];
    }
    let Some(against) = opposite(literal) else { return vec![region] };
    let pieces = [Some(literal.clone())].into_iter().chain(against.into_iter().map(Some));
    pieces.flatten().filter_map(|atom| region.with(&atom)).collect()
}
