//! Runs that go round fairly: found in the graph of decisions, then followed.
//!
//! A cycle that is not fair may be a part of one that is. So when states cover each other in a
//! circle, the strongly connected part is looked at as a whole: while the edges of a part have the p
//! of a pair and not its q, no fair run stays in it that takes those with p again and again, and they
//! are left out; what remains falls into smaller parts. A part in which each pair is met is a fair
//! one, and a walk through it that passes a q for each p goes round fairly.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ouro_model::CompassionPair;
use rustc_hash::FxHashMap;

use super::tree::{DecisionNodeId, DecisionTree};
use crate::paths::graph::strongly_connected_components;

/// An edge of the graph.
struct DecisionEdge<'a> {
    from: usize,
    to: usize,
    /// The decision that leads along it, if there was one to take.
    decision: Option<usize>,
    passed: &'a BTreeSet<u32>,
}

/// The decisions that lead from a node into a fair part and twice round in it; `None` if no such part
/// is known. So many nodes are looked at.
pub(crate) fn find_fair_walk(
    tree: &DecisionTree,
    fairness: &[CompassionPair],
    from: DecisionNodeId,
    most: usize,
) -> Option<VecDeque<usize>> {
    let mut index: FxHashMap<DecisionNodeId, usize> = FxHashMap::default();
    index.insert(from, 0);
    let mut nodes = vec![from];
    let mut edges: Vec<DecisionEdge<'_>> = Vec::new();
    let mut next = 0;
    while let Some(node) = nodes.get(next).copied() {
        for step in &tree.get(node).next {
            let to = *index.entry(step.to).or_insert_with(|| {
                nodes.push(step.to);
                nodes.len() - 1
            });
            let decision = tree.get(node).forks.then_some(step.decision);
            edges.push(DecisionEdge { from: next, to, decision, passed: &step.passed });
        }
        if nodes.len() > most {
            return None;
        }
        next += 1;
    }
    let part = find_fair_component(nodes.len(), &edges, fairness)?;
    let all: Vec<usize> = (0..edges.len()).collect();
    let entry = edges[*part.first()?].from;
    let stem = shortest_path(nodes.len(), &edges, &all, 0, entry)?;
    let round = fair_cycle_walk(nodes.len(), &edges, &part, fairness, entry)?;
    let decisions = |walk: &[usize]| -> Vec<usize> {
        walk.iter().filter_map(|edge| edges[*edge].decision).collect()
    };
    let mut walk = VecDeque::from(decisions(&stem));
    let round = decisions(&round);
    for _ in 0..2 {
        walk.extend(&round);
    }
    // One more, so that the state after the last iteration is looked at.
    walk.extend(round.first());
    Some(walk)
}

/// Whether a fair run may go round somewhere, as far as the graph tells.
pub(crate) fn has_fair_component(tree: &DecisionTree, fairness: &[CompassionPair]) -> bool {
    let mut edges: Vec<DecisionEdge<'_>> = Vec::new();
    for from in 0..tree.len() {
        edges.extend(tree.get(DecisionNodeId(from as u32)).next.iter().map(|step| DecisionEdge {
            from,
            to: step.to.0 as usize,
            decision: None,
            passed: &step.passed,
        }));
    }
    find_fair_component(tree.len(), &edges, fairness).is_some()
}

/// The edges of a strongly connected part in which each pair is met.
fn find_fair_component(
    nodes: usize,
    edges: &[DecisionEdge<'_>],
    fairness: &[CompassionPair],
) -> Option<Vec<usize>> {
    let mut pending: Vec<Vec<usize>> = vec![(0..edges.len()).collect()];
    while let Some(set) = pending.pop() {
        let mut out = vec![Vec::new(); nodes];
        for edge in &set {
            out[edges[*edge].from].push(*edge);
        }
        let part = strongly_connected_components(nodes, &out, &|edge| edges[edge].to);
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for edge in set {
            if part[edges[edge].from] == part[edges[edge].to] {
                groups.entry(part[edges[edge].from]).or_default().push(edge);
            }
        }
        for group in groups.into_values() {
            let any = |has: &dyn Fn(&BTreeSet<u32>) -> bool| {
                group.iter().any(|edge| has(edges[*edge].passed))
            };
            let unmet: Vec<&CompassionPair> = fairness
                .iter()
                .filter(|pair| any(&|passed| pair.has_p(passed)))
                .filter(|pair| !any(&|passed| pair.has_q(passed)))
                .collect();
            if unmet.is_empty() {
                return Some(group);
            }
            let without_p =
                |edge: &usize| unmet.iter().all(|pair| !pair.has_p(edges[*edge].passed));
            let rest: Vec<usize> = group.into_iter().filter(without_p).collect();
            if !rest.is_empty() {
                pending.push(rest);
            }
        }
    }
    None
}

/// A walk along edges of a fair part, from a node of it back to it, on which each pair is met.
fn fair_cycle_walk(
    nodes: usize,
    edges: &[DecisionEdge<'_>],
    part: &[usize],
    fairness: &[CompassionPair],
    entry: usize,
) -> Option<Vec<usize>> {
    let mut walk = vec![*part.first()?];
    for pair in fairness {
        let owed = part.iter().any(|edge| pair.has_p(edges[*edge].passed));
        let met = walk.iter().any(|edge| pair.has_q(edges[*edge].passed));
        if owed && !met {
            let goal = *part.iter().find(|edge| pair.has_q(edges[**edge].passed))?;
            let here = edges[*walk.last()?].to;
            walk.extend(shortest_path(nodes, edges, part, here, edges[goal].from)?);
            walk.push(goal);
        }
    }
    let here = edges[*walk.last()?].to;
    walk.extend(shortest_path(nodes, edges, part, here, entry)?);
    Some(walk)
}

/// The shortest way between two nodes along some of the edges.
fn shortest_path(
    nodes: usize,
    edges: &[DecisionEdge<'_>],
    along: &[usize],
    from: usize,
    to: usize,
) -> Option<Vec<usize>> {
    let mut out = vec![Vec::new(); nodes];
    for edge in along {
        out[edges[*edge].from].push(*edge);
    }
    let mut came: Vec<Option<usize>> = vec![None; nodes];
    let mut pending = VecDeque::from([from]);
    while let Some(at) = pending.pop_front() {
        if at == to {
            break;
        }
        for edge in &out[at] {
            let next = edges[*edge].to;
            if next != from && came[next].is_none() {
                came[next] = Some(*edge);
                pending.push_back(next);
            }
        }
    }
    let mut walk = Vec::new();
    let mut at = to;
    while at != from {
        let edge = came[at]?;
        walk.push(edge);
        at = edges[edge].from;
    }
    walk.reverse();
    Some(walk)
}
