//! Stems: ways from the start, breadth first, past loops that end by taking them many times at once.

use rustc_hash::FxHashSet;

use crate::limits::LASSO_LIMITS;
use crate::paths::accelerate::accelerate_loop;
use crate::paths::ask::{PolyAnswer, PolySolver};
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

/// Of some loops at one location, those that can be taken many times at once, so taken.
pub(crate) fn accelerate_loops<'p>(
    loops: impl Iterator<Item = &'p PolyPath>,
    matters: &[bool],
) -> Vec<PolyPath> {
    let short = loops.filter(|path| path.length() <= LASSO_LIMITS.repeated_edges);
    short.filter_map(|path| accelerate_loop(path, matters)).collect()
}

/// The stems of a graph, the shortest first.
pub(crate) struct StemEnumeration<'a> {
    graph: &'a PathGraph,
    /// For each location, the ways to take loops there many times at once.
    shortcuts: Vec<Vec<PolyPath>>,
    /// Stems to one location, and in all.
    most: (usize, usize),
    visits: Vec<usize>,
    count: usize,
    seen: FxHashSet<(usize, Vec<PolyAtom>, Vec<IntegerPolynomial>)>,
    pending: std::vec::IntoIter<PolyPath>,
    longer: Vec<PolyPath>,
}

impl<'a> StemEnumeration<'a> {
    pub(crate) fn new(
        graph: &'a PathGraph,
        shortcuts: Vec<Vec<PolyPath>>,
        each: usize,
        all: usize,
    ) -> StemEnumeration<'a> {
        StemEnumeration {
            graph,
            shortcuts,
            most: (each, all),
            visits: vec![0; graph.locations],
            count: 0,
            seen: FxHashSet::default(),
            pending: vec![PolyPath::empty(graph.start, graph.variables)].into_iter(),
            longer: Vec::new(),
        }
    }

    /// The next stem; `None` if there is none, or too many were seen, or the time is over.
    pub(crate) fn next_stem(&mut self, ask: &mut PolySolver) -> Option<PolyPath> {
        loop {
            let Some(stem) = self.pending.next() else {
                if self.longer.is_empty() {
                    return None;
                }
                self.pending = std::mem::take(&mut self.longer).into_iter();
                continue;
            };
            if ask.is_out_of_time() || self.count > self.most.1 {
                return None;
            }
            if self.visits[stem.to] >= self.most.0
                || !self.seen.insert((stem.to, stem.atoms.clone(), stem.update.clone()))
                || (stem.atoms.len() > 1
                    && !matches!(ask.check_sat(&stem.atoms), PolyAnswer::Sat(_)))
            {
                continue;
            }
            self.visits[stem.to] += 1;
            self.count += 1;
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            let on = on.chain(&self.shortcuts[stem.to]);
            self.longer.extend(on.filter_map(|next| stem.followed_by(next).ok()));
            return Some(stem);
        }
    }
}
