//! Stems: ways from the start, breadth first, past loops that end by taking them many times at once.

use rustc_hash::FxHashSet;

use crate::paths::accelerate::accelerate;
use crate::paths::ask::{Ask, Told};
use crate::paths::graph::Graph;
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly};

/// Loops of more edges than this are not taken many times at once.
const LONGEST: usize = 6;

/// Of some loops at one location, those that can be taken many times at once, so taken.
pub(crate) fn shortcuts<'p>(loops: impl Iterator<Item = &'p Path>, matters: &[bool]) -> Vec<Path> {
    let short = loops.filter(|path| path.length() <= LONGEST);
    short.filter_map(|path| accelerate(path, matters)).collect()
}

/// The stems of a graph, the shortest first.
pub(crate) struct Stems<'a> {
    graph: &'a Graph,
    /// For each location, the ways to take loops there many times at once.
    shortcuts: Vec<Vec<Path>>,
    /// Stems to one location, and in all.
    most: (usize, usize),
    visits: Vec<usize>,
    count: usize,
    seen: FxHashSet<(usize, Vec<Atom>, Vec<Poly>)>,
    pending: std::vec::IntoIter<Path>,
    longer: Vec<Path>,
}

impl<'a> Stems<'a> {
    pub(crate) fn new(
        graph: &'a Graph,
        shortcuts: Vec<Vec<Path>>,
        each: usize,
        all: usize,
    ) -> Stems<'a> {
        Stems {
            graph,
            shortcuts,
            most: (each, all),
            visits: vec![0; graph.locations],
            count: 0,
            seen: FxHashSet::default(),
            pending: vec![Path::empty(graph.start, graph.variables)].into_iter(),
            longer: Vec::new(),
        }
    }

    /// The next stem; `None` if there is none, or too many were seen, or the time is over.
    pub(crate) fn next(&mut self, ask: &mut Ask) -> Option<Path> {
        loop {
            let Some(stem) = self.pending.next() else {
                if self.longer.is_empty() {
                    return None;
                }
                self.pending = std::mem::take(&mut self.longer).into_iter();
                continue;
            };
            if ask.is_over() || self.count > self.most.1 {
                return None;
            }
            if self.visits[stem.to] >= self.most.0
                || !self.seen.insert((stem.to, stem.atoms.clone(), stem.update.clone()))
                || (stem.atoms.len() > 1 && !matches!(ask.sat(&stem.atoms), Told::Sat(_)))
            {
                continue;
            }
            self.visits[stem.to] += 1;
            self.count += 1;
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            let on = on.chain(&self.shortcuts[stem.to]);
            self.longer.extend(on.filter_map(|next| stem.then(next).ok()));
            return Some(stem);
        }
    }
}
