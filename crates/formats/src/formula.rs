//! Conditions over integer expressions. Negations are pushed to the leaves when they are made, and
//! a comparison has its smallest coefficients.

use std::collections::BTreeMap;

use num_traits::{Signed, Zero};
use ouro_term::{Term, TermStore};

use crate::polynomial::Polynomial;

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PolynomialFormula {
    /// True or false.
    Constant(bool),
    /// `p <= 0`
    AtMostZero(Polynomial),
    /// `p = 0`
    Zero(Polynomial),
    /// `p != 0`
    NonZero(Polynomial),
    /// All of them; none is a conjunction or a constant.
    All(Vec<PolynomialFormula>),
    /// One of them; none is a disjunction or a constant.
    Any(Vec<PolynomialFormula>),
}

/// How two integers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerComparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
}

impl PolynomialFormula {
    pub(crate) fn compare(
        by: IntegerComparison,
        left: &Polynomial,
        right: &Polynomial,
    ) -> PolynomialFormula {
        let (first, second) = match by {
            IntegerComparison::Greater | IntegerComparison::AtLeast => (right, left),
            _ => (left, right),
        };
        let mut difference = first.clone();
        difference.subtract(second);
        match by {
            IntegerComparison::Less | IntegerComparison::Greater => {
                difference.add(&Polynomial::constant(1));
                PolynomialFormula::at_most_zero(difference)
            }
            IntegerComparison::AtMost | IntegerComparison::AtLeast => {
                PolynomialFormula::at_most_zero(difference)
            }
            IntegerComparison::Equal => PolynomialFormula::equal_to_zero(difference),
            IntegerComparison::Different => PolynomialFormula::equal_to_zero(difference).negated(),
        }
    }

    fn at_most_zero(polynomial: Polynomial) -> PolynomialFormula {
        match polynomial.as_constant() {
            Some(value) => PolynomialFormula::Constant(!value.is_positive()),
            None => PolynomialFormula::AtMostZero(polynomial.tighten_inequality()),
        }
    }

    pub(crate) fn equal_to_zero(polynomial: Polynomial) -> PolynomialFormula {
        match polynomial.as_constant() {
            Some(value) => PolynomialFormula::Constant(value.is_zero()),
            None => polynomial
                .primitive_equation()
                .map_or(PolynomialFormula::Constant(false), PolynomialFormula::Zero),
        }
    }

    /// The conjunction.
    pub(crate) fn conjunction(
        parts: impl IntoIterator<Item = PolynomialFormula>,
    ) -> PolynomialFormula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                PolynomialFormula::Constant(true) => {}
                PolynomialFormula::Constant(false) => return part,
                PolynomialFormula::All(inner) if flat.is_empty() => flat = inner,
                PolynomialFormula::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => PolynomialFormula::Constant(true),
            1 => flat.remove(0),
            _ => PolynomialFormula::All(flat),
        }
    }

    /// The disjunction.
    pub(crate) fn disjunction(
        parts: impl IntoIterator<Item = PolynomialFormula>,
    ) -> PolynomialFormula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                PolynomialFormula::Constant(false) => {}
                PolynomialFormula::Constant(true) => return part,
                PolynomialFormula::Any(inner) if flat.is_empty() => flat = inner,
                PolynomialFormula::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => PolynomialFormula::Constant(false),
            1 => flat.remove(0),
            _ => PolynomialFormula::Any(flat),
        }
    }

    /// The parts of the conjunction that this is.
    pub(crate) fn conjuncts(self) -> Vec<PolynomialFormula> {
        match self {
            PolynomialFormula::All(parts) => parts,
            PolynomialFormula::Constant(true) => Vec::new(),
            other => vec![other],
        }
    }

    pub(crate) fn negated(self) -> PolynomialFormula {
        match self {
            PolynomialFormula::Constant(value) => PolynomialFormula::Constant(!value),
            PolynomialFormula::AtMostZero(p) => {
                // Not p <= 0 is 1 <= p, which is 1 - p <= 0.
                let mut negated = p.negated();
                negated.add(&Polynomial::constant(1));
                PolynomialFormula::at_most_zero(negated)
            }
            PolynomialFormula::Zero(p) => PolynomialFormula::NonZero(p),
            PolynomialFormula::NonZero(p) => PolynomialFormula::Zero(p),
            PolynomialFormula::All(parts) => {
                PolynomialFormula::disjunction(parts.into_iter().map(PolynomialFormula::negated))
            }
            PolynomialFormula::Any(parts) => {
                PolynomialFormula::conjunction(parts.into_iter().map(PolynomialFormula::negated))
            }
        }
    }

    /// Whether both hold or neither does.
    pub(crate) fn equivalence(
        left: &PolynomialFormula,
        right: &PolynomialFormula,
    ) -> PolynomialFormula {
        PolynomialFormula::if_then_else(left, right.clone(), right.clone().negated())
    }

    /// `if condition then yes else no`
    pub(crate) fn if_then_else(
        condition: &PolynomialFormula,
        yes: PolynomialFormula,
        no: PolynomialFormula,
    ) -> PolynomialFormula {
        let with = PolynomialFormula::conjunction([condition.clone(), yes]);
        let without = PolynomialFormula::conjunction([condition.clone().negated(), no]);
        PolynomialFormula::disjunction([with, without])
    }

    /// How many parts it has.
    pub(crate) fn part_count(&self) -> usize {
        match self {
            PolynomialFormula::All(parts) | PolynomialFormula::Any(parts) => {
                parts.iter().fold(1, |sum, part| sum.saturating_add(part.part_count()))
            }
            PolynomialFormula::Constant(_) => 1,
            PolynomialFormula::AtMostZero(p)
            | PolynomialFormula::Zero(p)
            | PolynomialFormula::NonZero(p) => p.atoms().count().saturating_add(1),
        }
    }

    /// With symbols replaced; `None` if that is beyond the limits.
    pub(crate) fn substitute(
        self,
        terms: &mut TermStore,
        map: &BTreeMap<Term, Polynomial>,
    ) -> Option<PolynomialFormula> {
        let mut every = |parts: Vec<PolynomialFormula>| -> Option<Vec<PolynomialFormula>> {
            parts.into_iter().map(|part| part.substitute(terms, map)).collect()
        };
        Some(match self {
            PolynomialFormula::Constant(_) => self,
            PolynomialFormula::All(parts) => PolynomialFormula::conjunction(every(parts)?),
            PolynomialFormula::Any(parts) => PolynomialFormula::disjunction(every(parts)?),
            PolynomialFormula::AtMostZero(p) => {
                PolynomialFormula::at_most_zero(p.substitute(terms, map)?)
            }
            PolynomialFormula::Zero(p) => {
                PolynomialFormula::equal_to_zero(p.substitute(terms, map)?)
            }
            PolynomialFormula::NonZero(p) => {
                PolynomialFormula::equal_to_zero(p.substitute(terms, map)?).negated()
            }
        })
    }

    /// The term of this condition.
    pub(crate) fn to_term(&self, terms: &mut TermStore) -> Term {
        match self {
            PolynomialFormula::Constant(value) => terms.bool(*value),
            PolynomialFormula::AtMostZero(p) => {
                let (left, right) = p.to_sides(terms);
                terms.int_le(left, right)
            }
            PolynomialFormula::Zero(p) => {
                let (left, right) = p.to_sides(terms);
                terms.eq(left, right)
            }
            PolynomialFormula::NonZero(p) => {
                let (left, right) = p.to_sides(terms);
                terms.ne(left, right)
            }
            PolynomialFormula::All(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.to_term(terms)).collect();
                terms.and_all(&parts)
            }
            PolynomialFormula::Any(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.to_term(terms)).collect();
                terms.or_all(&parts)
            }
        }
    }
}
