//! A transition system has a ranking: find the paths between its places again, and show for each
//! that the invariant is kept and that the ranking gets smaller.
//!
//! Why it is enough. A path that comes back to a location again and again without passing a place
//! is refused, so an infinite run passes places infinitely often; that no fair run can is said in `decrease`.
//! Choices and unknowns are the same here: it holds for all of both.

use std::time::Instant;

use ouro_evidence::SystemRanking;
use ouro_model::ids::{EdgeId, LocationId};
use ouro_model::transition::{TransitionEdge, TransitionSystem};
use ouro_solver::clock;
use ouro_solver::{Session, SessionLimits, SolverAnswer};
use ouro_term::{Sort, Term, TermStore};
use rustc_hash::FxHashMap;

use crate::EvidenceRejection;
use crate::decrease::{DecreaseArgument, RankingPath, RankingPoint};
use crate::fair::pair_progress_along;
use crate::levels::{LevelTextKind, ParsedLevel};
use crate::limits::LIMITS;
use crate::over::{CheckResult, parse_over_variables, reject_evidence};

struct SystemRankingChecker<'a> {
    system: &'a TransitionSystem,
    terms: TermStore,
    session: Session,
    /// The location of each place.
    locations: Vec<LocationId>,
    spots: Vec<RankingPoint>,
    /// The edges that leave each location.
    out: FxHashMap<LocationId, Vec<(EdgeId, &'a TransitionEdge)>>,
    deadline: Instant,
}

pub(crate) fn check_system_ranking(
    system: &TransitionSystem,
    claim: &SystemRanking,
    deadline: Instant,
) -> CheckResult<()> {
    let mut terms = system.terms.clone();
    let mut locations: Vec<LocationId> = Vec::new();
    let mut spots: Vec<RankingPoint> = Vec::new();
    let variables = system.variables.iter().map(|v| (v.name.clone(), v.symbol));
    let symbols: Vec<(String, Term)> = variables.collect();
    for place in &claim.places {
        let location = LocationId(place.location);
        if system.locations.get(location).is_none() {
            return reject_evidence(format!("there is no {location}"));
        }
        if locations.contains(&location) {
            return reject_evidence(format!("{location} comes twice"));
        }
        let invariant = parse_over_variables(system, &mut terms, &place.invariant, Sort::Bool)?;
        let mut ranking = Vec::new();
        for level in &place.ranking {
            ranking.push(ParsedLevel::parse_level(
                level,
                system.fairness.len(),
                |text, expected| {
                    let sort = match expected {
                        LevelTextKind::Number => Sort::Int,
                        LevelTextKind::Condition => Sort::Bool,
                    };
                    parse_over_variables(system, &mut terms, text, sort)
                },
            )?);
        }
        locations.push(location);
        let name = location.to_string();
        spots.push(RankingPoint { name, symbols: symbols.clone(), invariant, ranking });
    }
    let mut out: FxHashMap<LocationId, Vec<(EdgeId, &TransitionEdge)>> = FxHashMap::default();
    for (id, edge) in system.edges.enumerate() {
        out.entry(edge.from).or_default().push((id, edge));
    }
    let limits =
        SessionLimits { query: LIMITS.ranking_query, deadline: Some(deadline), memory_mib: 0 };
    let session = Session::new(limits);
    let mut checker =
        SystemRankingChecker { system, terms, session, locations, spots, out, deadline };
    let mut ways = checker.paths_from(None)?;
    for place in 0..checker.spots.len() {
        ways.extend(checker.paths_from(Some(place))?);
    }
    for way in &ways {
        checker.check_invariant_kept(way)?;
    }
    let SystemRankingChecker { mut terms, mut session, spots, .. } = checker;
    let ask = |terms: &TermStore, query: &[Term]| match session.check_sat(terms, query) {
        SolverAnswer::Unknown(_) if clock::budget_now() > deadline => {
            Err(EvidenceRejection::time_ran_out())
        }
        answer => Ok(answer),
    };
    DecreaseArgument { terms: &mut terms, spots: &spots, ask, numbers: None }
        .check_termination(ways, &claim.snapshots)
}

impl SystemRankingChecker<'_> {
    fn index_of_location(&self, location: LocationId) -> Option<usize> {
        self.locations.iter().position(|other| *other == location)
    }

    /// All paths from a place, or from the start, to the next place.
    fn paths_from(&mut self, from: Option<usize>) -> CheckResult<Vec<RankingPath>> {
        let (location, condition) = match from {
            Some(place) => (self.locations[place], self.spots[place].invariant),
            None => (self.system.initial, self.system.condition),
        };
        let state = self.system.identity_update();
        if let (None, Some(to)) = (from, self.index_of_location(location)) {
            let values = self.variable_values(&state);
            let meets = pair_progress_along(self.system, &[]);
            let (no_overflow, matched) = (Vec::new(), Vec::new());
            let conditions = vec![condition];
            return Ok(vec![RankingPath {
                from,
                to,
                conditions,
                values,
                meets,
                no_overflow,
                matched,
            }]);
        }
        let mut found = Vec::new();
        let mut pending = vec![(vec![location], vec![condition], state, Vec::new())];
        while let Some((passed, conditions, state, taken)) = pending.pop() {
            if clock::budget_now() > self.deadline {
                return Err(EvidenceRejection::time_ran_out());
            }
            let at = *passed.last().expect("it starts somewhere");
            let edges = self.out.get(&at).cloned().unwrap_or_default();
            for (id, edge) in edges {
                let mut edges = taken.clone();
                edges.push(id);
                let (condition, after) = self.take_edge(edge, &state);
                let mut conditions = conditions.clone();
                conditions.push(condition);
                if self.is_impossible(&conditions)? {
                    continue;
                }
                if let Some(to) = self.index_of_location(edge.to) {
                    let values = self.variable_values(&after);
                    let meets = pair_progress_along(self.system, &edges);
                    let (no_overflow, matched) = (Vec::new(), Vec::new());
                    found.push(RankingPath {
                        from,
                        to,
                        conditions,
                        values,
                        meets,
                        no_overflow,
                        matched,
                    });
                    continue;
                }
                if passed.iter().filter(|at| **at == edge.to).count() >= LIMITS.unranked_visits {
                    return reject_evidence(format!(
                        "{} is on a cycle that has no ranked \
                         location",
                        edge.to
                    ));
                }
                let mut passed = passed.clone();
                passed.push(edge.to);
                pending.push((passed, conditions, after, edges));
            }
        }
        Ok(found)
    }

    /// The guard of an edge in a state, and the state after it. What the edge leaves open is new.
    fn take_edge(&mut self, edge: &TransitionEdge, state: &[Term]) -> (Term, Vec<Term>) {
        let mut now: FxHashMap<Term, Term> = FxHashMap::default();
        now.extend(self.system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()));
        for symbol in edge.choices.iter().chain(&edge.unknowns) {
            let new = self.terms.fresh_symbol("open", self.terms.sort(*symbol));
            now.insert(*symbol, new);
        }
        let guard = self.terms.substitute(edge.guard, &now);
        let after = edge.update.iter().map(|term| self.terms.substitute(*term, &now)).collect();
        (guard, after)
    }

    fn is_impossible(&mut self, conditions: &[Term]) -> CheckResult<bool> {
        match self.session.check_sat(&self.terms, conditions) {
            SolverAnswer::Unsat => Ok(true),
            // A path that may be possible is looked at.
            SolverAnswer::Sat(_) | SolverAnswer::Unknown(_)
                if clock::budget_now() <= self.deadline =>
            {
                Ok(false)
            }
            _ => Err(EvidenceRejection::time_ran_out()),
        }
    }

    /// What the variables are in a state.
    fn variable_values(&self, state: &[Term]) -> FxHashMap<Term, Term> {
        self.system.variables.iter().map(|v| v.symbol).zip(state.iter().copied()).collect()
    }

    fn check_invariant_kept(&mut self, way: &RankingPath) -> CheckResult<()> {
        let RankingPoint { name, invariant, .. } = &self.spots[way.to];
        let then = self.terms.substitute(*invariant, &way.values);
        let mut query = way.conditions.clone();
        query.push(self.terms.not(then));
        match self.session.check_sat(&self.terms, &query) {
            SolverAnswer::Unsat => Ok(()),
            SolverAnswer::Sat(_) => reject_evidence(format!(
                "the invariant at {name} is not \
                 preserved"
            )),
            SolverAnswer::Unknown(_) if clock::budget_now() > self.deadline => {
                Err(EvidenceRejection::time_ran_out())
            }
            SolverAnswer::Unknown(what) => {
                reject_evidence(format!("the solver gave no answer: {what}"))
            }
        }
    }
}
