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

use std::time::Instant;

use ouro_evidence::{MoveStep, RecurrentLocation, RecurrentSet, StemStep};
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Assignment, Constant, Sort, Term, TermEvaluator, TermOp, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::EvidenceRejection;
use crate::fair::{FairnessPath, find_unmet_pair, pair_progress_along};
use crate::limits::LIMITS;
use crate::over::{CheckResult, parse_constant, parse_over_variables, reject_evidence};

/// A place of the evidence, read.
struct ParsedRecurrentLocation<'a> {
    location: LocationId,
    set: Term,
    moves: Vec<Vec<ParsedMoveStep<'a>>>,
}

/// An edge, and what each of its choices is, over the state where the move starts.
struct ParsedMoveStep<'a> {
    id: EdgeId,
    edge: &'a TransitionEdge,
    choices: Vec<Term>,
}

pub(crate) fn check_recurrent_set(
    system: &TransitionSystem,
    claim: &RecurrentSet,
    deadline: Instant,
) -> CheckResult<()> {
    let mut terms = system.terms.clone();
    let places = read_locations(system, &mut terms, &claim.places)?;
    let Some(first) = places.first() else { return reject_evidence("it names no location") };
    let (location, state) = follow_stem(system, &mut terms, claim, deadline)?;
    if location != first.location {
        return reject_evidence(format!("the stem ends at {location}, not at {}", first.location));
    }
    if TermEvaluator::new(&terms, &state).evaluate_formula(first.set) != Some(true) {
        return reject_evidence("the stem does not end in the set");
    }
    let mut session = Session::new(SessionLimits {
        query: LIMITS.set_query,
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
            ways.push(FairnessPath { from, to, meets: pair_progress_along(system, &edges) });
        }
    }
    if let Some(pair) = find_unmet_pair(places.len(), system.fairness.len(), &ways) {
        return reject_evidence(format!("not every run in the set is fair: pair {pair}"));
    }
    for place in &places {
        check_location_closed(system, &mut terms, &mut session, &places, place)?;
    }
    Ok(())
}

/// Where the stem leads, and in which state.
fn follow_stem(
    system: &TransitionSystem,
    terms: &mut TermStore,
    claim: &RecurrentSet,
    deadline: Instant,
) -> CheckResult<(LocationId, Assignment)> {
    if claim.initial.len() != system.variables.len() {
        return reject_evidence(format!(
            "{} initial values for {} variables",
            claim.initial.len(),
            system.variables.len()
        ));
    }
    let mut state = Assignment::new();
    for (variable, text) in system.variables.iter().zip(&claim.initial) {
        let value = parse_constant(terms, text, variable.sort)?;
        set_symbol(terms, &mut state, variable.symbol, value);
    }
    if TermEvaluator::new(terms, &state).evaluate_formula(system.condition) != Some(true) {
        return reject_evidence("the first state is not an initial state");
    }
    let mut location = system.initial;
    for (at, step) in claim.stem.iter().enumerate() {
        if clock::budget_now() > deadline {
            return Err(EvidenceRejection::time_ran_out());
        }
        (location, state) =
            take_stem_step(system, terms, location, &state, step).map_err(|rejection| {
                EvidenceRejection::new(format!("step {at} of the stem: {}", rejection.why))
            })?;
    }
    Ok((location, state))
}

fn take_stem_step(
    system: &TransitionSystem,
    terms: &mut TermStore,
    location: LocationId,
    state: &Assignment,
    step: &StemStep,
) -> CheckResult<(LocationId, Assignment)> {
    let edge = find_edge(system, step.edge)?;
    if edge.from != location {
        return reject_evidence(format!(
            "the edge starts at {}, the run is at {location}",
            edge.from
        ));
    }
    if !edge.unknowns.is_empty() {
        return reject_evidence("the target of the edge is not known");
    }
    if step.choices.len() != edge.choices.len() {
        return reject_evidence(format!(
            "{} values for {} choices",
            step.choices.len(),
            edge.choices.len()
        ));
    }
    let mut known = state.clone();
    for (symbol, text) in edge.choices.iter().zip(&step.choices) {
        let value = parse_constant(terms, text, terms.sort(*symbol))?;
        set_symbol(terms, &mut known, *symbol, value);
    }
    let mut evaluator = TermEvaluator::new(terms, &known);
    if evaluator.evaluate_formula(edge.guard) != Some(true) {
        return reject_evidence("the guard does not hold");
    }
    let mut next = Assignment::new();
    for (variable, term) in system.variables.iter().zip(&edge.update) {
        let Some(value) = evaluator.evaluate_term(*term) else {
            return reject_evidence("a value is undefined");
        };
        set_symbol(terms, &mut next, variable.symbol, value);
    }
    Ok((edge.to, next))
}

/// Reads the places: formulas over the variables, edges that start there and lead to a place.
fn read_locations<'a>(
    system: &'a TransitionSystem,
    terms: &mut TermStore,
    places: &[RecurrentLocation],
) -> CheckResult<Vec<ParsedRecurrentLocation<'a>>> {
    let mut read = Vec::new();
    let mut locations = FxHashSet::default();
    for place in places {
        let location = LocationId(place.location);
        if system.locations.get(location).is_none() {
            return reject_evidence(format!("there is no {location}"));
        }
        if !locations.insert(location) {
            return reject_evidence(format!("{location} has two sets"));
        }
        let set = parse_over_variables(system, terms, &place.set, Sort::Bool)?;
        let mut moves = Vec::new();
        for way in &place.moves {
            moves.push(read_move(system, terms, location, &way.steps)?);
        }
        read.push(ParsedRecurrentLocation { location, set, moves });
    }
    for place in &read {
        for end in place.moves.iter().filter_map(|way| way.last()) {
            if !locations.contains(&end.edge.to) {
                return reject_evidence(format!(
                    "a move leads to {}, which has no set",
                    end.edge.to
                ));
            }
        }
    }
    Ok(read)
}

fn read_move<'a>(
    system: &'a TransitionSystem,
    terms: &mut TermStore,
    from: LocationId,
    steps: &[MoveStep],
) -> CheckResult<Vec<ParsedMoveStep<'a>>> {
    if steps.is_empty() {
        return reject_evidence(format!("a move from {from} has no steps"));
    }
    let mut location = from;
    let mut read = Vec::new();
    for step in steps {
        let edge = find_edge(system, step.edge)?;
        if edge.from != location {
            return reject_evidence(format!(
                "a move is at {location}, its next step at {}",
                edge.from
            ));
        }
        if step.choices.len() != edge.choices.len() {
            let (given, wanted) = (step.choices.len(), edge.choices.len());
            return reject_evidence(format!("{given} terms for {wanted} choices"));
        }
        let mut choices = Vec::new();
        for (symbol, text) in edge.choices.iter().zip(&step.choices) {
            let sort = terms.sort(*symbol);
            choices.push(parse_over_variables(system, terms, text, sort)?);
        }
        location = edge.to;
        read.push(ParsedMoveStep { id: EdgeId(step.edge), edge, choices });
    }
    Ok(read)
}

/// Shows that each state of a place's set has a move into the sets.
fn check_location_closed(
    system: &TransitionSystem,
    terms: &mut TermStore,
    session: &mut Session,
    places: &[ParsedRecurrentLocation<'_>],
    place: &ParsedRecurrentLocation<'_>,
) -> CheckResult<()> {
    let mut query = vec![place.set];
    for way in &place.moves {
        let works = move_condition(system, terms, places, way);
        query.push(terms.not(works));
    }
    match session.check_sat(terms, &query) {
        SolverAnswer::Unsat => Ok(()),
        SolverAnswer::Sat(_) => {
            reject_evidence(format!("a run can leave the set at {}", place.location))
        }
        SolverAnswer::Unknown(why) if why == "time" => Err(EvidenceRejection::time_ran_out()),
        SolverAnswer::Unknown(why) => reject_evidence(format!("the solver gave no answer: {why}")),
    }
}

/// When a move can be made and ends in the set of its target. The unknowns of each step are its
/// own, also if two steps take the same edge.
fn move_condition(
    system: &TransitionSystem,
    terms: &mut TermStore,
    places: &[ParsedRecurrentLocation<'_>],
    way: &[ParsedMoveStep<'_>],
) -> Term {
    let mut parts = Vec::new();
    let mut state: Vec<Term> = system.identity_update();
    for ParsedMoveStep { edge, choices, .. } in way {
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        now.extend(system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()));
        now.extend(edge.choices.iter().copied().zip(choices.iter().copied()));
        for unknown in &edge.unknowns {
            now.insert(*unknown, terms.fresh_symbol("unknown", terms.sort(*unknown)));
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

fn find_edge(system: &TransitionSystem, index: u32) -> CheckResult<&TransitionEdge> {
    let id = EdgeId(index);
    system.edges.get(id).ok_or_else(|| EvidenceRejection::new(format!("there is no {id}")))
}

fn set_symbol(terms: &TermStore, state: &mut Assignment, symbol: Term, value: Constant) {
    if let TermOp::Symbol(id) = terms.op(symbol) {
        state.set(*id, value);
    }
}
