//! Integer polynomials over numbered variables. Coefficients are 128 bits; what does not fit is
//! `None`, and whoever meets it leaves that path alone.

use std::collections::BTreeMap;

/// A variable: one of the state, or a local one of a path.
pub(crate) type PolyVar = u32;

/// A product of variables, sorted; empty for the constant.
type PolyMonomial = Vec<PolyVar>;

/// A sum of products.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct IntegerPolynomial {
    parts: BTreeMap<PolyMonomial, i128>,
}

/// More products than this are not worth having.
const PARTS: usize = 60;

impl IntegerPolynomial {
    pub(crate) fn constant(value: i128) -> IntegerPolynomial {
        let mut poly = IntegerPolynomial::default();
        if value != 0 {
            poly.parts.insert(Vec::new(), value);
        }
        poly
    }

    pub(crate) fn var(var: PolyVar) -> IntegerPolynomial {
        IntegerPolynomial { parts: BTreeMap::from([(vec![var], 1)]) }
    }

    pub(crate) fn monomials(&self) -> impl Iterator<Item = (&[PolyVar], i128)> {
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
    pub(crate) fn as_var(&self) -> Option<PolyVar> {
        let (monomial, coefficient) = self.parts.iter().next()?;
        (self.parts.len() == 1 && *coefficient == 1 && monomial.len() == 1).then(|| monomial[0])
    }

    pub(crate) fn is_linear(&self) -> bool {
        self.parts.keys().all(|m| m.len() <= 1)
    }

    /// The constant part.
    pub(crate) fn constant_part(&self) -> i128 {
        self.parts.get(&Vec::new()).copied().unwrap_or(0)
    }

    /// The coefficient of a variable alone.
    pub(crate) fn coefficient(&self, var: PolyVar) -> i128 {
        self.parts.get(&vec![var]).copied().unwrap_or(0)
    }

    /// Without its constant part.
    pub(crate) fn without_constant(&self) -> IntegerPolynomial {
        let mut poly = self.clone();
        poly.parts.remove(&Vec::new());
        poly
    }

    pub(crate) fn has_var(&self, var: PolyVar) -> bool {
        self.parts.keys().any(|m| m.contains(&var))
    }

    /// Whether the variable occurs in a product with others.
    pub(crate) fn has_in_product(&self, var: PolyVar) -> bool {
        self.parts.keys().any(|m| m.len() > 1 && m.contains(&var))
    }

    pub(crate) fn vars(&self) -> Vec<PolyVar> {
        let mut all: Vec<PolyVar> = self.parts.keys().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(crate) fn add(&self, other: &IntegerPolynomial) -> Option<IntegerPolynomial> {
        self.add_scaled(other, 1)
    }

    pub(crate) fn sub(&self, other: &IntegerPolynomial) -> Option<IntegerPolynomial> {
        self.add_scaled(other, -1)
    }

    /// `self + factor * other`
    pub(crate) fn add_scaled(
        &self,
        other: &IntegerPolynomial,
        factor: i128,
    ) -> Option<IntegerPolynomial> {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.parts {
            sum.add_monomial(monomial, coefficient.checked_mul(factor)?)?;
        }
        Some(sum)
    }

    fn add_monomial(&mut self, monomial: &PolyMonomial, coefficient: i128) -> Option<()> {
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

    pub(crate) fn scale(&self, factor: i128) -> Option<IntegerPolynomial> {
        IntegerPolynomial::default().add_scaled(self, factor)
    }

    pub(crate) fn neg(&self) -> Option<IntegerPolynomial> {
        self.scale(-1)
    }

    pub(crate) fn plus_constant(&self, constant: i128) -> Option<IntegerPolynomial> {
        self.add(&IntegerPolynomial::constant(constant))
    }

    pub(crate) fn mul(&self, other: &IntegerPolynomial) -> Option<IntegerPolynomial> {
        let mut product = IntegerPolynomial::default();
        for (a, x) in &self.parts {
            for (b, y) in &other.parts {
                let mut monomial: PolyMonomial = a.iter().chain(b).copied().collect();
                if monomial.len() > 4 {
                    return None;
                }
                monomial.sort_unstable();
                product.add_monomial(&monomial, x.checked_mul(*y)?)?;
            }
        }
        (product.parts.len() <= PARTS).then_some(product)
    }

    /// Each variable replaced by what `value` says, where it says something.
    pub(crate) fn substitute(
        &self,
        value: &dyn Fn(PolyVar) -> Option<IntegerPolynomial>,
    ) -> Option<IntegerPolynomial> {
        let mut result = IntegerPolynomial::default();
        for (monomial, coefficient) in &self.parts {
            if let [var] = monomial[..] {
                match value(var) {
                    Some(poly) => result = result.add_scaled(&poly, *coefficient)?,
                    None => result.add_monomial(monomial, *coefficient)?,
                }
                continue;
            }
            let mut product = IntegerPolynomial::constant(*coefficient);
            for var in monomial {
                let factor = value(*var).unwrap_or_else(|| IntegerPolynomial::var(*var));
                product = product.mul(&factor)?;
            }
            result = result.add(&product)?;
        }
        Some(result)
    }

    /// The constant part of this minus `factor` times another, if nothing else is left then; the factor is 1 or -1.
    fn gap(&self, other: &IntegerPolynomial, factor: i128) -> Option<i128> {
        let (mut mine, mut others) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        let offset = |next: Option<&(&PolyMonomial, &i128)>| match next {
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
    fn excluded_at_zero(&self, zero: &IntegerPolynomial) -> bool {
        let negative = |gap: Option<i128>| gap.is_some_and(|gap| gap < 0);
        negative(self.gap(zero, 1)) || negative(self.gap(zero, -1))
    }

    /// Divided by what all coefficients but the constant have in common; the constant is rounded
    /// down, which is exact for `self >= 0` over the integers.
    pub(crate) fn tightened(&self) -> IntegerPolynomial {
        let common = self.coefficient_gcd();
        if common <= 1 {
            return self.clone();
        }
        let parts = self.parts.iter().map(|(m, c)| (m.clone(), c.div_euclid(common)));
        IntegerPolynomial { parts: parts.filter(|(_, c)| *c != 0).collect() }
    }

    /// What all coefficients but the constant have in common.
    pub(crate) fn coefficient_gcd(&self) -> i128 {
        let others = self.parts.iter().filter(|(m, _)| !m.is_empty());
        others.fold(0, |common, (_, c)| gcd(common, c.unsigned_abs())).try_into().unwrap_or(1)
    }

    /// Divided exactly, if that is possible.
    pub(crate) fn divided_exactly(&self, by: i128) -> Option<IntegerPolynomial> {
        let exact = self.parts.values().all(|c| c % by == 0);
        exact.then(|| IntegerPolynomial {
            parts: self.parts.iter().map(|(m, c)| (m.clone(), c / by)).collect(),
        })
    }

    /// The value under these values of the variables.
    pub(crate) fn value_under(&self, of: &dyn Fn(PolyVar) -> i128) -> Option<i128> {
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
pub(crate) enum PolyAtom {
    /// Not negative.
    Ge(IntegerPolynomial),
    /// Zero.
    Eq(IntegerPolynomial),
}

impl PolyAtom {
    pub(crate) fn poly(&self) -> &IntegerPolynomial {
        match self {
            PolyAtom::Ge(poly) | PolyAtom::Eq(poly) => poly,
        }
    }

    /// Whether it plainly cannot hold together with another: the two speak of one sum, and leave no value for it.
    pub(crate) fn excludes(&self, other: &PolyAtom) -> bool {
        let (p, q) = (self.poly(), other.poly());
        match (self, other) {
            (PolyAtom::Ge(_), PolyAtom::Ge(_)) => p.gap(q, -1).is_some_and(|gap| gap < 0),
            (PolyAtom::Eq(_), PolyAtom::Eq(_)) => {
                p.gap(q, -1).is_some_and(|gap| gap != 0) || p.gap(q, 1).is_some_and(|gap| gap != 0)
            }
            (PolyAtom::Eq(_), PolyAtom::Ge(_)) => q.excluded_at_zero(p),
            (PolyAtom::Ge(_), PolyAtom::Eq(_)) => p.excluded_at_zero(q),
        }
    }

    pub(crate) fn map_poly(
        &self,
        f: impl Fn(&IntegerPolynomial) -> Option<IntegerPolynomial>,
    ) -> Option<PolyAtom> {
        Some(match self {
            PolyAtom::Ge(poly) => PolyAtom::Ge(f(poly)?.tightened()),
            PolyAtom::Eq(poly) => PolyAtom::Eq(f(poly)?),
        })
    }

    /// Whether it holds, if it has no variables or its coefficients say so.
    pub(crate) fn constant_truth(&self) -> Option<bool> {
        if let PolyAtom::Eq(poly) = self {
            let common = poly.coefficient_gcd();
            if common > 1 && poly.constant_part() % common != 0 {
                return Some(false);
            }
        }
        let value = self.poly().as_constant()?;
        Some(match self {
            PolyAtom::Ge(_) => value >= 0,
            PolyAtom::Eq(_) => value == 0,
        })
    }

    /// Whether it holds under these values.
    pub(crate) fn holds_under(&self, of: &dyn Fn(PolyVar) -> i128) -> bool {
        match self {
            PolyAtom::Ge(poly) => poly.value_under(of).is_some_and(|v| v >= 0),
            PolyAtom::Eq(poly) => poly.value_under(of) == Some(0),
        }
    }
}
