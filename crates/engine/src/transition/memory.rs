//! Paths that remember: beside the state as it is they carry the state as it was when a snapshot was
//! taken. So a relation between the two is a condition like any other.
//!
//! Of `n` variables of the state, `0..n` are what they are now and `n..2n` what they were; the local
//! variables of a path follow. Which edges were taken, for fairness, is no condition: `reach` counts them.

use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// The path that takes the snapshot and goes nowhere.
pub(crate) fn snapshot_path(at: usize, variables: usize) -> PolyPath {
    let mut path = PolyPath::empty(at, 2 * variables);
    for var in 0..variables {
        path.update[variables + var] = IntegerPolynomial::var(var as PolyVar);
    }
    path
}

/// A path that keeps what was. Which edges it takes is left out: nobody writes it down.
pub(crate) fn remembering_path(path: &PolyPath) -> Option<PolyPath> {
    let variables = path.variable_count();
    let moved = |poly: &IntegerPolynomial| {
        poly.substitute(&|var| (var >= variables).then(|| IntegerPolynomial::var(var + variables)))
    };
    let atoms: Option<Vec<PolyAtom>> = path.atoms.iter().map(|atom| atom.map_poly(moved)).collect();
    let update: Option<Vec<IntegerPolynomial>> = path.update.iter().map(moved).collect();
    let mut update = update?;
    update.extend((variables..2 * variables).map(IntegerPolynomial::var));
    Some(PolyPath { segments: Vec::new(), atoms: atoms?, update, ..path.clone() })
}

/// What a sum of variables was.
pub(crate) fn poly_at_snapshot(
    poly: &IntegerPolynomial,
    variables: usize,
) -> Option<IntegerPolynomial> {
    poly.substitute(&|var| Some(IntegerPolynomial::var(var + variables as PolyVar)))
}

/// A condition on what was.
pub(crate) fn atom_at_snapshot(atom: &PolyAtom, variables: usize) -> Option<PolyAtom> {
    atom.map_poly(|poly| poly_at_snapshot(poly, variables))
}
