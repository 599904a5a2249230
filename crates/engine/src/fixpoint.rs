//! The first sets that come to mind: states from which a run can go on once, twice, a few times.
//!
//! **How it works.** At first the set of each location is *true*. If from each of its states some
//! edge can be taken into the sets, with one of a few simple choices, this is a recurrent set.
//! Otherwise the states from which that is possible are the next sets.
//!
//! **What it misses.** Everything that needs an invariant, or a choice that has to be computed.
//!
//! **What could mislead it.** Nothing: a fixpoint is a recurrent set.

use std::time::Duration;

use ouro_evidence::{MoveStep, RecurrentLocation, RecurrentMove, RecurrentSet, StemStep};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashMap;

use crate::EngineSettings;
use crate::fair::is_fair_recurrent_set;
use crate::limits::STEADY_SET_LIMITS;
use crate::recurrent::FoundRecurrentSet;

/// An edge with choices, over the variables.
pub(crate) struct ChosenStep {
    pub(crate) edge: EdgeId,
    pub(crate) choices: Vec<Term>,
}

/// Looks for a recurrent set that one edge leads into from the start.
pub(crate) fn find_fixpoint_set(
    system: &TransitionSystem,
    settings: &EngineSettings,
) -> Option<FoundRecurrentSet> {
    let mut terms = system.terms.clone();
    let limits = SessionLimits {
        query: Duration::from_secs(1),
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    };
    let mut session = Session::new(limits);
    let steps: Vec<Vec<ChosenStep>> = (system.locations.ids())
        .map(|location| {
            let edges = system.edges.enumerate().filter(|(_, edge)| {
                edge.from == location && location != system.initial && edge.unknowns.is_empty()
            });
            edges.flat_map(|(id, edge)| simplest_steps(system, &mut terms, id, edge)).collect()
        })
        .collect();
    let most = terms.len() + STEADY_SET_LIMITS.fixpoint_terms;
    let mut sets: Vec<Term> = steps.iter().map(|steps| terms.bool(!steps.is_empty())).collect();
    for _ in 0..=STEADY_SET_LIMITS.fixpoint_rounds {
        let mut next = Vec::new();
        let mut stays = true;
        for (location, steps) in steps.iter().enumerate() {
            let mut works = Vec::new();
            for step in steps {
                works.push(step_into_condition(system, &mut terms, step, &sets));
            }
            let some = terms.or_all(&works);
            let none = terms.not(some);
            stays =
                stays && session.check_sat(&terms, &[sets[location], none]) == SolverAnswer::Unsat;
            next.push(terms.and(sets[location], some));
            if terms.len() > most || clock::budget_now() >= settings.deadline {
                return None;
            }
        }
        if stays {
            return enter_from_start(system, &mut terms, &mut session, steps, &sets);
        }
        sets = next;
    }
    None
}

/// The edge with the simplest choices: what a variable is, one, or zero.
pub(crate) fn simplest_steps(
    system: &TransitionSystem,
    terms: &mut TermStore,
    id: EdgeId,
    edge: &TransitionEdge,
) -> Vec<ChosenStep> {
    let mut found: Vec<Vec<Term>> = Vec::new();
    for way in 0..3 {
        let choices: Vec<Term> = (edge.choices.iter())
            .map(|choice| {
                let sort = terms.sort(*choice);
                let variable = system.variables.iter().find(|v| v.sort == sort && way == 0);
                match (variable, sort) {
                    (Some(variable), _) => variable.symbol,
                    (None, Sort::BitVec(width)) => terms.bv(width, u128::from(way != 2)),
                    (None, Sort::Int) => terms.int(i32::from(way != 2)),
                    (None, Sort::Bool) => terms.bool(way != 2),
                }
            })
            .collect();
        if !found.contains(&choices) {
            found.push(choices);
        }
    }
    found.into_iter().map(|choices| ChosenStep { edge: id, choices }).collect()
}

/// When a step can be taken into the sets.
pub(crate) fn step_into_condition(
    system: &TransitionSystem,
    terms: &mut TermStore,
    step: &ChosenStep,
    sets: &[Term],
) -> Term {
    let edge = &system.edges[step.edge];
    let chosen: FxHashMap<Term, Term> =
        edge.choices.iter().copied().zip(step.choices.iter().copied()).collect();
    let guard = terms.substitute(edge.guard, &chosen);
    let after: FxHashMap<Term, Term> = (system.variables.iter().zip(&edge.update))
        .map(|(variable, update)| (variable.symbol, terms.substitute(*update, &chosen)))
        .collect();
    let inside = terms.substitute(sets[edge.to.0 as usize], &after);
    terms.and(guard, inside)
}

/// Keeps as many steps as there have to be for one to work in each state of the set, those first that
/// are fair by themselves.
fn retain_needed_steps(
    system: &TransitionSystem,
    terms: &mut TermStore,
    session: &mut Session,
    steps: &mut Vec<ChosenStep>,
    sets: &[Term],
) {
    let Some(first) = steps.first() else { return };
    let here = sets[system.edges[first.edge].from.0 as usize];
    let is_fair = |step: &ChosenStep| {
        let unmet = |p: &[EdgeId], q: &[EdgeId]| p.contains(&step.edge) && !q.contains(&step.edge);
        !system.fairness.iter().any(|pair| unmet(&pair.p, &pair.q))
    };
    steps.sort_by_key(|step| !is_fair(step));
    let mut query = vec![here];
    for count in 1..steps.len() {
        let works = step_into_condition(system, terms, &steps[count - 1], sets);
        query.push(terms.not(works));
        if session.check_sat(terms, &query) == SolverAnswer::Unsat {
            steps.truncate(count);
            return;
        }
    }
}

/// The evidence, if an edge from the start leads into a set.
fn enter_from_start(
    system: &TransitionSystem,
    terms: &mut TermStore,
    session: &mut Session,
    mut steps: Vec<Vec<ChosenStep>>,
    sets: &[Term],
) -> Option<FoundRecurrentSet> {
    for (id, edge) in system.edges.enumerate().filter(|(_, edge)| edge.from == system.initial) {
        let Some((initial, stem)) =
            find_stem(system, terms, session, &[id], sets[edge.to.0 as usize])
        else {
            continue;
        };
        if !system.fairness.is_empty() {
            // The fewer moves there are, the fewer runs have to be fair.
            for place in reachable_locations(system, &steps, edge.to) {
                retain_needed_steps(system, terms, session, &mut steps[place.0 as usize], sets);
            }
        }
        let places = recurrent_locations(system, terms, &steps, sets, edge.to);
        let set = RecurrentSet { initial, stem, places };
        if is_fair_recurrent_set(system, &set) {
            return Some(FoundRecurrentSet { set, method: "fixpoint" });
        }
    }
    None
}

/// Values with which a run takes these edges from the start and is in a set then.
pub(crate) fn find_stem(
    system: &TransitionSystem,
    terms: &mut TermStore,
    session: &mut Session,
    edges: &[EdgeId],
    set: Term,
) -> Option<(Vec<String>, Vec<StemStep>)> {
    let mut now: FxHashMap<Term, Term> =
        system.variables.iter().map(|variable| (variable.symbol, variable.symbol)).collect();
    let mut conditions = vec![system.condition];
    let mut chosen: Vec<Vec<Term>> = Vec::new();
    for id in edges {
        let edge = &system.edges[*id];
        if !edge.unknowns.is_empty() {
            return None;
        }
        // One edge may be taken several times, with other choices each time.
        let mut here = now.clone();
        let mut choices = Vec::new();
        for choice in &edge.choices {
            let fresh = terms.fresh_symbol("chosen", terms.sort(*choice));
            here.insert(*choice, fresh);
            choices.push(fresh);
        }
        conditions.push(terms.substitute(edge.guard, &here));
        now = (system.variables.iter().zip(&edge.update))
            .map(|(variable, update)| (variable.symbol, terms.substitute(*update, &here)))
            .collect();
        chosen.push(choices);
    }
    conditions.push(terms.substitute(set, &now));
    let SolverAnswer::Sat(model) = session.check_sat(terms, &conditions) else { return None };
    let mut value = |term: Term| {
        let value = TermEvaluator::new(terms, &model).evaluate_term(term)?;
        let value = terms.constant(value);
        Some(terms.display(value).to_string())
    };
    let initial = system.variables.iter().map(|variable| value(variable.symbol));
    let initial = initial.collect::<Option<Vec<String>>>()?;
    let mut stem = Vec::new();
    for (id, choices) in edges.iter().zip(chosen) {
        let choices = choices.into_iter().map(&mut value).collect::<Option<Vec<String>>>()?;
        stem.push(StemStep { edge: id.0, choices });
    }
    Some((initial, stem))
}

/// The locations that steps lead to, the first one first.
fn reachable_locations(
    system: &TransitionSystem,
    steps: &[Vec<ChosenStep>],
    first: LocationId,
) -> Vec<LocationId> {
    let mut places = vec![first];
    let mut next = 0;
    while let Some(place) = places.get(next).copied() {
        for step in &steps[place.0 as usize] {
            let to = system.edges[step.edge].to;
            if !places.contains(&to) {
                places.push(to);
            }
        }
        next += 1;
    }
    places
}

/// The places of a recurrent set, the first one first.
pub(crate) fn recurrent_locations(
    system: &TransitionSystem,
    terms: &TermStore,
    steps: &[Vec<ChosenStep>],
    sets: &[Term],
    first: LocationId,
) -> Vec<RecurrentLocation> {
    let text = |term: &Term| terms.display(*term).to_string();
    let empty = |place: LocationId| terms.as_bool(sets[place.0 as usize]) == Some(false);
    (reachable_locations(system, steps, first).into_iter())
        .filter(|place| !empty(*place))
        .map(|place| RecurrentLocation {
            location: place.0,
            set: text(&sets[place.0 as usize]),
            moves: (steps[place.0 as usize].iter())
                .filter(|step| !empty(system.edges[step.edge].to))
                .map(|step| RecurrentMove {
                    steps: vec![MoveStep {
                        edge: step.edge.0,
                        choices: step.choices.iter().map(text).collect(),
                    }],
                })
                .collect(),
        })
        .collect()
}
