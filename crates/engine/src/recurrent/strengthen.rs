//! Closing the guard of a loop: conditions are added until they imply themselves one turn later.
//!
//! A condition `p >= 0` that a turn `f` of the loop can break is kept by one of these:
//! - `p . f - p >= 0`: it never gets smaller (a counter that grows; and, if that condition has to
//!   be kept in the same way, one whose growth grows);
//! - `p . f >= 0`: it still holds after one more turn (a flip, a rotation);
//! - `x = f(x)` for the variables it depends on: it does not change at all.
//!
//! This is acceleration atom by atom and the greatest fixpoint in one search, a few queries each.

use crate::paths::ask::{Ask, Told, opposite};
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// How many conditions are added at most, one after the other.
const DEPTH: usize = 6;
/// How many queries a search may cost.
const QUERIES: usize = 120;

/// Which states a set has to have one of.
pub(crate) struct Reach<'a> {
    /// The way there; without one, any state will do.
    pub(crate) stem: Option<&'a Path>,
}

impl Reach<'_> {
    /// A way into the set: values of the stem's variables.
    pub(crate) fn arrive(&self, ask: &mut Ask, set: &[Atom]) -> Told {
        let Some(stem) = self.stem else { return ask.sat(set) };
        let mut atoms = stem.atoms.clone();
        for atom in set {
            match stem.before(atom) {
                Some(atom) => atoms.push(atom),
                None => return Told::Unknown,
            }
        }
        ask.sat(&atoms)
    }

    fn can(&self, ask: &mut Ask, set: &[Atom]) -> bool {
        matches!(self.arrive(ask, set), Told::Sat(_))
    }
}

/// A set of states that a loop which leaves nothing open leads back into itself, and that can be
/// reached.
pub(crate) fn close(ask: &mut Ask, path: &Path, reach: &Reach<'_>) -> Option<Vec<Atom>> {
    if !path.used_locals().is_empty() {
        return None;
    }
    let mut search = Search { ask, path, reach, queries: 0 };
    let set = path.atoms.clone();
    if !search.reach.can(search.ask, &set) {
        return None;
    }
    search.from(set, DEPTH)
}

struct Search<'a> {
    ask: &'a mut Ask,
    path: &'a Path,
    reach: &'a Reach<'a>,
    queries: usize,
}

impl Search<'_> {
    fn from(&mut self, set: Vec<Atom>, depth: usize) -> Option<Vec<Atom>> {
        let mut broken = None;
        for atom in &set {
            let after = self.path.before(atom)?;
            if after == *atom || after.truth() == Some(true) || set.contains(&after) {
                continue;
            }
            self.queries += 1;
            if self.queries > QUERIES || self.ask.is_over() {
                return None;
            }
            if !self.ask.sat_any(&set, &opposite(&after)?).is_unsat() {
                broken = Some((atom.clone(), after));
                break;
            }
        }
        let Some((atom, after)) = broken else { return Some(set) };
        if depth == 0 {
            return None;
        }
        for option in self.options(&atom, &after)? {
            if option.iter().any(|new| new.truth() == Some(false)) {
                continue;
            }
            let mut next = set.clone();
            next.extend(option.into_iter().filter(|new| new.truth().is_none()));
            next.sort();
            next.dedup();
            if next.len() == set.len() {
                continue;
            }
            self.queries += 1;
            if self.reach.can(self.ask, &next)
                && let Some(closed) = self.from(next, depth - 1)
            {
                return Some(closed);
            }
        }
        None
    }

    fn options(&self, atom: &Atom, after: &Atom) -> Option<Vec<Vec<Atom>>> {
        let mut options = Vec::new();
        if let (Atom::Ge(now), Atom::Ge(then)) = (atom, after) {
            let growth = Atom::Ge(then.sub(now)?.tightened());
            options.push(vec![growth]);
        }
        options.push(vec![after.clone()]);
        options.push(self.fixed(&atom.poly().vars())?);
        Some(options)
    }

    /// These variables, and those that they depend on, keep their values.
    fn fixed(&self, vars: &[Var]) -> Option<Vec<Atom>> {
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
            let change = update.sub(&Poly::var(var))?;
            if change.as_constant() != Some(0) {
                atoms.push(Atom::Eq(change));
            }
        }
        Some(atoms)
    }
}
