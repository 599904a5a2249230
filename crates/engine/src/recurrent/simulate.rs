//! Following one run, state by state: it finds cycles of many iterations and the far ends of long stems.

use rustc_hash::FxHashMap;

use crate::limits::RECURRENT_SET_LIMITS;
use crate::paths::ask::{PolySolver, VarValues};
use crate::paths::graph::PathGraph;
use crate::paths::path::{PathSegment, PolyPath};
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// Which path is taken where several can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathPolicy {
    First,
    Last,
    Alternate,
}

/// A run with its states.
pub(crate) struct SimulatedRun<'a> {
    graph: &'a PathGraph,
    policy: PathPolicy,
    location: usize,
    state: Vec<i128>,
    /// What was done so far, in numbers.
    segments: Vec<PathSegment>,
    initial: Vec<i128>,
    start: usize,
    visits: Vec<usize>,
    seen: FxHashMap<(usize, Vec<i128>), usize>,
    questions: usize,
    steps: usize,
}

/// Why a run pauses.
pub(crate) enum RunPause {
    /// It is at a location for the first, second, fourth, … time.
    Here(PolyPath),
    /// It was in this state before: the way there, and the way round.
    Again(PolyPath, PolyPath),
    /// It ends, or has gone on for too long.
    End,
}

impl<'a> SimulatedRun<'a> {
    /// The run that a stem begins, with these values.
    pub(crate) fn new(
        graph: &'a PathGraph,
        stem: &PolyPath,
        values: &VarValues,
        policy: PathPolicy,
    ) -> Option<SimulatedRun<'a>> {
        let of = |var: PolyVar| values.value_of(var);
        let state: Option<Vec<i128>> =
            stem.update.iter().map(|poly| poly.value_under(&of)).collect();
        let mut segments = Vec::new();
        for segment in &stem.segments {
            segments.push(evaluate_segment(segment, &of)?);
        }
        Some(SimulatedRun {
            graph,
            policy,
            location: stem.to,
            state: state?,
            segments,
            initial: (0..stem.variable_count()).map(of).collect(),
            start: stem.from,
            visits: vec![0; graph.locations],
            seen: FxHashMap::default(),
            questions: 0,
            steps: 0,
        })
    }

    /// Goes on until there is something to look at.
    pub(crate) fn run_to_pause(&mut self, ask: &mut PolySolver) -> RunPause {
        while self.steps < RECURRENT_SET_LIMITS.simulated_steps && !ask.is_out_of_time() {
            let key: Vec<i128> = (self.state.iter().zip(&self.graph.matters))
                .map(|(value, matters)| if *matters { *value } else { 0 })
                .collect();
            if let Some(before) = self.seen.insert((self.location, key), self.segments.len()) {
                let mut round = self.segments.split_off(before);
                let stem = self.path_so_far();
                round.shrink_to_fit();
                let fixed =
                    self.state.iter().enumerate().filter(|(var, _)| self.graph.matters[*var]);
                let atoms = fixed.filter_map(|(var, value)| equality_atom(var, *value)).collect();
                let cycle = PolyPath {
                    from: self.location,
                    segments: round,
                    atoms,
                    ..PolyPath::empty(self.location, self.graph.variables)
                };
                return RunPause::Again(stem, cycle);
            }
            if !self.take_step(ask) {
                return RunPause::End;
            }
            self.steps += 1;
            self.visits[self.location] += 1;
            if self.visits[self.location].is_power_of_two() {
                return RunPause::Here(self.path_so_far());
            }
        }
        RunPause::End
    }

    /// The run so far, as a path that only this run takes.
    fn path_so_far(&self) -> PolyPath {
        PolyPath {
            from: self.start,
            to: self.location,
            segments: self.segments.clone(),
            locals: 0,
            atoms: self
                .initial
                .iter()
                .enumerate()
                .filter_map(|(v, x)| equality_atom(v, *x))
                .collect(),
            update: self.state.iter().map(|value| IntegerPolynomial::constant(*value)).collect(),
        }
    }

    fn take_step(&mut self, ask: &mut PolySolver) -> bool {
        let graph = self.graph;
        let mut ways: Vec<&PolyPath> =
            graph.out[self.location].iter().map(|path| &graph.paths[*path]).collect();
        match self.policy {
            PathPolicy::First => {}
            PathPolicy::Last => ways.reverse(),
            PathPolicy::Alternate => {
                let turn = self.visits[self.location] % ways.len().max(1);
                ways.rotate_left(turn);
            }
        }
        // Better to stay than to leave.
        ways.sort_by_key(|path| !graph.in_same_component(path.from, path.to));
        ways.into_iter().any(|path| self.take_path(ask, path).is_some())
    }

    fn take_path(&mut self, ask: &mut PolySolver, path: &PolyPath) -> Option<()> {
        let mut locals = VarValues::default();
        let variables = path.variable_count();
        if !path.used_locals().is_empty() {
            let here = |var: PolyVar| {
                (var < variables).then(|| IntegerPolynomial::constant(self.state[var as usize]))
            };
            let atoms: Option<Vec<PolyAtom>> =
                path.atoms.iter().map(|a| a.map_poly(|poly| poly.substitute(&here))).collect();
            let atoms = atoms?;
            if self.questions >= RECURRENT_SET_LIMITS.simulated_questions
                || atoms.iter().any(|a| a.constant_truth() == Some(false))
            {
                return None;
            }
            self.questions += 1;
            locals = ask.check_sat(&atoms).into_values()?;
        }
        let of = |var: PolyVar| match var < variables {
            true => self.state[var as usize],
            false => locals.value_of(var),
        };
        if !path.atoms.iter().all(|atom| atom.holds_under(&of)) {
            return None;
        }
        let state: Option<Vec<i128>> =
            path.update.iter().map(|poly| poly.value_under(&of)).collect();
        let mut segments = Vec::new();
        for segment in &path.segments {
            segments.push(evaluate_segment(segment, &of)?);
        }
        self.state = state?;
        self.segments.append(&mut segments);
        self.location = path.to;
        Some(())
    }
}

fn equality_atom(var: usize, value: i128) -> Option<PolyAtom> {
    Some(PolyAtom::Eq(IntegerPolynomial::var(var as PolyVar).plus_constant(-value)?))
}

/// A piece of a path with numbers for its variables.
fn evaluate_segment(segment: &PathSegment, of: &dyn Fn(PolyVar) -> i128) -> Option<PathSegment> {
    let all = |polys: &[IntegerPolynomial]| -> Option<Vec<IntegerPolynomial>> {
        polys.iter().map(|poly| poly.value_under(of).map(IntegerPolynomial::constant)).collect()
    };
    Some(match segment {
        PathSegment::Edge { edge, choices } => {
            PathSegment::Edge { edge: *edge, choices: all(choices)? }
        }
        PathSegment::Repeat { path, times, state } => PathSegment::Repeat {
            path: path.clone(),
            times: IntegerPolynomial::constant(times.value_under(of)?),
            state: all(state)?,
        },
    })
}
