//! Loops that end, taken many times at once: the way past them on a stem.

use std::rc::Rc;

use super::path::{PathSegment, PolyPath};
use super::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// The path that takes a loop any number of times, at least once; `None` if its effect is no simple
/// sum. Exact: variables change by constants, and conditions that hold in the first and in the last
/// of several iterations in one direction hold in all between.
pub(crate) fn accelerate_loop(path: &PolyPath, matters: &[bool]) -> Option<PolyPath> {
    if path.from != path.to || !path.used_locals().is_empty() {
        return None;
    }
    let linear = path.atoms.iter().all(|atom| atom.poly().is_linear());
    let mut steps = Vec::new();
    for (var, update) in path.update.iter().enumerate() {
        let step = update.sub(&IntegerPolynomial::var(var as PolyVar))?;
        match step.as_constant() {
            Some(step) => steps.push(step),
            None if !matters[var] => steps.push(0),
            None => return None,
        }
    }
    if !linear || steps.iter().all(|step| *step == 0) {
        return None;
    }
    let variables = path.variable_count();
    let times = IntegerPolynomial::var(variables);
    let after = |turns: &IntegerPolynomial| -> Option<Vec<IntegerPolynomial>> {
        let moved = |(var, step): (usize, &i128)| {
            IntegerPolynomial::var(var as PolyVar).add_scaled(turns, *step)
        };
        steps.iter().enumerate().map(moved).collect()
    };
    let last = after(&times.plus_constant(-1)?)?;
    let mut atoms = path.atoms.clone();
    atoms.push(PolyAtom::Ge(times.plus_constant(-1)?));
    for atom in &path.atoms {
        let there = |var: PolyVar| last.get(var as usize).cloned();
        atoms.push(atom.map_poly(|poly| poly.substitute(&there))?);
    }
    let repeated = PolyPath {
        from: path.from,
        to: path.to,
        segments: vec![PathSegment::Repeat {
            path: Rc::new(path.clone()),
            times: times.clone(),
            state: (0..variables).map(IntegerPolynomial::var).collect(),
        }],
        locals: 1,
        atoms,
        update: after(&times)?,
    };
    repeated.simplified().ok()
}
