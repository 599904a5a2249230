//! Transition invariants: why every run of a transition system ends, where no ranking of the kinds that
//! `ranking` knows says so.
//!
//! **How it works.** What a lexicographic ranking makes smaller is taken away first. In each strongly
//! connected part of what is left, a place is chosen, and a state there is remembered (`memory`). Then it
//! is asked what can hold between that state and later ones (`reach`), in terms of predicates over both
//! (`predicates`). Where the run is back and no measure is known to be smaller, the steps that led there
//! are looked at as one path (`lasso`): if no run takes them, their conditions become predicates, and if
//! they have a ranking, that is a new measure. So it goes on until some measure is smaller whenever
//! the run is back. Then it comes to the place finitely often, and the rest is looked at without it. This is
//! TERMINATOR's argument (Cook, Podelski, Rybalchenko 2006) with transition predicate abstraction
//! (Podelski, Rybalchenko 2005) to check it.
//!
//! Pairs of fairness are left alone until a lasso without a ranking turns out to be unfair: it has the p of a
//! pair and not its q. From then on it is noted whether that pair's p and q have been passed since the state that
//! is remembered (fair binary reachability, Cook et al. 2007, with their lazy treatment of constraints).
//!
//! **What it misses.** Lassos whose ranking is not linear or nested, and relations that need other
//! predicates than those of lassos. **What could mislead it.** Nothing that the checker would not notice.
//!
//! A lasso without a ranking is handed to `recurrent`: a run that takes it forever may be what there is.
//!
//! | file | one idea |
//! | --- | --- |
//! | `memory` | paths that remember a state |
//! | `part` | the paths that a run can take forever, from a place |
//! | `predicates` | what relations are made of |
//! | `reach` | which relations hold |
//! | `lasso` | one path back to the place |
//! | `write` | the evidence |

mod lasso;
mod memory;
mod part;
mod predicates;
mod reach;
mod write;

use ouro_evidence::SystemRanking;
use ouro_model::transition::TransitionSystem;

use self::lasso::LassoExplanation;
use self::part::SnapshotComponent;
use self::predicates::TransitionPredicates;
use self::reach::{BinaryReachabilityOutcome, PredicateRelation};
use crate::EngineSettings;
use crate::limits::TRANSITION_INVARIANT_LIMITS;
use crate::paths::ask::PolySolver;
use crate::paths::graph::{PathGraph, strongly_connected_components};
use crate::paths::lower::{ApproximationMode, BitVectorReading};
use crate::paths::path::{PathSegment, PolyPath};
use crate::paths::poly::IntegerPolynomial;
use crate::ranking::invariants::{self, LocationInvariant, SumTemplates};
use crate::ranking::split::SplitGraph;
use crate::ranking::{QUERY, USUAL, lexicographic, write as ranks};

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TransitionInvariantAnswer {
    /// Every run ends.
    Ends(SystemRanking),
    /// These edges, one after the other, lead back to where they start, and nothing was found that gets
    /// smaller: a run may take them forever.
    Lasso(Vec<u32>),
    /// Neither was found.
    Nothing,
}

/// Why a run comes to a location finitely often.
struct FiniteVisitProof {
    at: usize,
    measures: Vec<IntegerPolynomial>,
    /// At each location of the part, what may hold between the state of the snapshot and the one there:
    /// one of these.
    relations: Vec<(usize, Vec<PredicateRelation>)>,
    /// The pairs of fairness that the relations speak of.
    pairs: Vec<usize>,
}

/// Looks for a reason why every run of the system ends.
pub fn find_transition_invariants(
    system: &TransitionSystem,
    settings: &EngineSettings,
) -> TransitionInvariantAnswer {
    find_with_reading(system, BitVectorReading::default(), settings)
}

/// The same where bit-vectors are read in a certain way.
pub(crate) fn find_with_reading(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    settings: &EngineSettings,
) -> TransitionInvariantAnswer {
    let mut lasso = None;
    match rank_with_snapshots(system, reading, settings, &mut lasso) {
        Some(ranking) => TransitionInvariantAnswer::Ends(ranking),
        None => lasso.map_or(TransitionInvariantAnswer::Nothing, |path| {
            TransitionInvariantAnswer::Lasso(path_edges(&path))
        }),
    }
}

fn rank_with_snapshots(
    system: &TransitionSystem,
    reading: BitVectorReading<'_>,
    settings: &EngineSettings,
    lasso: &mut Option<PolyPath>,
) -> Option<SystemRanking> {
    let mut ask = PolySolver::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = PathGraph::new_with_reading(system, reading, &mut ask, ApproximationMode::Over)?;
    let invariants = invariants::find_invariants(&graph, &mut ask, SumTemplates::Relations)?;
    let (ranking, stuck) =
        lexicographic::find_partial_ranking(&graph, &invariants, USUAL, &mut ask, settings);
    let split = SplitGraph::without_splits(graph);
    let mut search =
        TransitionInvariantSearch { graph: &split.graph, invariants: &invariants, ask, lasso };
    let found = search.find_snapshots(stuck.0)?;
    let mut written = ranks::write_ranking(system, reading, &split, &invariants, &ranking)?;
    written.snapshots = write::write_transition_invariants(system, reading, &written, &found)?;
    Some(written)
}

/// The edges of a path.
fn path_edges(path: &PolyPath) -> Vec<u32> {
    let edge = |segment: &PathSegment| match segment {
        PathSegment::Edge { edge, .. } => Some(*edge),
        PathSegment::Repeat { .. } => None,
    };
    path.segments.iter().filter_map(edge).collect()
}

struct TransitionInvariantSearch<'a> {
    graph: &'a PathGraph,
    invariants: &'a [LocationInvariant],
    ask: PolySolver,
    /// The first lasso along which nothing gets smaller.
    lasso: &'a mut Option<PolyPath>,
}

impl TransitionInvariantSearch<'_> {
    /// One snapshot after the other, until no cycle of these paths is left.
    fn find_snapshots(&mut self, mut left: Vec<usize>) -> Option<Vec<FiniteVisitProof>> {
        let paths = &self.graph.paths;
        let mut all = Vec::new();
        loop {
            left = paths_on_cycles(self.graph, &left);
            let Some(first) = left.first() else { return Some(all) };
            let part = path_components(self.graph, &left);
            let here = part[paths[*first].from];
            let inside: Vec<usize> =
                left.iter().copied().filter(|path| part[paths[*path].from] == here).collect();
            let found = self.prove_finite_visits(&inside)?;
            left.retain(|path| paths[*path].from != found.at && paths[*path].to != found.at);
            all.push(found);
        }
    }

    /// A place of a part that runs come to finitely often, and why.
    fn prove_finite_visits(&mut self, inside: &[usize]) -> Option<FiniteVisitProof> {
        let graph = self.graph;
        let mut places: Vec<usize> = inside.iter().map(|path| graph.paths[*path].from).collect();
        places.sort_unstable();
        places.dedup();
        // First the one without which the fewest cycles are left.
        places.sort_by_cached_key(|at| {
            let apart =
                |path: &usize| graph.paths[*path].from != *at && graph.paths[*path].to != *at;
            let rest: Vec<usize> = inside.iter().copied().filter(apart).collect();
            paths_on_cycles(graph, &rest).len()
        });
        for with_variables in [false, true] {
            for at in &places {
                let part = SnapshotComponent::new(graph, self.invariants, inside, *at)?;
                let predicates = match with_variables {
                    false => TransitionPredicates::none(graph.locations),
                    true => {
                        TransitionPredicates::of_variables(graph.locations, &part, &graph.matters)
                    }
                };
                if let Some(found) = self.refine_predicates(&part, predicates) {
                    return Some(found);
                }
                if self.ask.is_out_of_time() {
                    return None;
                }
            }
        }
        None
    }

    /// Learns from lassos until there is none.
    fn refine_predicates(
        &mut self,
        part: &SnapshotComponent<'_>,
        mut predicates: TransitionPredicates,
    ) -> Option<FiniteVisitProof> {
        for _ in 0..TRANSITION_INVARIANT_LIMITS.lassos {
            let (steps, case) = match reach::reach_relations(part, &predicates, &mut self.ask) {
                BinaryReachabilityOutcome::Covered(relations) => {
                    let TransitionPredicates { measures, pairs, .. } = predicates;
                    return Some(FiniteVisitProof { at: part.at, measures, relations, pairs });
                }
                BinaryReachabilityOutcome::Lasso { steps, case } => (steps, case),
                BinaryReachabilityOutcome::Nothing => return None,
            };
            let learned = match lasso::explain_lasso(self.graph, part, &steps, &case, &mut self.ask)
            {
                LassoExplanation::Impossible => predicates.refute_steps(part, &steps),
                LassoExplanation::Ranked(measures) => {
                    let in_cases = measures.len() > 1;
                    let mut learned = false;
                    for measure in &measures {
                        learned |= predicates.add_measure(part, measure, &steps, in_cases);
                    }
                    learned
                }
                LassoExplanation::Open(path) => {
                    let is_unfair = predicates.watch_unfair_pair(part, &steps);
                    if !is_unfair {
                        self.lasso.get_or_insert(path);
                    }
                    is_unfair
                }
                LassoExplanation::TooLarge => predicates.watch_unfair_pair(part, &steps),
            };
            if !learned || self.ask.is_out_of_time() {
                return None;
            }
        }
        None
    }
}

/// Those of the paths that are on a cycle of them.
fn paths_on_cycles(graph: &PathGraph, paths: &[usize]) -> Vec<usize> {
    let part = path_components(graph, paths);
    let inside = |path: &usize| part[graph.paths[*path].from] == part[graph.paths[*path].to];
    paths.iter().copied().filter(inside).collect()
}

fn path_components(graph: &PathGraph, paths: &[usize]) -> Vec<usize> {
    let mut out = vec![Vec::new(); graph.locations];
    for path in paths {
        out[graph.paths[*path].from].push(*path);
    }
    strongly_connected_components(graph.locations, &out, &|path| graph.paths[path].to)
}
