//! The shortest function that does what one found by a linear program does.
//!
//! A linear program gives some solution, often a strange one: `2 * high - low + 18446744073709551615` where
//! `high - low` would do. People read rankings, and the checker has to decide about them, so coefficients become 1
//! or -1, variables and constants are left out, as long as the solver says that the same paths make the function
//! smaller and none makes it larger.

use super::farkas::FarkasPremise;
use super::functions::{ComponentRanking, RankingElement};
use crate::paths::ask::PolySolver;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// With more paths than this in a part, shorter functions are not looked for.
const PATHS: usize = 16;

/// Functions of locations, by location.
type LocationFunctions = Vec<(usize, IntegerPolynomial)>;

/// The same with shorter functions, where there is one for each location.
pub(crate) fn simpler(
    premises: &[&FarkasPremise<'_>],
    found: ComponentRanking,
    ask: &mut PolySolver,
) -> ComponentRanking {
    let sums: Option<LocationFunctions> = (found.elements.iter())
        .map(|(location, elements)| match &elements[..] {
            [RankingElement::Sum(function)] => Some((*location, function.clone())),
            _ => None,
        })
        .collect();
    let Some(functions) = sums.filter(|_| premises.len() <= PATHS) else { return found };
    let Some(signs) = with_signs_only(&functions) else { return found };
    let constants: LocationFunctions =
        functions.iter().map(|(at, function)| (*at, function.without_constant())).collect();
    let mut best = functions;
    let mut is_as_good = |candidate: &LocationFunctions, best: &LocationFunctions| {
        candidate != best && does_the_same(premises, &found.smaller, candidate, ask) == Some(true)
    };
    for candidate in [signs, constants] {
        if is_as_good(&candidate, &best) {
            best = candidate;
            break;
        }
    }
    let mut vars: Vec<PolyVar> = best.iter().flat_map(|(_, function)| function.vars()).collect();
    vars.sort_unstable();
    vars.dedup();
    for var in vars {
        let without: Option<LocationFunctions> = (best.iter())
            .map(|(at, function)| {
                let coefficient = function.coefficient(var).saturating_neg();
                let rest = function.add_scaled(&IntegerPolynomial::var(var), coefficient)?;
                Some((*at, rest))
            })
            .collect();
        if let Some(candidate) = without
            && candidate.iter().any(|(_, function)| !function.vars().is_empty())
            && is_as_good(&candidate, &best)
        {
            best = candidate;
        }
    }
    let elements = best.into_iter().map(|(at, sum)| (at, vec![RankingElement::Sum(sum)])).collect();
    ComponentRanking { elements, ..found }
}

/// The same variables, added or subtracted once, and no constants; `None` if there are products.
fn with_signs_only(functions: &LocationFunctions) -> Option<LocationFunctions> {
    let mut all = Vec::new();
    for (at, function) in functions {
        let mut signs = IntegerPolynomial::default();
        for (monomial, coefficient) in function.monomials() {
            match monomial {
                [] => {}
                [var] => {
                    signs =
                        signs.add_scaled(&IntegerPolynomial::var(*var), coefficient.signum())?;
                }
                _ => return None,
            }
        }
        all.push((*at, signs));
    }
    Some(all)
}

/// Whether no path makes the functions larger, and these make them smaller where they are not negative.
fn does_the_same(
    premises: &[&FarkasPremise<'_>],
    smaller: &[bool],
    functions: &LocationFunctions,
    ask: &mut PolySolver,
) -> Option<bool> {
    let function_at = |at: usize| {
        functions.iter().find(|(location, _)| *location == at).map(|(_, function)| function)
    };
    for (premise, smaller) in premises.iter().zip(smaller) {
        let path = premise.path;
        let (before, after) = (function_at(path.from)?, function_at(path.to)?);
        let after = path.precondition_of(&PolyAtom::Eq(after.clone()))?;
        let growth = after.poly().sub(before)?;
        // It does not get smaller, or it is negative; or it gets larger.
        let wrong = match smaller {
            true => vec![PolyAtom::Ge(growth), PolyAtom::Ge(before.neg()?.plus_constant(-1)?)],
            false => vec![PolyAtom::Ge(growth.plus_constant(-1)?)],
        };
        if !ask.check_sat_relaxed(premise.given(), &wrong).is_unsat() {
            return Some(false);
        }
    }
    Some(true)
}
