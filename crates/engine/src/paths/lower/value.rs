//! Which number a term is: one case for each way in which it has a value.

use num_traits::ToPrimitive;
use ouro_term::{Sort, Term, TermOp, sign_extend};

use super::exact::cannot_overflow;
use super::natural::natural_to_signed;
use super::range::sort_range;
use super::{ApproximationMode, EdgeLowering, ValueCase, add_new, conjoin_alternatives, exclude};
use crate::paths::poly::{IntegerPolynomial, PolyAtom};

impl EdgeLowering<'_> {
    /// The values of a term.
    pub(super) fn term_values(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let key = (term, self.exactly);
        if let Some(cases) = self.values.get(&key) {
            return Some(cases.clone());
        }
        // What a term is by the guard may be said in terms of itself: not again on the way.
        let cases = match self.exact.remove(&term) {
            Some(wide) => {
                let before = std::mem::replace(&mut self.exactly, true);
                let cases = self.term_values(wide);
                self.exactly = before;
                self.exact.insert(term, wide);
                cases?
            }
            None => match self.compute_term_values(term).map(possible) {
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
    fn any_of(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let sort = self.terms.sort(term);
        if self.mode == ApproximationMode::Under || sort == Sort::Bool {
            return None;
        }
        let value = self.new_local();
        Some(vec![ValueCase { atoms: sort_range(sort, &value)?, value }])
    }

    fn compute_term_values(&mut self, term: Term) -> Option<Vec<ValueCase>> {
        let args = self.terms.args(term).to_vec();
        let sort = self.terms.sort(term);
        let op = self.terms.op(term).clone();
        Some(match op {
            TermOp::Symbol(id) => {
                let var = *self.variables.get(&id)?;
                match sort {
                    Sort::BitVec(width) if self.is_natural(var) => {
                        natural_to_signed(width, &IntegerPolynomial::var(var))?
                    }
                    _ => vec![ValueCase::without_conditions(IntegerPolynomial::var(var))],
                }
            }
            TermOp::Int(value) => {
                vec![ValueCase::without_conditions(IntegerPolynomial::constant(value.to_i128()?))]
            }
            TermOp::Bv { width, value } => vec![ValueCase::without_conditions(
                IntegerPolynomial::constant(sign_extend(width, value)),
            )],
            TermOp::True
            | TermOp::False
            | TermOp::Not
            | TermOp::And
            | TermOp::Or
            | TermOp::Eq
            | TermOp::IntLe
            | TermOp::BvSle
            | TermOp::BvSlt
            | TermOp::BvUle
            | TermOp::BvUlt => {
                let mut cases = Vec::new();
                for truth in [true, false] {
                    let value = IntegerPolynomial::constant(i128::from(truth));
                    let ways = self.formula_alternatives(term, truth)?;
                    cases.extend(
                        ways.into_iter().map(|atoms| ValueCase { atoms, value: value.clone() }),
                    );
                }
                cases
            }
            TermOp::Ite => {
                let mut cases = Vec::new();
                for (truth, then) in [(true, args[1]), (false, args[2])] {
                    let ways = self.formula_alternatives(args[0], truth)?;
                    for case in self.term_values(then)? {
                        for atoms in
                            conjoin_alternatives(&ways, &vec![case.atoms.clone()], self.most())?
                        {
                            cases.push(ValueCase { atoms, value: case.value.clone() });
                        }
                    }
                }
                cases
            }
            TermOp::IntAdd => self.fold_values(&args, IntegerPolynomial::add)?,
            TermOp::IntMul => self.fold_values(&args, IntegerPolynomial::mul)?,
            TermOp::IntDiv | TermOp::IntMod => self.divided(&args, op == TermOp::IntDiv)?,
            TermOp::BvAdd if cannot_overflow(self.terms, term) => {
                self.fold_values(&args, IntegerPolynomial::add)?
            }
            TermOp::BvMul if cannot_overflow(self.terms, term) => {
                self.fold_values(&args, IntegerPolynomial::mul)?
            }
            TermOp::BvAdd | TermOp::BvMul | TermOp::BvShl | TermOp::BvNeg | TermOp::BvNot
                if self.mode == ApproximationMode::Over && self.prefers_natural(term) =>
            {
                let cases = self.natural_values(term)?;
                self.naturals_to_signed(sort, cases)?
            }
            TermOp::BvAdd => self.wrapped_values(sort, &args, IntegerPolynomial::add, 1)?,
            TermOp::BvMul => self.wrapped_values(sort, &args, IntegerPolynomial::mul, 0)?,
            TermOp::BvNeg => {
                let cases = self.term_values(args[0])?;
                let negated: Option<Vec<ValueCase>> = cases
                    .into_iter()
                    .map(|c| Some(ValueCase { value: c.value.neg()?, ..c }))
                    .collect();
                match cannot_overflow(self.terms, term) {
                    true => negated?,
                    false => self.wrap_into_range(sort, negated?, 1)?,
                }
            }
            TermOp::BvNot => {
                let cases = self.term_values(args[0])?;
                let inverted = cases.into_iter().map(|c| {
                    Some(ValueCase { value: c.value.neg()?.plus_constant(-1)?, atoms: c.atoms })
                });
                inverted.collect::<Option<Vec<ValueCase>>>()?
            }
            TermOp::SignExtend(64) => self.values_in_range(args[0])?,
            TermOp::SignExtend(_) => self.term_values(args[0])?,
            TermOp::ZeroExtend(to) => {
                let from = self.terms.width(args[0]);
                if to == from {
                    return self.term_values(args[0]);
                }
                if self.prefers_natural(args[0]) {
                    return self.natural_values(args[0]);
                }
                let mut cases = Vec::new();
                for case in self.values_in_range(args[0])? {
                    let mut low = case.clone();
                    low.atoms.push(PolyAtom::Ge(case.value.clone()));
                    cases.push(low);
                    let mut high = case.clone();
                    high.atoms.push(PolyAtom::Ge(case.value.neg()?.plus_constant(-1)?));
                    high.value = case.value.plus_constant(1_i128.checked_shl(from)?)?;
                    cases.push(high);
                }
                cases
            }
            TermOp::BvSdiv => self.toward_zero(&args, true)?,
            TermOp::BvSrem => self.toward_zero(&args, false)?,
            TermOp::BvUdiv | TermOp::BvUrem => {
                // Without a sign: exact where both are, by how they are read.
                let x = self.natural_values(args[0])?;
                let y = self.natural_values(args[1])?;
                let cases = self.quotients(x, &y, op == TermOp::BvUdiv)?;
                self.naturals_to_signed(sort, cases)?
            }
            TermOp::BvShl => {
                let by = self.fixed_shift(args[1])?;
                let cases = self.scaled_values(args[0], by)?;
                self.wrap_into_range(sort, cases, 0)?
            }
            TermOp::BvAshr => {
                let by = self.fixed_shift(args[1])?;
                let x = self.term_values(args[0])?;
                self.quotients(
                    x,
                    &[ValueCase::without_conditions(IntegerPolynomial::constant(
                        1_i128.checked_shl(by)?,
                    ))],
                    true,
                )?
            }
            TermOp::BvLshr => {
                let cases = self.shifted(&args)?;
                self.naturals_to_signed(sort, cases)?
            }
            TermOp::BvAnd if self.low_bit_mask(term).is_some() => self.masked_values(sort, term)?,
            TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor => {
                let cases = self.mixed_bit_values(term, self.terms.width(term))?;
                self.naturals_to_signed(sort, cases)?
            }
            TermOp::Extract { low: 0, .. } => {
                let cases = self.term_values(args[0])?;
                self.wrap_into_range(sort, cases, 0)?
            }
            _ => return None,
        })
    }

    fn fold_values(
        &mut self,
        args: &[Term],
        combine: fn(&IntegerPolynomial, &IntegerPolynomial) -> Option<IntegerPolynomial>,
    ) -> Option<Vec<ValueCase>> {
        let mut cases = self.term_values(args[0])?;
        for arg in &args[1..] {
            let right = self.term_values(*arg)?;
            let mut next = Vec::new();
            for x in &cases {
                for y in right.iter().filter(|y| !exclude(&x.atoms, &y.atoms)) {
                    let mut atoms = x.atoms.clone();
                    add_new(&mut atoms, &y.atoms);
                    next.push(ValueCase { atoms, value: combine(&x.value, &y.value)? });
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
    fn wrapped_values(
        &mut self,
        sort: Sort,
        args: &[Term],
        combine: fn(&IntegerPolynomial, &IntegerPolynomial) -> Option<IntegerPolynomial>,
        turns: i128,
    ) -> Option<Vec<ValueCase>> {
        let cases = self.fold_values(args, combine)?;
        self.wrap_into_range(sort, cases, turns * (args.len() as i128 - 1))
    }

    /// By how many bits a shift is, if that is fixed.
    pub(super) fn fixed_shift(&self, by: Term) -> Option<u32> {
        let width = self.terms.width(by);
        let bits = u32::try_from(self.terms.as_bv(by)?).ok()?;
        (bits < width.min(64)).then_some(bits)
    }

    /// The values of a term, times a power of two.
    fn scaled_values(&mut self, term: Term, by: u32) -> Option<Vec<ValueCase>> {
        let factor = 1_i128.checked_shl(by)?;
        let cases = self.term_values(term)?.into_iter();
        cases.map(|case| Some(ValueCase { value: case.value.scale(factor)?, ..case })).collect()
    }

    /// The number that is masked, and the mask, if a term has the low bits of a number.
    pub(super) fn low_bit_mask(&self, term: Term) -> Option<(Term, u128)> {
        let (TermOp::BvAnd, &[a, b]) = (self.terms.op(term), self.terms.args(term)) else {
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
    fn masked_values(&mut self, sort: Sort, term: Term) -> Option<Vec<ValueCase>> {
        let (term, mask) = self.low_bit_mask(term)?;
        let Sort::BitVec(width) = sort else { return None };
        let modulus = i128::try_from(mask).ok()?.checked_add(1)?;
        if width > 64 || modulus >= 1_i128 << (width - 1) {
            return None;
        }
        let x = self.term_values(term)?;
        self.quotients(
            x,
            &[ValueCase::without_conditions(IntegerPolynomial::constant(modulus))],
            false,
        )
    }
}

/// Without the cases that cannot be.
pub(super) fn possible(mut cases: Vec<ValueCase>) -> Vec<ValueCase> {
    cases.retain(|case| case.atoms.iter().all(|atom| atom.constant_truth() != Some(false)));
    cases
}
