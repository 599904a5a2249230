//! Candidate loops: ways from a location back to itself.

use crate::limits::LASSO_LIMITS;
use crate::paths::ask::PolySolver;
use crate::paths::graph::PathGraph;
use crate::paths::path::{PathSegment, PolyPath};

/// Loops at each location, the shortest first: those that pass each other location at most once,
/// up to so many paths long, and at most so many for each location. Those that are fair when taken
/// again and again come first.
pub(crate) fn find_cycles(
    graph: &PathGraph,
    ask: &mut PolySolver,
    length: usize,
    most: usize,
) -> Vec<Vec<PolyPath>> {
    let mut all = vec![Vec::new(); graph.locations];
    for (at, loops) in all.iter_mut().enumerate() {
        let mut pending: Vec<PolyPath> = vec![PolyPath::empty(at, graph.variables)];
        for _ in 0..length {
            let mut longer = Vec::new();
            for path in &pending {
                for next in &graph.out[path.to] {
                    let next = &graph.paths[*next];
                    let inside = graph.in_same_component(at, next.to);
                    if !inside || ask.is_out_of_time() || longer.len() > 8 * most {
                        continue;
                    }
                    // The same self-loop twice in a row is a loop of its own.
                    let Ok(path) = path.followed_by(next) else { continue };
                    if path.atoms.len() > 1 && ask.check_sat(&path.atoms).is_unsat() {
                        continue;
                    }
                    if path.to == at {
                        loops.push(path.clone());
                    }
                    longer.push(path);
                }
            }
            if loops.iter().filter(|path| graph.is_fair_path(path)).count() >= most {
                break;
            }
            pending = longer;
        }
        loops.sort_by_key(|path| !graph.is_fair_path(path));
        loops.truncate(most);
    }
    all
}

/// The loops at each location that take these edges, one after the other, from any of them on.
pub(crate) fn cycles_along_edges(graph: &PathGraph, edges: &[u32]) -> Vec<Vec<PolyPath>> {
    let mut all = vec![Vec::new(); graph.locations];
    for (at, loops) in all.iter_mut().enumerate() {
        for start in 0..edges.len() {
            let order: Vec<u32> = edges[start..].iter().chain(&edges[..start]).copied().collect();
            let mut pending: Vec<(PolyPath, usize)> =
                vec![(PolyPath::empty(at, graph.variables), 0)];
            while let Some((path, taken)) = pending.pop() {
                if taken == order.len() {
                    if path.to == at && loops.len() < LASSO_LIMITS.cycles {
                        loops.push(path);
                    }
                    continue;
                }
                for next in graph.out[path.to].iter().map(|next| &graph.paths[*next]) {
                    let length = next.segments.len();
                    let fits = length > 0
                        && taken + length <= order.len()
                        && next.segments.iter().zip(&order[taken..]).all(|(segment, edge)| {
                            matches!(segment, PathSegment::Edge { edge: other, .. } if other == edge)
                        });
                    if fits && let Ok(longer) = path.followed_by(next) {
                        pending.push((longer, taken + length));
                    }
                }
            }
        }
    }
    all
}
