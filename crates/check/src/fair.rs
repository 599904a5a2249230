//! Fairness: what a piece of a run does for the pairs, and whether a run that is put together of such
//! pieces meets all of them.
//!
//! A pair (p, q) is met by a run that has q infinitely often, or p only finitely often. A run along
//! ways from place to place that does not meet it takes, from some moment on, no way with q, and ways
//! with p again and again. Then there is a cycle of ways with p on it and no q. So if no cycle is like
//! that, for no pair, then every run along the ways is fair. Each pair is looked at by itself: a run
//! that meets each of them meets all.

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::Program;
use ouro_model::ids::EdgeId;
use ouro_model::transition::TransitionSystem;

use crate::parts::strongly_connected_components;

/// What a piece of a run does for one pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PairProgress {
    /// It has p, for certain.
    pub(crate) p: bool,
    /// It has q, or may have.
    pub(crate) q: bool,
}

/// The events that a piece of a run passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassedEvents {
    /// For certain.
    pub(crate) events: BTreeSet<u32>,
    /// Whether it may pass any others: it contains a call that was not followed.
    pub(crate) others: bool,
}

impl PassedEvents {
    /// What it does for each pair of a program.
    pub(crate) fn pair_progress(&self, program: &Program) -> Vec<PairProgress> {
        let meets = |pair: &ouro_model::CompassionPair| PairProgress {
            p: pair.has_p(&self.events),
            q: self.others || pair.has_q(&self.events),
        };
        program.fairness.iter().map(meets).collect()
    }
}

/// What some edges, one after the other, do for each pair of a system.
pub(crate) fn pair_progress_along(
    system: &TransitionSystem,
    edges: &[EdgeId],
) -> Vec<PairProgress> {
    let has = |wanted: &[EdgeId]| edges.iter().any(|edge| wanted.contains(edge));
    system.fairness.iter().map(|pair| PairProgress { p: has(&pair.p), q: has(&pair.q) }).collect()
}

/// A way from place to place.
pub(crate) struct FairnessPath {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) meets: Vec<PairProgress>,
}

/// The first pair that some run along the ways does not meet.
pub(crate) fn find_unmet_pair(places: usize, pairs: usize, ways: &[FairnessPath]) -> Option<usize> {
    (0..pairs).find(|pair| {
        let without: Vec<&FairnessPath> = ways.iter().filter(|way| !way.meets[*pair].q).collect();
        let ends: Vec<(Option<usize>, usize)> =
            without.iter().map(|way| (Some(way.from), way.to)).collect();
        let part = strongly_connected_components(places, &ends);
        without.iter().any(|way| way.meets[*pair].p && part[way.from] == part[way.to])
    })
}

/// Whether some run along the ways can be fair: whether there are ways, strongly connected, that meet
/// every pair together.
///
/// The ways that a fair run takes infinitely often are such a set. It lies within one strongly connected
/// part, and if no way of the part has the q of a pair, then none of the set has q, so none has p, and it
/// lies among the ways of the part without p. So parts are taken apart in this way until one meets every
/// pair, or nothing is left.
pub(crate) fn has_fair_component(places: usize, pairs: usize, ways: Vec<FairnessPath>) -> bool {
    let mut pending = vec![ways];
    while let Some(ways) = pending.pop() {
        let ends: Vec<(Option<usize>, usize)> =
            ways.iter().map(|way| (Some(way.from), way.to)).collect();
        let part = strongly_connected_components(places, &ends);
        let mut groups: BTreeMap<usize, Vec<FairnessPath>> = BTreeMap::new();
        for way in ways.into_iter().filter(|way| part[way.from] == part[way.to]) {
            groups.entry(part[way.from]).or_default().push(way);
        }
        for group in groups.into_values() {
            let any = |has: &dyn Fn(&FairnessPath) -> bool| group.iter().any(has);
            let unmet: Vec<usize> = (0..pairs)
                .filter(|pair| any(&|way| way.meets[*pair].p))
                .filter(|pair| !any(&|way| way.meets[*pair].q))
                .collect();
            if unmet.is_empty() {
                return true;
            }
            let without_p = |way: &FairnessPath| unmet.iter().all(|pair| !way.meets[*pair].p);
            pending.push(group.into_iter().filter(without_p).collect());
        }
    }
    false
}
