//! Closing the guard of a loop: conditions are added until they imply themselves one iteration later.
//!
//! A condition `p >= 0` that an iteration `f` of the loop can break is kept by one of these:
//! - `p . f - p >= 0`: it never gets smaller (a counter that grows; and, if that condition has to
//!   be kept in the same way, one whose growth grows);
//! - `p . f >= 0`: it still holds after one more iteration (a flip, a rotation);
//! - `x = f(x)` for the variables it depends on: it does not change at all.
//!
//! This is acceleration atom by atom and the greatest fixpoint in one search, a few queries each.

use crate::limits::LASSO_LIMITS;
use crate::paths::ask::{PolyAnswer, PolySolver, negate_atom};
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// Which states a set has to have one of.
pub(crate) struct ReachRequirement<'a> {
    /// The way there; without one, any state will do.
    pub(crate) stem: Option<&'a PolyPath>,
}

impl ReachRequirement<'_> {
    /// A way into the set: values of the stem's variables.
    pub(crate) fn find_arrival(&self, ask: &mut PolySolver, set: &[PolyAtom]) -> PolyAnswer {
        let Some(stem) = self.stem else { return ask.check_sat(set) };
        let mut atoms = stem.atoms.clone();
        for atom in set {
            match stem.precondition_of(atom) {
                Some(atom) => atoms.push(atom),
                None => return PolyAnswer::Unknown,
            }
        }
        ask.check_sat(&atoms)
    }

    fn is_reachable(&self, ask: &mut PolySolver, set: &[PolyAtom]) -> bool {
        matches!(self.find_arrival(ask, set), PolyAnswer::Sat(_))
    }
}

/// A set of states that a loop which leaves nothing open leads back into itself, and that can be
/// reached.
pub(crate) fn close_guard(
    ask: &mut PolySolver,
    path: &PolyPath,
    reach: &ReachRequirement<'_>,
) -> Option<Vec<PolyAtom>> {
    if !path.used_locals().is_empty() {
        return None;
    }
    let mut search = GuardStrengthening { ask, path, reach, queries: 0 };
    let set = path.atoms.clone();
    if !search.reach.is_reachable(search.ask, &set) {
        return None;
    }
    search.strengthen_set(set, LASSO_LIMITS.conditions)
}

struct GuardStrengthening<'a> {
    ask: &'a mut PolySolver,
    path: &'a PolyPath,
    reach: &'a ReachRequirement<'a>,
    queries: usize,
}

impl GuardStrengthening<'_> {
    fn strengthen_set(&mut self, set: Vec<PolyAtom>, depth: usize) -> Option<Vec<PolyAtom>> {
        let mut broken = None;
        for atom in &set {
            let after = self.path.precondition_of(atom)?;
            if after == *atom || after.constant_truth() == Some(true) || set.contains(&after) {
                continue;
            }
            self.queries += 1;
            if self.queries > LASSO_LIMITS.queries || self.ask.is_out_of_time() {
                return None;
            }
            if !self.ask.check_sat_any(&set, &negate_atom(&after)?).is_unsat() {
                broken = Some((atom.clone(), after));
                break;
            }
        }
        let Some((atom, after)) = broken else { return Some(set) };
        if depth == 0 {
            return None;
        }
        for option in self.strengthening_options(&atom, &after)? {
            if option.iter().any(|new| new.constant_truth() == Some(false)) {
                continue;
            }
            let mut next = set.clone();
            next.extend(option.into_iter().filter(|new| new.constant_truth().is_none()));
            next.sort();
            next.dedup();
            if next.len() == set.len() {
                continue;
            }
            self.queries += 1;
            if self.reach.is_reachable(self.ask, &next)
                && let Some(closed) = self.strengthen_set(next, depth - 1)
            {
                return Some(closed);
            }
        }
        None
    }

    fn strengthening_options(
        &self,
        atom: &PolyAtom,
        after: &PolyAtom,
    ) -> Option<Vec<Vec<PolyAtom>>> {
        let mut options = Vec::new();
        if let (PolyAtom::Ge(now), PolyAtom::Ge(then)) = (atom, after) {
            let growth = PolyAtom::Ge(then.sub(now)?.tightened());
            options.push(vec![growth]);
        }
        options.push(vec![after.clone()]);
        options.push(self.fixed_variable_atoms(&atom.poly().vars())?);
        Some(options)
    }

    /// These variables, and those that they depend on, keep their values.
    fn fixed_variable_atoms(&self, vars: &[PolyVar]) -> Option<Vec<PolyAtom>> {
        let mut all = vars.to_vec();
        let mut next = 0;
        let mut atoms = Vec::new();
        while next < all.len() {
            let var = all[next];
            next += 1;
            let update = &self.path.update[var as usize];
            for other in update.vars() {
                if !all.contains(&other) {
                    all.push(other);
                }
            }
            let change = update.sub(&IntegerPolynomial::var(var))?;
            if change.as_constant() != Some(0) {
                atoms.push(PolyAtom::Eq(change));
            }
        }
        Some(atoms)
    }
}
