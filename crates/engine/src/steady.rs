//! Sets of states that are decided by what never changes: `for (i = 1; i <= n; i++)` goes on forever where
//! `n` is the largest number there is, whatever `i` may be.
//!
//! **How it works.** The steps of a loop, or of a strongly connected part, leave some variables as they are.
//! Which values of those let every state go on? Each state of the others (the least and the largest numbers
//! first, then those that a set has left stuck) asks for a condition on the steady ones, and all of these
//! conditions together are the next set. What is kept is necessary, so nothing is lost on the way.
//!
//! **What it misses.** Sets that need to know something about what changes.
//!
//! **What could mislead it.** Nothing: a set in which no state is stuck is a recurrent set.

use std::time::Duration;

use ouro_evidence::RecurrentSet;
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::TransitionSystem;
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, Term, TermEvaluator, TermStore};
use rustc_hash::FxHashMap;

use crate::EngineSettings;
use crate::fixpoint::{
    ChosenStep, find_stem, recurrent_locations, simplest_steps, step_into_condition,
};
use crate::limits::STEADY_SET_LIMITS;
use crate::recurrent::FoundRecurrentSet;

/// After so many, a single value is tried.
const SINGLE: [usize; 3] = [1, 4, 15];

/// Looks for a recurrent set that a few edges lead into from the start.
pub(crate) fn find_steady_set(
    system: &TransitionSystem,
    settings: &EngineSettings,
) -> Option<FoundRecurrentSet> {
    if !system.fairness.is_empty() {
        return None;
    }
    let mut terms = system.terms.clone();
    let limits = SessionLimits {
        query: Duration::from_secs(1),
        deadline: Some(settings.deadline),
        memory_mib: u32::try_from(settings.memory_mib).unwrap_or(u32::MAX),
    };
    let mut search = SteadySetSearch {
        most: terms.len() + STEADY_SET_LIMITS.terms,
        system,
        session: Session::new(limits),
        settings,
    };
    let mut parts: Vec<Vec<LocationId>> = Vec::new();
    for location in system.locations.ids().filter(|location| *location != system.initial) {
        let around = search.component_of(location);
        for part in [vec![location], around] {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    parts.iter().find_map(|part| search.search_component(&mut terms, part))
}

struct SteadySetSearch<'a> {
    system: &'a TransitionSystem,
    session: Session,
    settings: &'a EngineSettings,
    most: usize,
}

impl SteadySetSearch<'_> {
    /// The locations that a location leads to and that lead back.
    fn component_of(&self, location: LocationId) -> Vec<LocationId> {
        let ends = |edge: &ouro_model::transition::TransitionEdge| (edge.from, edge.to);
        let ahead: Vec<_> = self.system.edges.iter().map(ends).collect();
        let back: Vec<_> = ahead.iter().map(|(from, to)| (*to, *from)).collect();
        let (ahead, back) =
            (reachable_locations(location, &ahead), reachable_locations(location, &back));
        let both = |at: &LocationId| ahead.contains(at) && back.contains(at);
        self.system.locations.ids().filter(|at| *at != self.system.initial).filter(both).collect()
    }

    fn search_component(
        &mut self,
        terms: &mut TermStore,
        part: &[LocationId],
    ) -> Option<FoundRecurrentSet> {
        let system = self.system;
        let steps: Vec<Vec<ChosenStep>> = (system.locations.ids())
            .map(|location| {
                let edges = system.edges.enumerate().filter(|(_, edge)| {
                    part.contains(&edge.from)
                        && edge.from == location
                        && part.contains(&edge.to)
                        && edge.unknowns.is_empty()
                });
                edges.flat_map(|(id, edge)| simplest_steps(system, terms, id, edge)).collect()
            })
            .collect();
        if part.iter().any(|location| steps[location.0 as usize].is_empty()) {
            return None;
        }
        let taken = || steps.iter().flatten().map(|step| &system.edges[step.edge]);
        let (steady, changing): (Vec<usize>, Vec<usize>) = (0..system.variables.len())
            .partition(|at| taken().all(|edge| edge.update[*at] == system.variables[*at].symbol));
        if steady.is_empty() || changing.is_empty() {
            return None;
        }
        let inside: Vec<Term> =
            system.locations.ids().map(|location| terms.bool(part.contains(&location))).collect();
        let mut works = Vec::new();
        for location in part {
            let mut ways = Vec::new();
            for step in &steps[location.0 as usize] {
                ways.push(step_into_condition(system, terms, step, &inside));
            }
            works.push(terms.or_all(&ways));
        }
        let set = self.find_steady_condition(terms, &works, &changing)?;
        let no = terms.bool(false);
        let sets: Vec<Term> = (system.locations.ids())
            .map(|location| if part.contains(&location) { set } else { no })
            .collect();
        for edges in self.short_stems(part) {
            let first = system.edges[*edges.last()?].to;
            if let Some((initial, stem)) = find_stem(system, terms, &mut self.session, &edges, set)
            {
                let places = recurrent_locations(system, terms, &steps, &sets, first);
                let set = RecurrentSet { initial, stem, places };
                return Some(FoundRecurrentSet { set, method: "steady" });
            }
        }
        None
    }

    /// Short ways from the start into a part, the shortest first.
    fn short_stems(&self, part: &[LocationId]) -> Vec<Vec<EdgeId>> {
        let mut ways: Vec<Vec<EdgeId>> = Vec::new();
        let mut open: Vec<Vec<EdgeId>> = vec![Vec::new()];
        for _ in 0..STEADY_SET_LIMITS.way_edges {
            let mut longer = Vec::new();
            for way in &open {
                let at = way.last().map_or(self.system.initial, |id| self.system.edges[*id].to);
                for (id, edge) in self.system.edges.enumerate().filter(|(_, edge)| edge.from == at)
                {
                    let mut next = way.clone();
                    next.push(id);
                    let list = if part.contains(&edge.to) { &mut ways } else { &mut longer };
                    list.push(next);
                }
            }
            longer.truncate(STEADY_SET_LIMITS.ways);
            open = longer;
        }
        ways.truncate(STEADY_SET_LIMITS.ways);
        ways
    }

    /// A condition on what is steady under which each state of the others can go on; `works` says when a state
    /// can, at each place.
    fn find_steady_condition(
        &mut self,
        terms: &mut TermStore,
        works: &[Term],
        changing: &[usize],
    ) -> Option<Term> {
        let mut conditions: Vec<Term> = Vec::new();
        for state in self.extreme_states(terms, changing) {
            for can in works {
                conditions.push(terms.substitute(*can, &state));
            }
        }
        for round in 0..STEADY_SET_LIMITS.rounds {
            let set = terms.and_all(&conditions);
            if terms.as_bool(set) == Some(false)
                || terms.len() > self.most
                || clock::budget_now() >= self.settings.deadline
            {
                return None;
            }
            let mut stuck = None;
            for can in works {
                let cannot = terms.not(*can);
                match self.session.check_sat(terms, &[set, cannot]) {
                    SolverAnswer::Unsat => {}
                    SolverAnswer::Sat(model) => {
                        stuck = Some((*can, model));
                        break;
                    }
                    SolverAnswer::Unknown(_) => return None,
                }
            }
            let Some((can, model)) = stuck else {
                return Some(self.drop_implied_conditions(terms, conditions));
            };
            let mut state = FxHashMap::default();
            for at in changing {
                let symbol = self.system.variables[*at].symbol;
                let value = TermEvaluator::new(terms, &model).evaluate_term(symbol)?;
                state.insert(symbol, terms.constant(value));
            }
            conditions.push(terms.substitute(can, &state));
            if SINGLE.contains(&round)
                && let Some(set) = self.find_single_values(terms, works, &conditions, changing)
            {
                return Some(set);
            }
        }
        None
    }

    /// One value for each of the steady variables that meets the conditions, if with it every state goes on.
    fn find_single_values(
        &mut self,
        terms: &mut TermStore,
        works: &[Term],
        conditions: &[Term],
        changing: &[usize],
    ) -> Option<Term> {
        let SolverAnswer::Sat(model) = self.session.check_sat(terms, conditions) else {
            return None;
        };
        let mut values = FxHashMap::default();
        let mut set = Vec::new();
        let mut deciding: Vec<Term> = Vec::new();
        for can in works {
            for id in terms.symbols_of(*can) {
                deciding.push(terms.symbol_term(id));
            }
        }
        for (at, variable) in self.system.variables.iter().enumerate() {
            if !changing.contains(&at) && deciding.contains(&variable.symbol) {
                let value = TermEvaluator::new(terms, &model).evaluate_term(variable.symbol)?;
                let value = terms.constant(value);
                values.insert(variable.symbol, value);
                set.push(terms.eq(variable.symbol, value));
            }
        }
        for can in works {
            let can = terms.substitute(*can, &values);
            let cannot = terms.not(can);
            if self.session.check_sat(terms, &[cannot]) != SolverAnswer::Unsat {
                return None;
            }
        }
        Some(terms.and_all(&set))
    }

    /// All of these conditions, without those that follow from the others.
    fn drop_implied_conditions(
        &mut self,
        terms: &mut TermStore,
        mut conditions: Vec<Term>,
    ) -> Term {
        let mut at = 0;
        while at < conditions.len() {
            let condition = conditions.remove(at);
            let mut query = conditions.clone();
            query.push(terms.not(condition));
            if self.session.check_sat(terms, &query) != SolverAnswer::Unsat {
                conditions.insert(at, condition);
                at += 1;
            }
        }
        terms.and_all(&conditions)
    }

    /// States in which all that changes is as small or as large as it can be, or small.
    fn extreme_states(
        &self,
        terms: &mut TermStore,
        changing: &[usize],
    ) -> Vec<FxHashMap<Term, Term>> {
        let mut states = Vec::new();
        for number in 0..5 {
            let mut state = FxHashMap::default();
            for at in changing {
                let variable = &self.system.variables[*at];
                let value = match variable.sort {
                    Sort::BitVec(width) => {
                        let least = 1u128 << (width - 1);
                        let values = [0, 1, u128::MAX, least, least.wrapping_sub(1)];
                        let mask = u128::MAX >> (128 - width);
                        terms.bv(width, values[number] & mask)
                    }
                    Sort::Bool => terms.bool(number % 2 == 1),
                    // They have no last one.
                    Sort::Int => return Vec::new(),
                };
                state.insert(variable.symbol, value);
            }
            states.push(state);
        }
        states
    }
}

/// What can be reached along edges.
fn reachable_locations(from: LocationId, edges: &[(LocationId, LocationId)]) -> Vec<LocationId> {
    let mut all = vec![from];
    let mut next = 0;
    while let Some(at) = all.get(next).copied() {
        for (_, to) in edges.iter().filter(|(start, _)| *start == at) {
            if !all.contains(to) {
                all.push(*to);
            }
        }
        next += 1;
    }
    all
}
