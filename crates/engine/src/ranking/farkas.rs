//! What follows from the conditions of a path, as a linear program.
//!
//! That a function with unknown coefficients is not negative wherever conditions hold is true if it
//! is a sum of the conditions with factors that are not negative (Farkas), which is linear in the
//! coefficients and the factors. A product of variables is a number like any other here; what is
//! known of it is what the products of two conditions say (Handelman), so those are conditions too.

use ouro_solver::linear::{LinearRow, LinearSwitch, LinearSystem, LinearUnknown};

use crate::Limits;
use crate::paths::path::PolyPath;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// A path, and what holds where it is taken.
pub(crate) struct FarkasPremise<'a> {
    pub(crate) path: &'a PolyPath,
    atoms: Vec<PolyAtom>,
    /// The products of variables that are met, sorted.
    products: Vec<Vec<PolyVar>>,
}

impl<'a> FarkasPremise<'a> {
    pub(crate) fn new(
        path: &'a PolyPath,
        mut atoms: Vec<PolyAtom>,
        limits: Limits,
    ) -> FarkasPremise<'a> {
        let products = factors(path, &atoms);
        if products.is_empty() {
            atoms.retain(|atom| atom.poly().is_linear());
        } else {
            let more = about_products(&atoms, &products, limits.factors);
            atoms.extend(more);
        }
        let polys = atoms.iter().map(PolyAtom::poly).chain(&path.update);
        let monomials =
            polys.flat_map(|poly| poly.monomials().map(|(monomial, _)| monomial.to_vec()));
        let mut products: Vec<Vec<PolyVar>> = monomials.filter(|m| m.len() > 1).collect();
        products.sort_unstable();
        products.dedup();
        FarkasPremise { path, atoms, products }
    }

    /// What holds where the path is taken.
    pub(crate) fn given(&self) -> impl Iterator<Item = &PolyAtom> {
        self.atoms.iter()
    }

    /// First the constant, then the variables and locals in order, then the products.
    fn column_of(&self, monomial: &[PolyVar]) -> usize {
        match monomial {
            [] => 0,
            [var] => 1 + *var as usize,
            _ => {
                let known = self.products.binary_search_by(|other| other.as_slice().cmp(monomial));
                self.variable_count() + known.expect("all products were collected")
            }
        }
    }

    fn variable_count(&self) -> usize {
        1 + self.path.variable_count() as usize + self.path.locals as usize
    }

    fn zero_function(&self) -> Vec<UnknownSum> {
        vec![UnknownSum::default(); self.variable_count() + self.products.len()]
    }

    /// A function at the start of the path.
    pub(crate) fn function_before(
        &self,
        function: &AffineTemplate,
        vars: &[PolyVar],
    ) -> Vec<UnknownSum> {
        let mut sums = self.zero_function();
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in vars.iter().zip(&function.coefficients) {
            sums[1 + *var as usize].parts.push((*unknown, 1));
        }
        sums
    }

    /// A function at the end of the path, in what holds at its start.
    pub(crate) fn function_after(
        &self,
        function: &AffineTemplate,
        vars: &[PolyVar],
    ) -> Vec<UnknownSum> {
        let mut sums = self.zero_function();
        sums[0].parts.push((function.constant, 1));
        for (var, unknown) in vars.iter().zip(&function.coefficients) {
            for (monomial, coefficient) in self.path.update[*var as usize].monomials() {
                sums[self.column_of(monomial)].parts.push((*unknown, coefficient));
            }
        }
        sums
    }

    /// Requires that a function is not negative wherever the conditions hold.
    pub(crate) fn require_nonnegative(
        &self,
        system: &mut LinearSystem,
        mut function: Vec<UnknownSum>,
        when: Option<LinearSwitch>,
    ) -> Option<()> {
        for atom in &self.atoms {
            let factor = match atom {
                PolyAtom::Ge(_) => system.new_nonnegative(),
                PolyAtom::Eq(_) => system.new_unknown(),
            };
            for (monomial, coefficient) in atom.poly().monomials() {
                let at = self.column_of(monomial);
                function[at].parts.push((factor, coefficient.checked_neg()?));
            }
        }
        for (at, sum) in function.into_iter().enumerate() {
            if at > 0 && sum.parts.is_empty() {
                continue;
            }
            let (parts, constant) = (sum.parts, sum.constant);
            system.require_row(LinearRow { when, sum: parts, constant, is_zero: at > 0 });
        }
        Some(())
    }
}

/// An affine function with unknown coefficients.
pub(crate) struct AffineTemplate {
    /// For the variables that matter, in order.
    coefficients: Vec<LinearUnknown>,
    constant: LinearUnknown,
}

impl AffineTemplate {
    pub(crate) fn new(system: &mut LinearSystem, vars: &[PolyVar]) -> AffineTemplate {
        AffineTemplate {
            coefficients: vars.iter().map(|_| system.new_unknown()).collect(),
            constant: system.new_unknown(),
        }
    }

    /// The constant, then the coefficients.
    pub(crate) fn unknowns(&self) -> impl Iterator<Item = &LinearUnknown> {
        [&self.constant].into_iter().chain(&self.coefficients)
    }
}

/// A sum of unknowns and a constant: the coefficient of one variable, or what remains.
#[derive(Clone, Default)]
pub(crate) struct UnknownSum {
    parts: Vec<(LinearUnknown, i128)>,
    pub(crate) constant: i128,
}

impl UnknownSum {
    pub(crate) fn add_unknown(&mut self, unknown: LinearUnknown, coefficient: i128) {
        self.parts.push((unknown, coefficient));
    }
}

pub(crate) fn subtract_functions(a: &[UnknownSum], b: &[UnknownSum]) -> Vec<UnknownSum> {
    let one = |(a, b): (&UnknownSum, &UnknownSum)| UnknownSum {
        parts: a.parts.iter().copied().chain(b.parts.iter().map(|(u, c)| (*u, -c))).collect(),
        constant: a.constant - b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

pub(crate) fn add_functions(a: &[UnknownSum], b: &[UnknownSum]) -> Vec<UnknownSum> {
    let one = |(a, b): (&UnknownSum, &UnknownSum)| UnknownSum {
        parts: a.parts.iter().chain(&b.parts).copied().collect(),
        constant: a.constant + b.constant,
    };
    a.iter().zip(b).map(one).collect()
}

/// The products of variables on a path, each with its variables.
fn factors(path: &PolyPath, atoms: &[PolyAtom]) -> Vec<Vec<PolyVar>> {
    let polys = path.update.iter().chain(atoms.iter().map(PolyAtom::poly));
    let mut all: Vec<Vec<PolyVar>> = polys
        .flat_map(|poly| poly.monomials().map(|(monomial, _)| monomial.to_vec()))
        .filter(|monomial| monomial.len() > 1)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What is known of products: those of two conditions that speak of nothing but factors, and that the square of a
/// whole number is no smaller than the number.
fn about_products(atoms: &[PolyAtom], products: &[Vec<PolyVar>], most: usize) -> Vec<PolyAtom> {
    let mut involved: Vec<PolyVar> = products.iter().flatten().copied().collect();
    involved.sort_unstable();
    involved.dedup();
    let speaks = |poly: &&IntegerPolynomial| {
        let vars = poly.vars();
        poly.is_linear() && !vars.is_empty() && vars.iter().all(|var| involved.contains(var))
    };
    let factors: Vec<&IntegerPolynomial> =
        atoms.iter().map(PolyAtom::poly).filter(speaks).take(most).collect();
    let mut more = Vec::new();
    for (at, a) in factors.iter().enumerate() {
        more.extend(factors[at..].iter().filter_map(|b| Some(PolyAtom::Ge(a.mul(b)?))));
    }
    let mut squares: Vec<PolyVar> = products
        .iter()
        .flat_map(|product| product.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]))
        .collect();
    squares.sort_unstable();
    squares.dedup();
    for var in squares {
        let x = IntegerPolynomial::var(var);
        let Some(square) = x.mul(&x) else { continue };
        more.extend([square.sub(&x), square.add(&x)].into_iter().flatten().map(PolyAtom::Ge));
    }
    more
}
