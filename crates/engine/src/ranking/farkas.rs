//! What follows from the conditions of a path, as a linear program.
//!
//! That a function with unknown coefficients is not negative wherever conditions hold is true if it
//! is a sum of the conditions with factors that are not negative (Farkas), which is linear in the
//! coefficients and the factors. A product of variables is a number like any other here; what is
//! known of it is what the products of two conditions say (Handelman), so those are conditions too.

use ouro_solver::linear::{LinearSystem, Row, Switch, Unknown};

use crate::Limits;
use crate::paths::path::Path;
use crate::paths::poly::{Atom, Poly, Var};

/// A path, and what holds where it is taken.
pub(crate) struct Premise<'a> {
    pub(crate) path: &'a Path,
    atoms: Vec<Atom>,
    /// The products of variables that are met, sorted.
    products: Vec<Vec<Var>>,
}

impl<'a> Premise<'a> {
    pub(crate) fn new(path: &'a Path, mut atoms: Vec<Atom>, limits: Limits) -> Premise<'a> {
        let products = factors(path, &atoms);
        if products.is_empty() {
            atoms.retain(|atom| atom.poly().is_linear());
        } else {
            let more = about_products(&atoms, &products, limits.factors);
            atoms.extend(more);
        }
        let polys = atoms.iter().map(Atom::poly).chain(&path.update);
        let monomials = polys.flat_map(|poly| poly.parts().map(|(monomial, _)| monomial.to_vec()));
        let mut products: Vec<Vec<Var>> = monomials.filter(|m| m.len() > 1).collect();
        products.sort_unstable();
        products.dedup();
        Premise { path, atoms, products }
    }

    /// What holds where the path is taken.
    pub(crate) fn given(&self) -> impl Iterator<Item = &Atom> {
        self.atoms.iter()
    }

    /// First the constant, then the variables and locals in order, then the products.
    fn column(&self, monomial: &[Var]) -> usize {
        match monomial {
            [] => 0,
            [var] => 1 + *var as usize,
            _ => {
                let known = self.products.binary_search_by(|other| other.as_slice().cmp(monomial));
                self.variables() + known.expect("all products were collected")
            }
        }
    }

    fn variables(&self) -> usize {
        1 + self.path.variables() as usize + self.path.locals as usize
    }

    fn zero(&self) -> Vec<Sum> {
        vec![Sum::default(); self.variables() + self.products.len()]
    }

    /// A function at the start of the path.
    pub(crate) fn before(&self, function: &Function, vars: &[Var]) -> Vec<Sum> {
        let mut sums = self.zero();
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in vars.iter().zip(&function.coefficients) {
            sums[1 + *var as usize].parts.push((*unknown, 1));
        }
        sums
    }

    /// A function at the end of the path, in what holds at its start.
    pub(crate) fn after(&self, function: &Function, vars: &[Var]) -> Vec<Sum> {
        let mut sums = self.zero();
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in vars.iter().zip(&function.coefficients) {
            for (monomial, coefficient) in self.path.update[*var as usize].parts() {
                sums[self.column(monomial)].parts.push((*unknown, coefficient));
            }
        }
        sums
    }

    /// Requires that a function is not negative wherever the conditions hold.
    pub(crate) fn require(
        &self,
        system: &mut LinearSystem,
        mut function: Vec<Sum>,
        when: Option<Switch>,
    ) -> Option<()> {
        for atom in &self.atoms {
            let factor = match atom {
                Atom::Ge(_) => system.positive(),
                Atom::Eq(_) => system.unknown(),
            };
            for (monomial, coefficient) in atom.poly().parts() {
                let at = self.column(monomial);
                function[at].parts.push((factor, coefficient.checked_neg()?));
            }
        }
        for (at, sum) in function.into_iter().enumerate() {
            if at > 0 && sum.parts.is_empty() {
                continue;
            }
            let (parts, constant) = (sum.parts, sum.constant);
            system.require(Row { when, sum: parts, constant, is_zero: at > 0 });
        }
        Some(())
    }
}

/// An affine function with unknown coefficients.
pub(crate) struct Function {
    /// For the variables that matter, in order.
    coefficients: Vec<Unknown>,
    constant: Unknown,
}

impl Function {
    pub(crate) fn new(system: &mut LinearSystem, vars: &[Var]) -> Function {
        Function {
            coefficients: vars.iter().map(|_| system.unknown()).collect(),
            constant: system.unknown(),
        }
    }

    /// The constant, then the coefficients.
    pub(crate) fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        [&self.constant].into_iter().chain(&self.coefficients)
    }
}

/// A sum of unknowns and a constant: the coefficient of one variable, or what remains.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    parts: Vec<(Unknown, i128)>,
    pub(crate) constant: i128,
}

impl Sum {
    pub(crate) fn add(&mut self, unknown: Unknown, coefficient: i128) {
        self.parts.push((unknown, coefficient));
    }
}

pub(crate) fn difference(a: &[Sum], b: &[Sum]) -> Vec<Sum> {
    let one = |(a, b): (&Sum, &Sum)| Sum {
        parts: a.parts.iter().copied().chain(b.parts.iter().map(|(u, c)| (*u, -c))).collect(),
        constant: a.constant - b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

pub(crate) fn total(a: &[Sum], b: &[Sum]) -> Vec<Sum> {
    let one = |(a, b): (&Sum, &Sum)| Sum {
        parts: a.parts.iter().chain(&b.parts).copied().collect(),
        constant: a.constant + b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

/// The products of variables on a path, each with its variables.
fn factors(path: &Path, atoms: &[Atom]) -> Vec<Vec<Var>> {
    let polys = path.update.iter().chain(atoms.iter().map(Atom::poly));
    let mut all: Vec<Vec<Var>> = polys
        .flat_map(|poly| poly.parts().map(|(monomial, _)| monomial.to_vec()))
        .filter(|monomial| monomial.len() > 1)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What is known of products: those of two conditions that speak of nothing but factors, and that the square of a
/// whole number is no smaller than the number.
fn about_products(atoms: &[Atom], products: &[Vec<Var>], most: usize) -> Vec<Atom> {
    let mut involved: Vec<Var> = products.iter().flatten().copied().collect();
    involved.sort_unstable();
    involved.dedup();
    let speaks = |poly: &&Poly| {
        let vars = poly.vars();
        poly.is_linear() && !vars.is_empty() && vars.iter().all(|var| involved.contains(var))
    };
    let factors: Vec<&Poly> = atoms.iter().map(Atom::poly).filter(speaks).take(most).collect();
    let mut more = Vec::new();
    for (at, a) in factors.iter().enumerate() {
        more.extend(factors[at..].iter().filter_map(|b| Some(Atom::Ge(a.mul(b)?))));
    }
    let mut squares: Vec<Var> = products
        .iter()
        .flat_map(|product| product.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]))
        .collect();
    squares.sort_unstable();
    squares.dedup();
    for var in squares {
        let x = Poly::var(var);
        let Some(square) = x.mul(&x) else { continue };
        more.extend([square.sub(&x), square.add(&x)].into_iter().flatten().map(Atom::Ge));
    }
    more
}
