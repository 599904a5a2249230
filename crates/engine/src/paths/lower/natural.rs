//! Bit-vectors as natural numbers, and back.

use ouro_term::{Op, Sort, Term};

use super::range::naturals_of;
use super::value::possible;
use super::{Case, Lowering, Mode, add_new, exclude, product};
use crate::paths::poly::{Atom, Poly};

/// Factors up to this one are exact also where the product wraps around: one case for each number of turns.
const SMALL_FACTOR: i128 = 4;

impl Lowering<'_> {
    /// Whether a term is best read as a natural number.
    pub(super) fn prefers_natural(&mut self, term: Term) -> bool {
        if let Some(known) = self.preferred.get(&term) {
            return *known;
        }
        let prefers = match self.terms.op(term) {
            Op::Symbol(id) => self.variables.get(id).is_some_and(|var| self.is_natural(*var)),
            Op::BvAdd | Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvLshr | Op::BvUdiv | Op::BvUrem => {
                self.any_prefers_natural(term)
            }
            Op::BvMul
            | Op::BvShl
            | Op::BvNeg
            | Op::BvNot
            | Op::ZeroExtend(_)
            | Op::Extract { low: 0, .. }
                if self.mode == Mode::Over =>
            {
                self.any_prefers_natural(term)
            }
            _ => false,
        };
        self.preferred.insert(term, prefers);
        prefers
    }

    fn any_prefers_natural(&mut self, term: Term) -> bool {
        let args = self.terms.args(term).to_vec();
        args.into_iter().any(|arg| self.prefers_natural(arg))
    }

    /// A bit-vector as a natural number. Where no run may be lost, what has no reading is any natural number of its
    /// width.
    pub(super) fn natural(&mut self, term: Term) -> Option<Vec<Case>> {
        let key = (term, self.exactly);
        if let Some(cases) = self.naturals.get(&key) {
            return Some(cases.clone());
        }
        let cases = match self.new_natural(term).map(possible) {
            Some(cases) if cases.len() <= self.most() => cases,
            _ if self.mode == Mode::Under => return None,
            _ => {
                let Sort::BitVec(width) = self.terms.sort(term) else { return None };
                let value = self.local();
                vec![Case { atoms: naturals_of(width, &value)?, value }]
            }
        };
        self.naturals.insert(key, cases.clone());
        Some(cases)
    }

    fn new_natural(&mut self, term: Term) -> Option<Vec<Case>> {
        let Sort::BitVec(width) = self.terms.sort(term) else { return None };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let args = self.terms.args(term).to_vec();
        Some(match self.terms.op(term).clone() {
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
                        let here = vec![case.atoms.clone()];
                        for atoms in product(&ways, &here, self.most())? {
                            cases.push(Case { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            Op::BvAdd if self.prefers_natural(term) => self.natural_sum(&args, width)?,
            Op::BvNot => {
                let cases = self.natural(args[0])?.into_iter();
                let inverted = cases
                    .map(|c| Some(Case { value: c.value.neg()?.plus(turn - 1)?, atoms: c.atoms }));
                inverted.collect::<Option<Vec<Case>>>()?
            }
            Op::BvNeg if self.prefers_natural(args[0]) => {
                let mut cases = Vec::new();
                for case in self.natural(args[0])? {
                    let mut zero = Case { atoms: case.atoms.clone(), value: Poly::constant(0) };
                    zero.atoms.push(Atom::Eq(case.value.clone()));
                    cases.push(zero);
                    let mut other = Case { value: case.value.neg()?.plus(turn)?, ..case.clone() };
                    other.atoms.push(Atom::Ge(case.value.plus(-1)?));
                    cases.push(other);
                }
                cases
            }
            Op::BvMul
                if self.mode == Mode::Over && args.len() == 2 && self.prefers_natural(term) =>
            {
                let (x, y) = (self.natural(args[0])?, self.natural(args[1])?);
                self.natural_product(&x, &y, width)?
            }
            Op::BvShl
                if self.mode == Mode::Over
                    && self.shift(args[1]).is_some()
                    && self.prefers_natural(args[0]) =>
            {
                let factor = 1_i128.checked_shl(self.shift(args[1])?)?;
                let x = self.natural(args[0])?;
                self.natural_product(&x, &[Case::of(Poly::constant(factor))], width)?
            }
            Op::Extract { low: 0, .. } if self.prefers_natural(args[0]) => {
                // What fits is kept; all else is some number that fits.
                let mut cases = Vec::new();
                for case in self.natural(args[0])? {
                    cases.extend(self.quotients(
                        vec![case],
                        &[Case::of(Poly::constant(turn))],
                        false,
                    )?);
                }
                cases
            }
            Op::BvLshr => self.shifted(&args)?,
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
        })
    }

    /// A sum of natural numbers that may go round. What is taken away counts as that, not as a large number that is
    /// added.
    fn natural_sum(&mut self, args: &[Term], width: u32) -> Option<Vec<Case>> {
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut sums = vec![Case::of(Poly::constant(0))];
        let (mut added, mut taken) = (0_i128, 0_i128);
        for arg in args {
            let negative = match self.terms.op(*arg).clone() {
                Op::BvNeg => Some(self.natural(self.terms.args(*arg)[0])?),
                Op::Bv { value, .. } if i128::try_from(value).ok()? > turn / 2 => {
                    let less = turn.checked_sub(i128::try_from(value).ok()?)?;
                    Some(vec![Case::of(Poly::constant(less))])
                }
                _ => None,
            };
            let (factor, parts) = match negative {
                Some(cases) => {
                    taken += 1;
                    (-1, cases)
                }
                None => {
                    added += 1;
                    (1, self.natural(*arg)?)
                }
            };
            let mut next = Vec::new();
            for sum in &sums {
                for part in parts.iter().filter(|part| !exclude(&sum.atoms, &part.atoms)) {
                    let mut atoms = sum.atoms.clone();
                    add_new(&mut atoms, &part.atoms);
                    let value = sum.value.add_scaled(&part.value, factor)?;
                    next.push(Case { atoms, value });
                }
            }
            sums = next;
            if sums.len() > self.most() {
                return None;
            }
        }
        let mut cases = Vec::new();
        for sum in sums {
            for turns in -taken..added.max(1) {
                let value = sum.value.plus(turn.checked_mul(-turns)?)?;
                let more = naturals_of(width, &value)?;
                if exclude(&sum.atoms, &more) {
                    continue;
                }
                let mut atoms = sum.atoms.clone();
                atoms.extend(more);
                cases.push(Case { atoms, value });
            }
        }
        Some(cases)
    }

    /// A product of natural numbers: what it is where it fits, and any number where it does not, unless it can go
    /// round only a few times.
    fn natural_product(&mut self, x: &[Case], y: &[Case], width: u32) -> Option<Vec<Case>> {
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut cases = Vec::new();
        for a in x {
            for b in y.iter().filter(|b| !exclude(&a.atoms, &b.atoms)) {
                let mut both = a.atoms.clone();
                add_new(&mut both, &b.atoms);
                let product = a.value.mul(&b.value)?;
                let factor = a.value.as_constant().or(b.value.as_constant());
                let few = factor.filter(|factor| (0..=SMALL_FACTOR).contains(factor));
                for turns in 0..few.unwrap_or(1).max(1) {
                    let value = product.plus(turn.checked_mul(-turns)?)?;
                    let mut atoms = both.clone();
                    atoms.extend(naturals_of(width, &value)?);
                    cases.push(Case { atoms, value });
                }
                if few.is_none() {
                    let value = self.local();
                    both.push(Atom::Ge(product.plus(-turn)?));
                    both.extend(naturals_of(width, &value)?);
                    cases.push(Case { atoms: both, value });
                }
            }
        }
        Some(cases)
    }

    /// Bits of two numbers, put together: only between which numbers the result is. Having some of the bits of a
    /// number is being no larger, having all of them is being no smaller.
    pub(super) fn mixed(&mut self, term: Term, width: u32) -> Option<Vec<Case>> {
        let &[a, b] = self.terms.args(term) else { return None };
        if self.mode == Mode::Under {
            return None;
        }
        let op = self.terms.op(term).clone();
        if op == Op::BvXor && (self.has_bits_of(b, a) || self.has_bits_of(a, b)) {
            // Some bits of a number, taken out of it: a difference.
            let (whole, part) = if self.has_bits_of(b, a) { (a, b) } else { (b, a) };
            return self.without(whole, part);
        }
        if op == Op::BvAnd && (self.is_opposite(a, b) || self.is_opposite(b, a)) {
            let x = if self.is_opposite(a, b) { a } else { b };
            return self.lowest_bit(x);
        }
        if op == Op::BvAnd {
            // `x & ~(x & y)` is a difference as well.
            for (whole, other) in [(a, b), (b, a)] {
                if let (Op::BvNot, &[part]) = (self.terms.op(other), self.terms.args(other))
                    && self.has_bits_of(part, whole)
                {
                    return self.without(whole, part);
                }
            }
        }
        let (left, right) = (self.natural(a)?, self.natural(b)?);
        let mut cases = Vec::new();
        for x in &left {
            for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let value = self.local();
                let mut atoms = x.atoms.clone();
                add_new(&mut atoms, &y.atoms);
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

    /// Whether a term is made of bits of another by a mask.
    fn has_bits_of(&self, part: Term, whole: Term) -> bool {
        *self.terms.op(part) == Op::BvAnd && self.terms.args(part).contains(&whole)
    }

    fn is_opposite(&self, x: Term, y: Term) -> bool {
        *self.terms.op(y) == Op::BvNeg && self.terms.args(y)[0] == x
    }

    /// A number without some of its bits.
    fn without(&mut self, whole: Term, part: Term) -> Option<Vec<Case>> {
        let (whole, part) = (self.natural(whole)?, self.natural(part)?);
        let mut cases = Vec::new();
        for x in &whole {
            for y in part.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let mut atoms = x.atoms.clone();
                add_new(&mut atoms, &y.atoms);
                let value = x.value.sub(&y.value)?;
                atoms.push(Atom::Ge(value.clone()));
                cases.push(Case { atoms, value });
            }
        }
        Some(cases)
    }

    /// The lowest bit of a number, which is 0 only of 0.
    fn lowest_bit(&mut self, term: Term) -> Option<Vec<Case>> {
        let mut cases = Vec::new();
        for x in &self.natural(term)? {
            let mut zero = Case { atoms: x.atoms.clone(), value: Poly::constant(0) };
            zero.atoms.push(Atom::Eq(x.value.clone()));
            cases.push(zero);
            let value = self.local();
            let mut atoms = x.atoms.clone();
            atoms.push(Atom::Ge(value.plus(-1)?));
            atoms.push(Atom::Ge(x.value.sub(&value)?));
            cases.push(Case { atoms, value });
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
