//! Integer expressions in one shape: a sum of monomials, each a product of atoms with a
//! coefficient. An atom is a symbol, or a term that cannot be taken apart (`div`, `mod`, `ite`).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use ouro_term::{Term, TermOp, TermStore};

use crate::limits::LIMITS;

/// A sum of monomials. The one without atoms is the constant; none has the coefficient zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Polynomial {
    monomials: BTreeMap<Vec<Term>, BigInt>,
}

impl Polynomial {
    pub(crate) fn constant(value: impl Into<BigInt>) -> Polynomial {
        let mut sum = Polynomial::default();
        sum.add_monomial(Vec::new(), value.into());
        sum
    }

    /// The constant that these decimal digits mean; `None` if they are none, or too many.
    pub(crate) fn parse_number(digits: &str) -> Option<Polynomial> {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !plain || digits.len() > LIMITS.literal_digits {
            return None;
        }
        Some(Polynomial::constant(digits.parse::<BigInt>().ok()?))
    }

    pub(crate) fn from_atom(atom: Term) -> Polynomial {
        Polynomial { monomials: BTreeMap::from([(vec![atom], BigInt::one())]) }
    }

    fn add_monomial(&mut self, atoms: Vec<Term>, coefficient: BigInt) {
        if coefficient.is_zero() {
            return;
        }
        match self.monomials.entry(atoms) {
            Entry::Vacant(place) => {
                place.insert(coefficient);
            }
            Entry::Occupied(mut place) => {
                *place.get_mut() += coefficient;
                if place.get().is_zero() {
                    place.remove();
                }
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Polynomial) {
        for (atoms, coefficient) in &other.monomials {
            self.add_monomial(atoms.clone(), coefficient.clone());
        }
    }

    pub(crate) fn subtract(&mut self, other: &Polynomial) {
        for (atoms, coefficient) in &other.monomials {
            self.add_monomial(atoms.clone(), -coefficient);
        }
    }

    pub(crate) fn negated(mut self) -> Polynomial {
        for coefficient in self.monomials.values_mut() {
            *coefficient = -std::mem::take(coefficient);
        }
        self
    }

    /// The product, or `None` if it is beyond the limits.
    pub(crate) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.monomials.len().saturating_mul(other.monomials.len()) > LIMITS.products {
            return None;
        }
        let mut product = Polynomial::default();
        for (left, p) in &self.monomials {
            for (right, q) in &other.monomials {
                if left.len() + right.len() > LIMITS.degree
                    || p.bits() + q.bits() > LIMITS.coefficient_bits
                {
                    return None;
                }
                let mut atoms = [left.as_slice(), right.as_slice()].concat();
                atoms.sort();
                product.add_monomial(atoms, p * q);
            }
        }
        Some(product)
    }

    /// The power, or `None` if it is beyond the limits.
    pub(crate) fn power(&self, exponent: usize) -> Option<Polynomial> {
        if exponent > LIMITS.degree {
            return None;
        }
        let mut product = Polynomial::constant(1);
        for _ in 0..exponent {
            product = product.times(self)?;
        }
        Some(product)
    }

    /// The value, if it has no atoms.
    pub(crate) fn as_constant(&self) -> Option<BigInt> {
        let constant = self.constant_part();
        (self.monomials.len() <= usize::from(!constant.is_zero())).then_some(constant)
    }

    fn constant_part(&self) -> BigInt {
        self.monomials.get(&Vec::new()).cloned().unwrap_or_default()
    }

    /// The atom, if it is nothing else.
    pub(crate) fn as_atom(&self) -> Option<Term> {
        let (atoms, coefficient) = self.monomials.first_key_value()?;
        match atoms.as_slice() {
            [only] if coefficient.is_one() && self.monomials.len() == 1 => Some(*only),
            _ => None,
        }
    }

    /// The greatest number that divides all coefficients but the constant; 0 if there are none.
    fn coefficient_gcd(&self) -> BigInt {
        let mut content = BigInt::zero();
        for (atoms, coefficient) in &self.monomials {
            if !atoms.is_empty() {
                content = content.gcd(coefficient);
            }
        }
        content
    }

    /// `q` such that `q <= 0` means the same as `self <= 0`, without a common divisor.
    pub(crate) fn tighten_inequality(self) -> Polynomial {
        let content = self.coefficient_gcd();
        if content <= BigInt::one() {
            return self;
        }
        let mut smaller = Polynomial::default();
        for (atoms, coefficient) in self.monomials {
            let divided = Integer::div_ceil(&coefficient, &content);
            smaller.add_monomial(atoms, divided);
        }
        smaller
    }

    /// `q` such that `q = 0` means the same as `self = 0`, without a common divisor and with a
    /// positive first coefficient; `None` if there is no solution because of the divisor.
    pub(crate) fn primitive_equation(self) -> Option<Polynomial> {
        let content = self.coefficient_gcd();
        if content.is_zero() {
            return Some(self);
        }
        if !self.constant_part().is_multiple_of(&content) {
            return None;
        }
        let first = self.monomials.iter().find(|(atoms, _)| !atoms.is_empty());
        let negative = first.is_some_and(|(_, coefficient)| coefficient.is_negative());
        let divisor = if negative { -content } else { content };
        let mut smaller = Polynomial::default();
        for (atoms, coefficient) in self.monomials {
            smaller.add_monomial(atoms, coefficient / &divisor);
        }
        Some(smaller)
    }

    /// All atoms, with repetitions.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = Term> {
        self.monomials.keys().flatten().copied()
    }

    /// Atoms that stand alone with the coefficient 1 or -1 and nowhere else, not even inside
    /// another atom.
    pub(crate) fn solvable_atoms(&self, terms: &TermStore) -> Vec<Term> {
        let lone = |(atoms, coefficient): (&Vec<Term>, &BigInt)| match atoms.as_slice() {
            [only] if coefficient.magnitude().is_one() => Some(*only),
            _ => None,
        };
        let mut found: Vec<Term> = self.monomials.iter().filter_map(lone).collect();
        for atoms in self.monomials.keys() {
            match atoms.as_slice() {
                [only] if matches!(terms.op(*only), TermOp::Symbol(_)) => {}
                _ => {
                    found.retain(|atom| !atoms.iter().any(|other| is_within(terms, *atom, *other)));
                }
            }
        }
        found
    }

    /// What an atom equals if this is zero; the atom is one of [`Polynomial::solvable_atoms`].
    pub(crate) fn solved_for(&self, atom: Term) -> Polynomial {
        let mut rest = self.clone();
        match rest.monomials.remove(&vec![atom]) {
            Some(coefficient) if coefficient.is_positive() => rest.negated(),
            _ => rest,
        }
    }

    /// With symbols replaced; `None` if that is beyond the limits.
    pub(crate) fn substitute(
        &self,
        terms: &mut TermStore,
        map: &BTreeMap<Term, Polynomial>,
    ) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (atoms, coefficient) in &self.monomials {
            let mut product = Polynomial::constant(coefficient.clone());
            for atom in atoms {
                let image = match map.get(atom) {
                    Some(image) => image.clone(),
                    None => Polynomial::from_atom(substitute_inside(terms, *atom, map)),
                };
                product = product.times(&image)?;
            }
            sum.add(&product);
        }
        Some(sum)
    }

    /// The term of this sum.
    pub(crate) fn to_term(&self, terms: &mut TermStore) -> Term {
        let mut summands = Vec::new();
        for (atoms, coefficient) in self.monomials.iter().filter(|(atoms, _)| !atoms.is_empty()) {
            let mut factors = Vec::new();
            if !coefficient.is_one() {
                factors.push(terms.int(coefficient.clone()));
            }
            factors.extend(atoms);
            summands.push(apply_operator(terms, TermOp::IntMul, &factors));
        }
        let constant = self.constant_part();
        if !constant.is_zero() || summands.is_empty() {
            summands.push(terms.int(constant));
        }
        apply_operator(terms, TermOp::IntAdd, &summands)
    }

    /// Two terms whose difference this is, without negative coefficients. The constant is where it
    /// is positive, or alone.
    pub(crate) fn to_sides(&self, terms: &mut TermStore) -> (Term, Term) {
        let mut left = Polynomial::default();
        let mut right = Polynomial::default();
        for (atoms, coefficient) in self.monomials.iter().filter(|(atoms, _)| !atoms.is_empty()) {
            if coefficient.is_positive() {
                left.add_monomial(atoms.clone(), coefficient.clone());
            } else {
                right.add_monomial(atoms.clone(), -coefficient);
            }
        }
        let constant = self.constant_part();
        let to_left = left.monomials.is_empty() || constant.is_positive();
        if to_left && !right.monomials.is_empty() {
            left.add_monomial(Vec::new(), constant);
        } else {
            right.add_monomial(Vec::new(), -constant);
        }
        (left.to_term(terms), right.to_term(terms))
    }
}

/// A sum or product of at least one integer.
fn apply_operator(terms: &mut TermStore, op: TermOp, args: &[Term]) -> Term {
    terms.apply_operator(op, args).expect("integers are added and multiplied")
}

fn is_within(terms: &TermStore, atom: Term, other: Term) -> bool {
    atom == other
        || matches!(terms.op(atom), TermOp::Symbol(id) if terms.symbols_of(other).contains(id))
}

/// An atom with the symbols inside it replaced.
fn substitute_inside(terms: &mut TermStore, atom: Term, map: &BTreeMap<Term, Polynomial>) -> Term {
    if matches!(terms.op(atom), TermOp::Symbol(_)) {
        return atom;
    }
    let mut images = rustc_hash::FxHashMap::default();
    for id in terms.symbols_of(atom) {
        let symbol = terms.symbol_term(id);
        if let Some(image) = map.get(&symbol) {
            let image = image.to_term(terms);
            images.insert(symbol, image);
        }
    }
    terms.substitute(atom, &images)
}
