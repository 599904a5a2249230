//! Binary reachability: which relations hold between the state of a snapshot and later ones, as far as
//! predicates can tell.
//!
//! A relation is a conjunction of predicates. From each one that is reached, each step leads to the
//! strongest one that follows; one that is stronger than another at the same location is left out. When
//! nothing new is met, the disjunction of all of them is kept by every step. Back at the place of the
//! snapshot, each must say that some measure is smaller; one that does not was come to along certain
//! steps, the lasso, and is looked at by whoever asked.
//!
//! Of the pairs of fairness that are watched, a relation also says whether p and q have been passed
//! since the snapshot. One with p and without q is no return of a fair run, as far as it matters.

use std::collections::BTreeSet;

use super::memory::{self, poly_at_snapshot};
use super::part::SnapshotComponent;
use super::predicates::TransitionPredicates;
use crate::limits::TRANSITION_INVARIANT_LIMITS;
use crate::paths::ask::{PolyAnswer, PolySolver, negate_atom};
use crate::paths::path::{PathFailure, PolyPath};
use crate::paths::poly::PolyAtom;

/// What was found.
pub(crate) enum BinaryReachabilityOutcome {
    /// Some measure is smaller whenever the run is back: the relations at each location.
    Covered(Vec<(usize, Vec<PredicateRelation>)>),
    /// Along these steps, from this case, perhaps none is.
    Lasso { steps: Vec<usize>, case: Vec<PolyAtom> },
    /// It is too much.
    Nothing,
}

/// What holds between the state of the snapshot and a later one.
pub(crate) struct PredicateRelation {
    pub(crate) atoms: Vec<PolyAtom>,
    /// Whether the p and the q of each pair that is watched have been passed.
    pub(crate) passed: Vec<(bool, bool)>,
}

/// A relation that is reached.
struct ReachedRelation {
    location: usize,
    /// Which predicates of the location hold.
    holds: BTreeSet<usize>,
    /// As in `Relation`.
    passed: Vec<(bool, bool)>,
    /// The one before, unless the snapshot was taken then; in which case it was taken.
    before: Option<usize>,
    case: usize,
    step: usize,
    /// Whether another one says less and so is enough.
    is_idle: bool,
}

struct BinaryReachability<'a> {
    part: &'a SnapshotComponent<'a>,
    predicates: &'a TransitionPredicates,
    ask: &'a mut PolySolver,
    reached: Vec<ReachedRelation>,
}

/// Follows all steps from the place of the snapshot.
pub(crate) fn reach_relations(
    part: &SnapshotComponent<'_>,
    predicates: &TransitionPredicates,
    ask: &mut PolySolver,
) -> BinaryReachabilityOutcome {
    let cases = snapshot_cases(part, predicates, ask);
    let mut search = BinaryReachability { part, predicates, ask, reached: Vec::new() };
    search.explore_relations(&cases).unwrap_or(BinaryReachabilityOutcome::Nothing)
}

impl BinaryReachability<'_> {
    fn explore_relations(&mut self, cases: &[Vec<PolyAtom>]) -> Option<BinaryReachabilityOutcome> {
        let part = self.part;
        let snapshot = memory::snapshot_path(part.at, part.variables);
        for (case, atoms) in cases.iter().enumerate() {
            for (number, step) in part.remembering.iter().enumerate() {
                if step.from == part.at {
                    let path = match snapshot.followed_by(step) {
                        Ok(path) => path,
                        Err(PathFailure::Impossible) => continue,
                        Err(PathFailure::TooLarge) => return None,
                    };
                    let conditions = atoms.iter().chain(part.known_at_place()).chain(&path.atoms);
                    let conditions: Vec<PolyAtom> = conditions.cloned().collect();
                    self.note_arrival(&path, &conditions, None, case, number)?;
                }
            }
        }
        let mut next = 0;
        while next < self.reached.len() {
            if self.reached.len() > TRANSITION_INVARIANT_LIMITS.relations
                || self.ask.is_out_of_time()
            {
                return None;
            }
            let now = &self.reached[next];
            let (location, case) = (now.location, now.case);
            if now.is_idle {
                next += 1;
                continue;
            }
            let is_fair = now.passed.iter().all(|(p, q)| *q || !*p);
            if location == part.at && is_fair && !self.measure_decreases(next)? {
                let case = cases[case].clone();
                return Some(BinaryReachabilityOutcome::Lasso {
                    steps: self.steps_since_snapshot(next),
                    case,
                });
            }
            let relation = self.relation_atoms(next);
            for (number, step) in part.remembering.iter().enumerate() {
                if step.from == location && !self.reached[next].is_idle {
                    let conditions =
                        relation.iter().chain(part.known_atoms(location)).chain(&step.atoms);
                    let conditions: Vec<PolyAtom> = conditions.cloned().collect();
                    self.note_arrival(step, &conditions, Some(next), case, number)?;
                }
            }
            next += 1;
        }
        let relations = (part.locations.iter())
            .map(|location| {
                let here = (0..self.reached.len()).filter(|at| {
                    let reached = &self.reached[*at];
                    reached.location == *location && !reached.is_idle
                });
                let relation = |at: usize| PredicateRelation {
                    atoms: self.relation_atoms(at),
                    passed: self.reached[at].passed.clone(),
                };
                (*location, here.map(relation).collect())
            })
            .collect();
        Some(BinaryReachabilityOutcome::Covered(relations))
    }

    fn relation_atoms(&self, at: usize) -> Vec<PolyAtom> {
        let ReachedRelation { location, holds, .. } = &self.reached[at];
        holds.iter().map(|predicate| self.predicates.at[*location][*predicate].clone()).collect()
    }

    /// The steps since the snapshot.
    fn steps_since_snapshot(&self, at: usize) -> Vec<usize> {
        let mut steps = Vec::new();
        let mut now = Some(at);
        while let Some(at) = now {
            steps.push(self.reached[at].step);
            now = self.reached[at].before;
        }
        steps.reverse();
        steps
    }

    /// Notes what follows at the end of a path from these conditions.
    fn note_arrival(
        &mut self,
        path: &PolyPath,
        conditions: &[PolyAtom],
        before: Option<usize>,
        case: usize,
        step: usize,
    ) -> Option<()> {
        let location = path.to;
        let Some(holds) =
            entailed_predicates(path, conditions, &self.predicates.at[location], self.ask)?
        else {
            return Some(());
        };
        let meets = &self.part.meets[step];
        let passed: Vec<(bool, bool)> = (self.predicates.pairs.iter().enumerate())
            .map(|(number, pair)| {
                let (p, q) = before.map_or((false, false), |at| self.reached[at].passed[number]);
                (p || meets[*pair].0, q || meets[*pair].1)
            })
            .collect();
        let here = |other: &&mut ReachedRelation| {
            other.location == location && other.passed == passed && !other.is_idle
        };
        if self.reached.iter_mut().filter(here).any(|other| other.holds.is_subset(&holds)) {
            return Some(());
        }
        for other in self.reached.iter_mut().filter(here) {
            other.is_idle = holds.is_subset(&other.holds);
        }
        let is_idle = false;
        self.reached.push(ReachedRelation { location, holds, passed, before, case, step, is_idle });
        Some(())
    }

    /// Whether a relation at the place says that some measure is smaller and was not negative.
    fn measure_decreases(&mut self, at: usize) -> Option<bool> {
        let part = self.part;
        let mut clauses = Vec::new();
        for measure in &self.predicates.measures {
            let then = poly_at_snapshot(measure, part.variables)?;
            let negative = PolyAtom::Ge(then.neg()?.plus_constant(-1)?);
            clauses.push(vec![negative, PolyAtom::Ge(measure.sub(&then)?)]);
        }
        let relation = self.relation_atoms(at);
        let conditions = relation.iter().chain(part.known_atoms(part.at));
        Some(self.ask.check_sat_clauses(conditions, &clauses).is_unsat())
    }
}

/// Which predicates follow at the end of a path; `Some(None)` if it cannot be taken.
fn entailed_predicates(
    path: &PolyPath,
    conditions: &[PolyAtom],
    predicates: &[PolyAtom],
    ask: &mut PolySolver,
) -> Option<Option<BTreeSet<usize>>> {
    if ask.check_sat_relaxed(conditions, &[]).is_unsat() {
        return Some(None);
    }
    let mut holds: BTreeSet<usize> = BTreeSet::new();
    let mut open: Vec<(usize, PolyAtom, Vec<PolyAtom>)> = Vec::new();
    for (number, predicate) in predicates.iter().enumerate() {
        let before = path.precondition_of(predicate)?;
        match before.constant_truth() {
            Some(true) => {
                holds.insert(number);
            }
            Some(false) => {}
            None => open.push((number, before.clone(), negate_atom(&before)?)),
        }
    }
    while !open.is_empty() {
        let others: Vec<PolyAtom> = open.iter().flat_map(|(_, _, other)| other.clone()).collect();
        match ask.check_sat_relaxed(conditions, &others) {
            PolyAnswer::Unsat => {
                holds.extend(open.drain(..).map(|(number, ..)| number));
            }
            PolyAnswer::Sat(values) => {
                let count = open.len();
                open.retain(|(_, atom, _)| atom.holds_under(&|var| values.value_of(var)));
                if open.len() == count {
                    // The solver could not keep to all conditions.
                    break;
                }
            }
            PolyAnswer::Unknown => break,
        }
    }
    Some(Some(holds))
}

/// The cases in which the snapshot is taken, as conditions on the state then.
fn snapshot_cases(
    part: &SnapshotComponent<'_>,
    predicates: &TransitionPredicates,
    ask: &mut PolySolver,
) -> Vec<Vec<PolyAtom>> {
    let mut cases: Vec<Vec<PolyAtom>> = vec![Vec::new()];
    for condition in &predicates.cases {
        let Some(other) = negate_atom(condition).and_then(|mut all| all.pop()) else { continue };
        let mut next = Vec::new();
        for case in cases {
            for atom in [condition, &other] {
                let mut case = case.clone();
                case.push(atom.clone());
                if !ask.check_sat_relaxed(case.iter().chain(part.known_at_place()), &[]).is_unsat()
                {
                    next.push(case);
                }
            }
        }
        cases = next;
    }
    cases
}
