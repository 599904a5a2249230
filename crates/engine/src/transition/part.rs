//! The paths that a run can take forever, seen from the place of the snapshot.

use std::collections::VecDeque;

use super::memory;
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::PolyAtom;
use crate::ranking::invariants::LocationInvariant;

/// A strongly connected part with a place in it.
pub(crate) struct SnapshotComponent<'a> {
    /// Where the snapshot is taken.
    pub(crate) at: usize,
    pub(crate) variables: usize,
    pub(crate) locations: Vec<usize>,
    pub(crate) steps: Vec<&'a PolyPath>,
    /// What each of them does for each pair of fairness: whether it has p, and whether it has q.
    pub(crate) meets: Vec<Vec<(bool, bool)>>,
    /// The steps, each with what was.
    pub(crate) remembering: Vec<PolyPath>,
    /// What holds at each location, and at the place what held when the snapshot was taken.
    known: Vec<Vec<PolyAtom>>,
    held: Vec<PolyAtom>,
    /// How many steps it is from each location to the place.
    distance: Vec<usize>,
}

impl<'a> SnapshotComponent<'a> {
    /// The part that these paths are; `None` if numbers become too large.
    pub(crate) fn new(
        graph: &'a PathGraph,
        invariants: &[LocationInvariant],
        paths: &[usize],
        at: usize,
    ) -> Option<SnapshotComponent<'a>> {
        let steps: Vec<&PolyPath> = paths.iter().map(|path| &graph.paths[*path]).collect();
        let remembering: Option<Vec<PolyPath>> =
            steps.iter().map(|step| memory::remembering_path(step)).collect();
        let meets = steps.iter().map(|step| graph.pair_progress(step)).collect();
        let mut locations: Vec<usize> = steps.iter().map(|step| step.from).collect();
        locations.sort_unstable();
        locations.dedup();
        let mut distance = vec![usize::MAX; graph.locations];
        distance[at] = 0;
        let mut pending = VecDeque::from([at]);
        while let Some(to) = pending.pop_front() {
            for step in steps.iter().filter(|step| step.to == to) {
                if distance[step.from] == usize::MAX {
                    distance[step.from] = distance[to] + 1;
                    pending.push_back(step.from);
                }
            }
        }
        let known: Vec<Vec<PolyAtom>> =
            invariants.iter().map(|known| known.clone().unwrap_or_default()).collect();
        let variables = graph.variables;
        let held: Option<Vec<PolyAtom>> =
            known[at].iter().map(|atom| memory::atom_at_snapshot(atom, variables)).collect();
        let (remembering, held) = (remembering?, held?);
        Some(SnapshotComponent {
            at,
            variables,
            locations,
            steps,
            meets,
            remembering,
            known,
            held,
            distance,
        })
    }

    /// What holds at a location, and what held when the snapshot was taken.
    pub(crate) fn known_atoms(&self, location: usize) -> impl Iterator<Item = &PolyAtom> {
        self.known[location].iter().chain(&self.held)
    }

    /// What holds at the place, whenever it is.
    pub(crate) fn known_at_place(&self) -> &[PolyAtom] {
        &self.known[self.at]
    }

    /// Steps by which a run comes nearer to the place and to this location.
    pub(crate) fn steps_nearer(&self, to: usize) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(move |step| {
            let step = self.steps[*step];
            step.to == to && self.distance[step.from] > self.distance[to]
        })
    }
}
