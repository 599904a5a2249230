//! Intervals with a remainder: numbers between two bounds that leave the same rest when divided.

use crate::limits::FORWARD_LIMITS;
use crate::paths::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// The numbers `x` with `low <= x <= high` and `x = rest` modulo `step`. A step of 0 leaves one
/// number, a step of 1 all. The bounds leave the rest themselves, so equal sets are equal values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct CongruenceInterval {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
    pub(crate) step: i128,
    pub(crate) rest: i128,
}

/// Numbers beyond this are as good as without a bound.
const LARGEST: i128 = 1 << 100;

impl CongruenceInterval {
    pub(crate) const ALL: CongruenceInterval =
        CongruenceInterval { low: None, high: None, step: 1, rest: 0 };

    pub(crate) fn single_number(value: i128) -> CongruenceInterval {
        CongruenceInterval { low: Some(value), high: Some(value), step: 0, rest: value }
    }

    /// In its one way to be written; `None` if there is no such number.
    fn normalized(mut self) -> Option<CongruenceInterval> {
        self.low = self.low.filter(|low| low.abs() < LARGEST);
        self.high = self.high.filter(|high| high.abs() < LARGEST);
        if self.step == 0 {
            let inside = self.low.is_none_or(|low| low <= self.rest)
                && self.high.is_none_or(|high| self.rest <= high);
            return inside.then(|| CongruenceInterval::single_number(self.rest));
        }
        if self.step > FORWARD_LIMITS.large_step {
            self.step = 1;
        }
        self.rest = self.rest.rem_euclid(self.step);
        let (step, rest) = (self.step, self.rest);
        self.low = self.low.map(|low| low + (rest - low).rem_euclid(step));
        self.high = self.high.map(|high| high - (high - rest).rem_euclid(step));
        match (self.low, self.high) {
            (Some(low), Some(high)) if low > high => None,
            (Some(low), Some(high)) if low == high => Some(CongruenceInterval::single_number(low)),
            _ => Some(self),
        }
    }

    pub(crate) fn subsumes(&self, other: &CongruenceInterval) -> bool {
        let below = self.low.is_none_or(|low| other.low.is_some_and(|there| low <= there));
        let above = self.high.is_none_or(|high| other.high.is_some_and(|there| there <= high));
        let remainder = match self.step {
            0 => other.step == 0 && other.rest == self.rest,
            step => other.step % step == 0 && (other.rest - self.rest) % step == 0,
        };
        below && above && remainder
    }

    pub(crate) fn at_least(self, low: i128) -> Option<CongruenceInterval> {
        let low = self.low.map_or(low, |there| there.max(low));
        CongruenceInterval { low: Some(low), ..self }.normalized()
    }

    pub(crate) fn at_most(self, high: i128) -> Option<CongruenceInterval> {
        let high = self.high.map_or(high, |there| there.min(high));
        CongruenceInterval { high: Some(high), ..self }.normalized()
    }

    fn add_interval(self, other: CongruenceInterval) -> CongruenceInterval {
        let both = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        let Some(rest) = self.rest.checked_add(other.rest) else { return CongruenceInterval::ALL };
        let sum = CongruenceInterval {
            low: both(self.low, other.low),
            high: both(self.high, other.high),
            step: gcd(self.step, other.step),
            rest,
        };
        sum.normalized().unwrap_or(CongruenceInterval::ALL)
    }

    fn scaled_by(self, factor: i128) -> CongruenceInterval {
        let times = |bound: Option<i128>| bound?.checked_mul(factor);
        let (low, high) = if factor < 0 { (self.high, self.low) } else { (self.low, self.high) };
        let (Some(step), Some(rest)) =
            (self.step.checked_mul(factor.abs()), self.rest.checked_mul(factor))
        else {
            return CongruenceInterval::ALL;
        };
        let scaled = match factor {
            0 => CongruenceInterval::single_number(0),
            _ => CongruenceInterval { low: times(low), high: times(high), step, rest },
        };
        scaled.normalized().unwrap_or(CongruenceInterval::ALL)
    }

    fn multiply_interval(self, other: CongruenceInterval) -> CongruenceInterval {
        if self.step == 0 {
            return other.scaled_by(self.rest);
        }
        if other.step == 0 {
            return self.scaled_by(other.rest);
        }
        let ends = |interval: CongruenceInterval| [interval.low, interval.high];
        let mut bounds = Some((i128::MAX, i128::MIN));
        for a in ends(self) {
            for b in ends(other) {
                let here = a.zip(b).and_then(|(a, b)| a.checked_mul(b));
                bounds = bounds.zip(here).map(|((low, high), here): ((i128, i128), i128)| {
                    (low.min(here), high.max(here))
                });
            }
        }
        let mut product = CongruenceInterval { step: 1, rest: 0, ..CongruenceInterval::ALL };
        if let Some((low, high)) = bounds {
            (product.low, product.high) = (Some(low), Some(high));
        } else if self.low.is_some_and(|low| low >= 0) && other.low.is_some_and(|low| low >= 0) {
            product.low = self.low.zip(other.low).and_then(|(a, b)| a.checked_mul(b));
        } else if self.high.is_some_and(|h| h <= 0) && other.high.is_some_and(|h| h <= 0) {
            product.low = self.high.zip(other.high).and_then(|(a, b)| a.checked_mul(b));
        } else if (self.low.is_some_and(|low| low >= 0) && other.high.is_some_and(|h| h <= 0))
            || (self.high.is_some_and(|h| h <= 0) && other.low.is_some_and(|low| low >= 0))
        {
            product.high = Some(0);
        }
        product.normalized().unwrap_or(CongruenceInterval::ALL)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Where each variable is.
pub(crate) type VariableBounds = Vec<CongruenceInterval>;

fn bounds_of(bounds: &[CongruenceInterval], var: PolyVar) -> CongruenceInterval {
    bounds.get(var as usize).copied().unwrap_or(CongruenceInterval::ALL)
}

/// The value of a polynomial.
pub(crate) fn evaluate_poly(
    bounds: &[CongruenceInterval],
    poly: &IntegerPolynomial,
) -> CongruenceInterval {
    let parts = poly.monomials().map(|part| evaluate_monomial(bounds, part));
    parts.fold(CongruenceInterval::single_number(0), CongruenceInterval::add_interval)
}

fn evaluate_monomial(
    bounds: &[CongruenceInterval],
    (monomial, coefficient): (&[PolyVar], i128),
) -> CongruenceInterval {
    let factors = monomial.iter().map(|var| bounds_of(bounds, *var));
    factors
        .fold(CongruenceInterval::single_number(coefficient), CongruenceInterval::multiply_interval)
}

/// Whether a condition holds everywhere, or nowhere, as far as bounds tell.
pub(crate) fn atom_truth(bounds: &[CongruenceInterval], atom: &PolyAtom) -> Option<bool> {
    let here = evaluate_poly(bounds, atom.poly());
    match atom {
        PolyAtom::Ge(_) if here.low.is_some_and(|low| low >= 0) => Some(true),
        PolyAtom::Ge(_) if here.high.is_some_and(|high| high < 0) => Some(false),
        PolyAtom::Eq(_) if here == CongruenceInterval::single_number(0) => Some(true),
        PolyAtom::Eq(_) if !here.subsumes(&CongruenceInterval::single_number(0)) => Some(false),
        _ => None,
    }
}

/// The bounds where conditions hold: no state in which they hold is lost. `None` if there is none.
pub(crate) fn narrow_bounds(
    mut bounds: VariableBounds,
    atoms: &[PolyAtom],
) -> Option<VariableBounds> {
    for _ in 0..FORWARD_LIMITS.refinements {
        let before = bounds.clone();
        for atom in atoms {
            let poly = atom.poly();
            narrow_to_nonnegative(&mut bounds, poly)?;
            if let PolyAtom::Eq(_) = atom {
                narrow_to_nonnegative(&mut bounds, &poly.neg()?)?;
            }
        }
        if bounds == before {
            break;
        }
    }
    Some(bounds)
}

fn narrow_to_nonnegative(bounds: &mut VariableBounds, poly: &IntegerPolynomial) -> Option<()> {
    if atom_truth(bounds, &PolyAtom::Ge(poly.clone())) == Some(false) {
        return None;
    }
    for (monomial, coefficient) in poly.monomials() {
        let [var] = monomial[..] else { continue };
        let index = var as usize;
        if index >= bounds.len() || poly.has_in_product(var) {
            continue;
        }
        // coefficient * var >= -rest >= -(the most that the rest can be)
        let others = poly.monomials().filter(|(other, _)| *other != monomial);
        let rest = others
            .map(|part| evaluate_monomial(bounds, part))
            .fold(CongruenceInterval::single_number(0), CongruenceInterval::add_interval);
        let Some(most) = rest.high else { continue };
        let here = bounds[index];
        bounds[index] = match coefficient > 0 {
            true => here.at_least(-most.div_euclid(coefficient))?,
            false => here.at_most(most.div_euclid(-coefficient))?,
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(low: i128, high: i128) -> CongruenceInterval {
        CongruenceInterval::ALL
            .at_least(low)
            .and_then(|all| all.at_most(high))
            .expect("some number")
    }

    #[test]
    fn sums_keep_remainders() {
        let even = CongruenceInterval { step: 2, rest: 0, ..CongruenceInterval::ALL };
        let poly = IntegerPolynomial::var(0)
            .scale(2)
            .and_then(|poly| poly.plus_constant(1))
            .expect("small");
        let odd = evaluate_poly(&[CongruenceInterval::ALL], &poly);
        assert_eq!((odd.step, odd.rest), (2, 1));
        assert_eq!(
            atom_truth(
                &[even],
                &PolyAtom::Eq(IntegerPolynomial::var(0).plus_constant(1).expect("small"))
            ),
            Some(false)
        );
        assert!(
            !even.subsumes(&CongruenceInterval::single_number(3))
                && even.subsumes(&CongruenceInterval::single_number(-4))
        );
    }

    #[test]
    fn products_have_the_bounds_of_their_corners() {
        let square = IntegerPolynomial::var(0).mul(&IntegerPolynomial::var(0)).expect("small");
        // As a product of any two numbers of the interval: the corners decide.
        assert_eq!(evaluate_poly(&[between(-2, 3)], &square), between(-6, 9));
        let (low, high) =
            (CongruenceInterval::ALL.at_least(2), CongruenceInterval::ALL.at_most(-3));
        let product = IntegerPolynomial::var(0).mul(&IntegerPolynomial::var(1)).expect("small");
        let bounds = [low.expect("some"), high.expect("some")];
        assert_eq!(
            (evaluate_poly(&bounds, &product).low, evaluate_poly(&bounds, &product).high),
            (None, Some(0))
        );
    }

    #[test]
    fn narrowing_rounds_inwards() {
        // 7 - 2x >= 0 and 3x - 4 >= 0
        let atoms = [
            PolyAtom::Ge(
                IntegerPolynomial::constant(7)
                    .add_scaled(&IntegerPolynomial::var(0), -2)
                    .expect("small"),
            ),
            PolyAtom::Ge(
                IntegerPolynomial::constant(-4)
                    .add_scaled(&IntegerPolynomial::var(0), 3)
                    .expect("small"),
            ),
        ];
        assert_eq!(narrow_bounds(vec![CongruenceInterval::ALL], &atoms), Some(vec![between(2, 3)]));
        let none = PolyAtom::Ge(IntegerPolynomial::constant(-1));
        assert_eq!(narrow_bounds(vec![CongruenceInterval::ALL], &[none]), None);
    }

    #[test]
    fn bounds_fit_the_remainder() {
        let threes = CongruenceInterval { step: 3, rest: 1, ..CongruenceInterval::ALL };
        let some = threes.at_least(-1).and_then(|some| some.at_most(9)).expect("some number");
        assert_eq!((some.low, some.high), (Some(1), Some(7)));
        assert_eq!(threes.at_least(5).and_then(|some| some.at_most(6)), None);
    }
}
