//! A transition system has a ranking: find the paths between its places again, and show for each
//! that the invariant is kept and that the ranking gets smaller.
//!
//! Why it is enough. A path that comes back to a location again and again without passing a place
//! is refused, so an infinite run passes places infinitely often; that no fair run can is said in `decrease`.
//! Choices and unknowns are the same here: it holds for all of both.

use std::time::{Duration, Instant};

use ouro_evidence::Ranking;
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{Edge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::Rejection;
use crate::decrease::{Decrease, Spot, Way};
use crate::fair::along;
use crate::levels::{Expected, Rank};
use crate::over::{Checked, over_variables, reject};

/// How many times a path between two places may come to a location. Twice is no cycle yet: a second
/// turn can be impossible.
const TURNS: usize = 4;

struct Checker<'a> {
    system: &'a TransitionSystem,
    terms: Terms,
    session: Session,
    /// The location of each place.
    locations: Vec<LocationId>,
    spots: Vec<Spot>,
    /// The edges that leave each location.
    out: FxHashMap<LocationId, Vec<(EdgeId, &'a Edge)>>,
    deadline: Instant,
}

pub(crate) fn check(system: &TransitionSystem, claim: &Ranking, deadline: Instant) -> Checked<()> {
    let mut terms = system.terms.clone();
    let mut locations: Vec<LocationId> = Vec::new();
    let mut spots: Vec<Spot> = Vec::new();
    let variables = system.variables.iter().map(|v| (v.name.clone(), v.symbol));
    let symbols: Vec<(String, Term)> = variables.collect();
    for place in &claim.places {
        let location = LocationId(place.location);
        if system.locations.get(location).is_none() {
            return reject(format!("there is no {location}"));
        }
        if locations.contains(&location) {
            return reject(format!("{location} comes twice"));
        }
        let invariant = over_variables(system, &mut terms, &place.invariant, Sort::Bool)?;
        let mut ranking = Vec::new();
        for level in &place.ranking {
            ranking.push(Rank::read(level, system.fairness.len(), |text, expected| {
                let sort = match expected {
                    Expected::Number => Sort::Int,
                    Expected::Condition => Sort::Bool,
                };
                over_variables(system, &mut terms, text, sort)
            })?);
        }
        locations.push(location);
        let name = location.to_string();
        spots.push(Spot { name, symbols: symbols.clone(), invariant, ranking });
    }
    let mut out: FxHashMap<LocationId, Vec<(EdgeId, &Edge)>> = FxHashMap::default();
    for (id, edge) in system.edges.enumerate() {
        out.entry(edge.from).or_default().push((id, edge));
    }
    let limits = Limits { query: Duration::from_secs(30), deadline: Some(deadline), memory_mib: 0 };
    let session = Session::new(limits);
    let mut checker = Checker { system, terms, session, locations, spots, out, deadline };
    let mut ways = checker.from(None)?;
    for place in 0..checker.spots.len() {
        ways.extend(checker.from(Some(place))?);
    }
    for way in &ways {
        checker.kept(way)?;
    }
    let Checker { mut terms, mut session, spots, .. } = checker;
    let ask = |terms: &Terms, query: &[Term]| match session.check(terms, query) {
        Answer::Unknown(_) if clock::now() > deadline => Err(Rejection::time()),
        answer => Ok(answer),
    };
    Decrease { terms: &mut terms, spots: &spots, ask, numbers: None }.check(ways, &claim.snapshots)
}

impl Checker<'_> {
    fn place_at(&self, location: LocationId) -> Option<usize> {
        self.locations.iter().position(|other| *other == location)
    }

    /// All paths from a place, or from the start, to the next place.
    fn from(&mut self, from: Option<usize>) -> Checked<Vec<Way>> {
        let (location, condition) = match from {
            Some(place) => (self.locations[place], self.spots[place].invariant),
            None => (self.system.initial, self.system.condition),
        };
        let state = self.system.unchanged();
        if let (None, Some(to)) = (from, self.place_at(location)) {
            let values = self.values(&state);
            let meets = along(self.system, &[]);
            let (conditions, no_overflow) = (vec![condition], Vec::new());
            return Ok(vec![Way { from, to, conditions, values, meets, no_overflow }]);
        }
        let mut found = Vec::new();
        let mut pending = vec![(vec![location], vec![condition], state, Vec::new())];
        while let Some((passed, conditions, state, taken)) = pending.pop() {
            if clock::now() > self.deadline {
                return Err(Rejection::time());
            }
            let at = *passed.last().expect("it starts somewhere");
            let edges = self.out.get(&at).cloned().unwrap_or_default();
            for (id, edge) in edges {
                let mut edges = taken.clone();
                edges.push(id);
                let (condition, after) = self.step(edge, &state);
                let mut conditions = conditions.clone();
                conditions.push(condition);
                if self.is_impossible(&conditions)? {
                    continue;
                }
                if let Some(to) = self.place_at(edge.to) {
                    let values = self.values(&after);
                    let meets = along(self.system, &edges);
                    let no_overflow = Vec::new();
                    found.push(Way { from, to, conditions, values, meets, no_overflow });
                    continue;
                }
                if passed.iter().filter(|at| **at == edge.to).count() >= TURNS {
                    return reject(format!("{} is on a cycle without a place", edge.to));
                }
                let mut passed = passed.clone();
                passed.push(edge.to);
                pending.push((passed, conditions, after, edges));
            }
        }
        Ok(found)
    }

    /// The guard of an edge in a state, and the state after it. What the edge leaves open is new.
    fn step(&mut self, edge: &Edge, state: &[Term]) -> (Term, Vec<Term>) {
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        now.extend(self.system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()));
        for symbol in edge.choices.iter().chain(&edge.unknowns) {
            let new = self.terms.fresh("open", self.terms.sort(*symbol));
            now.insert(*symbol, new);
        }
        let guard = self.terms.substitute(edge.guard, &now);
        let after = edge.update.iter().map(|term| self.terms.substitute(*term, &now)).collect();
        (guard, after)
    }

    fn is_impossible(&mut self, conditions: &[Term]) -> Checked<bool> {
        match self.session.check(&self.terms, conditions) {
            Answer::Unsat => Ok(true),
            // A path that may be possible is looked at.
            Answer::Sat(_) | Answer::Unknown(_) if clock::now() <= self.deadline => Ok(false),
            _ => Err(Rejection::time()),
        }
    }

    /// What the variables are in a state.
    fn values(&self, state: &[Term]) -> FxHashMap<Term, Term> {
        self.system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()).collect()
    }

    fn kept(&mut self, way: &Way) -> Checked<()> {
        let Spot { name, invariant, .. } = &self.spots[way.to];
        let then = self.terms.substitute(*invariant, &way.values);
        let mut query = way.conditions.clone();
        query.push(self.terms.not(then));
        match self.session.check(&self.terms, &query) {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) => reject(format!("the invariant at {name} is not kept")),
            Answer::Unknown(_) if clock::now() > self.deadline => Err(Rejection::time()),
            Answer::Unknown(what) => reject(format!("the solver gave no answer: {what}")),
        }
    }
}
