//! Invariants: lower bounds on sums of variables, for every location.
//!
//! Which sums is fixed beforehand (variables, their differences and sums where they meet, what
//! guards compare). At first no state is known to reach a location. Then, while some path leads
//! from the states that the bounds allow to one that they do not, the bounds are lowered to admit
//! it; after the first times to the next number that stands in a guard, and after a few more to
//! none. The solver decides about all sums of a path at once, so what is found is as good as these
//! sums can say, and it is inductive when no such path is left.

use std::collections::BTreeSet;

use crate::paths::ask::{Ask, Told};
use crate::paths::graph::Graph;
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// Which sums are bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sums {
    /// Bounds on variables and on what guards say.
    Simple,
    /// And on sums and differences of variables.
    Relations,
}

/// More numbers than this are not tried for all sums.
const CONSTANTS: usize = 150;
/// How many times a bound is lowered before it is given up.
const LOWERED: u32 = 6;

/// A sum of variables and how low it can be.
#[derive(Clone, Debug)]
struct Bound {
    sum: Poly,
    /// `None` if it has no bound.
    least: Option<i128>,
    lowered: u32,
    /// Numbers to try as bounds, ascending.
    thresholds: Vec<i128>,
}

/// What is known at a location; `None` if no state reaches it.
pub(crate) type Known = Option<Vec<Atom>>;

/// What holds at each location.
pub(crate) fn find(graph: &Graph, ask: &mut Ask, which: Sums) -> Option<Vec<Known>> {
    let sums = sums(graph, which);
    let mut bounds: Vec<Option<Vec<Bound>>> = vec![None; graph.locations];
    bounds[graph.start] = Some(Vec::new());
    for (at, out) in graph.out.iter().enumerate() {
        // Nobody asks what holds where runs end.
        if out.is_empty() {
            bounds[at] = Some(Vec::new());
        }
    }
    let mut pending: BTreeSet<usize> = graph.out[graph.start].iter().copied().collect();
    while let Some(at) = pending.pop_first() {
        let path = &graph.paths[at];
        if spread(path, &sums, &mut bounds, ask)? {
            pending.extend(&graph.out[path.to]);
        }
    }
    Some(bounds.iter().map(|bounds| Some(atoms(bounds.as_ref()?))).collect())
}

fn atoms(bounds: &[Bound]) -> Vec<Atom> {
    let known = bounds.iter().filter_map(|bound| {
        let least = bound.least?;
        Some(Atom::Ge(bound.sum.plus(least.checked_neg()?)?))
    });
    known.collect()
}

/// Lowers the bounds at the end of a path until they admit all that comes along it; whether they
/// were lowered. `None` if that cannot be decided.
fn spread(
    path: &Path,
    sums: &[(Poly, Vec<i128>)],
    bounds: &mut [Option<Vec<Bound>>],
    ask: &mut Ask,
) -> Option<bool> {
    let Some(here) = &bounds[path.from] else { return Some(false) };
    let mut conditions = atoms(here);
    conditions.extend(path.atoms.iter().cloned());
    let mut changed = false;
    loop {
        let mut below = Vec::new();
        if let Some(there) = &bounds[path.to] {
            for bound in there {
                if let Some(least) = bound.least {
                    // sum < least at the end of the path
                    let gap = bound.sum.neg()?.plus(least.checked_sub(1)?)?;
                    below.push(path.before(&Atom::Ge(gap))?);
                }
            }
            if below.is_empty() {
                return Some(changed);
            }
        }
        let values = match ask.sat_over(&conditions, &below) {
            Told::Unsat => return Some(changed),
            Told::Sat(values) => values,
            Told::Unknown if conditions.iter().any(|atom| !atom.poly().is_linear()) => {
                // Without the conditions on products there are more states, not fewer.
                conditions.retain(|atom| atom.poly().is_linear());
                continue;
            }
            Told::Unknown => {
                // What products of variables become is not known, then.
                changed |= forget_products(path, bounds[path.to].as_mut()?)?;
                continue;
            }
        };
        changed = true;
        let of = |var: Var| values.of(var);
        let state: Option<Vec<i128>> = path.update.iter().map(|poly| poly.value(&of)).collect();
        let state = state?;
        let there = |var: Var| state[var as usize];
        match &mut bounds[path.to] {
            none @ None => {
                let first = |(sum, thresholds): &(Poly, Vec<i128>)| Bound {
                    sum: sum.clone(),
                    least: sum.value(&there),
                    lowered: 0,
                    thresholds: thresholds.clone(),
                };
                *none = Some(sums.iter().map(first).collect());
            }
            Some(known) => {
                for bound in known {
                    if let Some(least) = bound.least
                        && let value = bound.sum.value(&there)
                        && value.is_none_or(|value| value < least)
                    {
                        bound.lower(value);
                    }
                }
            }
        }
    }
}

/// Gives up the bounds that are on products of variables at the start of a path; `None` if there are
/// none.
fn forget_products(path: &Path, bounds: &mut [Bound]) -> Option<bool> {
    let mut forgot = None;
    for bound in bounds {
        let is_hard =
            bound.least.is_some() && !path.before(&Atom::Ge(bound.sum.clone()))?.poly().is_linear();
        if is_hard {
            bound.least = None;
            forgot = Some(true);
        }
    }
    forgot
}

impl Bound {
    fn lower(&mut self, value: Option<i128>) {
        self.lowered += 1;
        self.least = match (value, self.lowered) {
            (Some(value), 1) => Some(value),
            (Some(value), 2..=LOWERED) => {
                self.thresholds.iter().copied().filter(|known| *known <= value).max()
            }
            _ => None,
        };
    }
}

/// The sums that are bounded, and numbers that they are compared with.
fn sums(graph: &Graph, which: Sums) -> Vec<(Poly, Vec<i128>)> {
    let variables = graph.variables as Var;
    let mut sums: Vec<(Poly, Vec<i128>)> = Vec::new();
    let mut add = |sum: Poly, thresholds: &[i128]| {
        if let Some((_, known)) = sums.iter_mut().find(|(known, _)| *known == sum) {
            known.extend_from_slice(thresholds);
        } else if sums.len() < graph.limits.sums {
            let mut known = vec![-1, 0, 1];
            known.extend_from_slice(thresholds);
            sums.push((sum, known));
        }
    };
    let matters: Vec<Var> = (0..variables).filter(|var| graph.matters[*var as usize]).collect();
    for var in &matters {
        add(Poly::var(*var), &[]);
        add(Poly::var(*var).neg().unwrap_or_default(), &[]);
    }
    let mut pairs: BTreeSet<(Var, Var)> = BTreeSet::new();
    for path in &graph.paths {
        let mut conditions: Vec<Poly> = path.atoms.iter().map(|a| a.poly().clone()).collect();
        for (var, update) in path.update.iter().enumerate() {
            if graph.matters[var] && update.as_var() != Some(var as Var) {
                conditions.extend(update.sub(&Poly::var(var as Var)));
            }
        }
        for (at, poly) in conditions.iter().enumerate() {
            let vars: Vec<Var> = poly.vars().into_iter().filter(|var| *var < variables).collect();
            for x in &vars {
                for y in vars.iter().filter(|y| *y > x) {
                    pairs.insert((*x, *y));
                }
            }
            let is_state = poly.vars().iter().all(|var| *var < variables);
            if is_state && poly.is_linear() && at < path.atoms.len() {
                let offset = poly.offset();
                let near = [-offset - 1, -offset, -offset + 1];
                add(poly.homogeneous(), &near);
                if let Some(other) = poly.homogeneous().neg() {
                    add(other, &[offset - 1, offset, offset + 1]);
                }
            }
        }
    }
    if which == Sums::Relations {
        for x in &matters {
            for y in matters.iter().filter(|y| *y > x) {
                if matters.len() <= 6 {
                    pairs.insert((*x, *y));
                }
            }
        }
        for (x, y) in pairs {
            let (x, y) = (Poly::var(x), Poly::var(y));
            let all = [x.sub(&y), y.sub(&x), x.add(&y), x.add(&y).and_then(|sum| sum.neg())];
            for sum in all.into_iter().flatten() {
                add(sum, &[]);
            }
        }
    }
    // A number that stands in one guard may be the bound of something else.
    let constants = constants(graph);
    for (_, thresholds) in &mut sums {
        thresholds.extend(&constants);
        thresholds.sort_unstable();
        thresholds.dedup();
    }
    sums
}

/// The numbers that stand in guards, and their neighbours; none if they are too many to be of use.
fn constants(graph: &Graph) -> BTreeSet<i128> {
    let mut all = BTreeSet::new();
    for atom in graph.paths.iter().flat_map(|path| &path.atoms) {
        let offset = atom.poly().offset();
        let near = [offset.checked_sub(1), Some(offset), offset.checked_add(1)];
        for near in near.into_iter().flatten() {
            all.insert(near);
            all.extend(near.checked_neg());
        }
    }
    if all.len() <= CONSTANTS { all } else { BTreeSet::new() }
}
