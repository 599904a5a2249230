//! A transition system has a ranking: find the paths between its places again, and show for each
//! that the invariant is kept and that the ranking gets smaller.
//!
//! Why it is enough. A path that comes back to a location again and again without passing a place
//! is refused, so an infinite run passes places infinitely often, and from some moment on only those of one strongly
//! connected part. On each path between two of them, for each state, the ranking gets smaller. That
//! cannot go on forever in a fair run (`levels`). Choices and unknowns are the same here: it holds for all of both.

use std::time::{Duration, Instant};

use ouro_evidence::Ranking;
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{Edge, TransitionSystem};
use ouro_solver::{Answer, Limits, Session};
use ouro_term::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::Rejection;
use crate::fair::along;
use crate::levels::{Expected, Rank, gets_smaller};
use crate::over::{Checked, over_variables, reject};

/// How many times a path between two places may come to a location. Twice is no cycle yet: a second
/// turn can be impossible.
const TURNS: usize = 4;

struct Place {
    location: LocationId,
    invariant: Term,
    ranking: Vec<Rank>,
}

/// A path from a place, or from the start, to a place.
struct Way {
    /// `None` for the start.
    from: Option<usize>,
    to: usize,
    /// What holds where it is taken.
    conditions: Vec<Term>,
    /// The values of the variables at its end.
    state: Vec<Term>,
    /// The edges it takes.
    edges: Vec<EdgeId>,
}

struct Checker<'a> {
    system: &'a TransitionSystem,
    terms: Terms,
    session: Session,
    places: Vec<Place>,
    /// The edges that leave each location.
    out: FxHashMap<LocationId, Vec<(EdgeId, &'a Edge)>>,
    deadline: Instant,
}

pub(crate) fn check(system: &TransitionSystem, claim: &Ranking, deadline: Instant) -> Checked<()> {
    let mut terms = system.terms.clone();
    let mut places: Vec<Place> = Vec::new();
    for place in &claim.places {
        let location = LocationId(place.location);
        if system.locations.get(location).is_none() {
            return reject(format!("there is no {location}"));
        }
        if places.iter().any(|other| other.location == location) {
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
        places.push(Place { location, invariant, ranking });
    }
    let mut out: FxHashMap<LocationId, Vec<(EdgeId, &Edge)>> = FxHashMap::default();
    for (id, edge) in system.edges.enumerate() {
        out.entry(edge.from).or_default().push((id, edge));
    }
    let limits = Limits { query: Duration::from_secs(30), deadline: Some(deadline), memory_mib: 0 };
    let session = Session::new(limits);
    let mut checker = Checker { system, terms, session, places, out, deadline };
    let mut ways = checker.from(None)?;
    for place in 0..checker.places.len() {
        ways.extend(checker.from(Some(place))?);
    }
    let ends: Vec<(Option<usize>, usize)> = ways.iter().map(|way| (way.from, way.to)).collect();
    let part = parts(checker.places.len(), &ends);
    for way in &ways {
        checker.kept(way)?;
        if way.from.is_some_and(|from| part[from] == part[way.to]) {
            checker.smaller(way)?;
        }
    }
    Ok(())
}

impl Checker<'_> {
    fn place_at(&self, location: LocationId) -> Option<usize> {
        self.places.iter().position(|place| place.location == location)
    }

    /// All paths from a place, or from the start, to the next place.
    fn from(&mut self, from: Option<usize>) -> Checked<Vec<Way>> {
        let (location, condition) = match from {
            Some(place) => (self.places[place].location, self.places[place].invariant),
            None => (self.system.initial, self.system.condition),
        };
        let state = self.system.unchanged();
        if let (None, Some(to)) = (from, self.place_at(location)) {
            return Ok(vec![Way {
                from,
                to,
                conditions: vec![condition],
                state,
                edges: Vec::new(),
            }]);
        }
        let mut found = Vec::new();
        let mut pending = vec![(vec![location], vec![condition], state, Vec::new())];
        while let Some((passed, conditions, state, taken)) = pending.pop() {
            if Instant::now() > self.deadline {
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
                    found.push(Way { from, to, conditions, state: after, edges });
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
            Answer::Sat(_) | Answer::Unknown(_) if Instant::now() <= self.deadline => Ok(false),
            _ => Err(Rejection::time()),
        }
    }

    fn at_end(&mut self, way: &Way, term: Term) -> Term {
        let variables = self.system.variables.iter().map(|v| v.symbol);
        let values: FxHashMap<Term, Term> = variables.zip(way.state.iter().copied()).collect();
        self.terms.substitute(term, &values)
    }

    fn kept(&mut self, way: &Way) -> Checked<()> {
        let invariant = self.places[way.to].invariant;
        let then = self.at_end(way, invariant);
        let location = self.places[way.to].location;
        self.holds(way, then, || format!("the invariant at {location} is not kept"))
    }

    fn smaller(&mut self, way: &Way) -> Checked<()> {
        let from = way.from.expect("asked only of paths from places");
        let (before, after) =
            (self.places[from].ranking.clone(), self.places[way.to].ranking.clone());
        let (from, to) = (self.places[from].location, self.places[way.to].location);
        let after: Vec<Rank> =
            after.into_iter().map(|rank| rank.map(|then| self.at_end(way, then))).collect();
        let meets = along(self.system, &way.edges);
        let any = gets_smaller(&mut self.terms, &before, &after, &meets)?;
        self.holds(way, any, || format!("the ranking does not get smaller from {from} to {to}"))
    }

    fn holds(&mut self, way: &Way, goal: Term, why: impl FnOnce() -> String) -> Checked<()> {
        let mut query = way.conditions.clone();
        query.push(self.terms.not(goal));
        match self.session.check(&self.terms, &query) {
            Answer::Unsat => Ok(()),
            Answer::Sat(_) => reject(why()),
            Answer::Unknown(_) if Instant::now() > self.deadline => Err(Rejection::time()),
            Answer::Unknown(what) => reject(format!("the solver gave no answer: {what}")),
        }
    }
}

/// The strongly connected part of each place, as the smallest place it reaches back and forth.
pub(crate) fn parts(places: usize, ways: &[(Option<usize>, usize)]) -> Vec<usize> {
    let mut reaches = vec![vec![false; places]; places];
    for (at, row) in reaches.iter_mut().enumerate() {
        let mut pending = vec![at];
        while let Some(next) = pending.pop() {
            for (_, to) in ways.iter().filter(|(from, _)| *from == Some(next)) {
                if !row[*to] {
                    row[*to] = true;
                    pending.push(*to);
                }
            }
        }
    }
    let part = |at: usize| (0..at).find(|other| reaches[at][*other] && reaches[*other][at]);
    (0..places).map(|at| part(at).unwrap_or(at)).collect()
}
