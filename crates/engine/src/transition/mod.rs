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

use ouro_evidence::Ranking;
use ouro_model::transition::TransitionSystem;

use self::lasso::Matter;
use self::part::Part;
use self::predicates::Predicates;
use self::reach::{Outcome, Relation};
use crate::Settings;
use crate::paths::ask::Ask;
use crate::paths::graph::{Graph, parts};
use crate::paths::lower::{Mode, Reading};
use crate::paths::path::{Path, Segment};
use crate::paths::poly::Poly;
use crate::ranking::invariants::{self, Known, Sums};
use crate::ranking::split::Split;
use crate::ranking::{QUERY, USUAL, lexicographic, write as ranks};

/// How many lassos are looked at for one place.
const LASSOS: usize = 40;

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Every run ends.
    Ends(Ranking),
    /// These edges, one after the other, lead back to where they start, and nothing was found that gets
    /// smaller: a run may take them forever.
    Lasso(Vec<u32>),
    /// Neither was found.
    Nothing,
}

/// Why a run comes to a location finitely often.
struct Found {
    at: usize,
    measures: Vec<Poly>,
    /// At each location of the part, what may hold between the state of the snapshot and the one there:
    /// one of these.
    relations: Vec<(usize, Vec<Relation>)>,
    /// The pairs of fairness that the relations speak of.
    pairs: Vec<usize>,
}

/// Looks for a reason why every run of the system ends.
pub fn find(system: &TransitionSystem, settings: &Settings) -> Answer {
    find_reading(system, Reading::default(), settings)
}

/// The same where bit-vectors are read in a certain way.
pub(crate) fn find_reading(
    system: &TransitionSystem,
    reading: Reading<'_>,
    settings: &Settings,
) -> Answer {
    let mut lasso = None;
    match ranking(system, reading, settings, &mut lasso) {
        Some(ranking) => Answer::Ends(ranking),
        None => lasso.map_or(Answer::Nothing, |path| Answer::Lasso(edges(&path))),
    }
}

fn ranking(
    system: &TransitionSystem,
    reading: Reading<'_>,
    settings: &Settings,
    lasso: &mut Option<Path>,
) -> Option<Ranking> {
    let mut ask = Ask::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = Graph::reading(system, reading, &mut ask, Mode::Over)?;
    let invariants = invariants::find(&graph, &mut ask, Sums::Relations)?;
    let (ranking, stuck) =
        lexicographic::as_far_as_possible(&graph, &invariants, USUAL, &mut ask, settings);
    let split = Split::none(graph);
    let mut search = Search { graph: &split.graph, invariants: &invariants, ask, lasso };
    let found = search.snapshots(stuck.0)?;
    let mut written = ranks::ranking(system, reading, &split, &invariants, &ranking)?;
    written.snapshots = write::snapshots(system, reading, &written, &found)?;
    Some(written)
}

/// The edges of a path.
fn edges(path: &Path) -> Vec<u32> {
    let edge = |segment: &Segment| match segment {
        Segment::Edge { edge, .. } => Some(*edge),
        Segment::Repeat { .. } => None,
    };
    path.segments.iter().filter_map(edge).collect()
}

struct Search<'a> {
    graph: &'a Graph,
    invariants: &'a [Known],
    ask: Ask,
    /// The first lasso along which nothing gets smaller.
    lasso: &'a mut Option<Path>,
}

impl Search<'_> {
    /// One snapshot after the other, until no cycle of these paths is left.
    fn snapshots(&mut self, mut left: Vec<usize>) -> Option<Vec<Found>> {
        let paths = &self.graph.paths;
        let mut all = Vec::new();
        loop {
            left = on_cycles(self.graph, &left);
            let Some(first) = left.first() else { return Some(all) };
            let part = part_of(self.graph, &left);
            let here = part[paths[*first].from];
            let inside: Vec<usize> =
                left.iter().copied().filter(|path| part[paths[*path].from] == here).collect();
            let found = self.finitely_often(&inside)?;
            left.retain(|path| paths[*path].from != found.at && paths[*path].to != found.at);
            all.push(found);
        }
    }

    /// A place of a part that runs come to finitely often, and why.
    fn finitely_often(&mut self, inside: &[usize]) -> Option<Found> {
        let graph = self.graph;
        let mut places: Vec<usize> = inside.iter().map(|path| graph.paths[*path].from).collect();
        places.sort_unstable();
        places.dedup();
        // First the one without which the fewest cycles are left.
        places.sort_by_cached_key(|at| {
            let apart =
                |path: &usize| graph.paths[*path].from != *at && graph.paths[*path].to != *at;
            let rest: Vec<usize> = inside.iter().copied().filter(apart).collect();
            on_cycles(graph, &rest).len()
        });
        for with_variables in [false, true] {
            for at in &places {
                let part = Part::new(graph, self.invariants, inside, *at)?;
                let predicates = match with_variables {
                    false => Predicates::none(graph.locations),
                    true => Predicates::of_variables(graph.locations, &part, &graph.matters),
                };
                if let Some(found) = self.refine(&part, predicates) {
                    return Some(found);
                }
                if self.ask.is_over() {
                    return None;
                }
            }
        }
        None
    }

    /// Learns from lassos until there is none.
    fn refine(&mut self, part: &Part<'_>, mut predicates: Predicates) -> Option<Found> {
        for _ in 0..LASSOS {
            let (steps, case) = match reach::relations(part, &predicates, &mut self.ask) {
                Outcome::Covered(relations) => {
                    let Predicates { measures, pairs, .. } = predicates;
                    return Some(Found { at: part.at, measures, relations, pairs });
                }
                Outcome::Lasso { steps, case } => (steps, case),
                Outcome::Nothing => return None,
            };
            let learned = match lasso::explain(self.graph, part, &steps, &case, &mut self.ask) {
                Matter::Impossible => predicates.refute(part, &steps),
                Matter::Ranked(measures) => {
                    let in_cases = measures.len() > 1;
                    let mut learned = false;
                    for measure in &measures {
                        learned |= predicates.measure(part, measure, &steps, in_cases);
                    }
                    learned
                }
                Matter::Open(path) => {
                    let is_unfair = predicates.watch(part, &steps);
                    if !is_unfair {
                        self.lasso.get_or_insert(path);
                    }
                    is_unfair
                }
                Matter::TooLarge => predicates.watch(part, &steps),
            };
            if !learned || self.ask.is_over() {
                return None;
            }
        }
        None
    }
}

/// Those of the paths that are on a cycle of them.
fn on_cycles(graph: &Graph, paths: &[usize]) -> Vec<usize> {
    let part = part_of(graph, paths);
    let inside = |path: &usize| part[graph.paths[*path].from] == part[graph.paths[*path].to];
    paths.iter().copied().filter(inside).collect()
}

fn part_of(graph: &Graph, paths: &[usize]) -> Vec<usize> {
    let mut out = vec![Vec::new(); graph.locations];
    for path in paths {
        out[graph.paths[*path].from].push(*path);
    }
    parts(graph.locations, &out, &|path| graph.paths[path].to)
}
