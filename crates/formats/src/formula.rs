//! Conditions over integer expressions. Negations are pushed to the leaves when they are made, and
//! a comparison has its smallest coefficients.

use std::collections::BTreeMap;

use num_traits::{Signed, Zero};
use ouro_term::{Term, Terms};

use crate::polynomial::Polynomial;

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Formula {
    /// True or false.
    Constant(bool),
    /// `p <= 0`
    AtMostZero(Polynomial),
    /// `p = 0`
    Zero(Polynomial),
    /// `p != 0`
    NonZero(Polynomial),
    /// All of them; none is a conjunction or a constant.
    All(Vec<Formula>),
    /// One of them; none is a disjunction or a constant.
    Any(Vec<Formula>),
}

/// How two integers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Less,
    AtMost,
    Greater,
    AtLeast,
    Equal,
    Different,
}

impl Formula {
    pub(crate) fn compare(by: Comparison, left: &Polynomial, right: &Polynomial) -> Formula {
        let (first, second) = match by {
            Comparison::Greater | Comparison::AtLeast => (right, left),
            _ => (left, right),
        };
        let mut difference = first.clone();
        difference.subtract(second);
        match by {
            Comparison::Less | Comparison::Greater => {
                difference.add(&Polynomial::constant(1));
                Formula::at_most_zero(difference)
            }
            Comparison::AtMost | Comparison::AtLeast => Formula::at_most_zero(difference),
            Comparison::Equal => Formula::zero(difference),
            Comparison::Different => Formula::zero(difference).negated(),
        }
    }

    fn at_most_zero(polynomial: Polynomial) -> Formula {
        match polynomial.as_constant() {
            Some(value) => Formula::Constant(!value.is_positive()),
            None => Formula::AtMostZero(polynomial.tightened()),
        }
    }

    pub(crate) fn zero(polynomial: Polynomial) -> Formula {
        match polynomial.as_constant() {
            Some(value) => Formula::Constant(value.is_zero()),
            None => polynomial.primitive().map_or(Formula::Constant(false), Formula::Zero),
        }
    }

    /// The conjunction.
    pub(crate) fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Constant(true) => {}
                Formula::Constant(false) => return part,
                Formula::All(inner) if flat.is_empty() => flat = inner,
                Formula::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::Constant(true),
            1 => flat.remove(0),
            _ => Formula::All(flat),
        }
    }

    /// The disjunction.
    pub(crate) fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Constant(false) => {}
                Formula::Constant(true) => return part,
                Formula::Any(inner) if flat.is_empty() => flat = inner,
                Formula::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Formula::Constant(false),
            1 => flat.remove(0),
            _ => Formula::Any(flat),
        }
    }

    /// The parts of the conjunction that this is.
    pub(crate) fn conjuncts(self) -> Vec<Formula> {
        match self {
            Formula::All(parts) => parts,
            Formula::Constant(true) => Vec::new(),
            other => vec![other],
        }
    }

    pub(crate) fn negated(self) -> Formula {
        match self {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::AtMostZero(p) => {
                // Not p <= 0 is 1 <= p, which is 1 - p <= 0.
                let mut negated = p.negated();
                negated.add(&Polynomial::constant(1));
                Formula::at_most_zero(negated)
            }
            Formula::Zero(p) => Formula::NonZero(p),
            Formula::NonZero(p) => Formula::Zero(p),
            Formula::All(parts) => Formula::any(parts.into_iter().map(Formula::negated)),
            Formula::Any(parts) => Formula::all(parts.into_iter().map(Formula::negated)),
        }
    }

    /// Whether both hold or neither does.
    pub(crate) fn same(left: &Formula, right: &Formula) -> Formula {
        Formula::either(left, right.clone(), right.clone().negated())
    }

    /// `if condition then yes else no`
    pub(crate) fn either(condition: &Formula, yes: Formula, no: Formula) -> Formula {
        let with = Formula::all([condition.clone(), yes]);
        let without = Formula::all([condition.clone().negated(), no]);
        Formula::any([with, without])
    }

    /// How many parts it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Formula::All(parts) | Formula::Any(parts) => {
                parts.iter().fold(1, |sum, part| sum.saturating_add(part.size()))
            }
            Formula::Constant(_) => 1,
            Formula::AtMostZero(p) | Formula::Zero(p) | Formula::NonZero(p) => {
                p.atoms().count().saturating_add(1)
            }
        }
    }

    /// With symbols replaced; `None` if that is beyond the limits.
    pub(crate) fn substitute(
        self,
        terms: &mut Terms,
        map: &BTreeMap<Term, Polynomial>,
    ) -> Option<Formula> {
        let mut every = |parts: Vec<Formula>| -> Option<Vec<Formula>> {
            parts.into_iter().map(|part| part.substitute(terms, map)).collect()
        };
        Some(match self {
            Formula::Constant(_) => self,
            Formula::All(parts) => Formula::all(every(parts)?),
            Formula::Any(parts) => Formula::any(every(parts)?),
            Formula::AtMostZero(p) => Formula::at_most_zero(p.substitute(terms, map)?),
            Formula::Zero(p) => Formula::zero(p.substitute(terms, map)?),
            Formula::NonZero(p) => Formula::zero(p.substitute(terms, map)?).negated(),
        })
    }

    /// The term of this condition.
    pub(crate) fn term(&self, terms: &mut Terms) -> Term {
        match self {
            Formula::Constant(value) => terms.bool(*value),
            Formula::AtMostZero(p) => {
                let (left, right) = p.sides(terms);
                terms.int_le(left, right)
            }
            Formula::Zero(p) => {
                let (left, right) = p.sides(terms);
                terms.eq(left, right)
            }
            Formula::NonZero(p) => {
                let (left, right) = p.sides(terms);
                terms.ne(left, right)
            }
            Formula::All(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.term(terms)).collect();
                terms.and_all(&parts)
            }
            Formula::Any(parts) => {
                let parts: Vec<Term> = parts.iter().map(|part| part.term(terms)).collect();
                terms.or_all(&parts)
            }
        }
    }
}
