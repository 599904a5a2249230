//! Polynomials as terms of the system, and as text.

use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term, TermStore};

use super::lower::BitVectorReading;
use super::poly::{IntegerPolynomial, PolyAtom, PolyVar};

/// Writes about a system.
pub(crate) struct PolyTermWriter<'a> {
    pub(crate) system: &'a TransitionSystem,
    pub(crate) terms: TermStore,
    reading: BitVectorReading<'a>,
}

impl<'a> PolyTermWriter<'a> {
    pub(crate) fn new(system: &'a TransitionSystem) -> PolyTermWriter<'a> {
        PolyTermWriter::new_with_reading(system, BitVectorReading::default())
    }

    /// Writes about a system whose bit-vectors are read in a certain way.
    pub(crate) fn new_with_reading(
        system: &'a TransitionSystem,
        reading: BitVectorReading<'a>,
    ) -> PolyTermWriter<'a> {
        PolyTermWriter { system, terms: system.terms.clone(), reading }
    }

    /// Whether a condition says nothing that the sorts of its variables do not say.
    pub(crate) fn follows_from_sorts(&self, atom: &PolyAtom) -> bool {
        let PolyAtom::Ge(poly) = atom else { return false };
        let mut least = Some(0_i128);
        for (monomial, coefficient) in poly.monomials() {
            let lowest = match monomial {
                [] => Some(coefficient),
                [var] => match self.system.variables.get(*var as usize).map(|v| v.sort) {
                    Some(Sort::BitVec(width @ 1..=64)) => {
                        let turn = 1_i128 << width;
                        let below = if self.is_natural(*var) { 0 } else { turn / 2 };
                        let (low, high) = (-below, turn - 1 - below);
                        coefficient.checked_mul(if coefficient > 0 { low } else { high })
                    }
                    _ => None,
                },
                _ => None,
            };
            least = least.zip(lowest).and_then(|(sum, lowest)| sum.checked_add(lowest));
        }
        least.is_some_and(|least| least >= 0)
    }

    fn is_natural(&self, var: PolyVar) -> bool {
        self.reading.is_natural(var)
    }

    /// In which numbers all of these can be computed without loss.
    pub(crate) fn common_sort<'p>(
        &self,
        polys: impl Iterator<Item = &'p IntegerPolynomial>,
    ) -> Option<Sort> {
        let (mut integers, mut wide, mut constants) = (false, 0, 0);
        for poly in polys {
            match self.arithmetic_sort(poly)? {
                Sort::BitVec(width) => wide = wide.max(width),
                _ if poly.as_constant().is_some() => constants = constants.max(number_width(poly)),
                _ => integers = true,
            }
        }
        match (integers, wide) {
            (true, _) | (false, 0) => Some(Sort::Int),
            (false, wide) => {
                let wide = wide.max(constants + 2);
                (wide <= Sort::MAX_WIDTH).then_some(Sort::BitVec(wide))
            }
        }
    }

    pub(crate) fn term_text(&self, term: Term) -> String {
        self.terms.display(term).to_string()
    }

    pub(crate) fn constant_text(&mut self, value: i128, sort: Sort) -> Option<String> {
        let term = match sort {
            Sort::Int => self.terms.int(value),
            Sort::Bool => self.terms.bool(value != 0),
            Sort::BitVec(width) => {
                let bits = value.cast_unsigned() & ouro_term::width_mask(width);
                (ouro_term::sign_extend(width, bits) == value)
                    .then(|| self.terms.bv(width, bits))?
            }
        };
        Some(self.term_text(term))
    }

    pub(crate) fn atom_term(&mut self, atom: &PolyAtom) -> Option<Term> {
        // Positive parts on one side, negative ones on the other: it reads better, and in
        // bit-vectors nothing is negated.
        let arithmetic = self.arithmetic_sort(atom.poly())?;
        let left = self.one_sign_sum(atom.poly(), arithmetic, true)?;
        let right = self.one_sign_sum(atom.poly(), arithmetic, false)?;
        Some(match (atom, arithmetic) {
            (PolyAtom::Eq(_), _) => self.terms.eq(left, right),
            (PolyAtom::Ge(_), Sort::BitVec(_)) => self.terms.bv_sle(right, left),
            (PolyAtom::Ge(_), _) => self.terms.int_le(right, left),
        })
    }

    pub(crate) fn multiple_term(&mut self, poly: &IntegerPolynomial, of: i128) -> Option<Term> {
        if self.arithmetic_sort(poly)? != Sort::Int {
            return None;
        }
        let sum = self.poly_term(poly, Sort::Int)?;
        let of = self.terms.int(of);
        let rest = self.terms.int_mod(sum, of);
        let zero = self.terms.int(0);
        Some(self.terms.eq(rest, zero))
    }

    pub(crate) fn zero_term(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::BitVec(width) => self.terms.bv(width, 0),
            _ => self.terms.int(0),
        }
    }

    /// In which numbers a polynomial is computed without loss.
    pub(crate) fn arithmetic_sort(&self, poly: &IntegerPolynomial) -> Option<Sort> {
        let (mut integers, mut vectors) = (false, false);
        // The bits of the largest part. All parts together need a few more, for carries and the sign.
        let (mut widest, mut count) = (0, 0_u32);
        for (monomial, coefficient) in poly.monomials() {
            let mut bits = u128::BITS - coefficient.unsigned_abs().leading_zeros();
            for var in monomial {
                match self.system.variables.get(*var as usize)?.sort {
                    Sort::BitVec(width) => {
                        vectors = true;
                        bits += width + u32::from(self.is_natural(*var));
                    }
                    Sort::Int => integers = true,
                    Sort::Bool => bits += 1,
                }
            }
            (widest, count) = (bits.max(widest), count + 1);
        }
        match (integers, vectors) {
            (true, _) | (_, false) => Some(Sort::Int),
            (false, true) => {
                let wide = widest + (u32::BITS - count.leading_zeros()) + 1;
                (wide <= Sort::MAX_WIDTH).then_some(Sort::BitVec(wide))
            }
        }
    }

    pub(crate) fn poly_term(&mut self, poly: &IntegerPolynomial, sort: Sort) -> Option<Term> {
        let positive = self.one_sign_sum(poly, sort, true)?;
        let negative = self.one_sign_sum(poly, sort, false)?;
        Some(match sort {
            Sort::BitVec(_) => self.terms.bv_sub(positive, negative),
            _ if negative == self.terms.int(0) => positive,
            _ => {
                let minus = self.terms.int(-1);
                let negative = self.terms.int_mul(minus, negative);
                match positive == self.terms.int(0) {
                    true => negative,
                    false => self.terms.int_add(positive, negative),
                }
            }
        })
    }

    /// The sum of the parts with positive coefficients, or of the others without their sign.
    pub(crate) fn one_sign_sum(
        &mut self,
        poly: &IntegerPolynomial,
        sort: Sort,
        positive: bool,
    ) -> Option<Term> {
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in poly.monomials() {
            if (coefficient > 0) != positive {
                continue;
            }
            let size = coefficient.unsigned_abs();
            let mut product: Option<Term> = None;
            if size != 1 || monomial.is_empty() {
                product = Some(match sort {
                    Sort::BitVec(width) => self.terms.bv(width, size),
                    _ => self.terms.int(size),
                });
            }
            for var in monomial {
                let value = self.variable_term(*var, sort)?;
                product = Some(match (product, sort) {
                    (None, _) => value,
                    (Some(product), Sort::BitVec(_)) => self.terms.bv_mul(product, value),
                    (Some(product), _) => self.terms.int_mul(product, value),
                });
            }
            let product = product.expect("a number or a variable");
            sum = Some(match (sum, sort) {
                (None, _) => product,
                (Some(sum), Sort::BitVec(_)) => self.terms.bv_add(sum, product),
                (Some(sum), _) => self.terms.int_add(sum, product),
            });
        }
        Some(sum.unwrap_or_else(|| self.zero_term(sort)))
    }

    /// The integer that a bit-vector is, with its sign.
    fn signed_integer_term(&mut self, symbol: Term, width: u32) -> Term {
        let zero = self.terms.bv(width, 0);
        let negative = self.terms.bv_slt(symbol, zero);
        let natural = self.terms.bv_to_nat(symbol);
        let turn = self.terms.int(-(num_bigint::BigInt::from(1) << width));
        let below = self.terms.int_add(natural, turn);
        self.terms.ite(negative, below, natural)
    }

    pub(crate) fn variable_term(&mut self, var: PolyVar, sort: Sort) -> Option<Term> {
        let variable = self.system.variables.get(var as usize)?;
        let symbol = variable.symbol;
        Some(match (variable.sort, sort) {
            (Sort::BitVec(_), Sort::BitVec(width)) if self.is_natural(var) => {
                self.terms.zero_extend(width, symbol)
            }
            (Sort::BitVec(_), Sort::Int) if self.is_natural(var) => self.terms.bv_to_nat(symbol),
            (Sort::Int, Sort::Int) => symbol,
            (Sort::Bool, Sort::Int) => {
                let (one, zero) = (self.terms.int(1), self.terms.int(0));
                self.terms.ite(symbol, one, zero)
            }
            (Sort::Bool, Sort::BitVec(width)) => self.terms.bool_to_bv(width, symbol),
            (Sort::BitVec(_), Sort::BitVec(width)) => self.terms.sign_extend(width, symbol),
            (Sort::BitVec(width), Sort::Int) => self.signed_integer_term(symbol, width),
            _ => return None,
        })
    }
}

/// Bits for the coefficients of a polynomial and for the carries of its sum.
pub(crate) fn number_width(poly: &IntegerPolynomial) -> u32 {
    let total = poly.monomials().fold(0_u128, |sum, (_, c)| sum.saturating_add(c.unsigned_abs()));
    130 - total.saturating_add(1).leading_zeros().min(128)
}
