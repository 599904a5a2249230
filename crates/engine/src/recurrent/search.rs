//! Stems, breadth first, and which method is tried when.

use std::collections::VecDeque;

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use super::closed::ClosedSetComponent;
use super::simulate::{PathPolicy, RunPause, SimulatedRun};
use super::{FoundRecurrentSet, RecurrentSetMethod};
use crate::lassos::choices::choose_locals;
use crate::lassos::cycles::{cycles_along_edges, find_cycles};
use crate::lassos::rays::find_geometric_argument;
use crate::lassos::stems::{StemEnumeration, accelerate_loops};
use crate::lassos::strengthen::{ReachRequirement, close_guard};
use crate::lassos::write::{RecurrentPlace, write_recurrent_set};
use crate::limits::RECURRENT_SET_LIMITS;
use crate::paths::ask::{PolyAnswer, PolySolver};
use crate::paths::graph::PathGraph;
use crate::paths::lower::ApproximationMode;
use crate::paths::path::PolyPath;
use crate::paths::poly::PolyAtom;
use crate::{EngineSettings, forward};

/// How much is tried, less at first.
struct RecurrentSearchEffort {
    /// Paths in a loop.
    length: usize,
    /// Loops at a location.
    loops: usize,
    /// Stems to a location.
    stems: usize,
    /// Stems in all.
    all_stems: usize,
}

const EFFORTS: [RecurrentSearchEffort; 3] = [
    RecurrentSearchEffort { length: 2, loops: 12, stems: 4, all_stems: 150 },
    RecurrentSearchEffort { length: 4, loops: 60, stems: 16, all_stems: 1200 },
    RecurrentSearchEffort { length: 7, loops: 200, stems: 60, all_stems: 6000 },
];

/// A loop and what is known about it.
struct LassoCandidate {
    path: PolyPath,
    /// The ways to choose in it, and for each a set that is closed, once looked for.
    closed: Option<Vec<(PolyPath, Vec<PolyAtom>)>>,
    /// Whether no state at all has a direction to go on.
    no_rays: [Option<bool>; 2],
}

pub(crate) fn search_by_methods(
    system: &TransitionSystem,
    settings: &EngineSettings,
    methods: &[RecurrentSetMethod],
) -> Option<FoundRecurrentSet> {
    let wanted = |method| methods.is_empty() || methods.contains(&method);
    let mut ask =
        PolySolver::new(RECURRENT_SET_LIMITS.query, settings.deadline, settings.memory_mib);
    let graph = PathGraph::new(system, &mut ask, ApproximationMode::Under)?;
    for (round, effort) in EFFORTS.iter().enumerate() {
        let loops = find_cycles(&graph, &mut ask, effort.length, effort.loops);
        let loops = loops.into_iter().map(lasso_candidates).collect();
        let mut search = RecurrentSetSearch { system, graph: &graph, ask: &mut ask, loops };
        if wanted(RecurrentSetMethod::Lasso)
            && let Some(set) = search.search_lassos(effort)
        {
            return Some(FoundRecurrentSet { set, method: "lasso" });
        }
        if wanted(RecurrentSetMethod::Closed)
            && let Some(set) = search.search_components()
        {
            return Some(FoundRecurrentSet { set, method: "closed" });
        }
        // It goes as far as it goes: once is enough, when the others have had a first look.
        if wanted(RecurrentSetMethod::Forward)
            && round == usize::from(methods.is_empty())
            && let Some(set) = forward::find_recurrent_component(system, &graph, &mut ask)
        {
            return Some(FoundRecurrentSet { set, method: "forward" });
        }
        if ask.is_out_of_time() {
            return None;
        }
    }
    None
}

/// Looks for a run that takes these edges, one after the other, forever.
pub(crate) fn search_along_edges(
    system: &TransitionSystem,
    settings: &EngineSettings,
    edges: &[u32],
) -> Option<FoundRecurrentSet> {
    let mut ask =
        PolySolver::new(RECURRENT_SET_LIMITS.query, settings.deadline, settings.memory_mib);
    let graph = PathGraph::new(system, &mut ask, ApproximationMode::Under)?;
    let loops = cycles_along_edges(&graph, edges);
    if loops.iter().all(Vec::is_empty) {
        return None;
    }
    for effort in &EFFORTS {
        let loops = loops.iter().map(|paths| lasso_candidates(paths.clone())).collect();
        let mut search = RecurrentSetSearch { system, graph: &graph, ask: &mut ask, loops };
        if let Some(set) = search.search_from_stems(effort) {
            return Some(FoundRecurrentSet { set, method: "lasso" });
        }
    }
    None
}

fn lasso_candidates(paths: Vec<PolyPath>) -> Vec<LassoCandidate> {
    let candidate = |path| LassoCandidate { path, closed: None, no_rays: [None; 2] };
    paths.into_iter().map(candidate).collect()
}

struct RecurrentSetSearch<'a> {
    system: &'a TransitionSystem,
    graph: &'a PathGraph,
    ask: &'a mut PolySolver,
    loops: Vec<Vec<LassoCandidate>>,
}

impl RecurrentSetSearch<'_> {
    /// Loops at the end of stems, then of single runs.
    fn search_lassos(&mut self, effort: &RecurrentSearchEffort) -> Option<RecurrentSet> {
        let policies = [PathPolicy::First, PathPolicy::Last, PathPolicy::Alternate];
        self.search_from_stems(effort)
            .or_else(|| policies.into_iter().find_map(|policy| self.search_from_runs(policy)))
    }

    fn search_from_stems(&mut self, effort: &RecurrentSearchEffort) -> Option<RecurrentSet> {
        let shortcuts = (self.loops.iter())
            .map(|loops| {
                let loops = loops.iter().map(|candidate| &candidate.path);
                accelerate_loops(loops, &self.graph.matters)
            })
            .collect();
        let mut stems = StemEnumeration::new(self.graph, shortcuts, effort.stems, effort.all_stems);
        while let Some(stem) = stems.next_stem(self.ask) {
            if let Some(set) = self.search_at_stem(&stem) {
                return Some(set);
            }
        }
        None
    }

    /// Follows single runs from where stems first come to each location.
    fn search_from_runs(&mut self, policy: PathPolicy) -> Option<RecurrentSet> {
        let mut reached = vec![false; self.graph.locations];
        let mut pending = vec![PolyPath::empty(self.graph.start, self.graph.variables)];
        while let Some(stem) = pending.pop() {
            if std::mem::replace(&mut reached[stem.to], true) {
                continue;
            }
            let PolyAnswer::Sat(values) = self.ask.check_sat(&stem.atoms) else { continue };
            if let Some(run) = SimulatedRun::new(self.graph, &stem, &values, policy)
                && let Some(set) = self.follow_run(run)
            {
                return Some(set);
            }
            if self.ask.is_out_of_time() {
                return None;
            }
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            pending.extend(on.filter_map(|next| stem.followed_by(next).ok()));
        }
        None
    }

    /// Looks for closed sets where stems first come to each location of a part.
    fn search_components(&mut self) -> Option<RecurrentSet> {
        let mut reached = vec![0; self.graph.locations];
        let mut pending = VecDeque::from([PolyPath::empty(self.graph.start, self.graph.variables)]);
        while let Some(stem) = pending.pop_front() {
            reached[stem.to] += 1;
            if reached[stem.to] > 3 || self.ask.check_sat(&stem.atoms).is_unsat() {
                continue;
            }
            if let Some(part) = ClosedSetComponent::containing_location(self.graph, stem.to)
                && let Some((places, values)) = part.search_from_stem(self.ask, &stem)
                && let Some(set) = write_recurrent_set(self.system, &stem, &values, &places)
            {
                return Some(set);
            }
            if self.ask.is_out_of_time() {
                return None;
            }
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            pending.extend(on.filter_map(|next| stem.followed_by(next).ok()));
        }
        None
    }

    fn follow_run(&mut self, mut run: SimulatedRun<'_>) -> Option<RecurrentSet> {
        loop {
            match run.run_to_pause(self.ask) {
                RunPause::Here(stem) => {
                    let found = self.search_at_stem(&stem);
                    if found.is_some() {
                        return found;
                    }
                }
                RunPause::Again(stem, cycle) => {
                    let values = self.ask.check_sat(&stem.atoms).into_values()?;
                    let place = RecurrentPlace::of_loop(&cycle, cycle.atoms.clone());
                    return write_recurrent_set(self.system, &stem, &values, &[place]);
                }
                RunPause::End => return None,
            }
        }
    }

    /// Tries the loops at the end of a stem.
    fn search_at_stem(&mut self, stem: &PolyPath) -> Option<RecurrentSet> {
        let mut loops = std::mem::take(&mut self.loops[stem.to]);
        let mut found = None;
        for method in [
            Self::find_closed_loop_set,
            Self::find_one_ray_set,
            Self::find_closed_loop_set_at_stem,
            Self::find_two_ray_set,
        ] {
            for candidate in &mut loops {
                if !self.graph.is_fair_path(&candidate.path) {
                    continue;
                }
                found = method(self, stem, candidate);
                if found.is_some() || self.ask.is_out_of_time() {
                    break;
                }
            }
            if found.is_some() {
                break;
            }
        }
        self.loops[stem.to] = loops;
        found
    }

    /// A set that is closed wherever the run comes from.
    fn find_closed_loop_set(
        &mut self,
        stem: &PolyPath,
        candidate: &mut LassoCandidate,
    ) -> Option<RecurrentSet> {
        let closed = match &mut candidate.closed {
            Some(closed) => closed,
            none => {
                let mut closed = Vec::new();
                for path in choose_locals(&candidate.path) {
                    if let Some(set) =
                        close_guard(self.ask, &path, &ReachRequirement { stem: None })
                    {
                        closed.push((path, set));
                    }
                }
                none.insert(closed)
            }
        };
        for (path, set) in closed {
            if let PolyAnswer::Sat(values) =
                (ReachRequirement { stem: Some(stem) }).find_arrival(self.ask, set)
            {
                let place = RecurrentPlace::of_loop(path, set.clone());
                let found = write_recurrent_set(self.system, stem, &values, &[place]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// A set that is closed and that this stem reaches.
    fn find_closed_loop_set_at_stem(
        &mut self,
        stem: &PolyPath,
        candidate: &mut LassoCandidate,
    ) -> Option<RecurrentSet> {
        let reach = ReachRequirement { stem: Some(stem) };
        for path in choose_locals(&candidate.path) {
            if let Some(set) = close_guard(self.ask, &path, &reach)
                && let PolyAnswer::Sat(values) = reach.find_arrival(self.ask, &set)
            {
                let place = RecurrentPlace::of_loop(&path, set);
                let found = write_recurrent_set(self.system, stem, &values, &[place]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn find_one_ray_set(
        &mut self,
        stem: &PolyPath,
        candidate: &mut LassoCandidate,
    ) -> Option<RecurrentSet> {
        self.find_ray_set(stem, candidate, false)
    }

    fn find_two_ray_set(
        &mut self,
        stem: &PolyPath,
        candidate: &mut LassoCandidate,
    ) -> Option<RecurrentSet> {
        self.find_ray_set(stem, candidate, true)
    }

    fn find_ray_set(
        &mut self,
        stem: &PolyPath,
        candidate: &mut LassoCandidate,
        two: bool,
    ) -> Option<RecurrentSet> {
        let matters = &self.graph.matters;
        let none = candidate.no_rays[usize::from(two)].get_or_insert_with(|| {
            let anywhere = PolyPath::empty(candidate.path.from, self.graph.variables);
            find_geometric_argument(self.ask, &anywhere, &candidate.path, matters, two).is_none()
        });
        if *none {
            return None;
        }
        let rays = find_geometric_argument(self.ask, stem, &candidate.path, matters, two)?;
        let place = RecurrentPlace::along_rays(&candidate.path, &rays, matters)?;
        write_recurrent_set(self.system, stem, &rays.values, &[place])
    }
}
