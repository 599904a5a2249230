//! Intervals with a remainder: numbers between two bounds that leave the same rest when divided.

use crate::paths::poly::{Atom, Poly, Var};

/// The numbers `x` with `low <= x <= high` and `x = rest` modulo `step`. A step of 0 leaves one
/// number, a step of 1 all. The bounds leave the rest themselves, so equal sets are equal values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Interval {
    pub(crate) low: Option<i128>,
    pub(crate) high: Option<i128>,
    pub(crate) step: i128,
    pub(crate) rest: i128,
}

/// Numbers beyond this are as good as without a bound.
const LARGEST: i128 = 1 << 100;
/// Larger steps are forgotten.
const MOST_STEP: i128 = 1 << 20;

impl Interval {
    pub(crate) const ALL: Interval = Interval { low: None, high: None, step: 1, rest: 0 };

    pub(crate) fn number(value: i128) -> Interval {
        Interval { low: Some(value), high: Some(value), step: 0, rest: value }
    }

    /// In its one way to be written; `None` if there is no such number.
    fn normal(mut self) -> Option<Interval> {
        self.low = self.low.filter(|low| low.abs() < LARGEST);
        self.high = self.high.filter(|high| high.abs() < LARGEST);
        if self.step == 0 {
            let inside = self.low.is_none_or(|low| low <= self.rest)
                && self.high.is_none_or(|high| self.rest <= high);
            return inside.then(|| Interval::number(self.rest));
        }
        if self.step > MOST_STEP {
            self.step = 1;
        }
        self.rest = self.rest.rem_euclid(self.step);
        let (step, rest) = (self.step, self.rest);
        self.low = self.low.map(|low| low + (rest - low).rem_euclid(step));
        self.high = self.high.map(|high| high - (high - rest).rem_euclid(step));
        match (self.low, self.high) {
            (Some(low), Some(high)) if low > high => None,
            (Some(low), Some(high)) if low == high => Some(Interval::number(low)),
            _ => Some(self),
        }
    }

    pub(crate) fn contains(&self, other: &Interval) -> bool {
        let below = self.low.is_none_or(|low| other.low.is_some_and(|there| low <= there));
        let above = self.high.is_none_or(|high| other.high.is_some_and(|there| there <= high));
        let remainder = match self.step {
            0 => other.step == 0 && other.rest == self.rest,
            step => other.step % step == 0 && (other.rest - self.rest) % step == 0,
        };
        below && above && remainder
    }

    pub(crate) fn at_least(self, low: i128) -> Option<Interval> {
        let low = self.low.map_or(low, |there| there.max(low));
        Interval { low: Some(low), ..self }.normal()
    }

    pub(crate) fn at_most(self, high: i128) -> Option<Interval> {
        let high = self.high.map_or(high, |there| there.min(high));
        Interval { high: Some(high), ..self }.normal()
    }

    fn sum(self, other: Interval) -> Interval {
        let both = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        let Some(rest) = self.rest.checked_add(other.rest) else { return Interval::ALL };
        let sum = Interval {
            low: both(self.low, other.low),
            high: both(self.high, other.high),
            step: gcd(self.step, other.step),
            rest,
        };
        sum.normal().unwrap_or(Interval::ALL)
    }

    fn scaled(self, factor: i128) -> Interval {
        let times = |bound: Option<i128>| bound?.checked_mul(factor);
        let (low, high) = if factor < 0 { (self.high, self.low) } else { (self.low, self.high) };
        let (Some(step), Some(rest)) =
            (self.step.checked_mul(factor.abs()), self.rest.checked_mul(factor))
        else {
            return Interval::ALL;
        };
        let scaled = match factor {
            0 => Interval::number(0),
            _ => Interval { low: times(low), high: times(high), step, rest },
        };
        scaled.normal().unwrap_or(Interval::ALL)
    }

    fn product(self, other: Interval) -> Interval {
        if self.step == 0 {
            return other.scaled(self.rest);
        }
        if other.step == 0 {
            return self.scaled(other.rest);
        }
        let ends = |interval: Interval| [interval.low, interval.high];
        let mut bounds = Some((i128::MAX, i128::MIN));
        for a in ends(self) {
            for b in ends(other) {
                let here = a.zip(b).and_then(|(a, b)| a.checked_mul(b));
                bounds = bounds.zip(here).map(|((low, high), here): ((i128, i128), i128)| {
                    (low.min(here), high.max(here))
                });
            }
        }
        let mut product = Interval { step: 1, rest: 0, ..Interval::ALL };
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
        product.normal().unwrap_or(Interval::ALL)
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Where each variable is.
pub(crate) type Bounds = Vec<Interval>;

fn of(bounds: &[Interval], var: Var) -> Interval {
    bounds.get(var as usize).copied().unwrap_or(Interval::ALL)
}

/// The value of a polynomial.
pub(crate) fn value(bounds: &[Interval], poly: &Poly) -> Interval {
    let parts = poly.parts().map(|part| part_value(bounds, part));
    parts.fold(Interval::number(0), Interval::sum)
}

fn part_value(bounds: &[Interval], (monomial, coefficient): (&[Var], i128)) -> Interval {
    let factors = monomial.iter().map(|var| of(bounds, *var));
    factors.fold(Interval::number(coefficient), Interval::product)
}

/// Whether a condition holds everywhere, or nowhere, as far as bounds tell.
pub(crate) fn truth(bounds: &[Interval], atom: &Atom) -> Option<bool> {
    let here = value(bounds, atom.poly());
    match atom {
        Atom::Ge(_) if here.low.is_some_and(|low| low >= 0) => Some(true),
        Atom::Ge(_) if here.high.is_some_and(|high| high < 0) => Some(false),
        Atom::Eq(_) if here == Interval::number(0) => Some(true),
        Atom::Eq(_) if !here.contains(&Interval::number(0)) => Some(false),
        _ => None,
    }
}

/// The bounds where conditions hold: no state in which they hold is lost. `None` if there is none.
pub(crate) fn narrowed(mut bounds: Bounds, atoms: &[Atom]) -> Option<Bounds> {
    for _ in 0..ROUNDS {
        let before = bounds.clone();
        for atom in atoms {
            let poly = atom.poly();
            at_least_zero(&mut bounds, poly)?;
            if let Atom::Eq(_) = atom {
                at_least_zero(&mut bounds, &poly.neg()?)?;
            }
        }
        if bounds == before {
            break;
        }
    }
    Some(bounds)
}

/// How often the conditions are looked at.
const ROUNDS: usize = 4;

fn at_least_zero(bounds: &mut Bounds, poly: &Poly) -> Option<()> {
    if truth(bounds, &Atom::Ge(poly.clone())) == Some(false) {
        return None;
    }
    for (monomial, coefficient) in poly.parts() {
        let [var] = monomial[..] else { continue };
        let index = var as usize;
        if index >= bounds.len() || poly.has_in_product(var) {
            continue;
        }
        // coefficient * var >= -rest >= -(the most that the rest can be)
        let others = poly.parts().filter(|(other, _)| *other != monomial);
        let rest =
            others.map(|part| part_value(bounds, part)).fold(Interval::number(0), Interval::sum);
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

    fn between(low: i128, high: i128) -> Interval {
        Interval::ALL.at_least(low).and_then(|all| all.at_most(high)).expect("some number")
    }

    #[test]
    fn sums_keep_remainders() {
        let even = Interval { step: 2, rest: 0, ..Interval::ALL };
        let poly = Poly::var(0).scale(2).and_then(|poly| poly.plus(1)).expect("small");
        let odd = value(&[Interval::ALL], &poly);
        assert_eq!((odd.step, odd.rest), (2, 1));
        assert_eq!(truth(&[even], &Atom::Eq(Poly::var(0).plus(1).expect("small"))), Some(false));
        assert!(!even.contains(&Interval::number(3)) && even.contains(&Interval::number(-4)));
    }

    #[test]
    fn products_have_the_bounds_of_their_corners() {
        let square = Poly::var(0).mul(&Poly::var(0)).expect("small");
        // As a product of any two numbers of the interval: the corners decide.
        assert_eq!(value(&[between(-2, 3)], &square), between(-6, 9));
        let (low, high) = (Interval::ALL.at_least(2), Interval::ALL.at_most(-3));
        let product = Poly::var(0).mul(&Poly::var(1)).expect("small");
        let bounds = [low.expect("some"), high.expect("some")];
        assert_eq!((value(&bounds, &product).low, value(&bounds, &product).high), (None, Some(0)));
    }

    #[test]
    fn narrowing_rounds_inwards() {
        // 7 - 2x >= 0 and 3x - 4 >= 0
        let atoms = [
            Atom::Ge(Poly::constant(7).add_scaled(&Poly::var(0), -2).expect("small")),
            Atom::Ge(Poly::constant(-4).add_scaled(&Poly::var(0), 3).expect("small")),
        ];
        assert_eq!(narrowed(vec![Interval::ALL], &atoms), Some(vec![between(2, 3)]));
        let none = Atom::Ge(Poly::constant(-1));
        assert_eq!(narrowed(vec![Interval::ALL], &[none]), None);
    }

    #[test]
    fn bounds_fit_the_remainder() {
        let threes = Interval { step: 3, rest: 1, ..Interval::ALL };
        let some = threes.at_least(-1).and_then(|some| some.at_most(9)).expect("some number");
        assert_eq!((some.low, some.high), (Some(1), Some(7)));
        assert_eq!(threes.at_least(5).and_then(|some| some.at_most(6)), None);
    }
}
