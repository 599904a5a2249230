//! Runs on small and on extreme numbers, followed one by one until what decides comes back.
//!
//! **How it works.** Many loops that do not end do so for the first inputs that one would try: zero, one, two, the
//! largest number, half of all numbers. So a few such values are tried for what is chosen on the way into a loop, the solver
//! fills in the rest, and the run is followed state by state. Only the variables that flow into some guard are compared:
//! a counter that nothing looks at hides nothing. Where these are as they were before, the states in between are
//! a recurrent set.
//!
//! **What it misses.** Runs that take many steps to come back, and inputs that have to be computed.
//!
//! **What could mislead it.** Nothing: what comes back is a recurrent set.

use std::time::Duration;

use ouro_evidence::{MoveStep, RecurrentLocation, RecurrentMove, RecurrentSet, StemStep};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, Sort, SymbolId, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EngineSettings;
use crate::recurrent::FoundRecurrentSet;

/// Steps of one run.
const STEPS: usize = 600;
/// States of a set.
const STATES: usize = 48;
/// Runs that are followed.
const RUNS: usize = 160;
/// How often one run may ask what to choose.
const QUESTIONS: usize = 24;
/// Choices that get such a value at once.
const CHOICES: usize = 4;

/// Looks for a recurrent set that the run on some small or extreme numbers comes into.
pub(crate) fn find_orbit_set(
    system: &TransitionSystem,
    settings: &EngineSettings,
) -> Option<FoundRecurrentSet> {
    if !system.fairness.is_empty() {
        return None;
    }
    let session = Session::new(SessionLimits {
        query: Duration::from_millis(200),
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    });
    let mut search = OrbitSearch {
        system,
        terms: system.terms.clone(),
        session,
        settings,
        deciding: deciding_variables(system),
    };
    search.find()
}

/// The variables that flow into some guard.
fn deciding_variables(system: &TransitionSystem) -> Vec<bool> {
    let mut symbols: FxHashSet<SymbolId> = FxHashSet::default();
    let guards: Vec<Term> = system.edges.iter().map(|edge| edge.guard).collect();
    system.terms.visit_symbols(&guards, |id| {
        symbols.insert(id);
    });
    loop {
        let before = symbols.len();
        for (at, variable) in system.variables.iter().enumerate() {
            if is_symbol_among(&system.terms, variable.symbol, &symbols) {
                let updates: Vec<Term> = system.edges.iter().map(|edge| edge.update[at]).collect();
                system.terms.visit_symbols(&updates, |id| {
                    symbols.insert(id);
                });
            }
        }
        if symbols.len() == before {
            break;
        }
    }
    let decides = |symbol: Term| is_symbol_among(&system.terms, symbol, &symbols);
    system.variables.iter().map(|variable| decides(variable.symbol)).collect()
}

fn is_symbol_among(terms: &TermStore, symbol: Term, among: &FxHashSet<SymbolId>) -> bool {
    matches!(terms.op(symbol), TermOp::Symbol(id) if among.contains(id))
}

struct OrbitSearch<'a> {
    system: &'a TransitionSystem,
    terms: TermStore,
    session: Session,
    settings: &'a EngineSettings,
    /// Which variables are compared.
    deciding: Vec<bool>,
}

/// A step that was taken, with what was chosen.
#[derive(Clone, PartialEq, Eq)]
struct TakenStep {
    edge: EdgeId,
    choices: Vec<Constant>,
}

/// A run with its states: before each step, and after the last.
struct FollowedRun {
    states: Vec<(LocationId, Vec<Constant>)>,
    steps: Vec<TakenStep>,
}

impl OrbitSearch<'_> {
    fn find(&mut self) -> Option<FoundRecurrentSet> {
        let mut runs = 0;
        for (id, edge) in self.system.edges.enumerate() {
            if edge.from != self.system.initial || !edge.unknowns.is_empty() {
                continue;
            }
            let tried = self.deciding_choices(edge);
            let pools: Vec<Vec<Constant>> =
                tried.iter().map(|choice| small_and_extreme(self.terms.sort(*choice))).collect();
            let all: usize = pools.iter().map(Vec::len).product();
            for number in 0..all.max(1) {
                runs += 1;
                if runs > RUNS || clock::budget_now() >= self.settings.deadline {
                    return None;
                }
                let mut rest = number;
                let mut query = vec![edge.guard, self.system.condition];
                for (choice, pool) in tried.iter().zip(&pools) {
                    let value = self.terms.constant(pool[rest % pool.len()].clone());
                    rest /= pool.len();
                    query.push(self.terms.eq(*choice, value));
                }
                let SolverAnswer::Sat(values) = self.session.check_sat(&self.terms, &query) else {
                    continue;
                };
                if let Some(found) = self.follow_from(id, &values) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// The choices of an edge that variables become which decide something: the first few.
    fn deciding_choices(&self, edge: &TransitionEdge) -> Vec<Term> {
        let updates: Vec<Term> = (edge.update.iter().zip(&self.deciding))
            .filter(|(_, decides)| **decides)
            .map(|(update, _)| *update)
            .collect();
        let mut symbols: FxHashSet<SymbolId> = FxHashSet::default();
        self.terms.visit_symbols(&updates, |id| {
            symbols.insert(id);
        });
        let decides = |choice: &&Term| is_symbol_among(&self.terms, **choice, &symbols);
        edge.choices.iter().filter(decides).take(CHOICES).copied().collect()
    }

    fn follow_from(&mut self, first: EdgeId, values: &Assignment) -> Option<FoundRecurrentSet> {
        let system = self.system;
        let value_of = |terms: &TermStore, symbol: Term| {
            let value = TermEvaluator::new(terms, values).evaluate_term(symbol);
            value.or_else(|| zero_of(terms.sort(symbol)))
        };
        let initial: Option<Vec<Constant>> =
            system.variables.iter().map(|v| value_of(&self.terms, v.symbol)).collect();
        let choices: Option<Vec<Constant>> = (system.edges[first].choices.iter())
            .map(|choice| value_of(&self.terms, *choice))
            .collect();
        let mut run = FollowedRun { states: vec![(system.initial, initial?)], steps: Vec::new() };
        self.take(&mut run, first, choices?)?;
        let mut seen: FxHashMap<(LocationId, Vec<Constant>), usize> = FxHashMap::default();
        let mut questions = 0;
        while run.steps.len() < STEPS {
            let now = run.states.len() - 1;
            let key = (run.states[now].0, self.compared(&run.states[now].1));
            if let Some(before) = seen.insert(key, now) {
                return self.write(&run, before);
            }
            self.go_on(&mut run, &mut questions)?;
        }
        None
    }

    /// What is compared of a state.
    fn compared(&self, state: &[Constant]) -> Vec<Constant> {
        let both = state.iter().zip(&self.deciding);
        both.filter(|(_, decides)| **decides).map(|(value, _)| value.clone()).collect()
    }

    fn assignment(
        &self,
        state: &[Constant],
        edge: &TransitionEdge,
        choices: &[Constant],
    ) -> Assignment {
        let mut assignment = Assignment::new();
        let variables = self.system.variables.iter().map(|variable| variable.symbol);
        let symbols = variables.zip(state).chain(edge.choices.iter().copied().zip(choices));
        for (symbol, value) in symbols {
            if let TermOp::Symbol(id) = self.terms.op(symbol) {
                assignment.set(*id, value.clone());
            }
        }
        assignment
    }

    /// Takes an edge; `None` if it cannot be taken.
    fn take(&self, run: &mut FollowedRun, id: EdgeId, choices: Vec<Constant>) -> Option<()> {
        let edge = &self.system.edges[id];
        let assignment = self.assignment(&run.states.last()?.1, edge, &choices);
        let mut evaluator = TermEvaluator::new(&self.terms, &assignment);
        if evaluator.evaluate_formula(edge.guard) != Some(true) {
            return None;
        }
        let state: Option<Vec<Constant>> =
            edge.update.iter().map(|update| evaluator.evaluate_term(*update)).collect();
        run.states.push((edge.to, state?));
        run.steps.push(TakenStep { edge: id, choices });
        Some(())
    }

    /// Takes some edge; one that needs no choice is as good as any.
    fn go_on(&mut self, run: &mut FollowedRun, questions: &mut usize) -> Option<()> {
        let here = run.states.last()?.0;
        let out: Vec<EdgeId> = (self.system.edges.enumerate())
            .filter(|(_, edge)| edge.from == here && edge.unknowns.is_empty())
            .map(|(id, _)| id)
            .collect();
        let (plain, choosing): (Vec<EdgeId>, Vec<EdgeId>) =
            out.into_iter().partition(|id| self.system.edges[*id].choices.is_empty());
        for id in plain {
            if self.take(run, id, Vec::new()).is_some() {
                return Some(());
            }
        }
        for id in choosing {
            let edge = &self.system.edges[id];
            let zeros: Option<Vec<Constant>> =
                edge.choices.iter().map(|choice| zero_of(self.terms.sort(*choice))).collect();
            if self.take(run, id, zeros?).is_some() {
                return Some(());
            }
            *questions += 1;
            if *questions > QUESTIONS {
                return None;
            }
            let state: FxHashMap<Term, Term> = (self.system.variables.iter())
                .zip(&run.states.last()?.1)
                .map(|(variable, value)| (variable.symbol, self.terms.constant(value.clone())))
                .collect();
            let guard = self.terms.substitute(edge.guard, &state);
            if let SolverAnswer::Sat(values) = self.session.check_sat(&self.terms, &[guard]) {
                let mut evaluator = TermEvaluator::new(&self.terms, &values);
                let choices: Option<Vec<Constant>> = (edge.choices.iter())
                    .map(|choice| {
                        evaluator
                            .evaluate_term(*choice)
                            .or_else(|| zero_of(self.terms.sort(*choice)))
                    })
                    .collect();
                if self.take(run, id, choices?).is_some() {
                    return Some(());
                }
            }
        }
        None
    }

    /// The evidence: what is compared has come back since then.
    fn write(&mut self, run: &FollowedRun, before: usize) -> Option<FoundRecurrentSet> {
        let last = run.states.len() - 1;
        if last - before > STATES {
            return None;
        }
        let mut places: Vec<LocationId> = Vec::new();
        let mut sets: FxHashMap<LocationId, Vec<Term>> = FxHashMap::default();
        let mut moves: FxHashMap<LocationId, Vec<TakenStep>> = FxHashMap::default();
        for at in before..last {
            let (location, state) = &run.states[at];
            if !places.contains(location) {
                places.push(*location);
            }
            let mut parts = Vec::new();
            for (at, variable) in self.system.variables.iter().enumerate() {
                if self.deciding[at] {
                    let value = self.terms.constant(state[at].clone());
                    parts.push(self.terms.eq(variable.symbol, value));
                }
            }
            let set = self.terms.and_all(&parts);
            sets.entry(*location).or_default().push(set);
            let moves = moves.entry(*location).or_default();
            if !moves.contains(&run.steps[at]) {
                moves.push(run.steps[at].clone());
            }
        }
        let mut text = |value: &Constant| {
            let term = self.terms.constant(value.clone());
            self.terms.display(term).to_string()
        };
        let initial = run.states[0].1.iter().map(&mut text).collect();
        let stem = (run.steps[..before].iter())
            .map(|step| StemStep {
                edge: step.edge.0,
                choices: step.choices.iter().map(&mut text).collect(),
            })
            .collect();
        let mut locations = Vec::new();
        for location in places {
            let moves: Vec<RecurrentMove> = (moves[&location].iter())
                .map(|step| {
                    let choices = step.choices.iter().map(&mut text).collect();
                    RecurrentMove { steps: vec![MoveStep { edge: step.edge.0, choices }] }
                })
                .collect();
            locations.push((location, moves));
        }
        let places = (locations.into_iter())
            .map(|(location, moves)| {
                let set = self.terms.or_all(&sets[&location]);
                let set = self.terms.display(set).to_string();
                RecurrentLocation { location: location.0, set, moves }
            })
            .collect();
        let set = RecurrentSet { initial, stem, places };
        Some(FoundRecurrentSet { set, method: "orbit" })
    }
}

/// The values that one would try first.
fn small_and_extreme(sort: Sort) -> Vec<Constant> {
    match sort {
        Sort::Bool => vec![Constant::Bool(false), Constant::Bool(true)],
        Sort::Int => (-1..=3).map(|value| Constant::Int(value.into())).collect(),
        Sort::BitVec(width) => {
            let most = u128::MAX >> (128 - width);
            let half = 1_u128 << (width - 1);
            let mut all = vec![0, 1, 2, 3, most, half, half - 1];
            all.retain(|value| *value <= most);
            all.into_iter().map(|value| Constant::Bv { width, value }).collect()
        }
    }
}

fn zero_of(sort: Sort) -> Option<Constant> {
    Some(match sort {
        Sort::Bool => Constant::Bool(false),
        Sort::Int => Constant::Int(0.into()),
        Sort::BitVec(width) => Constant::Bv { width, value: 0 },
    })
}
