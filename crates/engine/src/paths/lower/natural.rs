//! Bit-vectors as natural numbers, and back.

use ouro_term::{Op, Sort, Term};

use super::range::naturals_of;
use super::{Case, Lowering, Mode, WAYS, product};
use crate::paths::poly::{Atom, Poly};

impl Lowering<'_> {
    /// Whether a term is best read as a natural number.
    pub(super) fn prefers_natural(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Symbol(id) => self.variables.get(id).is_some_and(|var| self.is_natural(*var)),
            Op::BvAdd | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvLshr | Op::BvUdiv | Op::BvUrem => {
                self.terms.args(term).iter().any(|arg| self.prefers_natural(*arg))
            }
            _ => false,
        }
    }

    /// A bit-vector as a natural number.
    pub(super) fn natural(&mut self, term: Term) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = self.terms.sort(term) else { return None };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let args = self.terms.args(term).to_vec();
        let cases = match self.terms.op(term).clone() {
            Op::Symbol(id) if self.variables.get(&id).is_some_and(|var| self.is_natural(*var)) => {
                vec![Case::of(Poly::var(self.variables[&id]))]
            }
            Op::Bv { value, .. } => vec![Case::of(Poly::constant(i128::try_from(value).ok()?))],
            Op::ZeroExtend(_) => self.natural(args[0])?,
            Op::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.truth(args[0], truth)?;
                    for case in self.natural(then)? {
                        for atoms in product(&ways, &vec![case.atoms.clone()])? {
                            cases.push(Case { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            Op::BvAdd if self.prefers_natural(term) => {
                let mut sums = vec![Case::of(Poly::constant(0))];
                for arg in &args {
                    let parts = self.natural(*arg)?;
                    let mut next = Vec::new();
                    for sum in &sums {
                        for part in &parts {
                            let mut atoms = sum.atoms.clone();
                            atoms.extend(part.atoms.iter().cloned());
                            next.push(Case { atoms, value: sum.value.add(&part.value)? });
                        }
                    }
                    sums = next;
                    if sums.len() > WAYS {
                        return None;
                    }
                }
                let mut cases = Vec::new();
                for sum in sums {
                    for turns in 0..args.len() as i128 {
                        let value = sum.value.plus(turn.checked_mul(-turns)?)?;
                        let mut atoms = sum.atoms.clone();
                        atoms.extend(naturals_of(width, &value)?);
                        cases.push(Case { atoms, value });
                    }
                }
                cases
            }
            Op::BvLshr if self.shift(args[1]).is_some() => {
                let by = 1_i128.checked_shl(self.shift(args[1])?)?;
                let x = self.natural(args[0])?;
                self.quotients(x, &[Case::of(Poly::constant(by))], true)?
            }
            op @ (Op::BvUdiv | Op::BvUrem) => {
                let (x, y) = (self.natural(args[0])?, self.natural(args[1])?);
                self.quotients(x, &y, op == Op::BvUdiv)?
            }
            Op::BvAnd | Op::BvOr | Op::BvXor if self.mask(term).is_none() => {
                self.mixed(term, width)?
            }
            _ => {
                let mut cases = Vec::new();
                for case in self.value(term)? {
                    let (mut low, mut high) = (case.clone(), case.clone());
                    low.atoms.push(Atom::Ge(case.value.clone()));
                    high.atoms.push(Atom::Ge(case.value.neg()?.plus(-1)?));
                    high.value = case.value.plus(turn)?;
                    if self.reading.boundless {
                        low.atoms.push(Atom::Ge(case.value.neg()?.plus(turn - 1)?));
                        high.atoms.push(Atom::Ge(high.value.clone()));
                        cases.extend(
                            self.beyond(&case, -turn, turn - 1, |value| naturals_of(width, value))?,
                        );
                    }
                    cases.extend([low, high]);
                }
                cases
            }
        };
        let possible = |case: &Case| case.atoms.iter().all(|atom| atom.truth() != Some(false));
        let cases: Vec<Case> = cases.into_iter().filter(possible).collect();
        (cases.len() <= WAYS).then_some(cases)
    }

    /// Bits of two numbers, put together: only between which numbers the result is. Having some of the bits of a
    /// number is being no larger, having all of them is being no smaller.
    pub(super) fn mixed(&mut self, term: Term, width: u32) -> Option<Vec<Case>> {
        let &[a, b] = self.terms.args(term) else { return None };
        if self.mode == Mode::Under {
            return None;
        }
        let op = self.terms.op(term).clone();
        let (left, right) = (self.natural(a)?, self.natural(b)?);
        let mut cases = Vec::new();
        for x in &left {
            for y in &right {
                let value = self.local();
                let mut atoms = x.atoms.clone();
                atoms.extend(y.atoms.iter().cloned());
                atoms.extend(naturals_of(width, &value)?);
                let at_most = |most: &Poly| Some(Atom::Ge(most.sub(&value)?));
                match op {
                    Op::BvAnd => atoms.extend([at_most(&x.value)?, at_most(&y.value)?]),
                    _ => atoms.push(at_most(&x.value.add(&y.value)?)?),
                }
                if op == Op::BvOr {
                    atoms.push(Atom::Ge(value.sub(&x.value)?));
                    atoms.push(Atom::Ge(value.sub(&y.value)?));
                }
                cases.push(Case { atoms, value });
            }
        }
        Some(cases)
    }

    /// Natural numbers of so many bits as signed numbers.
    pub(super) fn signed_again(&mut self, sort: Sort, cases: Vec<Case>) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = sort else { return None };
        let mut all = Vec::new();
        for case in cases {
            for mut read in signed(width, &case.value)? {
                read.atoms.extend(case.atoms.iter().cloned());
                all.push(read);
            }
        }
        Some(all)
    }
}

/// The signed number that a natural one is in so many bits.
pub(super) fn signed(width: u32, natural: &Poly) -> Option<Vec<Case>> {
    let half = 1_i128.checked_shl(width - 1).filter(|half| *half > 0)?;
    let low =
        Case { atoms: vec![Atom::Ge(natural.neg()?.plus(half - 1)?)], value: natural.clone() };
    let atoms = vec![Atom::Ge(natural.plus(-half)?)];
    let high = Case { atoms, value: natural.plus(half.checked_mul(-2)?)? };
    Some(vec![low, high])
}
