//! What to choose: values for what a loop leaves open, so that it leaves nothing open.

use crate::limits::LASSO_LIMITS;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// The loop with its local variables chosen, in the ways that look most promising: a variable keeps
/// its value; a choice is as small or as large as it may be; it is a small number.
pub(crate) fn choose_locals(path: &PolyPath) -> Vec<PolyPath> {
    let mut done = Vec::new();
    let mut pending = vec![path.clone()];
    while let Some(path) = pending.pop() {
        let locals = path.used_locals();
        let Some(first) = locals.first() else {
            done.push(path);
            if done.len() >= LASSO_LIMITS.choices {
                break;
            }
            continue;
        };
        // The one with the fewest candidate values comes first.
        let mut best = (*first, candidate_values(&path, *first));
        for local in &locals[1..] {
            let other = candidate_values(&path, *local);
            if other.len() < best.1.len() {
                best = (*local, other);
            }
        }
        let (local, values) = best;
        for value in values.iter().rev() {
            if let Some(next) = path.with_local(local, value)
                && let Ok(next) = next.simplified()
            {
                pending.push(next);
            }
        }
        if pending.len() > 4 * LASSO_LIMITS.choices {
            pending.drain(..pending.len() - 4 * LASSO_LIMITS.choices);
        }
    }
    done
}

fn candidate_values(path: &PolyPath, local: PolyVar) -> Vec<IntegerPolynomial> {
    let variables = path.variable_count();
    let mut values: Vec<IntegerPolynomial> = Vec::new();
    let mut add = |value: Option<IntegerPolynomial>| {
        if let Some(value) = value
            && !value.has_var(local)
            && !values.contains(&value)
        {
            values.push(value);
        }
    };
    for (var, update) in path.update.iter().enumerate() {
        if update.as_var() == Some(local) {
            add(Some(IntegerPolynomial::var(var as PolyVar)));
        } else if update.coefficient(local).abs() == 1 && !update.has_in_product(local) {
            // The value with which the variable stays as it is.
            let k = update.coefficient(local);
            let rest = update.add_scaled(&IntegerPolynomial::var(local), -k);
            let keep =
                rest.and_then(|rest| IntegerPolynomial::var(var as PolyVar).sub(&rest)?.scale(k));
            add(keep);
        }
    }
    for atom in &path.atoms {
        let poly = atom.poly();
        let k = poly.coefficient(local);
        if k.abs() != 1 || poly.has_in_product(local) {
            continue;
        }
        if let PolyAtom::Ge(_) = atom {
            let rest = poly.add_scaled(&IntegerPolynomial::var(local), -k);
            add(rest.and_then(|rest| rest.scale(-k)));
        }
    }
    let is_state = |value: &IntegerPolynomial| value.vars().iter().all(|var| *var < variables);
    // Bounds in other locals wait until those are chosen.
    let (mut ready, waiting): (Vec<IntegerPolynomial>, Vec<IntegerPolynomial>) =
        values.into_iter().partition(is_state);
    for constant in [0, 1, -1] {
        let constant = IntegerPolynomial::constant(constant);
        if !ready.contains(&constant) {
            ready.push(constant);
        }
    }
    ready.extend(waiting);
    ready.truncate(8);
    ready
}
