//! Integers: sums in one shape, and comparisons of sums.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};
use ouro_term::{Term, TermOp};

use super::{BindingStrength, InfixPiece, InfixResult, InfixWriter, JunctionPart};

/// A product of terms, in the order of their age; none of them is a number or a product.
type TermMonomial = Vec<Term>;

/// A sum of monomials with their factors, none of which is 0, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct MonomialSum {
    monomials: BTreeMap<TermMonomial, BigInt>,
    constant: BigInt,
}

/// How a sum compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ZeroRelation {
    AtLeast,
    Equal,
    Different,
}

impl MonomialSum {
    pub(super) fn add_constant(&mut self, number: i32) {
        self.constant += number;
    }

    fn add_monomial(&mut self, monomial: TermMonomial, factor: &BigInt) {
        let sum = self.monomials.entry(monomial).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.monomials.retain(|_, factor| !factor.is_zero());
        }
    }

    fn negated(&self) -> MonomialSum {
        MonomialSum {
            monomials: self.monomials.iter().map(|(m, factor)| (m.clone(), -factor)).collect(),
            constant: -&self.constant,
        }
    }

    /// The comparison with 0 with the smallest numbers.
    fn reduce_coefficients(mut self, relation: ZeroRelation) -> MonomialSum {
        let divisor = self.monomials.values().fold(BigInt::zero(), |gcd, f| gcd.gcd(f));
        let exact = relation == ZeroRelation::AtLeast || self.constant.is_multiple_of(&divisor);
        if divisor > BigInt::one() && exact {
            self.monomials.values_mut().for_each(|factor| *factor /= &divisor);
            // Over integers, 2x - 3 >= 0 is x - 2 >= 0.
            self.constant = self.constant.div_floor(&divisor);
        }
        self
    }

    /// By their variables, those with fewer first.
    pub(super) fn cmp_variables(&self, other: &MonomialSum) -> Ordering {
        let count = |sum: &MonomialSum| sum.monomials.len();
        count(self)
            .cmp(&count(other))
            .then_with(|| self.monomials.keys().cmp(other.monomials.keys()))
    }

    fn leads_negative(&self) -> bool {
        self.monomials.values().next().is_some_and(BigInt::is_negative)
    }
}

/// Adds a comparison to the parts of a junction: with its other half it becomes one.
///
/// `p >= 0 and -p >= 0` is `p = 0`, and `p - 1 >= 0 or -p - 1 >= 0` is `p != 0`.
pub(super) fn join_comparison(
    parts: &mut Vec<JunctionPart>,
    sum: MonomialSum,
    relation: ZeroRelation,
    conjunction: bool,
) {
    let sum = sum.reduce_coefficients(relation);
    let both = BigInt::from(if conjunction { 0 } else { -2 });
    let opposite = sum.negated().monomials;
    for part in parts.iter_mut() {
        let JunctionPart::Compared(other, known) = part else { continue };
        if (relation, *known) == (ZeroRelation::AtLeast, ZeroRelation::AtLeast)
            && other.monomials == opposite
            && &other.constant + &sum.constant == both
        {
            if conjunction {
                *known = ZeroRelation::Equal;
            } else {
                *known = ZeroRelation::Different;
                other.constant += 1;
            }
            return;
        }
    }
    parts.push(JunctionPart::Compared(sum, relation));
}

impl InfixWriter<'_> {
    /// An integer.
    pub(super) fn write_integer(&mut self, term: Term) -> InfixResult<InfixPiece> {
        let sum = self.sum_of_term(term)?;
        self.write_sum(&sum)
    }

    pub(super) fn sum_difference(&mut self, a: Term, b: Term) -> InfixResult<MonomialSum> {
        let mut sum = MonomialSum::default();
        self.add_term_to_sum(a, &BigInt::one(), &mut sum)?;
        self.add_term_to_sum(b, &-BigInt::one(), &mut sum)?;
        Some(sum)
    }

    /// The comparison of a sum with 0, as two sums: `x >= y + 2`.
    pub(super) fn write_comparison(
        &mut self,
        sum: &MonomialSum,
        relation: ZeroRelation,
    ) -> InfixResult<InfixPiece> {
        let sum = sum.clone().reduce_coefficients(relation);
        if sum.monomials.is_empty() {
            let holds = match relation {
                ZeroRelation::AtLeast => !sum.constant.is_negative(),
                ZeroRelation::Equal => sum.constant.is_zero(),
                ZeroRelation::Different => !sum.constant.is_zero(),
            };
            return Some(InfixPiece::new(holds.to_string(), BindingStrength::Whole));
        }
        let flip = sum.leads_negative();
        let sum = if flip { sum.negated() } else { sum };
        let mut sign = match (relation, flip) {
            (ZeroRelation::AtLeast, false) => ">=",
            (ZeroRelation::AtLeast, true) => "<=",
            (ZeroRelation::Equal, _) => "=",
            (ZeroRelation::Different, _) => "!=",
        };
        let mut left = MonomialSum::default();
        let mut right = MonomialSum { constant: -&sum.constant, ..MonomialSum::default() };
        for (monomial, factor) in &sum.monomials {
            if factor.is_positive() {
                left.monomials.insert(monomial.clone(), factor.clone());
            } else {
                right.monomials.insert(monomial.clone(), -factor);
            }
        }
        // Between variables, x < y reads better than x <= y - 1.
        if !right.monomials.is_empty() {
            let one = BigInt::one();
            if sign == ">=" && right.constant == one {
                sign = ">";
                right.constant -= 1;
            } else if sign == "<=" && right.constant == -one {
                sign = "<";
                right.constant += 1;
            }
        }
        let left = self.write_sum(&left)?.text;
        let right = self.write_sum(&right)?.text;
        Some(InfixPiece::new(format!("{left} {sign} {right}"), BindingStrength::Comparison))
    }

    fn sum_of_term(&mut self, term: Term) -> InfixResult<MonomialSum> {
        let mut sum = MonomialSum::default();
        self.add_term_to_sum(term, &BigInt::one(), &mut sum)?;
        Some(sum)
    }

    /// Adds a term with a factor to a sum.
    fn add_term_to_sum(
        &mut self,
        term: Term,
        factor: &BigInt,
        sum: &mut MonomialSum,
    ) -> InfixResult<()> {
        let terms = self.terms;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            self.count_part()?;
            match terms.op(term) {
                TermOp::Int(number) => sum.constant += factor * number,
                TermOp::IntAdd => pending.extend(terms.args(term).iter().rev()),
                TermOp::IntMul => {
                    self.write_deeper(|writer| writer.add_product_to_sum(term, factor, sum))?;
                }
                _ => sum.add_monomial(vec![term], factor),
            }
        }
        Some(())
    }

    /// Adds a product with a factor to a sum. A sum among its factors is not multiplied out, unless
    /// all others are numbers.
    fn add_product_to_sum(
        &mut self,
        product: Term,
        factor: &BigInt,
        sum: &mut MonomialSum,
    ) -> InfixResult<()> {
        let mut factor = factor.clone();
        let mut monomial = TermMonomial::new();
        let mut sums = Vec::new();
        for &term in self.terms.args(product) {
            let one = self.sum_of_term(term)?;
            if one.monomials.is_empty() {
                factor *= one.constant;
            } else if one.monomials.len() == 1 && one.constant.is_zero() {
                for (inside, number) in one.monomials {
                    factor *= number;
                    monomial.extend(inside);
                }
            } else {
                sums.push((term, one));
            }
        }
        if factor.is_zero() {
            return Some(());
        }
        if monomial.is_empty() && sums.len() == 1 {
            let (_, one) = sums.remove(0);
            sum.constant += &factor * one.constant;
            for (monomial, number) in one.monomials {
                sum.add_monomial(monomial, &(&factor * number));
            }
            return Some(());
        }
        monomial.extend(sums.into_iter().map(|(term, _)| term));
        if monomial.is_empty() {
            sum.constant += factor;
        } else {
            monomial.sort();
            sum.add_monomial(monomial, &factor);
        }
        Some(())
    }

    /// A sum, what is added before what is taken away.
    fn write_sum(&mut self, sum: &MonomialSum) -> InfixResult<InfixPiece> {
        let (added, taken): (Vec<_>, Vec<_>) =
            sum.monomials.iter().partition(|(_, factor)| factor.is_positive());
        let mut pieces: Vec<(bool, InfixPiece)> = Vec::new();
        for (monomial, factor) in added.into_iter().chain(taken) {
            let piece = self.write_product(monomial, &factor.abs())?;
            pieces.push((factor.is_negative(), piece));
        }
        if !sum.constant.is_zero() || pieces.is_empty() {
            let piece = InfixPiece::new(sum.constant.abs().to_string(), BindingStrength::Whole);
            let first = sum.constant.is_positive() && pieces.iter().all(|(minus, _)| *minus);
            let at = if first { 0 } else { pieces.len() };
            pieces.insert(at, (sum.constant.is_negative(), piece));
        }
        Some(join_signed_pieces(pieces))
    }

    fn write_product(
        &mut self,
        monomial: &TermMonomial,
        factor: &BigInt,
    ) -> InfixResult<InfixPiece> {
        let mut texts = Vec::new();
        if !factor.is_one() || monomial.is_empty() {
            texts.push(factor.to_string());
        }
        if let ([], [only]) = (texts.as_slice(), monomial.as_slice()) {
            return self.write_factor(*only);
        }
        for term in monomial {
            texts.push(self.write_factor(*term)?.text_within(BindingStrength::Whole));
        }
        Some(InfixPiece::new(texts.join("*"), BindingStrength::Product))
    }

    /// A factor: anything but a number or a product.
    fn write_factor(&mut self, term: Term) -> InfixResult<InfixPiece> {
        self.write_deeper(|writer| {
            let terms = writer.terms;
            match (terms.op(term), terms.args(term)) {
                (TermOp::Symbol(_), _) => {
                    Some(InfixPiece::new(writer.symbol_name(term).text, BindingStrength::Whole))
                }
                (TermOp::IntDiv | TermOp::IntMod, [a, b]) => {
                    let word = if *terms.op(term) == TermOp::IntDiv { "div" } else { "mod" };
                    let a = writer.write_integer(*a)?.text_within(BindingStrength::Whole);
                    let b = writer.write_integer(*b)?.text_within(BindingStrength::Whole);
                    Some(InfixPiece::new(format!("{a} {word} {b}"), BindingStrength::Product))
                }
                (TermOp::Ite, [c, a, b]) => {
                    let c = writer.write_formula(*c, true)?.text;
                    let a = writer.write_integer(*a)?.text;
                    let b = writer.write_integer(*b)?.text;
                    Some(InfixPiece::new(
                        format!("(if {c} then {a} else {b})"),
                        BindingStrength::Whole,
                    ))
                }
                (TermOp::IntAdd | TermOp::IntMul | TermOp::Int(_), _) => writer.write_integer(term),
                (TermOp::BvToNat, [a]) => writer.write_unsigned(*a),
                _ => Some(InfixPiece::new(terms.display(term).to_string(), BindingStrength::Whole)),
            }
        })
    }
}

/// Pieces with their signs as one sum; the sign is true where a piece is taken away.
pub(super) fn join_signed_pieces(pieces: Vec<(bool, InfixPiece)>) -> InfixPiece {
    let mut pieces = pieces.into_iter();
    let Some((minus, first)) = pieces.next() else {
        return InfixPiece::new("0", BindingStrength::Whole);
    };
    let mut sum = if minus {
        InfixPiece::new(
            format!("-{}", first.text_within(BindingStrength::Product)),
            BindingStrength::Sum,
        )
    } else {
        first
    };
    for (minus, piece) in pieces {
        let sign = if minus { '-' } else { '+' };
        let text = format!(
            "{} {sign} {}",
            sum.text_within(BindingStrength::Sum),
            piece.text_within(BindingStrength::Product)
        );
        sum = InfixPiece::new(text, BindingStrength::Sum);
    }
    sum
}
