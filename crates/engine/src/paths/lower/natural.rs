//! Bit-vectors as natural numbers, and back.

use ouro_term::{Sort, Term, TermOp};

use super::range::natural_range_atoms;
use super::value::possible;
use super::{ApproximationMode, EdgeLowering, ValueCase, add_new, conjoin_alternatives, exclude};
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

/// Factors up to this one are exact also where the product wraps around: one case for each number of turns.
const SMALL_FACTOR: i128 = 4;

impl EdgeLowering<'_> {
    /// Whether a term is best read as a natural number.
    pub(super) fn prefers_natural(&mut self, term: Term) -> bool {
        if let Some(known) = self.preferred.get(&term) {
            return *known;
        }
        let prefers = match self.terms.op(term) {
            TermOp::Symbol(id) => self.variables.get(id).is_some_and(|var| self.is_natural(*var)),
            TermOp::BvAdd
            | TermOp::BvAnd
            | TermOp::BvOr
            | TermOp::BvXor
            | TermOp::BvLshr
            | TermOp::BvUdiv
            | TermOp::BvUrem => self.any_prefers_natural(term),
            TermOp::BvMul
            | TermOp::BvShl
            | TermOp::BvNeg
            | TermOp::BvNot
            | TermOp::ZeroExtend(_)
            | TermOp::Extract { low: 0, .. }
                if self.mode == ApproximationMode::Over =>
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
    pub(super) fn natural_values(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let key = (term, self.exactly);
        if let Some(cases) = self.naturals.get(&key) {
            return Some(cases.clone());
        }
        let cases = match self.new_natural(term).map(possible) {
            Some(cases) if cases.len() <= self.most() => cases,
            _ if self.mode == ApproximationMode::Under => return None,
            _ => {
                let Sort::BitVec(width) = self.terms.sort(term) else { return None };
                let value = self.new_local();
                vec![ValueCase { atoms: natural_range_atoms(width, &value)?, value }]
            }
        };
        self.naturals.insert(key, cases.clone());
        Some(cases)
    }

    fn new_natural(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let Sort::BitVec(width) = self.terms.sort(term) else { return None };
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let args = self.terms.args(term).to_vec();
        Some(match self.terms.op(term).clone() {
            TermOp::Symbol(id)
                if self.variables.get(&id).is_some_and(|var| self.is_natural(*var)) =>
            {
                vec![ValueCase::without_conditions(IntegerPolynomial::var(self.variables[&id]))]
            }
            TermOp::Bv { value, .. } => vec![ValueCase::without_conditions(
                IntegerPolynomial::constant(i128::try_from(value).ok()?),
            )],
            TermOp::ZeroExtend(_) => self.natural_values(args[0])?,
            TermOp::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.formula_alternatives(args[0], truth)?;
                    for case in self.natural_values(then)? {
                        let here = vec![case.atoms.clone()];
                        for atoms in conjoin_alternatives(&ways, &here, self.most())? {
                            cases.push(ValueCase { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            TermOp::BvAdd if self.prefers_natural(term) => self.natural_sum(&args, width)?,
            TermOp::BvNot => {
                let cases = self.natural_values(args[0])?.into_iter();
                let inverted = cases.map(|c| {
                    Some(ValueCase {
                        value: c.value.neg()?.plus_constant(turn - 1)?,
                        atoms: c.atoms,
                    })
                });
                inverted.collect::<Option<Vec<ValueCase>>>()?
            }
            TermOp::BvNeg if self.prefers_natural(args[0]) => {
                let mut cases = Vec::new();
                for case in self.natural_values(args[0])? {
                    let mut zero = ValueCase {
                        atoms: case.atoms.clone(),
                        value: IntegerPolynomial::constant(0),
                    };
                    zero.atoms.push(PolyAtom::Eq(case.value.clone()));
                    cases.push(zero);
                    let mut other =
                        ValueCase { value: case.value.neg()?.plus_constant(turn)?, ..case.clone() };
                    other.atoms.push(PolyAtom::Ge(case.value.plus_constant(-1)?));
                    cases.push(other);
                }
                cases
            }
            TermOp::BvMul
                if self.mode == ApproximationMode::Over
                    && args.len() == 2
                    && self.prefers_natural(term) =>
            {
                let (x, y) = (self.natural_values(args[0])?, self.natural_values(args[1])?);
                self.natural_product(&x, &y, width)?
            }
            TermOp::BvShl
                if self.mode == ApproximationMode::Over
                    && self.fixed_shift(args[1]).is_some()
                    && self.prefers_natural(args[0]) =>
            {
                let factor = 1_i128.checked_shl(self.fixed_shift(args[1])?)?;
                let x = self.natural_values(args[0])?;
                self.natural_product(
                    &x,
                    &[ValueCase::without_conditions(IntegerPolynomial::constant(factor))],
                    width,
                )?
            }
            TermOp::Extract { low: 0, .. } if self.prefers_natural(args[0]) => {
                // What fits is kept; all else is some number that fits.
                let mut cases = Vec::new();
                for case in self.natural_values(args[0])? {
                    cases.extend(self.quotients(
                        vec![case],
                        &[ValueCase::without_conditions(IntegerPolynomial::constant(turn))],
                        false,
                    )?);
                }
                cases
            }
            TermOp::BvLshr => self.shifted(&args)?,
            op @ (TermOp::BvUdiv | TermOp::BvUrem) => {
                let (x, y) = (self.natural_values(args[0])?, self.natural_values(args[1])?);
                self.quotients(x, &y, op == TermOp::BvUdiv)?
            }
            TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor if self.low_bit_mask(term).is_none() => {
                self.mixed_bit_values(term, width)?
            }
            _ => {
                let mut cases = Vec::new();
                for case in self.term_values(term)? {
                    let (mut low, mut high) = (case.clone(), case.clone());
                    low.atoms.push(PolyAtom::Ge(case.value.clone()));
                    high.atoms.push(PolyAtom::Ge(case.value.neg()?.plus_constant(-1)?));
                    high.value = case.value.plus_constant(turn)?;
                    if self.reading.boundless {
                        low.atoms.push(PolyAtom::Ge(case.value.neg()?.plus_constant(turn - 1)?));
                        high.atoms.push(PolyAtom::Ge(high.value.clone()));
                        cases.extend(self.values_beyond_range(
                            &case,
                            -turn,
                            turn - 1,
                            |value| natural_range_atoms(width, value),
                        )?);
                    }
                    cases.extend([low, high]);
                }
                cases
            }
        })
    }

    /// A sum of natural numbers that may go round. What is taken away counts as that, not as a large number that is
    /// added.
    fn natural_sum(&mut self, args: &[Term], width: u32) -> Option<Vec<ValueCase>> {
        let turn = 1_i128.checked_shl(width).filter(|turn| *turn > 0)?;
        let mut sums = vec![ValueCase::without_conditions(IntegerPolynomial::constant(0))];
        let (mut added, mut taken) = (0_i128, 0_i128);
        for arg in args {
            let negative = match self.terms.op(*arg).clone() {
                TermOp::BvNeg => Some(self.natural_values(self.terms.args(*arg)[0])?),
                TermOp::Bv { value, .. } if i128::try_from(value).ok()? > turn / 2 => {
                    let less = turn.checked_sub(i128::try_from(value).ok()?)?;
                    Some(vec![ValueCase::without_conditions(IntegerPolynomial::constant(less))])
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
                    (1, self.natural_values(*arg)?)
                }
            };
            let mut next = Vec::new();
            for sum in &sums {
                for part in parts.iter().filter(|part| !exclude(&sum.atoms, &part.atoms)) {
                    let mut atoms = sum.atoms.clone();
                    add_new(&mut atoms, &part.atoms);
                    let value = sum.value.add_scaled(&part.value, factor)?;
                    next.push(ValueCase { atoms, value });
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
                let value = sum.value.plus_constant(turn.checked_mul(-turns)?)?;
                let more = natural_range_atoms(width, &value)?;
                if exclude(&sum.atoms, &more) {
                    continue;
                }
                let mut atoms = sum.atoms.clone();
                atoms.extend(more);
                cases.push(ValueCase { atoms, value });
            }
        }
        Some(cases)
    }

    /// A product of natural numbers: what it is where it fits, and any number where it does not, unless it can go
    /// round only a few times.
    fn natural_product(
        &mut self,
        x: &[ValueCase],
        y: &[ValueCase],
        width: u32,
    ) -> Option<Vec<ValueCase>> {
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
                    let value = product.plus_constant(turn.checked_mul(-turns)?)?;
                    let mut atoms = both.clone();
                    atoms.extend(natural_range_atoms(width, &value)?);
                    cases.push(ValueCase { atoms, value });
                }
                if few.is_none() {
                    let value = self.new_local();
                    both.push(PolyAtom::Ge(product.plus_constant(-turn)?));
                    both.extend(natural_range_atoms(width, &value)?);
                    cases.push(ValueCase { atoms: both, value });
                }
            }
        }
        Some(cases)
    }

    /// Bits of two numbers, put together: only between which numbers the result is. Having some of the bits of a
    /// number is being no larger, having all of them is being no smaller.
    pub(super) fn mixed_bit_values(&mut self, term: Term, width: u32) -> Option<Vec<ValueCase>> {
        let &[a, b] = self.terms.args(term) else { return None };
        if self.mode == ApproximationMode::Under {
            return None;
        }
        let op = self.terms.op(term).clone();
        if op == TermOp::BvXor && (self.has_bits_of(b, a) || self.has_bits_of(a, b)) {
            // Some bits of a number, taken out of it: a difference.
            let (whole, part) = if self.has_bits_of(b, a) { (a, b) } else { (b, a) };
            return self.without(whole, part);
        }
        if op == TermOp::BvAnd && (self.is_opposite(a, b) || self.is_opposite(b, a)) {
            let x = if self.is_opposite(a, b) { a } else { b };
            return self.lowest_bit(x);
        }
        if op == TermOp::BvAnd {
            // `x & ~(x & y)` is a difference as well.
            for (whole, other) in [(a, b), (b, a)] {
                if let (TermOp::BvNot, &[part]) = (self.terms.op(other), self.terms.args(other))
                    && self.has_bits_of(part, whole)
                {
                    return self.without(whole, part);
                }
            }
        }
        let (left, right) = (self.natural_values(a)?, self.natural_values(b)?);
        let mut cases = Vec::new();
        for x in &left {
            for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let value = self.new_local();
                let mut atoms = x.atoms.clone();
                add_new(&mut atoms, &y.atoms);
                atoms.extend(natural_range_atoms(width, &value)?);
                let at_most = |most: &IntegerPolynomial| Some(PolyAtom::Ge(most.sub(&value)?));
                match op {
                    TermOp::BvAnd => atoms.extend([at_most(&x.value)?, at_most(&y.value)?]),
                    _ => atoms.push(at_most(&x.value.add(&y.value)?)?),
                }
                if op == TermOp::BvOr {
                    atoms.push(PolyAtom::Ge(value.sub(&x.value)?));
                    atoms.push(PolyAtom::Ge(value.sub(&y.value)?));
                }
                cases.push(ValueCase { atoms, value });
            }
        }
        Some(cases)
    }

    /// Whether a term is made of bits of another by a mask.
    fn has_bits_of(&self, part: Term, whole: Term) -> bool {
        *self.terms.op(part) == TermOp::BvAnd && self.terms.args(part).contains(&whole)
    }

    fn is_opposite(&self, x: Term, y: Term) -> bool {
        *self.terms.op(y) == TermOp::BvNeg && self.terms.args(y)[0] == x
    }

    /// A number without some of its bits.
    fn without(&mut self, whole: Term, part: Term) -> Option<Vec<ValueCase>> {
        let (whole, part) = (self.natural_values(whole)?, self.natural_values(part)?);
        let mut cases = Vec::new();
        for x in &whole {
            for y in part.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                let mut atoms = x.atoms.clone();
                add_new(&mut atoms, &y.atoms);
                let value = x.value.sub(&y.value)?;
                atoms.push(PolyAtom::Ge(value.clone()));
                cases.push(ValueCase { atoms, value });
            }
        }
        Some(cases)
    }

    /// The lowest bit of a number, which is 0 only of 0.
    fn lowest_bit(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let mut cases = Vec::new();
        for x in &self.natural_values(term)? {
            let mut zero =
                ValueCase { atoms: x.atoms.clone(), value: IntegerPolynomial::constant(0) };
            zero.atoms.push(PolyAtom::Eq(x.value.clone()));
            cases.push(zero);
            let value = self.new_local();
            let mut atoms = x.atoms.clone();
            atoms.push(PolyAtom::Ge(value.plus_constant(-1)?));
            atoms.push(PolyAtom::Ge(x.value.sub(&value)?));
            cases.push(ValueCase { atoms, value });
        }
        Some(cases)
    }

    /// Natural numbers of so many bits as signed numbers.
    pub(super) fn naturals_to_signed(
        &mut self,
        sort: Sort,
        cases: Vec<ValueCase>,
    ) -> Option<Vec<ValueCase>> {
        let Sort::BitVec(width) = sort else { return None };
        let mut all = Vec::new();
        for case in cases {
            for mut read in natural_to_signed(width, &case.value)? {
                read.atoms.extend(case.atoms.iter().cloned());
                all.push(read);
            }
        }
        Some(all)
    }
}

/// The signed number that a natural one is in so many bits.
pub(super) fn natural_to_signed(width: u32, natural: &IntegerPolynomial) -> Option<Vec<ValueCase>> {
    let half = 1_i128.checked_shl(width - 1).filter(|half| *half > 0)?;
    let low = ValueCase {
        atoms: vec![PolyAtom::Ge(natural.neg()?.plus_constant(half - 1)?)],
        value: natural.clone(),
    };
    let atoms = vec![PolyAtom::Ge(natural.plus_constant(-half)?)];
    let high = ValueCase { atoms, value: natural.plus_constant(half.checked_mul(-2)?)? };
    Some(vec![low, high])
}
