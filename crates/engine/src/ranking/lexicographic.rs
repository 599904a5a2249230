//! Lexicographic rankings: in each strongly connected part a function that no path makes larger
//! (`functions`). The paths that make it smaller can be taken only finitely often in a row of the
//! others, and are taken away; the rest falls into smaller parts, until no cycle is left.
//!
//! Pairs of fairness come first: in a part in which no path has q, a fair run takes paths with p only
//! finitely often, so those are taken away. Each part has its own pairs; elsewhere they do not count.

use std::collections::BTreeSet;
use std::time::Duration;

use ouro_solver::clock;

use super::farkas::FarkasPremise;
use super::functions::{self, RankingElement, RankingTemplate};
use super::invariants::LocationInvariant;
use super::simpler::simpler;
use crate::EngineSettings;
use crate::paths::ask::PolySolver;
use crate::paths::graph::{PathGraph, strongly_connected_components};
use crate::paths::poly::PolyAtom;

/// For each location, the elements of its ranking.
pub(crate) type LocationRankings = Vec<Vec<RankingElement>>;

/// The longest that one linear program may take.
const PROGRAM: Duration = Duration::from_secs(5);
/// The same for shapes that are seldom there and take long to rule out.
const UNUSUAL: Duration = Duration::from_millis(1500);

/// The paths that are left where no function was found: numbers in the graph.
pub(crate) struct StuckPaths(pub(crate) Vec<usize>);

/// Rankings for all locations, if no cycle remains.
pub(crate) fn find_lexicographic_ranking(
    graph: &PathGraph,
    invariants: &[LocationInvariant],
    shapes: &[RankingTemplate],
    ask: &mut PolySolver,
    settings: &EngineSettings,
) -> Result<LocationRankings, StuckPaths> {
    match search_components(graph, invariants, shapes, ask, settings, true) {
        (ranks, StuckPaths(left)) if left.is_empty() => Ok(ranks),
        (_, stuck) => Err(stuck),
    }
}

/// Rankings that no path makes larger, and the paths on cycles that do not make them smaller.
pub(crate) fn find_partial_ranking(
    graph: &PathGraph,
    invariants: &[LocationInvariant],
    shapes: &[RankingTemplate],
    ask: &mut PolySolver,
    settings: &EngineSettings,
) -> (LocationRankings, StuckPaths) {
    search_components(graph, invariants, shapes, ask, settings, false)
}

/// The rankings, and the paths that are left: of the first part for which there is nothing, or of all.
fn search_components(
    graph: &PathGraph,
    invariants: &[LocationInvariant],
    shapes: &[RankingTemplate],
    ask: &mut PolySolver,
    settings: &EngineSettings,
    first_only: bool,
) -> (LocationRankings, StuckPaths) {
    // Paths that the invariants exclude are none.
    let mut left: Vec<(usize, FarkasPremise<'_>)> = Vec::new();
    for (at, path) in graph.paths.iter().enumerate() {
        if let Some(known) = &invariants[path.from] {
            let mut atoms: Vec<PolyAtom> = path.atoms.clone();
            atoms.extend(known.iter().cloned());
            if !ask.check_sat_relaxed(&atoms, &[]).is_unsat() {
                left.push((at, FarkasPremise::new(path, atoms, graph.limits)));
            }
        }
    }
    let meets: Vec<Vec<(bool, bool)>> =
        graph.paths.iter().map(|p| graph.pair_progress(p)).collect();
    let mut ranks: LocationRankings = vec![Vec::new(); graph.locations];
    // The paths of parts for which there is nothing; such a part stays as it is.
    let mut stuck: BTreeSet<usize> = BTreeSet::new();
    loop {
        // The order of the parts is an element of its own: paths between parts make it smaller.
        // Where runs end is one number.
        let part = premise_components(graph, &left);
        let number = |at: usize| if graph.out[at].is_empty() { 0 } else { 1 + part[at] as i128 };
        let is_inside =
            |premise: &FarkasPremise<'_>| part[premise.path.from] == part[premise.path.to];
        let between = left.iter().any(|(_, premise)| !is_inside(premise));
        left.retain(|(_, premise)| is_inside(premise));
        if between {
            for (at, rank) in ranks.iter_mut().enumerate() {
                rank.push(RankingElement::constant(number(at)));
            }
        }
        let open = left.iter().filter(|(at, _)| !stuck.contains(at));
        let mut parts: Vec<usize> = open.map(|(_, p)| part[p.path.from]).collect();
        if parts.is_empty() {
            return (ranks, StuckPaths(stuck.into_iter().collect()));
        }
        parts.sort_unstable();
        parts.dedup();
        let mut removed = vec![false; left.len()];
        let mut level: Vec<Vec<RankingElement>> = vec![Vec::new(); graph.locations];
        let mut counts: Vec<Vec<bool>> = vec![vec![false; graph.locations]; graph.fairness.len()];
        for current in parts {
            let inside: Vec<usize> =
                (0..left.len()).filter(|at| part[left[*at].1.path.from] == current).collect();
            let exhausted = pairs_without_q(inside.iter().map(|at| &meets[left[*at].0][..]));
            if !exhausted.is_empty() {
                for at in inside {
                    let has_p = exhausted.iter().any(|pair| meets[left[at].0][*pair].0);
                    removed[at] |= has_p;
                    for pair in &exhausted {
                        let path = left[at].1.path;
                        counts[*pair][path.from] = true;
                        counts[*pair][path.to] = true;
                    }
                }
                continue;
            }
            let premises: Vec<&FarkasPremise<'_>> = inside.iter().map(|at| &left[*at].1).collect();
            let found = shapes.iter().find_map(|shape| {
                let most = if shape.is_usual_template() { PROGRAM } else { UNUSUAL };
                let deadline = settings.deadline.min(clock::budget_now() + most);
                functions::find_component_ranking(graph, &premises, *shape, deadline)
            });
            let Some(found) = found else {
                stuck.extend(inside.iter().map(|at| left[*at].0));
                if first_only {
                    return (ranks, StuckPaths(stuck.into_iter().collect()));
                }
                continue;
            };
            let found = simpler(&premises, found, ask);
            for (at, elements) in found.elements {
                level[at] = elements;
            }
            for (at, smaller) in inside.iter().zip(found.smaller) {
                removed[*at] |= smaller;
            }
        }
        // Every location has equally many elements.
        let depth = level.iter().map(Vec::len).max().unwrap_or(0);
        for (rank, mut level) in ranks.iter_mut().zip(level) {
            level.resize(depth, RankingElement::zero());
            rank.append(&mut level);
        }
        for (pair, counts) in counts.iter().enumerate().filter(|(_, c)| c.contains(&true)) {
            for (rank, counts) in ranks.iter_mut().zip(counts) {
                rank.push(RankingElement::Pair(pair, *counts));
            }
        }
        let mut keep = removed.iter().map(|removed| !removed);
        left.retain(|_| keep.next().unwrap_or(true));
    }
}

/// The pairs of which paths have p and none has q.
fn pairs_without_q<'a>(paths: impl Iterator<Item = &'a [(bool, bool)]>) -> Vec<usize> {
    let mut any: Vec<(bool, bool)> = Vec::new();
    for meets in paths {
        any.resize(meets.len(), (false, false));
        for (any, (p, q)) in any.iter_mut().zip(meets) {
            *any = (any.0 || *p, any.1 || *q);
        }
    }
    (0..any.len()).filter(|pair| any[*pair] == (true, false)).collect()
}

fn premise_components(graph: &PathGraph, left: &[(usize, FarkasPremise<'_>)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); graph.locations];
    for (at, (_, premise)) in left.iter().enumerate() {
        out[premise.path.from].push(at);
    }
    strongly_connected_components(graph.locations, &out, &|at| left[at].1.path.to)
}
