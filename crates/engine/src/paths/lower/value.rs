//! Which number a term is: one case for each way in which it has a value.

use num_traits::ToPrimitive;
use ouro_term::{Op, Sort, Term, sign_extend};

use super::exact::fits;
use super::natural::signed;
use super::range::range;
use super::{Case, Lowering, Mode, add_new, exclude, product};
use crate::paths::poly::{Atom, Poly};

impl Lowering<'_> {
    /// The values of a term.
    pub(super) fn value(&mut self, term: Term) -> Option<Vec<Case>> {
        let key = (term, self.exactly);
        if let Some(cases) = self.values.get(&key) {
            return Some(cases.clone());
        }
        // What a term is by the guard may be said in terms of itself: not again on the way.
        let cases = match self.exact.remove(&term) {
            Some(wide) => {
                let before = std::mem::replace(&mut self.exactly, true);
                let cases = self.value(wide);
                self.exactly = before;
                self.exact.insert(term, wide);
                cases?
            }
            None => match self.new_value(term).map(possible) {
                Some(cases) if cases.len() <= self.most() => cases,
                _ => self.any_of(term)?,
            },
        };
        let cases = possible(cases);
        self.values.insert(key, cases.clone());
        Some(cases)
    }

    /// What has no reading is any number of its sort, where no run may be lost: the same one wherever the term is
    /// met.
    fn any_of(&mut self, term: Term) -> Option<Vec<Case>> {
        let sort = self.terms.sort(term);
        if self.mode == Mode::Under || sort == Sort::Bool {
            return None;
        }
        let value = self.local();
        Some(vec![Case { atoms: range(sort, &value)?, value }])
    }

    fn new_value(&mut self, term: Term) -> Option<Vec<Case>> {
        let args = self.terms.args(term).to_vec();
        let sort = self.terms.sort(term);
        let op = self.terms.op(term).clone();
        Some(match op {
            Op::Symbol(id) => {
                let var = *self.variables.get(&id)?;
                match sort {
                    Sort::BitVec(width) if self.is_natural(var) => signed(width, &Poly::var(var))?,
                    _ => vec![Case::of(Poly::var(var))],
                }
            }
            Op::Int(value) => vec![Case::of(Poly::constant(value.to_i128()?))],
            Op::Bv { width, value } => vec![Case::of(Poly::constant(sign_extend(width, value)))],
            Op::True
            | Op::False
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Eq
            | Op::IntLe
            | Op::BvSle
            | Op::BvSlt
            | Op::BvUle
            | Op::BvUlt => {
                let mut cases = Vec::new();
                for truth in [true, false] {
                    let value = Poly::constant(i128::from(truth));
                    let ways = self.truth(term, truth)?;
                    cases
                        .extend(ways.into_iter().map(|atoms| Case { atoms, value: value.clone() }));
                }
                cases
            }
            Op::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.truth(args[0], truth)?;
                    for case in self.value(then)? {
                        for atoms in product(&ways, &vec![case.atoms.clone()], self.most())? {
                            cases.push(Case { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            Op::IntAdd => self.fold(&args, Poly::add)?,
            Op::IntMul => self.fold(&args, Poly::mul)?,
            Op::IntDiv | Op::IntMod => self.divided(&args, op == Op::IntDiv)?,
            Op::BvAdd if fits(self.terms, term) => self.fold(&args, Poly::add)?,
            Op::BvMul if fits(self.terms, term) => self.fold(&args, Poly::mul)?,
            Op::BvAdd | Op::BvMul | Op::BvShl | Op::BvNeg | Op::BvNot
                if self.mode == Mode::Over && self.prefers_natural(term) =>
            {
                let cases = self.natural(term)?;
                self.signed_again(sort, cases)?
            }
            Op::BvAdd => self.wrapped(sort, &args, Poly::add, 1)?,
            Op::BvMul => self.wrapped(sort, &args, Poly::mul, 0)?,
            Op::BvNeg => {
                let cases = self.value(args[0])?;
                let negated: Option<Vec<Case>> =
                    cases.into_iter().map(|c| Some(Case { value: c.value.neg()?, ..c })).collect();
                match fits(self.terms, term) {
                    true => negated?,
                    false => self.around(sort, negated?, 1)?,
                }
            }
            Op::BvNot => {
                let cases = self.value(args[0])?;
                let inverted = cases
                    .into_iter()
                    .map(|c| Some(Case { value: c.value.neg()?.plus(-1)?, atoms: c.atoms }));
                inverted.collect::<Option<Vec<Case>>>()?
            }
            Op::SignExtend(64) => self.in_range(args[0])?,
            Op::SignExtend(_) => self.value(args[0])?,
            Op::ZeroExtend(to) => {
                let from = self.terms.width(args[0]);
                if to == from {
                    return self.value(args[0]);
                }
                if self.prefers_natural(args[0]) {
                    return self.natural(args[0]);
                }
                let mut cases = Vec::new();
                for case in self.in_range(args[0])? {
                    let mut low = case.clone();
                    low.atoms.push(Atom::Ge(case.value.clone()));
                    cases.push(low);
                    let mut high = case.clone();
                    high.atoms.push(Atom::Ge(case.value.neg()?.plus(-1)?));
                    high.value = case.value.plus(1_i128.checked_shl(from)?)?;
                    cases.push(high);
                }
                cases
            }
            Op::BvSdiv => self.toward_zero(&args, true)?,
            Op::BvSrem => self.toward_zero(&args, false)?,
            Op::BvUdiv | Op::BvUrem => {
                // Without a sign: exact where both are, by how they are read.
                let x = self.natural(args[0])?;
                let y = self.natural(args[1])?;
                let cases = self.quotients(x, &y, op == Op::BvUdiv)?;
                self.signed_again(sort, cases)?
            }
            Op::BvShl => {
                let by = self.shift(args[1])?;
                let cases = self.scaled(args[0], by)?;
                self.around(sort, cases, 0)?
            }
            Op::BvAshr => {
                let by = self.shift(args[1])?;
                let x = self.value(args[0])?;
                self.quotients(x, &[Case::of(Poly::constant(1_i128.checked_shl(by)?))], true)?
            }
            Op::BvLshr => {
                let cases = self.shifted(&args)?;
                self.signed_again(sort, cases)?
            }
            Op::BvAnd if self.mask(term).is_some() => self.masked(sort, term)?,
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let cases = self.mixed(term, self.terms.width(term))?;
                self.signed_again(sort, cases)?
            }
            Op::Extract { low: 0, .. } => {
                let cases = self.value(args[0])?;
                self.around(sort, cases, 0)?
            }
            _ => return None,
        })
    }

    fn fold(
        &mut self,
        args: &[Term],
        combine: fn(&Poly, &Poly) -> Option<Poly>,
    ) -> Option<Vec<Case>> {
        let mut cases = self.value(args[0])?;
        for arg in &args[1..] {
            let right = self.value(*arg)?;
            let mut next = Vec::new();
            for x in &cases {
                for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                    let mut atoms = x.atoms.clone();
                    add_new(&mut atoms, &y.atoms);
                    next.push(Case { atoms, value: combine(&x.value, &y.value)? });
                }
            }
            cases = next;
            if cases.len() > self.most() {
                return None;
            }
        }
        Some(cases)
    }

    /// A sum or product of bit-vectors.
    fn wrapped(
        &mut self,
        sort: Sort,
        args: &[Term],
        combine: fn(&Poly, &Poly) -> Option<Poly>,
        turns: i128,
    ) -> Option<Vec<Case>> {
        let cases = self.fold(args, combine)?;
        self.around(sort, cases, turns * (args.len() as i128 - 1))
    }

    /// By how many bits a shift is, if that is fixed.
    pub(super) fn shift(&self, by: Term) -> Option<u32> {
        let width = self.terms.width(by);
        let bits = u32::try_from(self.terms.as_bv(by)?).ok()?;
        (bits < width.min(64)).then_some(bits)
    }

    /// The values of a term, times a power of two.
    fn scaled(&mut self, term: Term, by: u32) -> Option<Vec<Case>> {
        let factor = 1_i128.checked_shl(by)?;
        let cases = self.value(term)?.into_iter();
        cases.map(|case| Some(Case { value: case.value.scale(factor)?, ..case })).collect()
    }

    /// The number that is masked, and the mask, if a term has the low bits of a number.
    pub(super) fn mask(&self, term: Term) -> Option<(Term, u128)> {
        let (Op::BvAnd, &[a, b]) = (self.terms.op(term), self.terms.args(term)) else {
            return None;
        };
        let low = |term: Term| self.terms.as_bv(term).filter(|mask| mask & (mask + 1) == 0);
        match (low(a), low(b)) {
            (_, Some(mask)) => Some((a, mask)),
            (Some(mask), _) => Some((b, mask)),
            _ => None,
        }
    }

    /// Low bits, cut out by a mask: a remainder, in two's complement for negative numbers too.
    fn masked(&mut self, sort: Sort, term: Term) -> Option<Vec<Case>> {
        let (term, mask) = self.mask(term)?;
        let Sort::BitVec(width) = sort else { return None };
        let modulus = i128::try_from(mask).ok()?.checked_add(1)?;
        if width > 64 || modulus >= 1_i128 << (width - 1) {
            return None;
        }
        let x = self.value(term)?;
        self.quotients(x, &[Case::of(Poly::constant(modulus))], false)
    }
}

/// Without the cases that cannot be.
pub(super) fn possible(mut cases: Vec<Case>) -> Vec<Case> {
    cases.retain(|case| case.atoms.iter().all(|atom| atom.truth() != Some(false)));
    cases
}
