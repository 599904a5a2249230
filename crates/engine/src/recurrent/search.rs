//! Stems, breadth first, and which method is tried when.

use std::collections::VecDeque;
use std::time::Duration;

use ouro_evidence::RecurrentSet;
use ouro_model::transition::TransitionSystem;

use super::choices::chosen;
use super::closed::Part;
use super::cycles::{around, cycles};
use super::rays::rays;
use super::simulate::{Pause, Policy, Run};
use super::stems::{Stems, shortcuts};
use super::strengthen::{Reach, close};
use super::write::{Place, recurrent_set};
use super::{Found, Method};
use crate::paths::ask::{Ask, Told};
use crate::paths::graph::Graph;
use crate::paths::lower::Mode;
use crate::paths::path::Path;
use crate::paths::poly::Atom;
use crate::{Settings, forward};

/// The longest that one question may take.
const QUERY: Duration = Duration::from_millis(1500);

/// How much is tried, less at first.
struct Effort {
    /// Paths in a loop.
    length: usize,
    /// Loops at a location.
    loops: usize,
    /// Stems to a location.
    stems: usize,
    /// Stems in all.
    all_stems: usize,
}

const EFFORTS: [Effort; 3] = [
    Effort { length: 2, loops: 12, stems: 4, all_stems: 150 },
    Effort { length: 4, loops: 60, stems: 16, all_stems: 1200 },
    Effort { length: 7, loops: 200, stems: 60, all_stems: 6000 },
];

/// A loop and what is known about it.
struct Candidate {
    path: Path,
    /// The ways to choose in it, and for each a set that is closed, once looked for.
    closed: Option<Vec<(Path, Vec<Atom>)>>,
    /// Whether no state at all has a direction to go on.
    no_rays: [Option<bool>; 2],
}

pub(crate) fn find(
    system: &TransitionSystem,
    settings: &Settings,
    methods: &[Method],
) -> Option<Found> {
    let wanted = |method| methods.is_empty() || methods.contains(&method);
    let mut ask = Ask::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = Graph::new(system, &mut ask, Mode::Under)?;
    for (round, effort) in EFFORTS.iter().enumerate() {
        let loops = cycles(&graph, &mut ask, effort.length, effort.loops);
        let loops = loops.into_iter().map(candidates).collect();
        let mut search = Search { system, graph: &graph, ask: &mut ask, loops };
        if wanted(Method::Lasso)
            && let Some(set) = search.lassos(effort)
        {
            return Some(Found { set, method: "lasso" });
        }
        if wanted(Method::Closed)
            && let Some(set) = search.parts()
        {
            return Some(Found { set, method: "closed" });
        }
        // It goes as far as it goes: once is enough, when the others have had a first look.
        if wanted(Method::Forward)
            && round == usize::from(methods.is_empty())
            && let Some(set) = forward::find(system, &graph, &mut ask)
        {
            return Some(Found { set, method: "forward" });
        }
        if ask.is_over() {
            return None;
        }
    }
    None
}

/// Looks for a run that takes these edges, one after the other, forever.
pub(crate) fn along(
    system: &TransitionSystem,
    settings: &Settings,
    edges: &[u32],
) -> Option<Found> {
    let mut ask = Ask::new(QUERY, settings.deadline, settings.memory_mib);
    let graph = Graph::new(system, &mut ask, Mode::Under)?;
    let loops = around(&graph, edges);
    if loops.iter().all(Vec::is_empty) {
        return None;
    }
    for effort in &EFFORTS {
        let loops = loops.iter().map(|paths| candidates(paths.clone())).collect();
        let mut search = Search { system, graph: &graph, ask: &mut ask, loops };
        if let Some(set) = search.stems(effort) {
            return Some(Found { set, method: "lasso" });
        }
    }
    None
}

fn candidates(paths: Vec<Path>) -> Vec<Candidate> {
    let candidate = |path| Candidate { path, closed: None, no_rays: [None; 2] };
    paths.into_iter().map(candidate).collect()
}

struct Search<'a> {
    system: &'a TransitionSystem,
    graph: &'a Graph,
    ask: &'a mut Ask,
    loops: Vec<Vec<Candidate>>,
}

impl Search<'_> {
    /// Loops at the end of stems, then of single runs.
    fn lassos(&mut self, effort: &Effort) -> Option<RecurrentSet> {
        let policies = [Policy::First, Policy::Last, Policy::Alternate];
        self.stems(effort).or_else(|| policies.into_iter().find_map(|policy| self.runs(policy)))
    }

    fn stems(&mut self, effort: &Effort) -> Option<RecurrentSet> {
        let shortcuts = (self.loops.iter())
            .map(|loops| {
                let loops = loops.iter().map(|candidate| &candidate.path);
                shortcuts(loops, &self.graph.matters)
            })
            .collect();
        let mut stems = Stems::new(self.graph, shortcuts, effort.stems, effort.all_stems);
        while let Some(stem) = stems.next(self.ask) {
            if let Some(set) = self.at(&stem) {
                return Some(set);
            }
        }
        None
    }

    /// Follows single runs from where stems first come to each location.
    fn runs(&mut self, policy: Policy) -> Option<RecurrentSet> {
        let mut reached = vec![false; self.graph.locations];
        let mut pending = vec![Path::empty(self.graph.start, self.graph.variables)];
        while let Some(stem) = pending.pop() {
            if std::mem::replace(&mut reached[stem.to], true) {
                continue;
            }
            let Told::Sat(values) = self.ask.sat(&stem.atoms) else { continue };
            if let Some(run) = Run::new(self.graph, &stem, &values, policy)
                && let Some(set) = self.follow(run)
            {
                return Some(set);
            }
            if self.ask.is_over() {
                return None;
            }
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            pending.extend(on.filter_map(|next| stem.then(next).ok()));
        }
        None
    }

    /// Looks for closed sets where stems first come to each location of a part.
    fn parts(&mut self) -> Option<RecurrentSet> {
        let mut reached = vec![0; self.graph.locations];
        let mut pending = VecDeque::from([Path::empty(self.graph.start, self.graph.variables)]);
        while let Some(stem) = pending.pop_front() {
            reached[stem.to] += 1;
            if reached[stem.to] > 3 || self.ask.sat(&stem.atoms).is_unsat() {
                continue;
            }
            if let Some(part) = Part::of(self.graph, stem.to)
                && let Some((places, values)) = part.search(self.ask, &stem)
                && let Some(set) = recurrent_set(self.system, &stem, &values, &places)
            {
                return Some(set);
            }
            if self.ask.is_over() {
                return None;
            }
            let on = self.graph.out[stem.to].iter().map(|next| &self.graph.paths[*next]);
            pending.extend(on.filter_map(|next| stem.then(next).ok()));
        }
        None
    }

    fn follow(&mut self, mut run: Run<'_>) -> Option<RecurrentSet> {
        loop {
            match run.on(self.ask) {
                Pause::Here(stem) => {
                    let found = self.at(&stem);
                    if found.is_some() {
                        return found;
                    }
                }
                Pause::Again(stem, cycle) => {
                    let values = self.ask.sat(&stem.atoms).values()?;
                    let place = Place::of(&cycle, cycle.atoms.clone());
                    return recurrent_set(self.system, &stem, &values, &[place]);
                }
                Pause::End => return None,
            }
        }
    }

    /// Tries the loops at the end of a stem.
    fn at(&mut self, stem: &Path) -> Option<RecurrentSet> {
        let mut loops = std::mem::take(&mut self.loops[stem.to]);
        let mut found = None;
        for method in [Self::closed, Self::one_ray, Self::closed_here, Self::two_rays] {
            for candidate in &mut loops {
                if !self.graph.is_fair(&candidate.path) {
                    continue;
                }
                found = method(self, stem, candidate);
                if found.is_some() || self.ask.is_over() {
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
    fn closed(&mut self, stem: &Path, candidate: &mut Candidate) -> Option<RecurrentSet> {
        let closed = match &mut candidate.closed {
            Some(closed) => closed,
            none => {
                let mut closed = Vec::new();
                for path in chosen(&candidate.path) {
                    if let Some(set) = close(self.ask, &path, &Reach { stem: None }) {
                        closed.push((path, set));
                    }
                }
                none.insert(closed)
            }
        };
        for (path, set) in closed {
            if let Told::Sat(values) = (Reach { stem: Some(stem) }).arrive(self.ask, set) {
                let place = Place::of(path, set.clone());
                let found = recurrent_set(self.system, stem, &values, &[place]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// A set that is closed and that this stem reaches.
    fn closed_here(&mut self, stem: &Path, candidate: &mut Candidate) -> Option<RecurrentSet> {
        let reach = Reach { stem: Some(stem) };
        for path in chosen(&candidate.path) {
            if let Some(set) = close(self.ask, &path, &reach)
                && let Told::Sat(values) = reach.arrive(self.ask, &set)
            {
                let place = Place::of(&path, set);
                let found = recurrent_set(self.system, stem, &values, &[place]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn one_ray(&mut self, stem: &Path, candidate: &mut Candidate) -> Option<RecurrentSet> {
        self.rays(stem, candidate, false)
    }

    fn two_rays(&mut self, stem: &Path, candidate: &mut Candidate) -> Option<RecurrentSet> {
        self.rays(stem, candidate, true)
    }

    fn rays(&mut self, stem: &Path, candidate: &mut Candidate, two: bool) -> Option<RecurrentSet> {
        let matters = &self.graph.matters;
        let none = candidate.no_rays[usize::from(two)].get_or_insert_with(|| {
            let anywhere = Path::empty(candidate.path.from, self.graph.variables);
            rays(self.ask, &anywhere, &candidate.path, matters, two).is_none()
        });
        if *none {
            return None;
        }
        let rays = rays(self.ask, stem, &candidate.path, matters, two)?;
        let place = Place::along(&candidate.path, &rays, matters)?;
        recurrent_set(self.system, stem, &rays.values, &[place])
    }
}
