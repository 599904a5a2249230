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

use ouro_evidence::{ClosedPlace, Move, MoveStep, RecurrentSet, StemStep};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{Edge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Evaluator, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::Settings;
use crate::fair::is_fair;
use crate::recurrent::Found;

/// How often the sets are made smaller.
const MOST_ROUNDS: usize = 4;
/// Terms that may be made on the way.
const MOST_TERMS: usize = 200_000;

/// An edge with choices, over the variables.
pub(crate) struct Step {
    pub(crate) edge: EdgeId,
    pub(crate) choices: Vec<Term>,
}

/// Looks for a recurrent set that one edge leads into from the start.
pub(crate) fn find(system: &TransitionSystem, settings: &Settings) -> Option<Found> {
    let mut terms = system.terms.clone();
    let limits = Limits {
        query: Duration::from_secs(1),
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    };
    let mut session = Session::new(limits);
    let steps: Vec<Vec<Step>> = (system.locations.ids())
        .map(|location| {
            let edges = system.edges.enumerate().filter(|(_, edge)| {
                edge.from == location && location != system.initial && edge.unknowns.is_empty()
            });
            edges.flat_map(|(id, edge)| simple_steps(system, &mut terms, id, edge)).collect()
        })
        .collect();
    let most = terms.len() + MOST_TERMS;
    let mut sets: Vec<Term> = steps.iter().map(|steps| terms.bool(!steps.is_empty())).collect();
    for _ in 0..=MOST_ROUNDS {
        let mut next = Vec::new();
        let mut stays = true;
        for (location, steps) in steps.iter().enumerate() {
            let mut works = Vec::new();
            for step in steps {
                works.push(into(system, &mut terms, step, &sets));
            }
            let some = terms.or_all(&works);
            let none = terms.not(some);
            stays = stays && session.check(&terms, &[sets[location], none]) == Answer::Unsat;
            next.push(terms.and(sets[location], some));
            if terms.len() > most || clock::now() >= settings.deadline {
                return None;
            }
        }
        if stays {
            return entered(system, &mut terms, &mut session, steps, &sets);
        }
        sets = next;
    }
    None
}

/// The edge with the simplest choices: what a variable is, one, or zero.
pub(crate) fn simple_steps(
    system: &TransitionSystem,
    terms: &mut Terms,
    id: EdgeId,
    edge: &Edge,
) -> Vec<Step> {
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
    found.into_iter().map(|choices| Step { edge: id, choices }).collect()
}

/// When a step can be taken into the sets.
pub(crate) fn into(
    system: &TransitionSystem,
    terms: &mut Terms,
    step: &Step,
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
fn needed(
    system: &TransitionSystem,
    terms: &mut Terms,
    session: &mut Session,
    steps: &mut Vec<Step>,
    sets: &[Term],
) {
    let Some(first) = steps.first() else { return };
    let here = sets[system.edges[first.edge].from.0 as usize];
    let is_fair = |step: &Step| {
        let unmet = |p: &[EdgeId], q: &[EdgeId]| p.contains(&step.edge) && !q.contains(&step.edge);
        !system.fairness.iter().any(|pair| unmet(&pair.p, &pair.q))
    };
    steps.sort_by_key(|step| !is_fair(step));
    let mut query = vec![here];
    for count in 1..steps.len() {
        let works = into(system, terms, &steps[count - 1], sets);
        query.push(terms.not(works));
        if session.check(terms, &query) == Answer::Unsat {
            steps.truncate(count);
            return;
        }
    }
}

/// The evidence, if an edge from the start leads into a set.
fn entered(
    system: &TransitionSystem,
    terms: &mut Terms,
    session: &mut Session,
    mut steps: Vec<Vec<Step>>,
    sets: &[Term],
) -> Option<Found> {
    for (id, edge) in system.edges.enumerate().filter(|(_, edge)| edge.from == system.initial) {
        let Some((initial, stem)) = stem(system, terms, session, &[id], sets[edge.to.0 as usize])
        else {
            continue;
        };
        if !system.fairness.is_empty() {
            // The fewer moves there are, the fewer runs have to be fair.
            for place in reached(system, &steps, edge.to) {
                needed(system, terms, session, &mut steps[place.0 as usize], sets);
            }
        }
        let places = places(system, terms, &steps, sets, edge.to);
        let set = RecurrentSet { initial, stem, places };
        if is_fair(system, &set) {
            return Some(Found { set, method: "fixpoint" });
        }
    }
    None
}

/// Values with which a run takes these edges from the start and is in a set then.
pub(crate) fn stem(
    system: &TransitionSystem,
    terms: &mut Terms,
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
            let fresh = terms.fresh("chosen", terms.sort(*choice));
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
    let Answer::Sat(model) = session.check(terms, &conditions) else { return None };
    let mut value = |term: Term| {
        let value = Evaluator::new(terms, &model).value(term)?;
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
fn reached(system: &TransitionSystem, steps: &[Vec<Step>], first: LocationId) -> Vec<LocationId> {
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
pub(crate) fn places(
    system: &TransitionSystem,
    terms: &Terms,
    steps: &[Vec<Step>],
    sets: &[Term],
    first: LocationId,
) -> Vec<ClosedPlace> {
    let text = |term: &Term| terms.display(*term).to_string();
    let empty = |place: LocationId| terms.as_bool(sets[place.0 as usize]) == Some(false);
    (reached(system, steps, first).into_iter())
        .filter(|place| !empty(*place))
        .map(|place| ClosedPlace {
            location: place.0,
            set: text(&sets[place.0 as usize]),
            moves: (steps[place.0 as usize].iter())
                .filter(|step| !empty(system.edges[step.edge].to))
                .map(|step| Move {
                    steps: vec![MoveStep {
                        edge: step.edge.0,
                        choices: step.choices.iter().map(text).collect(),
                    }],
                })
                .collect(),
        })
        .collect()
}
