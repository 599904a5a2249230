//! Paths: conjunctions of conditions and what each variable becomes, along one or more edges.
//!
//! A path is over the variables of the state where it starts (numbered from 0) and local ones of
//! its own (numbered from the number of state variables on): what its edges leave open.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// A piece of a path, as it is taken in the system.
#[derive(Clone, Debug)]
pub(crate) enum PathSegment {
    /// An edge, with the values of its choices over the path's variables.
    Edge { edge: u32, choices: Vec<IntegerPolynomial> },
    /// A path that comes back to where it starts and leaves nothing open, so many times, from this
    /// state on.
    Repeat { path: Rc<PolyPath>, times: IntegerPolynomial, state: Vec<IntegerPolynomial> },
}

/// A way from one location to another.
#[derive(Clone, Debug)]
pub(crate) struct PolyPath {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) segments: Vec<PathSegment>,
    /// How many local variables there are.
    pub(crate) locals: u32,
    /// When it can be taken.
    pub(crate) atoms: Vec<PolyAtom>,
    /// What each state variable becomes.
    pub(crate) update: Vec<IntegerPolynomial>,
}

/// More conditions than this on one path are not worth having.
const ATOMS: usize = 160;

/// With more than this, equations are not solved.
const UNSOLVED_ATOMS: usize = 2000;

/// Why there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PathFailure {
    /// It can never be taken.
    Impossible,
    /// Its numbers or its conditions are too many or too large.
    TooLarge,
}

use PathFailure::{Impossible, TooLarge};

impl PolyPath {
    /// The path that goes nowhere.
    pub(crate) fn empty(at: usize, variables: usize) -> PolyPath {
        PolyPath {
            from: at,
            to: at,
            segments: Vec::new(),
            locals: 0,
            atoms: Vec::new(),
            update: (0..variables as PolyVar).map(IntegerPolynomial::var).collect(),
        }
    }

    pub(crate) fn variable_count(&self) -> PolyVar {
        self.update.len() as PolyVar
    }

    /// The local variables.
    pub(crate) fn local_vars(&self) -> std::ops::Range<PolyVar> {
        self.variable_count()..self.variable_count() + self.locals
    }

    /// How many edges it takes, repetitions counted once.
    pub(crate) fn length(&self) -> usize {
        let length = |segment: &PathSegment| match segment {
            PathSegment::Edge { .. } => 1,
            PathSegment::Repeat { path, .. } => path.length(),
        };
        self.segments.iter().map(length).sum()
    }

    /// The edges it takes, some more than once.
    pub(crate) fn edges(&self) -> Vec<u32> {
        let mut edges = Vec::new();
        for segment in &self.segments {
            match segment {
                PathSegment::Edge { edge, .. } => edges.push(*edge),
                PathSegment::Repeat { path, .. } => edges.extend(path.edges()),
            }
        }
        edges
    }

    /// This path and then another.
    pub(crate) fn followed_by(&self, next: &PolyPath) -> Result<PolyPath, PathFailure> {
        debug_assert_eq!(self.to, next.from);
        let variables = self.variable_count();
        let shift = self.locals;
        let value = |var: PolyVar| {
            Some(match var < variables {
                true => self.update[var as usize].clone(),
                false => IntegerPolynomial::var(var + shift),
            })
        };
        let mut path = PolyPath {
            from: self.from,
            to: next.to,
            segments: self.segments.clone(),
            locals: self.locals + next.locals,
            atoms: self.atoms.clone(),
            update: Vec::with_capacity(next.update.len()),
        };
        for atom in &next.atoms {
            let atom = atom.map_poly(|poly| poly.substitute(&value)).ok_or(TooLarge)?;
            match atom.constant_truth() {
                Some(true) => {}
                Some(false) => return Err(Impossible),
                None => path.atoms.push(atom),
            }
        }
        for poly in &next.update {
            path.update.push(poly.substitute(&value).ok_or(TooLarge)?);
        }
        for segment in &next.segments {
            path.segments.push(segment.substitute(&value).ok_or(TooLarge)?);
        }
        path.simplified()
    }

    /// Local variables that an equation determines are replaced; conditions that say nothing go.
    pub(crate) fn simplified(self) -> Result<PolyPath, PathFailure> {
        let mut path = self.with_constant_locals().ok_or(TooLarge)?;
        // One at a time, each in all conditions.
        if path.atoms.len() > UNSOLVED_ATOMS {
            return Err(TooLarge);
        }
        path.solve_locals()?;
        let mut atoms = Vec::with_capacity(path.atoms.len());
        for atom in path.atoms.drain(..) {
            match atom.constant_truth() {
                Some(true) => {}
                Some(false) => return Err(Impossible),
                None => atoms.push(normalize_equation(atom).ok_or(TooLarge)?),
            }
        }
        atoms.sort();
        atoms.dedup();
        path.atoms = merge_atoms(atoms)?;
        if path.atoms.len() <= ATOMS { Ok(path) } else { Err(TooLarge) }
    }

    /// Without local variables that an equation says are a number, all at once: a run on known inputs has thousands.
    fn with_constant_locals(self) -> Option<PolyPath> {
        let locals = self.local_vars();
        let constants: FxHashMap<PolyVar, IntegerPolynomial> = self
            .atoms
            .iter()
            .filter_map(|atom| {
                let PolyAtom::Eq(poly) = atom else { return None };
                let [var] = poly.vars()[..] else { return None };
                let k = poly.coefficient(var);
                let is_solvable =
                    locals.contains(&var) && k.abs() == 1 && !poly.has_in_product(var);
                let rest = poly.add_scaled(&IntegerPolynomial::var(var), -k)?;
                Some((var, rest.scale(-k)?)).filter(|_| is_solvable)
            })
            .collect();
        if constants.is_empty() {
            return Some(self);
        }
        let mut path = self.with_locals(&|var| constants.get(&var).cloned())?;
        path.atoms.retain(|atom| atom.constant_truth() != Some(true));
        Some(path)
    }

    /// Solves equations for local variables.
    fn solve_locals(&mut self) -> Result<(), PathFailure> {
        let locals = self.local_vars();
        loop {
            let solvable = self.atoms.iter().enumerate().find_map(|(at, atom)| {
                let PolyAtom::Eq(poly) = atom else { return None };
                let unit =
                    |var: &PolyVar| poly.coefficient(*var).abs() == 1 && !poly.has_in_product(*var);
                Some((at, locals.clone().find(unit)?))
            });
            let Some((at, var)) = solvable else { return Ok(()) };
            let PolyAtom::Eq(poly) = self.atoms.swap_remove(at) else { return Ok(()) };
            // var * k + rest = 0 with k = 1 or -1: var = -k * rest.
            let k = poly.coefficient(var);
            let rest = poly.add_scaled(&IntegerPolynomial::var(var), -k);
            let value = rest.and_then(|rest| rest.scale(-k)).ok_or(TooLarge)?;
            *self = self.with_local(var, &value).ok_or(TooLarge)?;
        }
    }

    /// With a value for a local variable.
    pub(crate) fn with_local(&self, local: PolyVar, value: &IntegerPolynomial) -> Option<PolyPath> {
        self.with_locals(&|var| (var == local).then(|| value.clone()))
    }

    /// With values for some local variables, over state variables and other locals.
    pub(crate) fn with_locals(
        &self,
        value: &dyn Fn(PolyVar) -> Option<IntegerPolynomial>,
    ) -> Option<PolyPath> {
        let mut path = self.clone();
        for atom in &mut path.atoms {
            *atom = atom.map_poly(|poly| poly.substitute(value))?;
        }
        for poly in &mut path.update {
            *poly = poly.substitute(value)?;
        }
        for segment in &mut path.segments {
            *segment = segment.substitute(value)?;
        }
        Some(path)
    }

    /// The local variables that its conditions or updates really have.
    pub(crate) fn used_locals(&self) -> Vec<PolyVar> {
        let polys = self.atoms.iter().map(PolyAtom::poly).chain(&self.update);
        let mut used: Vec<PolyVar> = polys
            .flat_map(IntegerPolynomial::vars)
            .filter(|var| *var >= self.variable_count())
            .collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// A condition on the state where the path ends, as one on where it starts.
    pub(crate) fn precondition_of(&self, atom: &PolyAtom) -> Option<PolyAtom> {
        let variables = self.variable_count();
        atom.map_poly(|poly| {
            poly.substitute(&|var| (var < variables).then(|| self.update[var as usize].clone()))
        })
    }
}

impl PathSegment {
    fn substitute(
        &self,
        value: &dyn Fn(PolyVar) -> Option<IntegerPolynomial>,
    ) -> Option<PathSegment> {
        Some(match self {
            PathSegment::Edge { edge, choices } => {
                let choices: Option<Vec<IntegerPolynomial>> =
                    choices.iter().map(|poly| poly.substitute(value)).collect();
                PathSegment::Edge { edge: *edge, choices: choices? }
            }
            PathSegment::Repeat { path, times, state } => {
                let state: Option<Vec<IntegerPolynomial>> =
                    state.iter().map(|poly| poly.substitute(value)).collect();
                let times = times.substitute(value)?;
                PathSegment::Repeat { path: path.clone(), times, state: state? }
            }
        })
    }
}

/// One way to write an equation: divided by what is common, the first coefficient positive.
fn normalize_equation(atom: PolyAtom) -> Option<PolyAtom> {
    Some(match atom {
        PolyAtom::Ge(poly) => PolyAtom::Ge(poly),
        PolyAtom::Eq(poly) => {
            let common = poly.coefficient_gcd().max(1);
            let poly = poly.divided_exactly(common).unwrap_or(poly);
            let negative = poly.monomials().last().is_some_and(|(_, c)| c < 0);
            PolyAtom::Eq(if negative { poly.neg()? } else { poly })
        }
    })
}

/// Of two conditions that differ in the constant only, the stronger; two that are opposite are an
/// equation.
fn merge_atoms(atoms: Vec<PolyAtom>) -> Result<Vec<PolyAtom>, PathFailure> {
    let mut kept: Vec<PolyAtom> = Vec::with_capacity(atoms.len());
    'next: for atom in atoms {
        if let PolyAtom::Ge(poly) = &atom {
            let shape = poly.without_constant();
            for other in &mut kept {
                let PolyAtom::Ge(there) = &*other else { continue };
                if there.without_constant() == shape {
                    if poly.constant_part() < there.constant_part() {
                        *other = atom;
                    }
                    continue 'next;
                }
                if there.monomials().count() == poly.monomials().count().max(1)
                    || there.without_constant().monomials().count() == shape.monomials().count()
                {
                    let sum = there.add(poly).ok_or(TooLarge)?;
                    match sum.as_constant() {
                        Some(gap) if gap < 0 => return Err(Impossible),
                        Some(0) => {
                            *other =
                                normalize_equation(PolyAtom::Eq(poly.clone())).ok_or(TooLarge)?;
                            continue 'next;
                        }
                        _ => {}
                    }
                }
            }
        }
        kept.push(atom);
    }
    kept.sort();
    kept.dedup();
    Ok(kept)
}
