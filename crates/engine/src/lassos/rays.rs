//! Geometric arguments: a state, and directions in which the run goes on forever.
//!
//! For a loop whose conditions and updates are linear, a state `x` and a direction `y` with
//! `f(x) = x + y`, where `y` keeps every condition that has no constants and `f` without its
//! constants turns `y` into `k y`: then every `x + t y` with a whole `t >= 0` goes to
//! `x + (1 + k t) y`, and the conditions hold there too. With two directions the second may also
//! turn into itself plus the first (a counter that grows by a counter). Choices have values and
//! directions of their own. A state that goes to itself is the case `y = 0`.

use crate::paths::ask::{PolySolver, VarValues};
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// A state and directions.
#[derive(Clone, Debug)]
pub(crate) struct GeometricArgument {
    /// The values of the stem's variables: how the state is reached.
    pub(crate) values: VarValues,
    /// The state.
    pub(crate) point: Vec<i128>,
    /// What the loop's local variables are there.
    pub(crate) locals: Vec<i128>,
    /// Directions of the state and of the local variables; none is zero on the state.
    pub(crate) directions: Vec<(Vec<i128>, Vec<i128>)>,
}

/// What a direction becomes after an iteration: itself so many times, and the one before so many times.
const ONE: &[&[(i128, i128)]] = &[&[(1, 0)], &[(0, 0)], &[(2, 0)]];
const TWO: &[&[(i128, i128)]] = &[
    &[(1, 0), (1, 1)],
    &[(1, 0), (0, 0)],
    &[(1, 0), (2, 0)],
    &[(0, 0), (1, 1)],
    &[(2, 0), (0, 1)],
    &[(2, 0), (1, 1)],
];

/// A state at the end of the stem from which the loop goes on in one direction, or in two.
pub(crate) fn find_geometric_argument(
    ask: &mut PolySolver,
    stem: &PolyPath,
    path: &PolyPath,
    matters: &[bool],
    two: bool,
) -> Option<GeometricArgument> {
    let linear = path.atoms.iter().all(|atom| atom.poly().is_linear())
        && path.update.iter().zip(matters).all(|(update, matters)| !matters || update.is_linear());
    if !linear {
        return None;
    }
    if !two && stem_is_blocked(ask, stem, path) {
        return None;
    }
    let shapes = if two { TWO } else { ONE };
    shapes.iter().find_map(|shape| find_rays_of_shape(ask, stem, path, matters, shape))
}

fn stem_is_blocked(ask: &mut PolySolver, stem: &PolyPath, path: &PolyPath) -> bool {
    let Ok(whole) = stem.followed_by(path) else { return true };
    ask.check_sat(&whole.atoms).is_unsat()
}

/// Where the variables of one question are.
struct RayVariableLayout {
    state: PolyVar,
    locals: PolyVar,
    /// The first local variable of the loop.
    chosen: PolyVar,
    /// The first variable of each direction: the state's, then the locals'.
    directions: Vec<PolyVar>,
}

impl RayVariableLayout {
    /// A variable of the loop, in a direction.
    fn direction_var(&self, direction: usize, var: PolyVar) -> IntegerPolynomial {
        IntegerPolynomial::var(self.directions[direction] + var)
    }
}

fn find_rays_of_shape(
    ask: &mut PolySolver,
    stem: &PolyPath,
    path: &PolyPath,
    matters: &[bool],
    shape: &[(i128, i128)],
) -> Option<GeometricArgument> {
    let state = stem.variable_count();
    let chosen = state + stem.locals;
    let size = state + path.locals;
    let first = chosen + path.locals;
    let layout = RayVariableLayout {
        state,
        locals: path.locals,
        chosen,
        directions: (0..shape.len() as PolyVar).map(|i| first + i * size).collect(),
    };
    let mut atoms = stem.atoms.clone();
    let here = |var: PolyVar| {
        Some(match var < layout.state {
            true => stem.update[var as usize].clone(),
            false => IntegerPolynomial::var(layout.chosen + var - layout.state),
        })
    };
    for atom in &path.atoms {
        atoms.push(atom.map_poly(|poly| poly.substitute(&here))?);
    }
    let vars: Vec<PolyVar> = (0..state).filter(|var| matters[*var as usize]).collect();
    for var in &vars {
        // f(x) = x + y1 + y2
        let mut change = path.update[*var as usize].substitute(&here)?;
        change = change.sub(&stem.update[*var as usize])?;
        for direction in 0..shape.len() {
            change = change.sub(&layout.direction_var(direction, *var))?;
        }
        atoms.push(PolyAtom::Eq(change));
    }
    for (direction, (own, before)) in shape.iter().enumerate() {
        let along = |var: PolyVar| Some(layout.direction_var(direction, var));
        for atom in &path.atoms {
            atoms.push(match atom {
                PolyAtom::Ge(poly) => PolyAtom::Ge(poly.without_constant().substitute(&along)?),
                PolyAtom::Eq(poly) => PolyAtom::Eq(poly.without_constant().substitute(&along)?),
            });
        }
        for var in &vars {
            let mut turned = path.update[*var as usize].without_constant().substitute(&along)?;
            turned = turned.add_scaled(&layout.direction_var(direction, *var), -own)?;
            if direction > 0 {
                turned = turned.add_scaled(&layout.direction_var(direction - 1, *var), -before)?;
            }
            atoms.push(PolyAtom::Eq(turned));
        }
    }
    let values = ask.check_sat(&atoms).into_values()?;
    read_rays(stem, matters, &layout, values)
}

fn read_rays(
    stem: &PolyPath,
    matters: &[bool],
    layout: &RayVariableLayout,
    values: VarValues,
) -> Option<GeometricArgument> {
    let of = |var: PolyVar| values.value_of(var);
    let mut point = Vec::new();
    for (var, update) in stem.update.iter().enumerate() {
        point.push(if matters[var] { update.value_under(&of)? } else { 0 });
    }
    let locals = (0..layout.locals).map(|at| values.value_of(layout.chosen + at)).collect();
    let mut directions = Vec::new();
    for base in &layout.directions {
        let state: Vec<i128> = (0..layout.state)
            .map(|var| if matters[var as usize] { values.value_of(base + var) } else { 0 })
            .collect();
        let local: Vec<i128> =
            (0..layout.locals).map(|at| values.value_of(base + layout.state + at)).collect();
        if state.iter().any(|step| *step != 0) {
            directions.push((state, local));
        }
    }
    Some(GeometricArgument { values, point, locals, directions })
}
