//! Invariants: lower bounds on sums of variables, for every location.
//!
//! Which sums is fixed beforehand (variables, their differences and sums where they meet, what
//! guards compare). At first no state is known to reach a location. Then, while some path leads
//! from the states that the bounds allow to one that they do not, the bounds are lowered to admit
//! it; after the first times to the next number that stands in a guard, and after a few more to
//! none. The solver decides about all sums of a path at once, so what is found is as good as these
//! sums can say, and it is inductive when no such path is left.

use std::collections::BTreeSet;

use crate::paths::ask::{PolyAnswer, PolySolver};
use crate::paths::graph::PathGraph;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// Which sums are bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SumTemplates {
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
struct SumBound {
    sum: IntegerPolynomial,
    /// `None` if it has no bound.
    least: Option<i128>,
    lowered: u32,
    /// Numbers to try as bounds, ascending.
    thresholds: Vec<i128>,
}

/// What is known at a location; `None` if no state reaches it.
pub(crate) type LocationInvariant = Option<Vec<PolyAtom>>;

/// What holds at each location.
pub(crate) fn find_invariants(
    graph: &PathGraph,
    ask: &mut PolySolver,
    which: SumTemplates,
) -> Option<Vec<LocationInvariant>> {
    let sums = template_sums(graph, which);
    let mut bounds: Vec<Option<Vec<SumBound>>> = vec![None; graph.locations];
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
        if propagate_bounds(path, &sums, &mut bounds, ask)? {
            pending.extend(&graph.out[path.to]);
        }
    }
    Some(bounds.iter().map(|bounds| Some(bounds_to_atoms(bounds.as_ref()?))).collect())
}

fn bounds_to_atoms(bounds: &[SumBound]) -> Vec<PolyAtom> {
    let known = bounds.iter().filter_map(|bound| {
        let least = bound.least?;
        Some(PolyAtom::Ge(bound.sum.plus_constant(least.checked_neg()?)?))
    });
    known.collect()
}

/// Lowers the bounds at the end of a path until they admit all that comes along it; whether they
/// were lowered. `None` if that cannot be decided.
fn propagate_bounds(
    path: &PolyPath,
    sums: &[(IntegerPolynomial, Vec<i128>)],
    bounds: &mut [Option<Vec<SumBound>>],
    ask: &mut PolySolver,
) -> Option<bool> {
    let Some(here) = &bounds[path.from] else { return Some(false) };
    let mut conditions = bounds_to_atoms(here);
    conditions.extend(path.atoms.iter().cloned());
    let mut changed = false;
    loop {
        let mut below = Vec::new();
        if let Some(there) = &bounds[path.to] {
            for bound in there {
                if let Some(least) = bound.least {
                    // sum < least at the end of the path
                    let gap = bound.sum.neg()?.plus_constant(least.checked_sub(1)?)?;
                    below.push(path.precondition_of(&PolyAtom::Ge(gap))?);
                }
            }
            if below.is_empty() {
                return Some(changed);
            }
        }
        let values = match ask.check_sat_relaxed(&conditions, &below) {
            PolyAnswer::Unsat => return Some(changed),
            PolyAnswer::Sat(values) => values,
            PolyAnswer::Unknown if conditions.iter().any(|atom| !atom.poly().is_linear()) => {
                // Without the conditions on products there are more states, not fewer.
                conditions.retain(|atom| atom.poly().is_linear());
                continue;
            }
            PolyAnswer::Unknown => {
                // What products of variables become is not known, then.
                changed |= forget_products(path, bounds[path.to].as_mut()?)?;
                continue;
            }
        };
        changed = true;
        let of = |var: PolyVar| values.value_of(var);
        let state: Option<Vec<i128>> =
            path.update.iter().map(|poly| poly.value_under(&of)).collect();
        let state = state?;
        let there = |var: PolyVar| state[var as usize];
        match &mut bounds[path.to] {
            none @ None => {
                let first = |(sum, thresholds): &(IntegerPolynomial, Vec<i128>)| SumBound {
                    sum: sum.clone(),
                    least: sum.value_under(&there),
                    lowered: 0,
                    thresholds: thresholds.clone(),
                };
                *none = Some(sums.iter().map(first).collect());
            }
            Some(known) => {
                for bound in known {
                    if let Some(least) = bound.least
                        && let value = bound.sum.value_under(&there)
                        && value.is_none_or(|value| value < least)
                    {
                        bound.lower_to(value);
                    }
                }
            }
        }
    }
}

/// Gives up the bounds that are on products of variables at the start of a path; `None` if there are
/// none.
fn forget_products(path: &PolyPath, bounds: &mut [SumBound]) -> Option<bool> {
    let mut forgot = None;
    for bound in bounds {
        let is_hard = bound.least.is_some()
            && !path.precondition_of(&PolyAtom::Ge(bound.sum.clone()))?.poly().is_linear();
        if is_hard {
            bound.least = None;
            forgot = Some(true);
        }
    }
    forgot
}

impl SumBound {
    fn lower_to(&mut self, value: Option<i128>) {
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
fn template_sums(graph: &PathGraph, which: SumTemplates) -> Vec<(IntegerPolynomial, Vec<i128>)> {
    let variables = graph.variables as PolyVar;
    let mut sums: Vec<(IntegerPolynomial, Vec<i128>)> = Vec::new();
    let mut add = |sum: IntegerPolynomial, thresholds: &[i128]| {
        if let Some((_, known)) = sums.iter_mut().find(|(known, _)| *known == sum) {
            known.extend_from_slice(thresholds);
        } else if sums.len() < graph.limits.sums {
            let mut known = vec![-1, 0, 1];
            known.extend_from_slice(thresholds);
            sums.push((sum, known));
        }
    };
    let matters: Vec<PolyVar> = (0..variables).filter(|var| graph.matters[*var as usize]).collect();
    for var in &matters {
        add(IntegerPolynomial::var(*var), &[]);
        add(IntegerPolynomial::var(*var).neg().unwrap_or_default(), &[]);
    }
    let mut pairs: BTreeSet<(PolyVar, PolyVar)> = BTreeSet::new();
    for path in &graph.paths {
        let mut conditions: Vec<IntegerPolynomial> =
            path.atoms.iter().map(|a| a.poly().clone()).collect();
        for (var, update) in path.update.iter().enumerate() {
            if graph.matters[var] && update.as_var() != Some(var as PolyVar) {
                conditions.extend(update.sub(&IntegerPolynomial::var(var as PolyVar)));
            }
        }
        for (at, poly) in conditions.iter().enumerate() {
            let vars: Vec<PolyVar> =
                poly.vars().into_iter().filter(|var| *var < variables).collect();
            for x in &vars {
                for y in vars.iter().filter(|y| *y > x) {
                    pairs.insert((*x, *y));
                }
            }
            let is_state = poly.vars().iter().all(|var| *var < variables);
            if is_state && poly.is_linear() && at < path.atoms.len() {
                let offset = poly.constant_part();
                let near = [-offset - 1, -offset, -offset + 1];
                add(poly.without_constant(), &near);
                if let Some(other) = poly.without_constant().neg() {
                    add(other, &[offset - 1, offset, offset + 1]);
                }
            }
        }
    }
    if which == SumTemplates::Relations {
        for x in &matters {
            for y in matters.iter().filter(|y| *y > x) {
                if matters.len() <= 6 {
                    pairs.insert((*x, *y));
                }
            }
        }
        for (x, y) in pairs {
            let (x, y) = (IntegerPolynomial::var(x), IntegerPolynomial::var(y));
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
fn constants(graph: &PathGraph) -> BTreeSet<i128> {
    let mut all = BTreeSet::new();
    for atom in graph.paths.iter().flat_map(|path| &path.atoms) {
        let offset = atom.poly().constant_part();
        let near = [offset.checked_sub(1), Some(offset), offset.checked_add(1)];
        for near in near.into_iter().flatten() {
            all.insert(near);
            all.extend(near.checked_neg());
        }
    }
    if all.len() <= CONSTANTS { all } else { BTreeSet::new() }
}
