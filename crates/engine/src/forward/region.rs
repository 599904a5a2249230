//! Sets of states at a location: bounds of each variable, and conditions between several.

use super::interval::{self, Bounds, Interval};
use crate::paths::ask::{Ask, opposite};
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// States at a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Region {
    pub(crate) at: usize,
    pub(crate) bounds: Bounds,
    /// Conditions between variables that hold, sorted; what bounds alone say is not among them.
    pub(crate) facts: Vec<Atom>,
}

impl Region {
    /// All states.
    pub(crate) fn all(at: usize, variables: usize) -> Region {
        Region { at, bounds: vec![Interval::ALL; variables], facts: Vec::new() }
    }

    /// Whether all states of another are among these, as far as is easy to see.
    pub(crate) fn contains(&self, other: &Region) -> bool {
        self.at == other.at
            && self.bounds.iter().zip(&other.bounds).all(|(here, there)| here.contains(there))
            && self.facts.iter().all(|fact| {
                other.facts.binary_search(fact).is_ok()
                    || interval::truth(&other.bounds, fact) == Some(true)
            })
    }

    /// The states in which a condition holds too; `None` if there are none, as far as is easy to see.
    pub(crate) fn with(&self, atom: &Atom) -> Option<Region> {
        let mut facts = self.facts.clone();
        if atom.poly().vars().len() > 1
            && let Err(place) = facts.binary_search(atom)
        {
            facts.insert(place, atom.clone());
        }
        let mut all = facts.clone();
        all.push(atom.clone());
        let bounds = interval::narrowed(self.bounds.clone(), &all)?;
        Some(Region { at: self.at, bounds, facts })
    }

    /// Whether a condition holds in all states, or in none; the solver is asked where bounds do not
    /// tell.
    pub(crate) fn truth(&self, ask: &mut Ask, atom: &Atom) -> Option<bool> {
        if let Some(known) = atom.truth().or_else(|| interval::truth(&self.bounds, atom)) {
            return Some(known);
        }
        if self.facts.binary_search(atom).is_ok() {
            return Some(true);
        }
        if atom.poly().vars().len() < 2 && self.facts.is_empty() {
            return None;
        }
        let atoms = self.atoms();
        let against = opposite(atom)?;
        if ask.sat_any(&atoms, &against).is_unsat() {
            return Some(true);
        }
        let with = atoms.iter().chain([atom]);
        ask.sat(with).is_unsat().then_some(false)
    }

    /// As conditions; remainders are equations with a variable of their own.
    pub(crate) fn atoms(&self) -> Vec<Atom> {
        let mut atoms = self.plain_atoms();
        for (var, bounds) in self.bounds.iter().enumerate() {
            if bounds.step > 1 {
                let quotient = Poly::var(QUOTIENTS + var as Var).scale(-bounds.step);
                let rest = Poly::var(var as Var).plus(-bounds.rest);
                atoms.extend(rest.zip(quotient).and_then(|(a, b)| a.add(&b)).map(Atom::Eq));
            }
        }
        atoms
    }

    /// Bounds and facts as conditions, without remainders.
    pub(crate) fn plain_atoms(&self) -> Vec<Atom> {
        let mut atoms = self.facts.clone();
        for (var, bounds) in self.bounds.iter().enumerate() {
            let var = Poly::var(var as Var);
            match (bounds.low, bounds.high) {
                (Some(low), Some(high)) if low == high => {
                    atoms.extend(var.plus(-low).map(Atom::Eq));
                }
                (low, high) => {
                    let below = low.and_then(|low| var.plus(-low));
                    let above = high.and_then(|high| Poly::constant(high).sub(&var));
                    atoms.extend(below.into_iter().chain(above).map(Atom::Ge));
                }
            }
        }
        atoms
    }

    /// What is a multiple of what, because of remainders.
    pub(crate) fn multiples(&self) -> Vec<(Poly, i128)> {
        let with_step = self.bounds.iter().enumerate().filter(|(_, bounds)| bounds.step > 1);
        with_step
            .filter_map(|(var, bounds)| {
                Some((Poly::var(var as Var).plus(-bounds.rest)?, bounds.step))
            })
            .collect()
    }

    /// Where a move that can be made everywhere here leads: no state that it leads to is left out.
    /// Of the conditions between variables those are kept that are asked for, and those of this region.
    pub(crate) fn after(&self, ask: &mut Ask, path: &Path, asked: &[Atom]) -> Option<Region> {
        let bounds: Bounds =
            path.update.iter().map(|poly| interval::value(&self.bounds, poly)).collect();
        let mut facts = Vec::new();
        for atom in asked.iter().chain(&self.facts) {
            if atom.poly().vars().len() < 2 {
                continue;
            }
            let known = interval::truth(&bounds, atom) == Some(true);
            if known || self.truth(ask, &path.before(atom)?) == Some(true) {
                facts.push(atom.clone());
            }
        }
        facts.sort();
        facts.dedup();
        let bounds = interval::narrowed(bounds, &facts)?;
        Some(Region { at: path.to, bounds, facts })
    }
}

/// Variables from here on are the quotients of remainders.
const QUOTIENTS: Var = 1 << 12;
