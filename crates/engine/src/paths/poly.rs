//! Integer polynomials over numbered variables. Coefficients are 128 bits; what does not fit is
//! `None`, and whoever meets it leaves that path alone.

use std::collections::BTreeMap;

/// A variable: one of the state, or a local one of a path.
pub(crate) type Var = u32;

/// A product of variables, sorted; empty for the constant.
type Monomial = Vec<Var>;

/// A sum of products.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Poly {
    parts: BTreeMap<Monomial, i128>,
}

/// More products than this are not worth having.
const PARTS: usize = 60;

impl Poly {
    pub(crate) fn constant(value: i128) -> Poly {
        let mut poly = Poly::default();
        if value != 0 {
            poly.parts.insert(Vec::new(), value);
        }
        poly
    }

    pub(crate) fn var(var: Var) -> Poly {
        Poly { parts: BTreeMap::from([(vec![var], 1)]) }
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (&[Var], i128)> {
        self.parts.iter().map(|(m, c)| (m.as_slice(), *c))
    }

    /// The value of a polynomial without variables.
    pub(crate) fn as_constant(&self) -> Option<i128> {
        match self.parts.len() {
            0 => Some(0),
            1 => self.parts.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The variable that this is.
    pub(crate) fn as_var(&self) -> Option<Var> {
        let (monomial, coefficient) = self.parts.iter().next()?;
        (self.parts.len() == 1 && *coefficient == 1 && monomial.len() == 1).then(|| monomial[0])
    }

    pub(crate) fn is_linear(&self) -> bool {
        self.parts.keys().all(|m| m.len() <= 1)
    }

    /// The constant part.
    pub(crate) fn offset(&self) -> i128 {
        self.parts.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The coefficient of a variable alone.
    pub(crate) fn coefficient(&self, var: Var) -> i128 {
        self.parts.get(&vec![var]).copied().unwrap_or(0)
    }

    /// Without its constant part.
    pub(crate) fn homogeneous(&self) -> Poly {
        let mut poly = self.clone();
        poly.parts.remove(&Vec::new());
        poly
    }

    pub(crate) fn has(&self, var: Var) -> bool {
        self.parts.keys().any(|m| m.contains(&var))
    }

    /// Whether the variable occurs in a product with others.
    pub(crate) fn has_in_product(&self, var: Var) -> bool {
        self.parts.keys().any(|m| m.len() > 1 && m.contains(&var))
    }

    pub(crate) fn vars(&self) -> Vec<Var> {
        let mut all: Vec<Var> = self.parts.keys().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(crate) fn add(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, 1)
    }

    pub(crate) fn sub(&self, other: &Poly) -> Option<Poly> {
        self.add_scaled(other, -1)
    }

    /// `self + factor * other`
    pub(crate) fn add_scaled(&self, other: &Poly, factor: i128) -> Option<Poly> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.parts {
            sum.add_part(monomial, coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    fn add_part(&mut self, monomial: &Monomial, coefficient: i128) -> Option<()> {
        if coefficient == 0 {
            return Some(());
        }
        match self.parts.get_mut(monomial) {
            None => {
                self.parts.insert(monomial.clone(), coefficient);
            }
            Some(here) => {
                *here = here.checked_add(coefficient)?;
                if *here == 0 {
                    self.parts.remove(monomial);
                }
            }
        }
        Some(())
    }

    pub(crate) fn scale(&self, factor: i128) -> Option<Poly> {
        Poly::default().add_scaled(self, factor)
    }

    pub(crate) fn neg(&self) -> Option<Poly> {
        self.scale(-1)
    }

    pub(crate) fn plus(&self, constant: i128) -> Option<Poly> {
        self.add(&Poly::constant(constant))
    }

    pub(crate) fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (a, x) in &self.parts {
            for (b, y) in &other.parts {
                let mut monomial: Monomial = a.iter().chain(b).copied().collect();
                if monomial.len() > 4 {
                    return None;
                }
                monomial.sort_unstable();
                product.add_part(&monomial, x.checked_mul(*y)?)?;
            }
        }
        (product.parts.len() <= PARTS).then_some(product)
    }

    /// Each variable replaced by what `value` says, where it says something.
    pub(crate) fn substitute(&self, value: &dyn Fn(Var) -> Option<Poly>) -> Option<Poly> {
        let mut result = Poly::default();
        for (monomial, coefficient) in &self.parts {
            if let [var] = monomial[..] {
                match value(var) {
                    Some(poly) => result = result.add_scaled(&poly, *coefficient)?,
                    None => result.add_part(monomial, *coefficient)?,
                }
                continue;
            }
            let mut product = Poly::constant(*coefficient);
            for var in monomial {
                let factor = value(*var).unwrap_or_else(|| Poly::var(*var));
                product = product.mul(&factor)?;
            }
            result = result.add(&product)?;
        }
        Some(result)
    }

    /// The constant part of this minus `factor` times another, if nothing else is left then; the factor is 1 or -1.
    fn gap(&self, other: &Poly, factor: i128) -> Option<i128> {
        let (mut mine, mut others) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        let offset = |next: Option<&(&Monomial, &i128)>| match next {
            Some((monomial, value)) if monomial.is_empty() => **value,
            _ => 0,
        };
        let (a, b) = (offset(mine.peek()), offset(others.peek()));
        mine.next_if(|(monomial, _)| monomial.is_empty());
        others.next_if(|(monomial, _)| monomial.is_empty());
        loop {
            match (mine.next(), others.next()) {
                (None, None) => return a.checked_sub(b.checked_mul(factor)?),
                (Some((m, x)), Some((n, y))) if m == n && y.checked_mul(factor) == Some(*x) => {}
                _ => return None,
            }
        }
    }

    /// Whether this is negative where another is zero, plainly.
    fn excluded_at_zero(&self, zero: &Poly) -> bool {
        let negative = |gap: Option<i128>| gap.is_some_and(|gap| gap < 0);
        negative(self.gap(zero, 1)) || negative(self.gap(zero, -1))
    }

    /// Divided by what all coefficients but the constant have in common; the constant is rounded
    /// down, which is exact for `self >= 0` over the integers.
    pub(crate) fn tightened(&self) -> Poly {
        let common = self.content();
        if common <= 1 {
            return self.clone();
        }
        let parts = self.parts.iter().map(|(m, c)| (m.clone(), c.div_euclid(common)));
        Poly { parts: parts.filter(|(_, c)| *c != 0).collect() }
    }

    /// What all coefficients but the constant have in common.
    pub(crate) fn content(&self) -> i128 {
        let others = self.parts.iter().filter(|(m, _)| !m.is_empty());
        others.fold(0, |common, (_, c)| gcd(common, c.unsigned_abs())).try_into().unwrap_or(1)
    }

    /// Divided exactly, if that is possible.
    pub(crate) fn divided(&self, by: i128) -> Option<Poly> {
        let exact = self.parts.values().all(|c| c % by == 0);
        exact.then(|| Poly { parts: self.parts.iter().map(|(m, c)| (m.clone(), c / by)).collect() })
    }

    /// The value under these values of the variables.
    pub(crate) fn value(&self, of: &dyn Fn(Var) -> i128) -> Option<i128> {
        let mut sum: i128 = 0;
        for (monomial, coefficient) in &self.parts {
            let mut product = *coefficient;
            for var in monomial {
                product = product.checked_mul(of(*var))?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A condition on integers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Atom {
    /// Not negative.
    Ge(Poly),
    /// Zero.
    Eq(Poly),
}

impl Atom {
    pub(crate) fn poly(&self) -> &Poly {
        match self {
            Atom::Ge(poly) | Atom::Eq(poly) => poly,
        }
    }

    /// Whether it plainly cannot hold together with another: the two speak of one sum, and leave no value for it.
    pub(crate) fn excludes(&self, other: &Atom) -> bool {
        let (p, q) = (self.poly(), other.poly());
        match (self, other) {
            (Atom::Ge(_), Atom::Ge(_)) => p.gap(q, -1).is_some_and(|gap| gap < 0),
            (Atom::Eq(_), Atom::Eq(_)) => {
                p.gap(q, -1).is_some_and(|gap| gap != 0) || p.gap(q, 1).is_some_and(|gap| gap != 0)
            }
            (Atom::Eq(_), Atom::Ge(_)) => q.excluded_at_zero(p),
            (Atom::Ge(_), Atom::Eq(_)) => p.excluded_at_zero(q),
        }
    }

    pub(crate) fn map(&self, f: impl Fn(&Poly) -> Option<Poly>) -> Option<Atom> {
        Some(match self {
            Atom::Ge(poly) => Atom::Ge(f(poly)?.tightened()),
            Atom::Eq(poly) => Atom::Eq(f(poly)?),
        })
    }

    /// Whether it holds, if it has no variables or its coefficients say so.
    pub(crate) fn truth(&self) -> Option<bool> {
        if let Atom::Eq(poly) = self {
            let common = poly.content();
            if common > 1 && poly.offset() % common != 0 {
                return Some(false);
            }
        }
        let value = self.poly().as_constant()?;
        Some(match self {
            Atom::Ge(_) => value >= 0,
            Atom::Eq(_) => value == 0,
        })
    }

    /// Whether it holds under these values.
    pub(crate) fn holds(&self, of: &dyn Fn(Var) -> i128) -> bool {
        match self {
            Atom::Ge(poly) => poly.value(of).is_some_and(|v| v >= 0),
            Atom::Eq(poly) => poly.value(of) == Some(0),
        }
    }
}
