//! What of a recurrent set is needed: a set may offer moves that are never the only ones, and places to
//! which only those lead. A run of the program makes up its mind, and never comes there.

use ouro_evidence::{RecurrentMove, RecurrentSet};
use ouro_model::ids::EdgeId;
use ouro_model::transition::TransitionSystem;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::Term;
use rustc_hash::FxHashMap;

use crate::back::{move_condition, parse_system_term};

/// The set with, at each place, only so many of its moves, in order, that one of them works in every
/// state, none of them that works only where an earlier one does, and with the places that those lead to. `None` if it does not fit the system.
pub fn prune_recurrent_set(
    system: &TransitionSystem,
    set: &RecurrentSet,
    limits: SessionLimits,
) -> Option<RecurrentSet> {
    let mut terms = system.terms.clone();
    // A session is about the terms of one store.
    let mut session = Session::new(limits);
    let mut sets: FxHashMap<u32, Term> = FxHashMap::default();
    for place in &set.places {
        sets.insert(place.location, parse_system_term(system, &mut terms, &place.set)?);
    }
    let mut reached: Vec<u32> = vec![set.places.first()?.location];
    let mut kept: FxHashMap<u32, Vec<RecurrentMove>> = FxHashMap::default();
    let mut next = 0;
    while next < reached.len() {
        let location = reached[next];
        next += 1;
        let place = set.places.iter().find(|place| place.location == location)?;
        // States in which none of the moves so far works.
        let mut rest = vec![sets[&location]];
        let mut moves: Vec<RecurrentMove> = Vec::new();
        let mut is_known = true;
        for way in &place.moves {
            if is_known
                && !moves.is_empty()
                && session.check_sat(&terms, &rest) == SolverAnswer::Unsat
            {
                break;
            }
            let mut chosen = Vec::new();
            for text in way.steps.iter().flat_map(|step| &step.choices) {
                chosen.push(parse_system_term(system, &mut terms, text)?);
            }
            match move_condition(system, &mut terms, way, &chosen, &sets) {
                Some(works) => {
                    // A move that works in no state of the rest leads the run nowhere.
                    let is_used = !is_known
                        || session.check_sat(&terms, &[&rest[..], &[works]].concat())
                            != SolverAnswer::Unsat;
                    if !is_used {
                        continue;
                    }
                    rest.push(terms.not(works));
                }
                None => is_known = false,
            }
            moves.push(way.clone());
        }
        if moves.is_empty() {
            moves.extend(place.moves.first().cloned());
        }
        for way in &moves {
            let edge = system.edges.get(EdgeId(way.steps.last()?.edge))?;
            if !reached.contains(&edge.to.0) {
                reached.push(edge.to.0);
            }
        }
        kept.insert(location, moves);
    }
    let mut fewer = set.clone();
    fewer.places.retain(|place| kept.contains_key(&place.location));
    for place in &mut fewer.places {
        place.moves = kept.remove(&place.location)?;
    }
    Some(fewer)
}
