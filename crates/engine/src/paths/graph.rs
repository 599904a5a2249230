//! A system as a graph of paths, made small: only what can matter, and no location that is merely
//! passed through.

use ouro_model::ids::EdgeId;
use ouro_model::transition::{EdgeCompassionPair, TransitionSystem};

use super::ask::PolySolver;
use super::lower::{self, ApproximationMode, BitVectorReading};
use super::path::{PathFailure, PathSegment, PolyPath};
use super::poly::{IntegerPolynomial, PolyVar};
use crate::Limits;

/// A graph of paths between locations.
pub(crate) struct PathGraph {
    /// Variables of the state.
    pub(crate) variables: usize,
    /// Where runs start.
    pub(crate) start: usize,
    pub(crate) locations: usize,
    pub(crate) paths: Vec<PolyPath>,
    /// For each location, the paths that leave it.
    pub(crate) out: Vec<Vec<usize>>,
    /// For each location, the strongly connected part it is in.
    pub(crate) part: Vec<usize>,
    /// Whether a variable can have an influence on what is done.
    pub(crate) matters: Vec<bool>,
    /// The system's pairs of fairness.
    pub(crate) fairness: Vec<EdgeCompassionPair>,
    /// How much is tried with it.
    pub(crate) limits: Limits,
}

impl PathGraph {
    /// The graph of a system; `None` if it is too large.
    pub(crate) fn new(
        system: &TransitionSystem,
        ask: &mut PolySolver,
        mode: ApproximationMode,
    ) -> Option<PathGraph> {
        PathGraph::new_with_reading(system, BitVectorReading::default(), ask, mode)
    }

    /// The graph of a system whose bit-vectors are read in a certain way.
    pub(crate) fn new_with_reading(
        system: &TransitionSystem,
        reading: BitVectorReading<'_>,
        ask: &mut PolySolver,
        mode: ApproximationMode,
    ) -> Option<PathGraph> {
        let mut paths = Vec::new();
        for (id, edge) in system.edges.enumerate() {
            paths.extend(lower::edge_paths(system, id.0, edge, reading, mode)?);
            if paths.len() > reading.limits.paths || ask.is_out_of_time() {
                return None;
            }
        }
        let variables = system.variables.len();
        let initial = system.initial.0 as usize;
        let mut locations = system.locations.len();
        let (ways, locals) = lower::initial_alternatives(system, reading, mode)?;
        let mut start = initial;
        let free = ways.len() == 1 && ways[0].is_empty();
        if !free || paths.iter().any(|path| path.to == initial) {
            // A start of its own, with the condition on the way to the initial location.
            start = locations;
            locations += 1;
            for atoms in ways {
                let path =
                    PolyPath { atoms, locals, to: initial, ..PolyPath::empty(start, variables) };
                match path.simplified() {
                    Ok(path) => paths.push(path),
                    Err(PathFailure::TooLarge) => return None,
                    Err(PathFailure::Impossible) => {}
                }
            }
        }
        let mut graph = PathGraph {
            variables,
            start,
            locations,
            paths,
            out: Vec::new(),
            part: Vec::new(),
            matters: Vec::new(),
            fairness: system.fairness.clone(),
            limits: reading.limits,
        };
        graph.slice_variables();
        graph.remove_useless_paths();
        graph.chain_paths(ask, mode)?;
        graph.slice_variables();
        graph.index_paths();
        Some(graph)
    }

    /// The same start and variables with other locations and paths.
    pub(crate) fn with_paths(&self, locations: usize, paths: Vec<PolyPath>) -> PathGraph {
        let (out, part, matters) = (Vec::new(), Vec::new(), self.matters.clone());
        let fairness = self.fairness.clone();
        let mut graph = PathGraph { locations, paths, out, part, matters, fairness, ..*self };
        graph.index_paths();
        graph
    }

    /// What a path does for each pair: whether it has p, and whether it has q.
    pub(crate) fn pair_progress(&self, path: &PolyPath) -> Vec<(bool, bool)> {
        if self.fairness.is_empty() {
            return Vec::new();
        }
        let edges = path.edges();
        let has = |wanted: &[EdgeId]| wanted.iter().any(|edge| edges.contains(&edge.0));
        self.fairness.iter().map(|pair| (has(&pair.p), has(&pair.q))).collect()
    }

    /// Whether a run that takes a path again and again is fair.
    pub(crate) fn is_fair_path(&self, path: &PolyPath) -> bool {
        self.pair_progress(path).iter().all(|(p, q)| *q || !*p)
    }

    /// Whether two locations are in one strongly connected part.
    pub(crate) fn in_same_component(&self, a: usize, b: usize) -> bool {
        self.part[a] == self.part[b]
    }

    /// Variables that no condition depends on, however indirectly, are forgotten.
    fn slice_variables(&mut self) {
        let mut matters = vec![false; self.variables];
        let mark = |poly: &IntegerPolynomial, matters: &mut Vec<bool>| {
            let mut changed = false;
            for var in poly.vars() {
                if (var as usize) < matters.len() && !matters[var as usize] {
                    matters[var as usize] = true;
                    changed = true;
                }
            }
            changed
        };
        // A local variable in a condition relates that to all updates that have it too.
        for path in &self.paths {
            for atom in &path.atoms {
                mark(atom.poly(), &mut matters);
            }
            // An equation that gave a choice its value is no condition any more, but still one.
            for segment in &path.segments {
                if let PathSegment::Edge { choices, .. } = segment {
                    for choice in choices {
                        mark(choice, &mut matters);
                    }
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for path in &self.paths {
                for (var, update) in path.update.iter().enumerate() {
                    if matters[var] {
                        changed |= mark(update, &mut matters);
                    }
                }
            }
        }
        for path in &mut self.paths {
            for (var, update) in path.update.iter_mut().enumerate() {
                if !matters[var] {
                    *update = IntegerPolynomial::var(var as PolyVar);
                }
            }
        }
        self.matters = matters;
    }

    /// Forgets what the start does not reach and what leads to no cycle.
    fn remove_useless_paths(&mut self) {
        self.index_paths();
        let mut reached = vec![false; self.locations];
        let mut pending = vec![self.start];
        reached[self.start] = true;
        while let Some(at) = pending.pop() {
            for path in &self.out[at] {
                let to = self.paths[*path].to;
                if !reached[to] {
                    reached[to] = true;
                    pending.push(to);
                }
            }
        }
        let mut useful = vec![false; self.locations];
        for path in &self.paths {
            if self.in_same_component(path.from, path.to) {
                useful[path.from] = true;
                useful[path.to] = true;
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for path in &self.paths {
                if useful[path.to] && !useful[path.from] {
                    useful[path.from] = true;
                    changed = true;
                }
            }
        }
        self.paths.retain(|path| reached[path.from] && useful[path.from] && useful[path.to]);
        self.index_paths();
    }

    /// Joins the paths through locations that are no cycle by themselves, where that does not make
    /// more of them.
    fn chain_paths(&mut self, ask: &mut PolySolver, mode: ApproximationMode) -> Option<()> {
        let feasible = |ask: &mut PolySolver, path: &PolyPath| {
            path.atoms.len() < 2 || !ask.check_sat(&path.atoms).is_unsat()
        };
        let mut paths = std::mem::take(&mut self.paths);
        paths.retain(|path| feasible(ask, path));
        let mut kept = vec![false; self.locations];
        kept[self.start] = true;
        loop {
            if ask.is_out_of_time() {
                break;
            }
            let mut into = vec![0_usize; self.locations];
            let mut from = vec![0_usize; self.locations];
            for path in &paths {
                into[path.to] += 1;
                from[path.from] += 1;
                if path.to == path.from {
                    kept[path.to] = true;
                }
            }
            let growth = |at: usize| (into[at] * from[at]).saturating_sub(into[at] + from[at]);
            let candidates = (0..self.locations).filter(|at| !kept[*at] && into[*at] > 0);
            let Some(best) = candidates.min_by_key(|at| growth(*at)) else { break };
            if growth(best) > 2 && (into[best].min(from[best]) > 1 || growth(best) > 20) {
                break;
            }
            let (through, mut rest): (Vec<PolyPath>, Vec<PolyPath>) =
                paths.into_iter().partition(|path| path.from == best || path.to == best);
            let (before, after): (Vec<PolyPath>, Vec<PolyPath>) =
                through.into_iter().partition(|path| path.to == best);
            for first in &before {
                for second in &after {
                    match first.followed_by(second) {
                        Ok(path) if feasible(ask, &path) => rest.push(path),
                        Err(PathFailure::TooLarge) if mode == ApproximationMode::Over => {
                            return None;
                        }
                        Ok(_) | Err(_) => {}
                    }
                }
            }
            paths = rest;
        }
        self.paths = paths;
        self.remove_useless_paths();
        Some(())
    }

    fn index_paths(&mut self) {
        self.out = vec![Vec::new(); self.locations];
        for (at, path) in self.paths.iter().enumerate() {
            self.out[path.from].push(at);
        }
        let paths = &self.paths;
        self.part =
            strongly_connected_components(self.locations, &self.out, &|path| paths[path].to);
    }
}

/// The strongly connected part of each location (Tarjan, without recursion). A part has a smaller
/// number than those from which it can be reached.
pub(crate) fn strongly_connected_components(
    locations: usize,
    out: &[Vec<usize>],
    target: &dyn Fn(usize) -> usize,
) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut order, mut low) = (vec![NEW; locations], vec![0; locations]);
    let mut part = vec![NEW; locations];
    let (mut stack, mut next, mut parts) = (Vec::new(), 0, 0);
    for root in 0..locations {
        if order[root] != NEW {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some((at, child)) = calls.pop() {
            if child == 0 {
                order[at] = next;
                low[at] = next;
                next += 1;
                stack.push(at);
            }
            let mut descend = None;
            for (index, path) in out[at].iter().enumerate().skip(child) {
                let to = target(*path);
                if order[to] == NEW {
                    descend = Some((index, to));
                    break;
                }
                if part[to] == NEW {
                    low[at] = low[at].min(order[to]);
                }
            }
            if let Some((index, to)) = descend {
                // Looked at again when the child is done: its number is then known.
                calls.push((at, index + 1));
                calls.push((to, 0));
                continue;
            }
            for path in &out[at] {
                let to = target(*path);
                if part[to] == NEW && order[to] > order[at] {
                    low[at] = low[at].min(low[to]);
                }
            }
            if low[at] == order[at] {
                while let Some(member) = stack.pop() {
                    part[member] = parts;
                    if member == at {
                        break;
                    }
                }
                parts += 1;
            }
        }
    }
    part
}
