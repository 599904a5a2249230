//! Sets of states at a location: bounds of each variable, and conditions between several.

use super::interval::{self, CongruenceInterval, VariableBounds};
use crate::paths::ask::{PolySolver, negate_atom};
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// States at a location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct StateRegion {
    pub(crate) at: usize,
    pub(crate) bounds: VariableBounds,
    /// Conditions between variables that hold, sorted; what bounds alone say is not among them.
    pub(crate) facts: Vec<PolyAtom>,
}

impl StateRegion {
    /// All states.
    pub(crate) fn all_states(at: usize, variables: usize) -> StateRegion {
        StateRegion { at, bounds: vec![CongruenceInterval::ALL; variables], facts: Vec::new() }
    }

    /// Whether all states of another are among these, as far as is easy to see.
    pub(crate) fn subsumes(&self, other: &StateRegion) -> bool {
        self.at == other.at
            && self.bounds.iter().zip(&other.bounds).all(|(here, there)| here.subsumes(there))
            && self.facts.iter().all(|fact| {
                other.facts.binary_search(fact).is_ok()
                    || interval::atom_truth(&other.bounds, fact) == Some(true)
            })
    }

    /// The states in which a condition holds too; `None` if there are none, as far as is easy to see.
    pub(crate) fn with_atom(&self, atom: &PolyAtom) -> Option<StateRegion> {
        let mut facts = self.facts.clone();
        if atom.poly().vars().len() > 1
            && let Err(place) = facts.binary_search(atom)
        {
            facts.insert(place, atom.clone());
        }
        let mut all = facts.clone();
        all.push(atom.clone());
        let bounds = interval::narrow_bounds(self.bounds.clone(), &all)?;
        Some(StateRegion { at: self.at, bounds, facts })
    }

    /// Whether a condition holds in all states, or in none; the solver is asked where bounds do not
    /// tell.
    pub(crate) fn atom_truth(&self, ask: &mut PolySolver, atom: &PolyAtom) -> Option<bool> {
        if let Some(known) =
            atom.constant_truth().or_else(|| interval::atom_truth(&self.bounds, atom))
        {
            return Some(known);
        }
        if self.facts.binary_search(atom).is_ok() {
            return Some(true);
        }
        if atom.poly().vars().len() < 2 && self.facts.is_empty() {
            return None;
        }
        let atoms = self.to_atoms();
        let against = negate_atom(atom)?;
        if ask.check_sat_any(&atoms, &against).is_unsat() {
            return Some(true);
        }
        let with = atoms.iter().chain([atom]);
        ask.check_sat(with).is_unsat().then_some(false)
    }

    /// As conditions; remainders are equations with a variable of their own.
    pub(crate) fn to_atoms(&self) -> Vec<PolyAtom> {
        let mut atoms = self.to_plain_atoms();
        for (var, bounds) in self.bounds.iter().enumerate() {
            if bounds.step > 1 {
                let quotient =
                    IntegerPolynomial::var(QUOTIENTS + var as PolyVar).scale(-bounds.step);
                let rest = IntegerPolynomial::var(var as PolyVar).plus_constant(-bounds.rest);
                atoms.extend(rest.zip(quotient).and_then(|(a, b)| a.add(&b)).map(PolyAtom::Eq));
            }
        }
        atoms
    }

    /// Bounds and facts as conditions, without remainders.
    pub(crate) fn to_plain_atoms(&self) -> Vec<PolyAtom> {
        let mut atoms = self.facts.clone();
        for (var, bounds) in self.bounds.iter().enumerate() {
            let var = IntegerPolynomial::var(var as PolyVar);
            match (bounds.low, bounds.high) {
                (Some(low), Some(high)) if low == high => {
                    atoms.extend(var.plus_constant(-low).map(PolyAtom::Eq));
                }
                (low, high) => {
                    let below = low.and_then(|low| var.plus_constant(-low));
                    let above = high.and_then(|high| IntegerPolynomial::constant(high).sub(&var));
                    atoms.extend(below.into_iter().chain(above).map(PolyAtom::Ge));
                }
            }
        }
        atoms
    }

    /// What is a multiple of what, because of remainders.
    pub(crate) fn known_multiples(&self) -> Vec<(IntegerPolynomial, i128)> {
        let with_step = self.bounds.iter().enumerate().filter(|(_, bounds)| bounds.step > 1);
        with_step
            .filter_map(|(var, bounds)| {
                Some((
                    IntegerPolynomial::var(var as PolyVar).plus_constant(-bounds.rest)?,
                    bounds.step,
                ))
            })
            .collect()
    }

    /// Where a move that can be made everywhere here leads: no state that it leads to is left out.
    /// Of the conditions between variables those are kept that are asked for, and those of this region.
    pub(crate) fn image_after(
        &self,
        ask: &mut PolySolver,
        path: &PolyPath,
        asked: &[PolyAtom],
    ) -> Option<StateRegion> {
        let bounds: VariableBounds =
            path.update.iter().map(|poly| interval::evaluate_poly(&self.bounds, poly)).collect();
        let mut facts = Vec::new();
        for atom in asked.iter().chain(&self.facts) {
            if atom.poly().vars().len() < 2 {
                continue;
            }
            let known = interval::atom_truth(&bounds, atom) == Some(true);
            if known || self.atom_truth(ask, &path.precondition_of(atom)?) == Some(true) {
                facts.push(atom.clone());
            }
        }
        facts.sort();
        facts.dedup();
        let bounds = interval::narrow_bounds(bounds, &facts)?;
        Some(StateRegion { at: path.to, bounds, facts })
    }
}

/// Variables from here on are the quotients of remainders.
const QUOTIENTS: PolyVar = 1 << 12;
