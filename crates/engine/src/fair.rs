//! Whether every run in a recurrent set is fair.

use ouro_evidence::RecurrentSet;
use ouro_model::ids::EdgeId;
use ouro_model::transition::TransitionSystem;

use crate::paths::graph::strongly_connected_components;

/// Whether every run along the moves of a set meets every pair of the system. It does not if some
/// cycle of moves has the p of a pair and not its q.
///
/// A move that comes to a place on its way counts as none: a program that does not see the difference
/// would begin the next move there.
pub(crate) fn is_fair_recurrent_set(system: &TransitionSystem, set: &RecurrentSet) -> bool {
    let place_at = |location: u32| set.places.iter().position(|place| place.location == location);
    // From which place to which, along which edges.
    let mut moves: Vec<(usize, usize, Vec<EdgeId>)> = Vec::new();
    for (from, place) in set.places.iter().enumerate() {
        for way in &place.moves {
            let edges: Vec<EdgeId> = way.steps.iter().map(|step| EdgeId(step.edge)).collect();
            let ends = edges.iter().rev().skip(1).filter_map(|edge| system.edges.get(*edge));
            if !system.fairness.is_empty()
                && ends.map(|edge| edge.to.0).any(|to| place_at(to).is_some())
            {
                return false;
            }
            let end = edges.last().and_then(|edge| system.edges.get(*edge));
            let Some(to) = end.and_then(|edge| place_at(edge.to.0)) else { return false };
            moves.push((from, to, edges));
        }
    }
    system.fairness.iter().all(|pair| {
        let has = |edges: &[EdgeId], wanted: &[EdgeId]| edges.iter().any(|e| wanted.contains(e));
        let without: Vec<&(usize, usize, Vec<EdgeId>)> =
            moves.iter().filter(|(_, _, edges)| !has(edges, &pair.q)).collect();
        let mut out = vec![Vec::new(); set.places.len()];
        for (at, (from, _, _)) in without.iter().enumerate() {
            out[*from].push(at);
        }
        let part = strongly_connected_components(set.places.len(), &out, &|at| without[at].1);
        !without.iter().any(|(from, to, edges)| part[*from] == part[*to] && has(edges, &pair.p))
    })
}
