//! Loops that end, taken many times at once: the way past them on a stem.

use std::rc::Rc;

use super::path::{Path, Segment};
use super::poly::{Atom, Poly, Var};

/// The path that takes a loop any number of times, at least once; `None` if its effect is no simple
/// sum. Exact: variables change by constants, and conditions that hold in the first and in the last
/// of several turns in one direction hold in all between.
pub(crate) fn accelerate(path: &Path, matters: &[bool]) -> Option<Path> {
    if path.from != path.to || !path.used_locals().is_empty() {
        return None;
    }
    let linear = path.atoms.iter().all(|atom| atom.poly().is_linear());
    let mut steps = Vec::new();
    for (var, update) in path.update.iter().enumerate() {
        let step = update.sub(&Poly::var(var as Var))?;
        match step.as_constant() {
            Some(step) => steps.push(step),
            None if !matters[var] => steps.push(0),
            None => return None,
        }
    }
    if !linear || steps.iter().all(|step| *step == 0) {
        return None;
    }
    let variables = path.variables();
    let times = Poly::var(variables);
    let after = |turns: &Poly| -> Option<Vec<Poly>> {
        let moved = |(var, step): (usize, &i128)| Poly::var(var as Var).add_scaled(turns, *step);
        steps.iter().enumerate().map(moved).collect()
    };
    let last = after(&times.plus(-1)?)?;
    let mut atoms = path.atoms.clone();
    atoms.push(Atom::Ge(times.plus(-1)?));
    for atom in &path.atoms {
        let there = |var: Var| last.get(var as usize).cloned();
        atoms.push(atom.map(|poly| poly.substitute(&there))?);
    }
    let repeated = Path {
        from: path.from,
        to: path.to,
        segments: vec![Segment::Repeat {
            path: Rc::new(path.clone()),
            times: times.clone(),
            state: (0..variables).map(Poly::var).collect(),
        }],
        locals: 1,
        atoms,
        update: after(&times)?,
    };
    repeated.simplified().ok()
}
