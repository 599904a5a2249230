//! A transition system has a recurrent set: follow the stem, then show that the set is closed.
//!
//! Why it is enough. The stem is a run that ends in the set of the first place. In each state of a
//! place's set, one of its moves can be made with the choices that the evidence gives, whatever
//! the unknowns are, and ends in the set of the place it leads to. So the run goes on, and from
//! there again. One query a place: a state of the set in which every move fails does not exist.
//!
//! Whichever moves are made, the run is fair (`fair`).
//!
//! Two moves of a place have their own unknowns. That no pair of them makes both moves fail means
//! that one of the two moves succeeds for all of its own.

use std::time::{Duration, Instant};

use ouro_evidence::{ClosedPlace, MoveStep, RecurrentSet, StemStep};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{Edge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Assignment, Constant, Evaluator, Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Rejection;
use crate::fair::{FairWay, along, unmet};
use crate::over::{Checked, constant, over_variables, reject};

/// A place of the evidence, read.
struct Place<'a> {
    location: LocationId,
    set: Term,
    moves: Vec<Vec<Step<'a>>>,
}

/// An edge, and what each of its choices is, over the state where the move starts.
struct Step<'a> {
    id: EdgeId,
    edge: &'a Edge,
    choices: Vec<Term>,
}

pub(crate) fn check(
    system: &TransitionSystem,
    claim: &RecurrentSet,
    deadline: Instant,
) -> Checked<()> {
    let mut terms = system.terms.clone();
    let places = read(system, &mut terms, &claim.places)?;
    let Some(first) = places.first() else { return reject("no place is given") };
    let (location, state) = follow(system, &mut terms, claim, deadline)?;
    if location != first.location {
        return reject(format!("the stem ends at {location}, not at {}", first.location));
    }
    if Evaluator::new(&terms, &state).holds(first.set) != Some(true) {
        return reject("the stem does not end in the set");
    }
    let mut session = Session::new(Limits {
        query: Duration::from_secs(60),
        deadline: Some(deadline),
        memory_mib: 0,
    });
    let mut ways = Vec::new();
    for (from, place) in places.iter().enumerate() {
        for way in &place.moves {
            let end = way.last().expect("read has checked it").edge.to;
            let to = places.iter().position(|place| place.location == end);
            let edges: Vec<EdgeId> = way.iter().map(|step| step.id).collect();
            let to = to.expect("read has checked it");
            ways.push(FairWay { from, to, meets: along(system, &edges) });
        }
    }
    if let Some(pair) = unmet(places.len(), system.fairness.len(), &ways) {
        return reject(format!("not every run in the set is fair: pair {pair}"));
    }
    for place in &places {
        closed(system, &mut terms, &mut session, &places, place)?;
    }
    Ok(())
}

/// Where the stem leads, and in which state.
fn follow(
    system: &TransitionSystem,
    terms: &mut Terms,
    claim: &RecurrentSet,
    deadline: Instant,
) -> Checked<(LocationId, Assignment)> {
    if claim.initial.len() != system.variables.len() {
        return reject(format!(
            "{} initial values for {} variables",
            claim.initial.len(),
            system.variables.len()
        ));
    }
    let mut state = Assignment::new();
    for (variable, text) in system.variables.iter().zip(&claim.initial) {
        let value = constant(terms, text, variable.sort)?;
        set(terms, &mut state, variable.symbol, value);
    }
    if Evaluator::new(terms, &state).holds(system.condition) != Some(true) {
        return reject("the first state is not an initial state");
    }
    let mut location = system.initial;
    for (at, step) in claim.stem.iter().enumerate() {
        if clock::now() > deadline {
            return Err(Rejection::time());
        }
        (location, state) = take(system, terms, location, &state, step).map_err(|rejection| {
            Rejection::new(format!("step {at} of the stem: {}", rejection.why))
        })?;
    }
    Ok((location, state))
}

fn take(
    system: &TransitionSystem,
    terms: &mut Terms,
    location: LocationId,
    state: &Assignment,
    step: &StemStep,
) -> Checked<(LocationId, Assignment)> {
    let edge = edge(system, step.edge)?;
    if edge.from != location {
        return reject(format!("the edge starts at {}, the run is at {location}", edge.from));
    }
    if !edge.unknowns.is_empty() {
        return reject("where the edge leads is not known");
    }
    if step.choices.len() != edge.choices.len() {
        return reject(format!("{} values for {} choices", step.choices.len(), edge.choices.len()));
    }
    let mut known = state.clone();
    for (symbol, text) in edge.choices.iter().zip(&step.choices) {
        let value = constant(terms, text, terms.sort(*symbol))?;
        set(terms, &mut known, *symbol, value);
    }
    let mut evaluator = Evaluator::new(terms, &known);
    if evaluator.holds(edge.guard) != Some(true) {
        return reject("the guard does not hold");
    }
    let mut next = Assignment::new();
    for (variable, term) in system.variables.iter().zip(&edge.update) {
        let Some(value) = evaluator.value(*term) else { return reject("a value is undefined") };
        set(terms, &mut next, variable.symbol, value);
    }
    Ok((edge.to, next))
}

/// Reads the places: formulas over the variables, edges that start there and lead to a place.
fn read<'a>(
    system: &'a TransitionSystem,
    terms: &mut Terms,
    places: &[ClosedPlace],
) -> Checked<Vec<Place<'a>>> {
    let mut read = Vec::new();
    let mut locations = FxHashSet::default();
    for place in places {
        let location = LocationId(place.location);
        if system.locations.get(location).is_none() {
            return reject(format!("there is no {location}"));
        }
        if !locations.insert(location) {
            return reject(format!("{location} has two sets"));
        }
        let set = over_variables(system, terms, &place.set, Sort::Bool)?;
        let mut moves = Vec::new();
        for way in &place.moves {
            moves.push(read_move(system, terms, location, &way.steps)?);
        }
        read.push(Place { location, set, moves });
    }
    for place in &read {
        for end in place.moves.iter().filter_map(|way| way.last()) {
            if !locations.contains(&end.edge.to) {
                return reject(format!("a move leads to {}, which has no set", end.edge.to));
            }
        }
    }
    Ok(read)
}

fn read_move<'a>(
    system: &'a TransitionSystem,
    terms: &mut Terms,
    from: LocationId,
    steps: &[MoveStep],
) -> Checked<Vec<Step<'a>>> {
    if steps.is_empty() {
        return reject(format!("a move from {from} has no step"));
    }
    let mut location = from;
    let mut read = Vec::new();
    for step in steps {
        let edge = edge(system, step.edge)?;
        if edge.from != location {
            return reject(format!("a move is at {location}, its next step at {}", edge.from));
        }
        if step.choices.len() != edge.choices.len() {
            let (given, wanted) = (step.choices.len(), edge.choices.len());
            return reject(format!("{given} terms for {wanted} choices"));
        }
        let mut choices = Vec::new();
        for (symbol, text) in edge.choices.iter().zip(&step.choices) {
            let sort = terms.sort(*symbol);
            choices.push(over_variables(system, terms, text, sort)?);
        }
        location = edge.to;
        read.push(Step { id: EdgeId(step.edge), edge, choices });
    }
    Ok(read)
}

/// Shows that each state of a place's set has a move into the sets.
fn closed(
    system: &TransitionSystem,
    terms: &mut Terms,
    session: &mut Session,
    places: &[Place<'_>],
    place: &Place<'_>,
) -> Checked<()> {
    let mut query = vec![place.set];
    for way in &place.moves {
        let works = works(system, terms, places, way);
        query.push(terms.not(works));
    }
    match session.check(terms, &query) {
        Answer::Unsat => Ok(()),
        Answer::Sat(_) => reject(format!("the set at {} can be left", place.location)),
        Answer::Unknown(why) if why == "time" => Err(Rejection::time()),
        Answer::Unknown(why) => reject(format!("the solver gave no answer: {why}")),
    }
}

/// When a move can be made and ends in the set of its target. The unknowns of each step are its
/// own, also if two steps take the same edge.
fn works(
    system: &TransitionSystem,
    terms: &mut Terms,
    places: &[Place<'_>],
    way: &[Step<'_>],
) -> Term {
    let mut parts = Vec::new();
    let mut state: Vec<Term> = system.unchanged();
    for Step { edge, choices, .. } in way {
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        now.extend(system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()));
        now.extend(edge.choices.iter().copied().zip(choices.iter().copied()));
        for unknown in &edge.unknowns {
            now.insert(*unknown, terms.fresh("unknown", terms.sort(*unknown)));
        }
        parts.push(terms.substitute(edge.guard, &now));
        state = edge.update.iter().map(|term| terms.substitute(*term, &now)).collect();
    }
    let end = way.last().expect("read has checked it").edge.to;
    let target = places.iter().find(|place| place.location == end).expect("read has checked it");
    let after: FxHashMap<Term, Term> =
        system.variables.iter().map(|v| v.symbol).zip(state).collect();
    parts.push(terms.substitute(target.set, &after));
    terms.and_all(&parts)
}

fn edge(system: &TransitionSystem, index: u32) -> Checked<&Edge> {
    let id = EdgeId(index);
    system.edges.get(id).ok_or_else(|| Rejection::new(format!("there is no {id}")))
}

fn set(terms: &Terms, state: &mut Assignment, symbol: Term, value: Constant) {
    if let Op::Symbol(id) = terms.op(symbol) {
        state.set(*id, value);
    }
}
