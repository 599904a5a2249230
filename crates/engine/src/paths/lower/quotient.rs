//! Quotients and remainders, as numbers between others.
//!
//! By a constant both are exact: a local variable with the equation that defines it. By a number that is not fixed
//! that would be a product, which says little to a linear program. What loops end by is how large the result can be:
//! a remainder is smaller than the divisor, a quotient by two or more is at most half of the number. That is less than
//! the operation says, so it serves only where no run may be lost.

use ouro_term::{Sort, Term, sign_extend};

use super::{ApproximationMode, EdgeLowering, ValueCase, add_new, exclude};
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

impl EdgeLowering<'_> {
    /// Quotient or remainder, Euclidean.
    pub(super) fn divided(&mut self, args: &[Term], quotient: bool) -> Option<Vec<ValueCase>> {
        let (x, y) = (self.term_values(args[0])?, self.term_values(args[1])?);
        let constant = y.iter().all(|case| case.value.as_constant().is_some_and(|by| by != 0));
        if constant {
            return self.quotients(x, &y, quotient);
        }
        if self.mode == ApproximationMode::Under {
            return None;
        }
        let ([up, down], [by_up, by_down]) = (by_sign(x)?, by_sign(y)?);
        let mut cases = self.quotients(up.clone(), &by_up, quotient)?;
        for case in self.quotients(up, &by_down, quotient)? {
            let value = if quotient { case.value.neg()? } else { case.value };
            cases.push(ValueCase { value, ..case });
        }
        // What a negative number leaves is not negative and below the divisor; no more is said of its quotient.
        for x in &down {
            for y in by_up.iter().chain(&by_down) {
                let value = self.new_local();
                let mut atoms = together(x, y);
                if !quotient {
                    atoms.push(PolyAtom::Ge(y.value.plus_constant(-1)?));
                    atoms.push(PolyAtom::Ge(value.clone()));
                    atoms.push(PolyAtom::Ge(y.value.sub(&value)?.plus_constant(-1)?));
                }
                cases.push(ValueCase { atoms, value });
            }
        }
        // By zero, anything.
        let zero = self.term_values(args[1])?;
        for y in zero {
            let mut atoms = y.atoms;
            atoms.push(PolyAtom::Eq(y.value));
            cases.push(ValueCase { atoms, value: self.new_local() });
        }
        Some(cases)
    }

    /// Quotient or remainder of a division that is rounded toward zero.
    pub(super) fn toward_zero(&mut self, args: &[Term], quotient: bool) -> Option<Vec<ValueCase>> {
        let x = by_sign(self.term_values(args[0])?)?;
        if let Some(by) = self.terms.as_bv(args[1]) {
            let by = sign_extend(self.terms.width(args[1]), by);
            if by == -1 || by == 0 {
                // The least number has no opposite.
                return None;
            }
            let by = [ValueCase::without_conditions(IntegerPolynomial::constant(by))];
            let [up, down] = x;
            let mut cases = self.quotients(up, &by, quotient)?;
            for case in self.quotients(down, &by, quotient)? {
                cases.push(ValueCase { value: case.value.neg()?, ..case });
            }
            return Some(cases);
        }
        // Of numbers without a sign, which the result gets again: a remainder has that of the dividend.
        let y = by_sign(self.term_values(args[1])?)?;
        let mut cases = Vec::new();
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                let negate = if quotient { i != j } else { i == 1 };
                for case in self.quotients(x.clone(), y, quotient)? {
                    let value = if negate { case.value.neg()? } else { case.value };
                    cases.push(ValueCase { value, ..case });
                }
            }
        }
        match (self.terms.sort(args[0]), quotient) {
            // The least number by -1 is beyond its type.
            (sort @ Sort::BitVec(_), true) if !self.reading.boundless => {
                self.wrap_into_range(sort, cases, 1)
            }
            _ => Some(cases),
        }
    }

    /// A natural number shifted to the right.
    pub(super) fn shifted(&mut self, args: &[Term]) -> Option<Vec<ValueCase>> {
        let x = self.natural_values(args[0])?;
        if let Some(by) = self.fixed_shift(args[1]) {
            let by =
                ValueCase::without_conditions(IntegerPolynomial::constant(1_i128.checked_shl(by)?));
            return self.quotients(x, &[by], true);
        }
        if self.mode == ApproximationMode::Under {
            return None;
        }
        // By nothing, or at least a half is lost.
        let bys = self.natural_values(args[1])?;
        let mut cases = Vec::new();
        for x in &x {
            for by in bys.iter().filter(|by| !exclude(&x.atoms, &by.atoms)) {
                let both = together(x, by);
                let mut none = ValueCase { atoms: both.clone(), value: x.value.clone() };
                none.atoms.push(PolyAtom::Eq(by.value.clone()));
                cases.push(none);
                let value = self.new_local();
                let mut some = ValueCase { atoms: both, value: value.clone() };
                some.atoms.push(PolyAtom::Ge(by.value.plus_constant(-1)?));
                some.atoms.push(PolyAtom::Ge(value.clone()));
                some.atoms.push(PolyAtom::Ge(x.value.add_scaled(&value, -2)?));
                cases.push(some);
            }
        }
        Some(cases)
    }

    /// Quotients or remainders of natural numbers; of any, if those that they are divided by are constants.
    pub(super) fn quotients(
        &mut self,
        x: Vec<ValueCase>,
        y: &[ValueCase],
        quotient: bool,
    ) -> Option<Vec<ValueCase>> {
        let mut cases = Vec::new();
        for x in x {
            for y in y.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let Some(by) = y.value.as_constant().filter(|by| *by != 0) else {
                    cases.extend(self.by_variable(&x, y, quotient)?);
                    continue;
                };
                if by == 1 {
                    // Nothing is left, and nothing is lost.
                    let value =
                        if quotient { x.value.clone() } else { IntegerPolynomial::constant(0) };
                    cases.push(ValueCase { atoms: together(&x, y), value });
                    continue;
                }
                let q = self.new_local();
                // 0 <= x - by * q < |by|
                let rest = x.value.add_scaled(&q, -by)?;
                let mut atoms = together(&x, y);
                atoms.push(PolyAtom::Ge(rest.clone()));
                atoms.push(PolyAtom::Ge(rest.neg()?.plus_constant(by.checked_abs()? - 1)?));
                cases.push(ValueCase { atoms, value: if quotient { q } else { rest } });
            }
        }
        Some(cases)
    }

    /// The quotient or remainder of natural numbers by one that is not fixed: between which numbers it is.
    fn by_variable(
        &mut self,
        x: &ValueCase,
        y: &ValueCase,
        quotient: bool,
    ) -> Option<Vec<ValueCase>> {
        if self.mode == ApproximationMode::Under {
            return None;
        }
        let both = together(x, y);
        let mut cases = Vec::new();
        // By zero: the remainder is the number itself, the quotient anything.
        let mut zero = ValueCase { atoms: both.clone(), value: x.value.clone() };
        zero.atoms.push(PolyAtom::Eq(y.value.clone()));
        if quotient {
            zero.value = self.new_local();
            zero.atoms.push(PolyAtom::Ge(zero.value.clone()));
        }
        cases.push(zero);
        // A number that is smaller than the divisor is not divided.
        let mut less = ValueCase { atoms: both.clone(), value: x.value.clone() };
        less.atoms.push(PolyAtom::Ge(y.value.sub(&x.value)?.plus_constant(-1)?));
        if quotient {
            less.value = IntegerPolynomial::constant(0);
        }
        cases.push(less);
        let part = self.new_local();
        let mut more = ValueCase { atoms: both.clone(), value: part.clone() };
        more.atoms.push(PolyAtom::Ge(x.value.sub(&y.value)?));
        if quotient {
            let mut one = ValueCase { atoms: both, value: x.value.clone() };
            one.atoms.push(PolyAtom::Eq(y.value.plus_constant(-1)?));
            cases.push(one);
            more.atoms.push(PolyAtom::Ge(y.value.plus_constant(-2)?));
            more.atoms.push(PolyAtom::Ge(part.plus_constant(-1)?));
            more.atoms.push(PolyAtom::Ge(x.value.add_scaled(&part, -2)?));
            // Two numbers of at least one are together at most one more than their product.
            more.atoms.push(PolyAtom::Ge(x.value.plus_constant(1)?.sub(&part)?.sub(&y.value)?));
        } else {
            more.atoms.push(PolyAtom::Ge(y.value.plus_constant(-1)?));
            more.atoms.push(PolyAtom::Ge(part.clone()));
            more.atoms.push(PolyAtom::Ge(y.value.sub(&part)?.plus_constant(-1)?));
            // The divisor goes in at least once.
            more.atoms.push(PolyAtom::Ge(x.value.sub(&y.value)?.sub(&part)?));
        }
        cases.push(more);
        Some(cases)
    }
}

/// The cases that are not negative, and the opposites of those that are.
fn by_sign(cases: Vec<ValueCase>) -> Option<[Vec<ValueCase>; 2]> {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for case in cases {
        let (mut natural, mut negative) = (case.clone(), case.clone());
        natural.atoms.push(PolyAtom::Ge(case.value.clone()));
        up.push(natural);
        negative.value = case.value.neg()?;
        negative.atoms.push(PolyAtom::Ge(negative.value.plus_constant(-1)?));
        down.push(negative);
    }
    Some([up, down])
}

/// The conditions of two cases.
fn together(x: &ValueCase, y: &ValueCase) -> Vec<PolyAtom> {
    let mut atoms = x.atoms.clone();
    add_new(&mut atoms, &y.atoms);
    atoms
}
