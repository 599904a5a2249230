//! Lexicographic rankings: in each strongly connected part a function that no path makes larger
//! (`functions`). The paths that make it smaller can be taken only finitely often in a row of the
//! others, and are taken away; the rest falls into smaller parts, until no cycle is left.
//!
//! Pairs of fairness come first: in a part in which no path has q, a fair run takes paths with p only
//! finitely often, so those are taken away. Each part has its own pairs; elsewhere they do not count.

use std::collections::BTreeSet;
use std::time::Duration;

use ouro_solver::clock;

use super::farkas::Premise;
use super::functions::{self, Element, Shape};
use super::invariants::Known;
use super::simpler::simpler;
use crate::Settings;
use crate::paths::ask::Ask;
use crate::paths::graph::{Graph, parts};
use crate::paths::poly::Atom;

/// For each location, the elements of its ranking.
pub(crate) type Ranks = Vec<Vec<Element>>;

/// The longest that one linear program may take.
const PROGRAM: Duration = Duration::from_secs(5);
/// The same for shapes that are seldom there and take long to rule out.
const UNUSUAL: Duration = Duration::from_millis(1500);

/// The paths that are left where no function was found: numbers in the graph.
pub(crate) struct Stuck(pub(crate) Vec<usize>);

/// Rankings for all locations, if no cycle remains.
pub(crate) fn find(
    graph: &Graph,
    invariants: &[Known],
    shapes: &[Shape],
    ask: &mut Ask,
    settings: &Settings,
) -> Result<Ranks, Stuck> {
    match search(graph, invariants, shapes, ask, settings, true) {
        (ranks, Stuck(left)) if left.is_empty() => Ok(ranks),
        (_, stuck) => Err(stuck),
    }
}

/// Rankings that no path makes larger, and the paths on cycles that do not make them smaller.
pub(crate) fn as_far_as_possible(
    graph: &Graph,
    invariants: &[Known],
    shapes: &[Shape],
    ask: &mut Ask,
    settings: &Settings,
) -> (Ranks, Stuck) {
    search(graph, invariants, shapes, ask, settings, false)
}

/// The rankings, and the paths that are left: of the first part for which there is nothing, or of all.
fn search(
    graph: &Graph,
    invariants: &[Known],
    shapes: &[Shape],
    ask: &mut Ask,
    settings: &Settings,
    first_only: bool,
) -> (Ranks, Stuck) {
    // Paths that the invariants exclude are none.
    let mut left: Vec<(usize, Premise<'_>)> = Vec::new();
    for (at, path) in graph.paths.iter().enumerate() {
        if let Some(known) = &invariants[path.from] {
            let mut atoms: Vec<Atom> = path.atoms.clone();
            atoms.extend(known.iter().cloned());
            if !ask.sat_over(&atoms, &[]).is_unsat() {
                left.push((at, Premise::new(path, atoms, graph.limits)));
            }
        }
    }
    let meets: Vec<Vec<(bool, bool)>> = graph.paths.iter().map(|p| graph.meets(p)).collect();
    let mut ranks: Ranks = vec![Vec::new(); graph.locations];
    // The paths of parts for which there is nothing; such a part stays as it is.
    let mut stuck: BTreeSet<usize> = BTreeSet::new();
    loop {
        // The order of the parts is an element of its own: paths between parts make it smaller.
        // Where runs end is one number.
        let part = part_of(graph, &left);
        let number = |at: usize| if graph.out[at].is_empty() { 0 } else { 1 + part[at] as i128 };
        let is_inside = |premise: &Premise<'_>| part[premise.path.from] == part[premise.path.to];
        let between = left.iter().any(|(_, premise)| !is_inside(premise));
        left.retain(|(_, premise)| is_inside(premise));
        if between {
            for (at, rank) in ranks.iter_mut().enumerate() {
                rank.push(Element::constant(number(at)));
            }
        }
        let open = left.iter().filter(|(at, _)| !stuck.contains(at));
        let mut parts: Vec<usize> = open.map(|(_, p)| part[p.path.from]).collect();
        if parts.is_empty() {
            return (ranks, Stuck(stuck.into_iter().collect()));
        }
        parts.sort_unstable();
        parts.dedup();
        let mut removed = vec![false; left.len()];
        let mut level: Vec<Vec<Element>> = vec![Vec::new(); graph.locations];
        let mut counts: Vec<Vec<bool>> = vec![vec![false; graph.locations]; graph.fairness.len()];
        for current in parts {
            let inside: Vec<usize> =
                (0..left.len()).filter(|at| part[left[*at].1.path.from] == current).collect();
            let exhausted = exhausted(inside.iter().map(|at| &meets[left[*at].0][..]));
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
            let premises: Vec<&Premise<'_>> = inside.iter().map(|at| &left[*at].1).collect();
            let found = shapes.iter().find_map(|shape| {
                let most = if shape.is_usual() { PROGRAM } else { UNUSUAL };
                let deadline = settings.deadline.min(clock::now() + most);
                functions::find(graph, &premises, *shape, deadline)
            });
            let Some(found) = found else {
                stuck.extend(inside.iter().map(|at| left[*at].0));
                if first_only {
                    return (ranks, Stuck(stuck.into_iter().collect()));
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
            level.resize(depth, Element::zero());
            rank.append(&mut level);
        }
        for (pair, counts) in counts.iter().enumerate().filter(|(_, c)| c.contains(&true)) {
            for (rank, counts) in ranks.iter_mut().zip(counts) {
                rank.push(Element::Pair(pair, *counts));
            }
        }
        let mut keep = removed.iter().map(|removed| !removed);
        left.retain(|_| keep.next().unwrap_or(true));
    }
}

/// The pairs of which paths have p and none has q.
fn exhausted<'a>(paths: impl Iterator<Item = &'a [(bool, bool)]>) -> Vec<usize> {
    let mut any: Vec<(bool, bool)> = Vec::new();
    for meets in paths {
        any.resize(meets.len(), (false, false));
        for (any, (p, q)) in any.iter_mut().zip(meets) {
            *any = (any.0 || *p, any.1 || *q);
        }
    }
    (0..any.len()).filter(|pair| any[*pair] == (true, false)).collect()
}

fn part_of(graph: &Graph, left: &[(usize, Premise<'_>)]) -> Vec<usize> {
    let mut out = vec![Vec::new(); graph.locations];
    for (at, (_, premise)) in left.iter().enumerate() {
        out[premise.path.from].push(at);
    }
    parts(graph.locations, &out, &|at| left[at].1.path.to)
}
