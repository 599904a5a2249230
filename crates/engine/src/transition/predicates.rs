//! What relations are made of: conditions on the state as it is and as it was (transition predicates).

use std::collections::VecDeque;

use super::memory::{atom_at_snapshot, poly_at_snapshot};
use super::part::SnapshotComponent;
use crate::limits::TRANSITION_INVARIANT_LIMITS;
use crate::paths::ask::negate_atom;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// What is looked at.
pub(crate) struct TransitionPredicates {
    /// For each location, conditions on what is and what was.
    pub(crate) at: Vec<Vec<PolyAtom>>,
    /// Conditions on the state in which the snapshot is taken. Each is known to hold or known not to.
    pub(crate) cases: Vec<PolyAtom>,
    /// What gets smaller: functions of the state at the place.
    pub(crate) measures: Vec<IntegerPolynomial>,
    /// Pairs of fairness of which it is known whether p and q have been passed since the snapshot.
    pub(crate) pairs: Vec<usize>,
}

impl TransitionPredicates {
    pub(crate) fn none(locations: usize) -> TransitionPredicates {
        TransitionPredicates {
            at: vec![Vec::new(); locations],
            cases: Vec::new(),
            measures: Vec::new(),
            pairs: Vec::new(),
        }
    }

    /// Whether each variable has become smaller, larger or neither; if they are few, also compared with
    /// what the others were.
    pub(crate) fn of_variables(
        locations: usize,
        part: &SnapshotComponent<'_>,
        matters: &[bool],
    ) -> TransitionPredicates {
        let mut all = TransitionPredicates::none(locations);
        let vars: Vec<PolyVar> =
            (0..part.variables as PolyVar).filter(|v| matters[*v as usize]).collect();
        for now in &vars {
            for then in &vars {
                if now != then && vars.len() > TRANSITION_INVARIANT_LIMITS.compared_variables {
                    continue;
                }
                let (now, then) = (
                    IntegerPolynomial::var(*now),
                    IntegerPolynomial::var(*then + part.variables as PolyVar),
                );
                let (down, up) = (then.sub(&now), now.sub(&then));
                let less = down.as_ref().and_then(|down| down.plus_constant(-1));
                for poly in [down, less, up].into_iter().flatten() {
                    for location in &part.locations {
                        all.add_predicate(*location, PolyAtom::Ge(poly.clone()));
                    }
                }
            }
        }
        all
    }

    fn add_predicate(&mut self, location: usize, atom: PolyAtom) -> bool {
        let here = &mut self.at[location];
        if atom.constant_truth().is_some()
            || here.len() >= TRANSITION_INVARIANT_LIMITS.predicates
            || here.contains(&atom)
        {
            return false;
        }
        here.push(atom);
        true
    }

    /// Adds a measure of a lasso and what there is to say about it; whether that is new. If `in_cases`,
    /// whether it was negative is always known.
    pub(crate) fn add_measure(
        &mut self,
        part: &SnapshotComponent<'_>,
        measure: &IntegerPolynomial,
        lasso: &[usize],
        in_cases: bool,
    ) -> bool {
        let mut new = !self.measures.contains(measure);
        if new {
            self.measures.push(measure.clone());
        }
        let bounded = PolyAtom::Ge(measure.clone());
        new |= in_cases && self.add_snapshot_case(&bounded);
        for atom in negate_atom(&bounded).into_iter().flatten().chain([bounded]) {
            for location in &part.locations {
                if let Some(atom) = atom_at_snapshot(&atom, part.variables) {
                    new |= self.add_predicate(*location, atom);
                }
            }
        }
        let down = poly_at_snapshot(measure, part.variables).and_then(|then| then.sub(measure));
        let less = down.as_ref().and_then(|down| down.plus_constant(-1));
        for poly in [down, less].into_iter().flatten() {
            let atom = PolyAtom::Ge(poly);
            new |= self.add_backward(part, atom.clone());
            new |= self.add_along_steps(part, atom, lasso);
        }
        new
    }

    /// Adds, on the way to where a condition at the place should hold, what makes it hold there.
    fn add_along_steps(
        &mut self,
        part: &SnapshotComponent<'_>,
        mut atom: PolyAtom,
        steps: &[usize],
    ) -> bool {
        let mut new = false;
        for step in steps.iter().skip(1).rev().map(|step| &part.remembering[*step]) {
            match step.precondition_of(&atom).filter(|atom| is_over_state(step, atom)) {
                Some(before) => atom = before,
                None => break,
            }
            new |= self.add_predicate(step.from, atom.clone());
        }
        new
    }

    fn add_snapshot_case(&mut self, atom: &PolyAtom) -> bool {
        if self.cases.contains(atom)
            || self.cases.len() >= TRANSITION_INVARIANT_LIMITS.snapshot_cases
        {
            return false;
        }
        self.cases.push(atom.clone());
        true
    }

    /// Adds a condition at the place, and at the locations before it what makes it hold there.
    fn add_backward(&mut self, part: &SnapshotComponent<'_>, atom: PolyAtom) -> bool {
        let mut new = self.add_predicate(part.at, atom.clone());
        let mut pending = VecDeque::from([(part.at, atom)]);
        while let Some((to, atom)) = pending.pop_front() {
            for step in part.steps_nearer(to) {
                let step = &part.remembering[step];
                if let Some(before) =
                    step.precondition_of(&atom).filter(|atom| is_over_state(step, atom))
                    && self.add_predicate(step.from, before.clone())
                {
                    new = true;
                    pending.push_back((step.from, before));
                }
            }
        }
        new
    }

    /// Has a pair looked at of which a lasso has p and not q: no fair run takes it again and again. Whether there is
    /// one. A pair that no lasso asks for makes no difference, and costs nothing.
    pub(crate) fn watch_unfair_pair(
        &mut self,
        part: &SnapshotComponent<'_>,
        lasso: &[usize],
    ) -> bool {
        let pairs = lasso.first().map_or(0, |step| part.meets[*step].len());
        let unfair = |pair: &usize| {
            let mut meets = lasso.iter().map(|step| part.meets[*step][*pair]);
            meets.clone().any(|(p, _)| p) && !meets.any(|(_, q)| q)
        };
        let new = (0..pairs).find(|pair| !self.pairs.contains(pair) && unfair(pair));
        self.pairs.extend(new);
        new.is_some()
    }

    /// Adds, along steps that no run can take in a row, what their conditions are before each of them, and
    /// the opposite; whether something is new.
    pub(crate) fn refute_steps(&mut self, part: &SnapshotComponent<'_>, steps: &[usize]) -> bool {
        let mut new = false;
        for at in 1..steps.len() {
            let mut rest = part.remembering[steps[at]].clone();
            for step in &steps[at + 1..] {
                match rest.followed_by(&part.remembering[*step]) {
                    Ok(longer) => rest = longer,
                    // What holds so far says why there is no more.
                    Err(_) => break,
                }
            }
            for atom in rest.atoms.iter().filter(|atom| is_over_state(&rest, atom)) {
                for atom in negate_atom(atom).into_iter().flatten().chain([atom.clone()]) {
                    new |= self.add_predicate(rest.from, atom);
                }
            }
        }
        new
    }
}

/// Whether a condition has no local variables of a path.
fn is_over_state(path: &PolyPath, atom: &PolyAtom) -> bool {
    atom.poly().vars().iter().all(|var| *var < path.variable_count())
}
