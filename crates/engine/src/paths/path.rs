//! Paths: conjunctions of conditions and what each variable becomes, along one or more edges.
//!
//! A path is over the variables of the state where it starts (numbered from 0) and local ones of
//! its own (numbered from the number of state variables on): what its edges leave open.

use std::rc::Rc;

use super::poly::{Atom, Poly, Var};

/// A piece of a path, as it is taken in the system.
#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// An edge, with the values of its choices over the path's variables.
    Edge { edge: u32, choices: Vec<Poly> },
    /// A path that comes back to where it starts and leaves nothing open, so many times, from this
    /// state on.
    Repeat { path: Rc<Path>, times: Poly, state: Vec<Poly> },
}

/// A way from one location to another.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) segments: Vec<Segment>,
    /// How many local variables there are.
    pub(crate) locals: u32,
    /// When it can be taken.
    pub(crate) atoms: Vec<Atom>,
    /// What each state variable becomes.
    pub(crate) update: Vec<Poly>,
}

/// More conditions than this on one path are not worth having.
const ATOMS: usize = 160;

/// Why there is no path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoPath {
    /// It can never be taken.
    Impossible,
    /// Its numbers or its conditions are too many or too large.
    TooLarge,
}

use NoPath::{Impossible, TooLarge};

impl Path {
    /// The path that goes nowhere.
    pub(crate) fn empty(at: usize, variables: usize) -> Path {
        Path {
            from: at,
            to: at,
            segments: Vec::new(),
            locals: 0,
            atoms: Vec::new(),
            update: (0..variables as Var).map(Poly::var).collect(),
        }
    }

    pub(crate) fn variables(&self) -> Var {
        self.update.len() as Var
    }

    /// The local variables.
    pub(crate) fn local_vars(&self) -> std::ops::Range<Var> {
        self.variables()..self.variables() + self.locals
    }

    /// How many edges it takes, repetitions counted once.
    pub(crate) fn length(&self) -> usize {
        let length = |segment: &Segment| match segment {
            Segment::Edge { .. } => 1,
            Segment::Repeat { path, .. } => path.length(),
        };
        self.segments.iter().map(length).sum()
    }

    /// The edges it takes, some more than once.
    pub(crate) fn edges(&self) -> Vec<u32> {
        let mut edges = Vec::new();
        for segment in &self.segments {
            match segment {
                Segment::Edge { edge, .. } => edges.push(*edge),
                Segment::Repeat { path, .. } => edges.extend(path.edges()),
            }
        }
        edges
    }

    /// This path and then another.
    pub(crate) fn then(&self, next: &Path) -> Result<Path, NoPath> {
        debug_assert_eq!(self.to, next.from);
        let variables = self.variables();
        let shift = self.locals;
        let value = |var: Var| {
            Some(match var < variables {
                true => self.update[var as usize].clone(),
                false => Poly::var(var + shift),
            })
        };
        let mut path = Path {
            from: self.from,
            to: next.to,
            segments: self.segments.clone(),
            locals: self.locals + next.locals,
            atoms: self.atoms.clone(),
            update: Vec::with_capacity(next.update.len()),
        };
        for atom in &next.atoms {
            let atom = atom.map(|poly| poly.substitute(&value)).ok_or(TooLarge)?;
            match atom.truth() {
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
    pub(crate) fn simplified(mut self) -> Result<Path, NoPath> {
        let locals = self.local_vars();
        loop {
            let solvable = self.atoms.iter().enumerate().find_map(|(at, atom)| {
                let Atom::Eq(poly) = atom else { return None };
                let unit =
                    |var: &Var| poly.coefficient(*var).abs() == 1 && !poly.has_in_product(*var);
                Some((at, locals.clone().find(unit)?))
            });
            let Some((at, var)) = solvable else { break };
            let Atom::Eq(poly) = self.atoms.swap_remove(at) else { break };
            // var * k + rest = 0 with k = 1 or -1: var = -k * rest.
            let k = poly.coefficient(var);
            let rest = poly.add_scaled(&Poly::var(var), -k);
            let value = rest.and_then(|rest| rest.scale(-k)).ok_or(TooLarge)?;
            self = self.with_local(var, &value).ok_or(TooLarge)?;
        }
        let mut atoms = Vec::with_capacity(self.atoms.len());
        for atom in self.atoms.drain(..) {
            match atom.truth() {
                Some(true) => {}
                Some(false) => return Err(Impossible),
                None => atoms.push(normal(atom).ok_or(TooLarge)?),
            }
        }
        atoms.sort();
        atoms.dedup();
        self.atoms = merged(atoms)?;
        if self.atoms.len() <= ATOMS { Ok(self) } else { Err(TooLarge) }
    }

    /// With a value for a local variable.
    pub(crate) fn with_local(&self, local: Var, value: &Poly) -> Option<Path> {
        self.with_locals(&|var| (var == local).then(|| value.clone()))
    }

    /// With values for some local variables, over state variables and other locals.
    pub(crate) fn with_locals(&self, value: &dyn Fn(Var) -> Option<Poly>) -> Option<Path> {
        let mut path = self.clone();
        for atom in &mut path.atoms {
            *atom = atom.map(|poly| poly.substitute(value))?;
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
    pub(crate) fn used_locals(&self) -> Vec<Var> {
        let polys = self.atoms.iter().map(Atom::poly).chain(&self.update);
        let mut used: Vec<Var> =
            polys.flat_map(Poly::vars).filter(|var| *var >= self.variables()).collect();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// A condition on the state where the path ends, as one on where it starts.
    pub(crate) fn before(&self, atom: &Atom) -> Option<Atom> {
        let variables = self.variables();
        atom.map(|poly| {
            poly.substitute(&|var| (var < variables).then(|| self.update[var as usize].clone()))
        })
    }
}

impl Segment {
    fn substitute(&self, value: &dyn Fn(Var) -> Option<Poly>) -> Option<Segment> {
        Some(match self {
            Segment::Edge { edge, choices } => {
                let choices: Option<Vec<Poly>> =
                    choices.iter().map(|poly| poly.substitute(value)).collect();
                Segment::Edge { edge: *edge, choices: choices? }
            }
            Segment::Repeat { path, times, state } => {
                let state: Option<Vec<Poly>> =
                    state.iter().map(|poly| poly.substitute(value)).collect();
                let times = times.substitute(value)?;
                Segment::Repeat { path: path.clone(), times, state: state? }
            }
        })
    }
}

/// One way to write an equation: divided by what is common, the first coefficient positive.
fn normal(atom: Atom) -> Option<Atom> {
    Some(match atom {
        Atom::Ge(poly) => Atom::Ge(poly),
        Atom::Eq(poly) => {
            let common = poly.content().max(1);
            let poly = poly.divided(common).unwrap_or(poly);
            let negative = poly.parts().last().is_some_and(|(_, c)| c < 0);
            Atom::Eq(if negative { poly.neg()? } else { poly })
        }
    })
}

/// Of two conditions that differ in the constant only, the stronger; two that are opposite are an
/// equation.
fn merged(atoms: Vec<Atom>) -> Result<Vec<Atom>, NoPath> {
    let mut kept: Vec<Atom> = Vec::with_capacity(atoms.len());
    'next: for atom in atoms {
        if let Atom::Ge(poly) = &atom {
            let shape = poly.homogeneous();
            for other in &mut kept {
                let Atom::Ge(there) = &*other else { continue };
                if there.homogeneous() == shape {
                    if poly.offset() < there.offset() {
                        *other = atom;
                    }
                    continue 'next;
                }
                if there.parts().count() == poly.parts().count().max(1)
                    || there.homogeneous().parts().count() == shape.parts().count()
                {
                    let sum = there.add(poly).ok_or(TooLarge)?;
                    match sum.as_constant() {
                        Some(gap) if gap < 0 => return Err(Impossible),
                        Some(0) => {
                            *other = normal(Atom::Eq(poly.clone())).ok_or(TooLarge)?;
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
