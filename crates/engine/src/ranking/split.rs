//! Locations split into cases: a function for each side of a condition, where one function for all
//! states does not exist.
//!
//! Where no ranking is found for some paths, the locations that they leave are split by what decides
//! between these paths: their conditions, and whether a step goes up or down. A path is then one for
//! each case that it can start in and each that it can end in, and most of those are impossible. So
//! what happens in phases becomes a sequence of parts, and what goes up here and down there gets a
//! function for each. The conditions of a case are conditions of the paths from it, so all else is
//! as it was; `write` makes one location of all cases again.

use std::collections::{BTreeMap, BTreeSet};

use super::invariants::LocationInvariant;
use super::lexicographic::StuckPaths;
use crate::paths::ask::{PolySolver, negate_atom};
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// A location of the split graph.
#[derive(Clone, Debug)]
pub(crate) struct SplitCase {
    /// The location of the system.
    pub(crate) origin: usize,
    /// In which of its states this is; the cases of a location exclude each other.
    pub(crate) atoms: Vec<PolyAtom>,
}

/// A graph with the case that each location is.
pub(crate) struct SplitGraph {
    pub(crate) graph: PathGraph,
    pub(crate) cases: Vec<SplitCase>,
}

impl SplitGraph {
    /// Each location as one case.
    pub(crate) fn without_splits(graph: PathGraph) -> SplitGraph {
        let case = |origin| SplitCase { origin, atoms: Vec::new() };
        SplitGraph { cases: (0..graph.locations).map(case).collect(), graph }
    }

    /// Of a loop that nothing ends, what leads there decides; of others, they themselves.
    fn decisive_paths(&self, stuck: &StuckPaths) -> StuckPaths {
        let paths = &self.graph.paths;
        let endless = |path: &usize| {
            let path = &paths[*path];
            path.from == path.to && path.atoms.is_empty()
        };
        if !stuck.0.iter().all(endless) {
            return StuckPaths(stuck.0.clone());
        }
        let at: BTreeSet<usize> = stuck.0.iter().map(|path| paths[*path].from).collect();
        // Where runs start is one case: they may be in any of its states.
        let leads = |path: &usize| {
            let path = &paths[*path];
            let splits = path.from != self.graph.start && !at.contains(&path.from);
            at.contains(&path.to) && splits
        };
        StuckPaths((0..paths.len()).filter(leads).collect())
    }

    /// Splits where paths are stuck; `None` if nothing says how, or that gives too many paths.
    pub(crate) fn split_further(
        &self,
        invariants: &[LocationInvariant],
        stuck: &StuckPaths,
        ask: &mut PolySolver,
    ) -> Option<SplitGraph> {
        let stuck = &self.decisive_paths(stuck);
        let conditions = splitting_conditions(&self.graph, stuck);
        let at: BTreeSet<usize> = stuck.0.iter().map(|path| self.graph.paths[*path].from).collect();
        let by = at.into_iter().map(|at| (at, conditions.clone())).collect();
        self.split_by(&by, invariants, ask)
    }

    /// Splits off the states from which no path goes on, where a path leads only to such: of a number that wraps around,
    /// the step over the end of its type may be the last one. Otherwise a ranking would have to get smaller on that
    /// path, too, and would need factors as large as the type for it.
    pub(crate) fn split_dead_ends(&self, ask: &mut PolySolver) -> Option<SplitGraph> {
        let paths = &self.graph.paths;
        let mut by: BTreeMap<usize, Vec<PolyAtom>> = BTreeMap::new();
        let part = &self.graph.part;
        for last in paths.iter().filter(|path| part[path.from] == part[path.to]) {
            let mut leaving = self.graph.out[last.to].iter().map(|path| &paths[*path]);
            let Some(first) = leaving.next() else { continue };
            let mut needed = first.atoms.clone();
            leaving.for_each(|path| needed.retain(|atom| path.atoms.contains(atom)));
            let is_split = |atom: &&PolyAtom| {
                let is_state = |var: &PolyVar| (*var as usize) < self.graph.variables;
                matches!(atom, PolyAtom::Ge(_))
                    && atom.poly().is_linear()
                    && atom.poly().vars().iter().all(is_state)
            };
            for atom in needed.iter().filter(is_split) {
                let Some(goes_on) = last.precondition_of(atom) else { continue };
                let all = last.atoms.iter().chain([&goes_on]);
                if ask.check_sat_relaxed(all, &[]).is_unsat() {
                    let found = by.entry(last.to).or_default();
                    if !found.contains(atom) {
                        found.push(atom.clone());
                    }
                    break;
                }
            }
        }
        let nothing = vec![Some(Vec::new()); self.graph.locations];
        if by.is_empty() { None } else { self.split_by(&by, &nothing, ask) }
    }

    /// Splits locations by conditions.
    fn split_by(
        &self,
        by: &BTreeMap<usize, Vec<PolyAtom>>,
        invariants: &[LocationInvariant],
        ask: &mut PolySolver,
    ) -> Option<SplitGraph> {
        let mut cases = self.cases.clone();
        // For each location, where its cases are; the first one takes its place.
        let mut split: Vec<Vec<usize>> = (0..self.graph.locations).map(|at| vec![at]).collect();
        for (at, conditions) in by {
            let at = *at;
            let (known, most) = (invariants[at].as_deref(), self.graph.limits.cases);
            let parts = location_cases(conditions, known.unwrap_or_default(), most, ask);
            let before = self.cases[at].atoms.clone();
            for (number, part) in parts.into_iter().enumerate() {
                let atoms = before.iter().cloned().chain(part).collect();
                let case = SplitCase { origin: self.cases[at].origin, atoms };
                if number == 0 {
                    cases[at] = case;
                } else {
                    split[at].push(cases.len());
                    cases.push(case);
                }
            }
        }
        if cases.len() == self.cases.len() {
            return None;
        }
        let mut paths = Vec::new();
        for path in &self.graph.paths {
            let Some(known) = &invariants[path.from] else { continue };
            for from in &split[path.from] {
                let Some(started) = path_under(path, &cases[*from].atoms, known, ask)? else {
                    continue;
                };
                for to in &split[path.to] {
                    let ends: Option<Vec<PolyAtom>> =
                        cases[*to].atoms.iter().map(|atom| path.precondition_of(atom)).collect();
                    if let Some(whole) = path_under(&started, &ends?, known, ask)? {
                        paths.push(PolyPath { from: *from, to: *to, ..whole });
                    }
                }
            }
            if paths.len() > self.graph.limits.split_paths || ask.is_out_of_time() {
                return None;
            }
        }
        Some(SplitGraph { graph: self.graph.with_paths(cases.len(), paths), cases })
    }
}

/// A path under further conditions; `Some(None)` if it is impossible then.
fn path_under(
    path: &PolyPath,
    atoms: &[PolyAtom],
    known: &[PolyAtom],
    ask: &mut PolySolver,
) -> Option<Option<PolyPath>> {
    let mut path = path.clone();
    for atom in atoms {
        match atom.constant_truth() {
            Some(true) => {}
            Some(false) => return Some(None),
            None if path.atoms.contains(atom) => {}
            None => path.atoms.push(atom.clone()),
        }
    }
    let all: Vec<PolyAtom> = path.atoms.iter().chain(known).cloned().collect();
    Some((!ask.check_sat_relaxed(&all, &[]).is_unsat()).then_some(path))
}

/// Conditions to split by, the most promising first.
fn splitting_conditions(graph: &PathGraph, stuck: &StuckPaths) -> Vec<PolyAtom> {
    let mut found: Vec<PolyAtom> = Vec::new();
    let mut add = |poly: &IntegerPolynomial| {
        let is_state = poly.vars().iter().all(|var| (*var as usize) < graph.variables);
        let Some(other) = poly.neg().and_then(|poly| poly.plus_constant(-1)) else { return };
        if is_state && poly.is_linear() && poly.as_constant().is_none() {
            // A condition and its opposite split alike.
            let atom = PolyAtom::Ge(poly.tightened().max(other.tightened()));
            if !found.contains(&atom) {
                found.push(atom);
            }
        }
    };
    for path in stuck.0.iter().map(|path| &graph.paths[*path]) {
        for atom in &path.atoms {
            add(atom.poly());
            if let PolyAtom::Eq(poly) = atom
                && let Some(other) = poly.neg()
            {
                add(&other);
            }
        }
    }
    for path in stuck.0.iter().map(|path| &graph.paths[*path]) {
        for (var, update) in path.update.iter().enumerate() {
            let step = update.sub(&IntegerPolynomial::var(var as PolyVar));
            if graph.matters[var]
                && let Some(step) = step
            {
                add(&step);
                if let Some(down) = step.neg() {
                    add(&down);
                }
            }
        }
    }
    found
}

/// The cases of a location, as far as conditions can tell its states apart.
fn location_cases(
    conditions: &[PolyAtom],
    known: &[PolyAtom],
    most: usize,
    ask: &mut PolySolver,
) -> Vec<Vec<PolyAtom>> {
    let mut parts: Vec<Vec<PolyAtom>> = vec![Vec::new()];
    for condition in conditions {
        let Some(other) = negate_atom(condition).and_then(|mut all| all.pop()) else { continue };
        let mut next = Vec::new();
        for part in &parts {
            let both = [condition, &other].map(|atom| {
                let mut all = part.clone();
                all.retain(|weak| !is_weaker_atom(weak, atom));
                all.push(atom.clone());
                let sat = !ask.check_sat_relaxed(all.iter().chain(known), &[]).is_unsat();
                sat.then_some(all)
            });
            match both {
                [Some(one), Some(two)] => next.extend([one, two]),
                _ => next.push(part.clone()),
            }
        }
        if next.len() <= most {
            parts = next;
        }
    }
    parts
}

/// Whether a condition says less than another that differs in the constant only.
fn is_weaker_atom(weak: &PolyAtom, strong: &PolyAtom) -> bool {
    let (PolyAtom::Ge(weak), PolyAtom::Ge(strong)) = (weak, strong) else { return false };
    weak.constant_part() >= strong.constant_part()
        && weak.without_constant() == strong.without_constant()
}
