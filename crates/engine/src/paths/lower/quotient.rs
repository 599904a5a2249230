//! Quotients and remainders, as numbers between others.
//!
//! By a constant both are exact: a local variable with the equation that defines it. By a number that is not fixed
//! that would be a product, which says little to a linear program. What loops end by is how large the result can be:
//! a remainder is smaller than the divisor, a quotient by two or more is at most half of the number. That is less than
//! the operation says, so it serves only where no run may be lost.

use ouro_term::{Sort, Term, sign_extend};

use super::{Case, Lowering, Mode, add_new, exclude};
use crate::paths::poly::{Atom, Poly};

impl Lowering<'_> {
    /// Quotient or remainder, Euclidean.
    pub(super) fn divided(&mut self, args: &[Term], quotient: bool) -> Option<Vec<Case>> {
        let (x, y) = (self.value(args[0])?, self.value(args[1])?);
        let constant = y.iter().all(|case| case.value.as_constant().is_some_and(|by| by != 0));
        if constant {
            return self.quotients(x, &y, quotient);
        }
        if self.mode == Mode::Under {
            return None;
        }
        let ([up, down], [by_up, by_down]) = (by_sign(x)?, by_sign(y)?);
        let mut cases = self.quotients(up.clone(), &by_up, quotient)?;
        for case in self.quotients(up, &by_down, quotient)? {
            let value = if quotient { case.value.neg()? } else { case.value };
            cases.push(Case { value, ..case });
        }
        // What a negative number leaves is not negative and below the divisor; no more is said of its quotient.
        for x in &down {
            for y in by_up.iter().chain(&by_down) {
                let value = self.local();
                let mut atoms = together(x, y);
                if !quotient {
                    atoms.push(Atom::Ge(y.value.plus(-1)?));
                    atoms.push(Atom::Ge(value.clone()));
                    atoms.push(Atom::Ge(y.value.sub(&value)?.plus(-1)?));
                }
                cases.push(Case { atoms, value });
            }
        }
        // By zero, anything.
        let zero = self.value(args[1])?;
        for y in zero {
            let mut atoms = y.atoms;
            atoms.push(Atom::Eq(y.value));
            cases.push(Case { atoms, value: self.local() });
        }
        Some(cases)
    }

    /// Quotient or remainder of a division that is rounded toward zero.
    pub(super) fn toward_zero(&mut self, args: &[Term], quotient: bool) -> Option<Vec<Case>> {
        let x = by_sign(self.value(args[0])?)?;
        if let Some(by) = self.terms.as_bv(args[1]) {
            let by = sign_extend(self.terms.width(args[1]), by);
            if by == -1 || by == 0 {
                // The least number has no opposite.
                return None;
            }
            let by = [Case::of(Poly::constant(by))];
            let [up, down] = x;
            let mut cases = self.quotients(up, &by, quotient)?;
            for case in self.quotients(down, &by, quotient)? {
                cases.push(Case { value: case.value.neg()?, ..case });
            }
            return Some(cases);
        }
        // Of numbers without a sign, which the result gets again: a remainder has that of the dividend.
        let y = by_sign(self.value(args[1])?)?;
        let mut cases = Vec::new();
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                let negate = if quotient { i != j } else { i == 1 };
                for case in self.quotients(x.clone(), y, quotient)? {
                    let value = if negate { case.value.neg()? } else { case.value };
                    cases.push(Case { value, ..case });
                }
            }
        }
        match (self.terms.sort(args[0]), quotient) {
            // The least number by -1 is beyond its type.
            (sort @ Sort::BitVec(_), true) if !self.reading.boundless => {
                self.around(sort, cases, 1)
            }
            _ => Some(cases),
        }
    }

    /// A natural number shifted to the right.
    pub(super) fn shifted(&mut self, args: &[Term]) -> Option<Vec<Case>> {
        let x = self.natural(args[0])?;
        if let Some(by) = self.shift(args[1]) {
            let by = Case::of(Poly::constant(1_i128.checked_shl(by)?));
            return self.quotients(x, &[by], true);
        }
        if self.mode == Mode::Under {
            return None;
        }
        // By nothing, or at least a half is lost.
        let bys = self.natural(args[1])?;
        let mut cases = Vec::new();
        for x in &x {
            for by in bys.iter().filter(|by| !exclude(&x.atoms, &by.atoms)) {
                let both = together(x, by);
                let mut none = Case { atoms: both.clone(), value: x.value.clone() };
                none.atoms.push(Atom::Eq(by.value.clone()));
                cases.push(none);
                let value = self.local();
                let mut some = Case { atoms: both, value: value.clone() };
                some.atoms.push(Atom::Ge(by.value.plus(-1)?));
                some.atoms.push(Atom::Ge(value.clone()));
                some.atoms.push(Atom::Ge(x.value.add_scaled(&value, -2)?));
                cases.push(some);
            }
        }
        Some(cases)
    }

    /// Quotients or remainders of natural numbers; of any, if those that they are divided by are constants.
    pub(super) fn quotients(
        &mut self,
        x: Vec<Case>,
        y: &[Case],
        quotient: bool,
    ) -> Option<Vec<Case>> {
        let mut cases = Vec::new();
        for x in x {
            for y in y.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let Some(by) = y.value.as_constant().filter(|by| *by != 0) else {
                    cases.extend(self.by_variable(&x, y, quotient)?);
                    continue;
                };
                if by == 1 {
                    // Nothing is left, and nothing is lost.
                    let value = if quotient { x.value.clone() } else { Poly::constant(0) };
                    cases.push(Case { atoms: together(&x, y), value });
                    continue;
                }
                let q = self.local();
                // 0 <= x - by * q < |by|
                let rest = x.value.add_scaled(&q, -by)?;
                let mut atoms = together(&x, y);
                atoms.push(Atom::Ge(rest.clone()));
                atoms.push(Atom::Ge(rest.neg()?.plus(by.checked_abs()? - 1)?));
                cases.push(Case { atoms, value: if quotient { q } else { rest } });
            }
        }
        Some(cases)
    }

    /// The quotient or remainder of natural numbers by one that is not fixed: between which numbers it is.
    fn by_variable(&mut self, x: &Case, y: &Case, quotient: bool) -> Option<Vec<Case>> {
        if self.mode == Mode::Under {
            return None;
        }
        let both = together(x, y);
        let mut cases = Vec::new();
        // By zero: the remainder is the number itself, the quotient anything.
        let mut zero = Case { atoms: both.clone(), value: x.value.clone() };
        zero.atoms.push(Atom::Eq(y.value.clone()));
        if quotient {
            zero.value = self.local();
            zero.atoms.push(Atom::Ge(zero.value.clone()));
        }
        cases.push(zero);
        // A number that is smaller than the divisor is not divided.
        let mut less = Case { atoms: both.clone(), value: x.value.clone() };
        less.atoms.push(Atom::Ge(y.value.sub(&x.value)?.plus(-1)?));
        if quotient {
            less.value = Poly::constant(0);
        }
        cases.push(less);
        let part = self.local();
        let mut more = Case { atoms: both.clone(), value: part.clone() };
        more.atoms.push(Atom::Ge(x.value.sub(&y.value)?));
        if quotient {
            let mut one = Case { atoms: both, value: x.value.clone() };
            one.atoms.push(Atom::Eq(y.value.plus(-1)?));
            cases.push(one);
            more.atoms.push(Atom::Ge(y.value.plus(-2)?));
            more.atoms.push(Atom::Ge(part.plus(-1)?));
            more.atoms.push(Atom::Ge(x.value.add_scaled(&part, -2)?));
            // Two numbers of at least one are together at most one more than their product.
            more.atoms.push(Atom::Ge(x.value.plus(1)?.sub(&part)?.sub(&y.value)?));
        } else {
            more.atoms.push(Atom::Ge(y.value.plus(-1)?));
            more.atoms.push(Atom::Ge(part.clone()));
            more.atoms.push(Atom::Ge(y.value.sub(&part)?.plus(-1)?));
            // The divisor goes in at least once.
            more.atoms.push(Atom::Ge(x.value.sub(&y.value)?.sub(&part)?));
        }
        cases.push(more);
        Some(cases)
    }
}

/// The cases that are not negative, and the opposites of those that are.
fn by_sign(cases: Vec<Case>) -> Option<[Vec<Case>; 2]> {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for case in cases {
        let (mut natural, mut negative) = (case.clone(), case.clone());
        natural.atoms.push(Atom::Ge(case.value.clone()));
        up.push(natural);
        negative.value = case.value.neg()?;
        negative.atoms.push(Atom::Ge(negative.value.plus(-1)?));
        down.push(negative);
    }
    Some([up, down])
}

/// The conditions of two cases.
fn together(x: &Case, y: &Case) -> Vec<Atom> {
    let mut atoms = x.atoms.clone();
    add_new(&mut atoms, &y.atoms);
    atoms
}
