//! Following one run, state by state: it finds cycles of many turns and the far ends of long stems.

use rustc_hash::FxHashMap;

use crate::paths::ask::{Ask, Values};
use crate::paths::graph::Graph;
use crate::paths::path::{Path, Segment};
use crate::paths::poly::{Atom, Poly, Var};

/// The longest run.
const STEPS: usize = 20_000;
/// How many times the solver may be asked what to choose.
const QUESTIONS: usize = 200;

/// Which path is taken where several can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    First,
    Last,
    Alternate,
}

/// A run with its states.
pub(crate) struct Run<'a> {
    graph: &'a Graph,
    policy: Policy,
    location: usize,
    state: Vec<i128>,
    /// What was done so far, in numbers.
    segments: Vec<Segment>,
    initial: Vec<i128>,
    start: usize,
    visits: Vec<usize>,
    seen: FxHashMap<(usize, Vec<i128>), usize>,
    questions: usize,
    steps: usize,
}

/// Why a run pauses.
pub(crate) enum Pause {
    /// It is at a location for the first, second, fourth, … time.
    Here(Path),
    /// It was in this state before: the way there, and the way round.
    Again(Path, Path),
    /// It ends, or has gone on for too long.
    End,
}

impl<'a> Run<'a> {
    /// The run that a stem begins, with these values.
    pub(crate) fn new(
        graph: &'a Graph,
        stem: &Path,
        values: &Values,
        policy: Policy,
    ) -> Option<Run<'a>> {
        let of = |var: Var| values.of(var);
        let state: Option<Vec<i128>> = stem.update.iter().map(|poly| poly.value(&of)).collect();
        let mut segments = Vec::new();
        for segment in &stem.segments {
            segments.push(numbers(segment, &of)?);
        }
        Some(Run {
            graph,
            policy,
            location: stem.to,
            state: state?,
            segments,
            initial: (0..stem.variables()).map(of).collect(),
            start: stem.from,
            visits: vec![0; graph.locations],
            seen: FxHashMap::default(),
            questions: 0,
            steps: 0,
        })
    }

    /// Goes on until there is something to look at.
    pub(crate) fn on(&mut self, ask: &mut Ask) -> Pause {
        while self.steps < STEPS && !ask.is_over() {
            let key: Vec<i128> = (self.state.iter().zip(&self.graph.matters))
                .map(|(value, matters)| if *matters { *value } else { 0 })
                .collect();
            if let Some(before) = self.seen.insert((self.location, key), self.segments.len()) {
                let mut round = self.segments.split_off(before);
                let stem = self.path();
                round.shrink_to_fit();
                let fixed =
                    self.state.iter().enumerate().filter(|(var, _)| self.graph.matters[*var]);
                let atoms = fixed.filter_map(|(var, value)| equal(var, *value)).collect();
                let cycle = Path {
                    from: self.location,
                    segments: round,
                    atoms,
                    ..Path::empty(self.location, self.graph.variables)
                };
                return Pause::Again(stem, cycle);
            }
            if !self.step(ask) {
                return Pause::End;
            }
            self.steps += 1;
            self.visits[self.location] += 1;
            if self.visits[self.location].is_power_of_two() {
                return Pause::Here(self.path());
            }
        }
        Pause::End
    }

    /// The run so far, as a path that only this run takes.
    fn path(&self) -> Path {
        Path {
            from: self.start,
            to: self.location,
            segments: self.segments.clone(),
            locals: 0,
            atoms: self.initial.iter().enumerate().filter_map(|(v, x)| equal(v, *x)).collect(),
            update: self.state.iter().map(|value| Poly::constant(*value)).collect(),
        }
    }

    fn step(&mut self, ask: &mut Ask) -> bool {
        let graph = self.graph;
        let mut ways: Vec<&Path> =
            graph.out[self.location].iter().map(|path| &graph.paths[*path]).collect();
        match self.policy {
            Policy::First => {}
            Policy::Last => ways.reverse(),
            Policy::Alternate => {
                let turn = self.visits[self.location] % ways.len().max(1);
                ways.rotate_left(turn);
            }
        }
        // Better to stay than to leave.
        ways.sort_by_key(|path| !graph.together(path.from, path.to));
        ways.into_iter().any(|path| self.take(ask, path).is_some())
    }

    fn take(&mut self, ask: &mut Ask, path: &Path) -> Option<()> {
        let mut locals = Values::default();
        let variables = path.variables();
        if !path.used_locals().is_empty() {
            let here =
                |var: Var| (var < variables).then(|| Poly::constant(self.state[var as usize]));
            let atoms: Option<Vec<Atom>> =
                path.atoms.iter().map(|a| a.map(|poly| poly.substitute(&here))).collect();
            let atoms = atoms?;
            if self.questions >= QUESTIONS || atoms.iter().any(|a| a.truth() == Some(false)) {
                return None;
            }
            self.questions += 1;
            locals = ask.sat(&atoms).values()?;
        }
        let of = |var: Var| match var < variables {
            true => self.state[var as usize],
            false => locals.of(var),
        };
        if !path.atoms.iter().all(|atom| atom.holds(&of)) {
            return None;
        }
        let state: Option<Vec<i128>> = path.update.iter().map(|poly| poly.value(&of)).collect();
        let mut segments = Vec::new();
        for segment in &path.segments {
            segments.push(numbers(segment, &of)?);
        }
        self.state = state?;
        self.segments.append(&mut segments);
        self.location = path.to;
        Some(())
    }
}

fn equal(var: usize, value: i128) -> Option<Atom> {
    Some(Atom::Eq(Poly::var(var as Var).plus(-value)?))
}

/// A piece of a path with numbers for its variables.
fn numbers(segment: &Segment, of: &dyn Fn(Var) -> i128) -> Option<Segment> {
    let all = |polys: &[Poly]| -> Option<Vec<Poly>> {
        polys.iter().map(|poly| poly.value(of).map(Poly::constant)).collect()
    };
    Some(match segment {
        Segment::Edge { edge, choices } => Segment::Edge { edge: *edge, choices: all(choices)? },
        Segment::Repeat { path, times, state } => Segment::Repeat {
            path: path.clone(),
            times: Poly::constant(times.value(of)?),
            state: all(state)?,
        },
    })
}
