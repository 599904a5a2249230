//! Paths that remember: beside the state as it is they carry the state as it was when a snapshot was
//! taken. So a relation between the two is a condition like any other.
//!
//! Of `n` variables of the state, `0..n` are what they are now and `n..2n` what they were; the local
//! variables of a path follow. Which edges were taken, for fairness, is no condition: `reach` counts them.

use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// The path that takes the snapshot and goes nowhere.
pub(crate) fn snapshot(at: usize, variables: usize) -> Path {
    let mut path = Path::empty(at, 2 * variables);
    for var in 0..variables {
        path.update[variables + var] = Poly::var(var as Var);
    }
    path
}

/// A path that keeps what was. Which edges it takes is left out: nobody writes it down.
pub(crate) fn remembering(path: &Path) -> Option<Path> {
    let variables = path.variables();
    let moved = |poly: &Poly| {
        poly.substitute(&|var| (var >= variables).then(|| Poly::var(var + variables)))
    };
    let atoms: Option<Vec<Atom>> = path.atoms.iter().map(|atom| atom.map(moved)).collect();
    let update: Option<Vec<Poly>> = path.update.iter().map(moved).collect();
    let mut update = update?;
    update.extend((variables..2 * variables).map(Poly::var));
    Some(Path { segments: Vec::new(), atoms: atoms?, update, ..path.clone() })
}

/// What a sum of variables was.
pub(crate) fn was(poly: &Poly, variables: usize) -> Option<Poly> {
    poly.substitute(&|var| Some(Poly::var(var + variables as Var)))
}

/// A condition on what was.
pub(crate) fn was_so(atom: &Atom, variables: usize) -> Option<Atom> {
    atom.map(|poly| was(poly, variables))
}
