//! Closed recurrence sets over a whole strongly connected part, by refinement.
//!
//! Every location of the part has a set, at first all states. While some state of a set has no move
//! into the sets (it can only leave, or is stuck, or its moves lead out of their targets' sets), the
//! set gets one more condition that excludes it: a condition that a move needs and the state does
//! not meet, or one that the move's target needs, taken back through the move. Which condition is a
//! matter of search; sets that no stem reaches are given up. What remains is closed, whatever way
//! the run takes through the part: nested loops whose inner one takes longer each time, and runs
//! that never repeat, need nothing special.

use super::choices::chosen;
use super::strengthen::Reach;
use super::write::{Case, Place, decided};
use crate::paths::ask::{Ask, Told, Values, opposite};
use crate::paths::graph::Graph;
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Var};

/// Conditions that are added at most.
const DEPTH: usize = 10;
/// Questions that one search may cost.
const QUERIES: usize = 400;
/// Ways to choose that are considered for one path.
const VARIANTS: usize = 4;
/// Moves in a part; more are too many.
const MOVES: usize = 80;

/// A part with its moves, ready for searches from several stems.
pub(crate) struct Part {
    /// Its locations.
    locations: Vec<usize>,
    /// Its paths, with everything chosen.
    moves: Vec<Path>,
}

/// Sets for the locations of a part.
type Sets = Vec<Vec<Atom>>;

impl Part {
    /// The part that a location is in, if it is one with cycles.
    pub(crate) fn of(graph: &Graph, location: usize) -> Option<Part> {
        let locations: Vec<usize> =
            (0..graph.locations).filter(|other| graph.together(location, *other)).collect();
        let mut moves = Vec::new();
        for path in &graph.paths {
            if graph.together(location, path.from) && graph.together(location, path.to) {
                moves.extend(chosen(path).into_iter().take(VARIANTS));
            }
        }
        ((1..=MOVES).contains(&moves.len())).then_some(Part { locations, moves })
    }

    /// The sets that a stem leads into, as places, the stem's end first.
    pub(crate) fn search(&self, ask: &mut Ask, stem: &Path) -> Option<(Vec<Place>, Values)> {
        let entry = self.locations.iter().position(|at| *at == stem.to)?;
        let mut search =
            Search { part: self, ask, reach: Reach { stem: Some(stem) }, entry, queries: 0 };
        let sets = search.from(vec![Vec::new(); self.locations.len()], DEPTH)?;
        let values = search.reach.arrive(search.ask, &sets[entry]).values()?;
        Some((self.places(ask, &sets, entry), values))
    }

    fn index(&self, location: usize) -> usize {
        self.locations.iter().position(|at| *at == location).expect("moves stay in the part")
    }

    fn places(&self, ask: &mut Ask, sets: &Sets, entry: usize) -> Vec<Place> {
        let alive: Vec<bool> = sets.iter().map(|set| !ask.sat(set).is_unsat()).collect();
        let mut order: Vec<usize> = (0..self.locations.len()).filter(|at| alive[*at]).collect();
        order.sort_by_key(|at| *at != entry);
        let place = |at: usize| {
            let moves = self
                .moves
                .iter()
                .filter(|path| path.from == self.locations[at] && alive[self.index(path.to)]);
            Place {
                location: self.locations[at],
                cases: vec![Case { atoms: sets[at].clone(), multiples: Vec::new() }],
                moves: moves.map(decided).collect(),
            }
        };
        order.into_iter().map(place).collect()
    }
}

struct Search<'a> {
    part: &'a Part,
    ask: &'a mut Ask,
    reach: Reach<'a>,
    entry: usize,
    queries: usize,
}

impl Search<'_> {
    fn from(&mut self, sets: Sets, depth: usize) -> Option<Sets> {
        let Some((at, state)) = self.stuck(&sets)? else { return Some(sets) };
        if depth == 0 {
            return None;
        }
        for atom in self.options(&sets, at, &state)? {
            let mut next = sets.clone();
            next[at].push(atom);
            self.queries += 1;
            if self.queries > QUERIES || self.ask.is_over() {
                return None;
            }
            let possible = match at == self.entry {
                true => matches!(self.reach.arrive(self.ask, &next[at]), Told::Sat(_)),
                false => true,
            };
            if possible && let Some(closed) = self.from(next, depth - 1) {
                return Some(closed);
            }
        }
        None
    }

    /// A state of a set that has no move into the sets; `None` outside if nobody knows.
    fn stuck(&mut self, sets: &Sets) -> Option<Option<(usize, Values)>> {
        for at in 0..sets.len() {
            let mut clauses = Vec::new();
            for path in self.moves(at) {
                let mut clause = Vec::new();
                for atom in self.needs(sets, path)? {
                    clause.extend(opposite(&atom)?);
                }
                clauses.push(clause);
            }
            self.queries += 1;
            match self.ask.sat_clauses(&sets[at], &clauses) {
                Told::Sat(state) => return Some(Some((at, state))),
                Told::Unsat => {}
                Told::Unknown => return None,
            }
        }
        Some(None)
    }

    fn moves(&self, at: usize) -> impl Iterator<Item = &Path> + use<'_> {
        self.part.moves.iter().filter(move |path| path.from == self.part.locations[at])
    }

    /// What must hold for a move to be made into the sets.
    fn needs(&self, sets: &Sets, path: &Path) -> Option<Vec<Atom>> {
        let mut needs = path.atoms.clone();
        for atom in &sets[self.part.index(path.to)] {
            needs.push(path.before(atom)?);
        }
        Some(needs)
    }

    /// Conditions that exclude a state: those of its moves that it does not meet, the weakest
    /// first: equations last, those that several moves need before others.
    fn options(&self, sets: &Sets, at: usize, state: &Values) -> Option<Vec<Atom>> {
        let of = |var: Var| state.of(var);
        let mut options: Vec<(Atom, usize)> = Vec::new();
        for path in self.moves(at) {
            for need in self.needs(sets, path)? {
                for atom in weaker(need)? {
                    if atom.truth().is_some() || atom.holds(&of) {
                        continue;
                    }
                    match options.iter_mut().find(|(known, _)| *known == atom) {
                        Some((_, count)) => *count += 1,
                        None => options.push((atom, 1)),
                    }
                }
            }
        }
        options.sort_by_key(|(atom, count)| {
            let simple = atom.poly().parts().count();
            (matches!(atom, Atom::Eq(_)), std::cmp::Reverse(*count), simple)
        });
        options.truncate(12);
        Some(options.into_iter().map(|(atom, _)| atom).collect())
    }
}

/// A condition and weaker ones: what two moves need apart from each other, such as `x > y` and
/// `x = y`, is what they need together, `x >= y`.
fn weaker(atom: Atom) -> Option<Vec<Atom>> {
    Some(match &atom {
        Atom::Ge(poly) => vec![Atom::Ge(poly.plus(1)?), atom],
        Atom::Eq(poly) => vec![Atom::Ge(poly.clone()), Atom::Ge(poly.neg()?), atom],
    })
}
