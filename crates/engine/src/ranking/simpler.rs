//! The shortest function that does what one found by a linear program does.
//!
//! A linear program gives some solution, often a strange one: `2 * high - low + 18446744073709551615` where
//! `high - low` would do. People read rankings, and the checker has to decide about them, so coefficients become 1
//! or -1, variables and constants are left out, as long as the solver says that the same paths make the function
//! smaller and none makes it larger.

use super::farkas::FarkasPremise;
use super::functions::{ComponentRanking, RankingElement};
use crate::paths::ask::PolySolver;
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

/// With more paths than this in a part, shorter functions are not looked for.
const PATHS: usize = 16;

/// The same with shorter functions, where these are of one location and one element.
pub(crate) fn simpler(
    premises: &[&FarkasPremise<'_>],
    found: ComponentRanking,
    ask: &mut PolySolver,
) -> ComponentRanking {
    let (location, function) = match &found.elements[..] {
        [(location, elements)] => match &elements[..] {
            [RankingElement::Sum(function)] => (*location, function.clone()),
            _ => return found,
        },
        _ => return found,
    };
    if premises.len() > PATHS || function.monomials().count() <= 1 {
        return found;
    }
    let mut best = function.clone();
    let mut signs = IntegerPolynomial::default();
    for (monomial, coefficient) in function.monomials().filter(|(monomial, _)| !monomial.is_empty())
    {
        let var = IntegerPolynomial::var(monomial[0]);
        match signs.add_scaled(&var, coefficient.signum()) {
            Some(sum) if monomial.len() == 1 => signs = sum,
            _ => return found,
        }
    }
    let mut is_as_good = |candidate: &IntegerPolynomial, best: &IntegerPolynomial| {
        candidate != best && does_the_same(premises, &found.smaller, candidate, ask) == Some(true)
    };
    for candidate in [signs, function.without_constant()] {
        if is_as_good(&candidate, &best) {
            best = candidate;
            break;
        }
    }
    for var in best.vars() {
        let without =
            best.add_scaled(&IntegerPolynomial::var(var), best.coefficient(var).saturating_neg());
        if let Some(candidate) = without
            && !candidate.vars().is_empty()
            && is_as_good(&candidate, &best)
        {
            best = candidate;
        }
    }
    ComponentRanking { elements: vec![(location, vec![RankingElement::Sum(best)])], ..found }
}

/// Whether no path makes a function larger, and these make it smaller where it is not negative.
fn does_the_same(
    premises: &[&FarkasPremise<'_>],
    smaller: &[bool],
    function: &IntegerPolynomial,
    ask: &mut PolySolver,
) -> Option<bool> {
    for (premise, smaller) in premises.iter().zip(smaller) {
        let path = premise.path;
        let after = path.precondition_of(&PolyAtom::Eq(function.clone()))?;
        let growth = after.poly().sub(function)?;
        // It does not get smaller, or it is negative; or it gets larger.
        let wrong = match smaller {
            true => vec![PolyAtom::Ge(growth), PolyAtom::Ge(function.neg()?.plus_constant(-1)?)],
            false => vec![PolyAtom::Ge(growth.plus_constant(-1)?)],
        };
        if !ask.check_sat_relaxed(premise.given(), &wrong).is_unsat() {
            return Some(false);
        }
    }
    Some(true)
}
