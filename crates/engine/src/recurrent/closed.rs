//! Closed recurrence sets over a whole strongly connected part, by refinement.
//!
//! Every location of the part has a set, at first all states. While some state of a set has no move
//! into the sets (it can only leave, or is stuck, or its moves lead out of their targets' sets), the
//! set gets one more condition that excludes it: a condition that a move needs and the state does
//! not meet, or one that the move's target needs, taken back through the move. Which condition is a
//! matter of search; sets that no stem reaches are given up. What remains is closed, whatever way
//! the run takes through the part: nested loops whose inner one takes longer each time, and runs
//! that never repeat, need nothing special.

use crate::lassos::choices::choose_locals;
use crate::lassos::strengthen::ReachRequirement;
use crate::lassos::write::{RecurrentPlace, RecurrentPlaceCase, decide_path};
use crate::limits::RECURRENT_SET_LIMITS;
use crate::paths::ask::{PolyAnswer, PolySolver, VarValues, negate_atom};
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::{PolyAtom, PolyVar};

/// A part with its moves, ready for searches from several stems.
pub(crate) struct ClosedSetComponent {
    /// Its locations.
    locations: Vec<usize>,
    /// Its paths, with everything chosen.
    moves: Vec<PolyPath>,
}

/// Sets for the locations of a part.
type LocationSets = Vec<Vec<PolyAtom>>;

impl ClosedSetComponent {
    /// The part that a location is in, if it is one with cycles.
    pub(crate) fn containing_location(
        graph: &PathGraph,
        location: usize,
    ) -> Option<ClosedSetComponent> {
        let locations: Vec<usize> = (0..graph.locations)
            .filter(|other| graph.in_same_component(location, *other))
            .collect();
        let mut moves = Vec::new();
        for path in &graph.paths {
            if graph.in_same_component(location, path.from)
                && graph.in_same_component(location, path.to)
            {
                moves.extend(choose_locals(path).into_iter().take(RECURRENT_SET_LIMITS.choices));
            }
        }
        ((1..=RECURRENT_SET_LIMITS.moves).contains(&moves.len()))
            .then_some(ClosedSetComponent { locations, moves })
    }

    /// The sets that a stem leads into, as places, the stem's end first.
    pub(crate) fn search_from_stem(
        &self,
        ask: &mut PolySolver,
        stem: &PolyPath,
    ) -> Option<(Vec<RecurrentPlace>, VarValues)> {
        let entry = self.locations.iter().position(|at| *at == stem.to)?;
        let mut search = SetRefinement {
            part: self,
            ask,
            reach: ReachRequirement { stem: Some(stem) },
            entry,
            queries: 0,
        };
        let sets = search
            .refine_sets(vec![Vec::new(); self.locations.len()], RECURRENT_SET_LIMITS.conditions)?;
        let values = search.reach.find_arrival(search.ask, &sets[entry]).into_values()?;
        Some((self.sets_as_places(ask, &sets, entry), values))
    }

    fn location_index(&self, location: usize) -> usize {
        self.locations.iter().position(|at| *at == location).expect("moves stay in the part")
    }

    fn sets_as_places(
        &self,
        ask: &mut PolySolver,
        sets: &LocationSets,
        entry: usize,
    ) -> Vec<RecurrentPlace> {
        let alive: Vec<bool> = sets.iter().map(|set| !ask.check_sat(set).is_unsat()).collect();
        let mut order: Vec<usize> = (0..self.locations.len()).filter(|at| alive[*at]).collect();
        order.sort_by_key(|at| *at != entry);
        let place = |at: usize| {
            let moves = self.moves.iter().filter(|path| {
                path.from == self.locations[at] && alive[self.location_index(path.to)]
            });
            RecurrentPlace {
                location: self.locations[at],
                cases: vec![RecurrentPlaceCase { atoms: sets[at].clone(), multiples: Vec::new() }],
                moves: moves.map(decide_path).collect(),
            }
        };
        order.into_iter().map(place).collect()
    }
}

struct SetRefinement<'a> {
    part: &'a ClosedSetComponent,
    ask: &'a mut PolySolver,
    reach: ReachRequirement<'a>,
    entry: usize,
    queries: usize,
}

impl SetRefinement<'_> {
    fn refine_sets(&mut self, sets: LocationSets, depth: usize) -> Option<LocationSets> {
        let Some((at, state)) = self.find_stuck_state(&sets)? else { return Some(sets) };
        if depth == 0 {
            return None;
        }
        for atom in self.excluding_atoms(&sets, at, &state)? {
            let mut next = sets.clone();
            next[at].push(atom);
            self.queries += 1;
            if self.queries > RECURRENT_SET_LIMITS.queries || self.ask.is_out_of_time() {
                return None;
            }
            let possible = match at == self.entry {
                true => matches!(self.reach.find_arrival(self.ask, &next[at]), PolyAnswer::Sat(_)),
                false => true,
            };
            if possible && let Some(closed) = self.refine_sets(next, depth - 1) {
                return Some(closed);
            }
        }
        None
    }

    /// A state of a set that has no move into the sets; `None` outside if nobody knows.
    fn find_stuck_state(&mut self, sets: &LocationSets) -> Option<Option<(usize, VarValues)>> {
        for at in 0..sets.len() {
            let mut clauses = Vec::new();
            for path in self.moves_from(at) {
                let mut clause = Vec::new();
                for atom in self.move_precondition(sets, path)? {
                    clause.extend(negate_atom(&atom)?);
                }
                clauses.push(clause);
            }
            self.queries += 1;
            match self.ask.check_sat_clauses(&sets[at], &clauses) {
                PolyAnswer::Sat(state) => return Some(Some((at, state))),
                PolyAnswer::Unsat => {}
                PolyAnswer::Unknown => return None,
            }
        }
        Some(None)
    }

    fn moves_from(&self, at: usize) -> impl Iterator<Item = &PolyPath> + use<'_> {
        self.part.moves.iter().filter(move |path| path.from == self.part.locations[at])
    }

    /// What must hold for a move to be made into the sets.
    fn move_precondition(&self, sets: &LocationSets, path: &PolyPath) -> Option<Vec<PolyAtom>> {
        let mut needs = path.atoms.clone();
        for atom in &sets[self.part.location_index(path.to)] {
            needs.push(path.precondition_of(atom)?);
        }
        Some(needs)
    }

    /// Conditions that exclude a state: those of its moves that it does not meet, the weakest
    /// first: equations last, those that several moves need before others.
    fn excluding_atoms(
        &self,
        sets: &LocationSets,
        at: usize,
        state: &VarValues,
    ) -> Option<Vec<PolyAtom>> {
        let of = |var: PolyVar| state.value_of(var);
        let mut options: Vec<(PolyAtom, usize)> = Vec::new();
        for path in self.moves_from(at) {
            for need in self.move_precondition(sets, path)? {
                for atom in weaker_atoms(need)? {
                    if atom.constant_truth().is_some() || atom.holds_under(&of) {
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
            let simple = atom.poly().monomials().count();
            (matches!(atom, PolyAtom::Eq(_)), std::cmp::Reverse(*count), simple)
        });
        options.truncate(12);
        Some(options.into_iter().map(|(atom, _)| atom).collect())
    }
}

/// A condition and weaker ones: what two moves need apart from each other, such as `x > y` and
/// `x = y`, is what they need together, `x >= y`.
fn weaker_atoms(atom: PolyAtom) -> Option<Vec<PolyAtom>> {
    Some(match &atom {
        PolyAtom::Ge(poly) => vec![PolyAtom::Ge(poly.plus_constant(1)?), atom],
        PolyAtom::Eq(poly) => vec![PolyAtom::Ge(poly.clone()), PolyAtom::Ge(poly.neg()?), atom],
    })
}
