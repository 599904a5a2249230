//! Integers: sums in one shape, and comparisons of sums.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _, Zero as _};
use ouro_term::{Op, Term};

use super::{Hold, Part, Piece, Writer, Written};

/// A product of terms, in the order of their age; none of them is a number or a product.
type Monomial = Vec<Term>;

/// A sum of monomials with their factors, none of which is 0, and a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Linear {
    monomials: BTreeMap<Monomial, BigInt>,
    constant: BigInt,
}

/// How a sum compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    AtLeast,
    Equal,
    Different,
}

impl Linear {
    pub(super) fn add_constant(&mut self, number: i32) {
        self.constant += number;
    }

    fn add(&mut self, monomial: Monomial, factor: &BigInt) {
        let sum = self.monomials.entry(monomial).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.monomials.retain(|_, factor| !factor.is_zero());
        }
    }

    fn negated(&self) -> Linear {
        Linear {
            monomials: self.monomials.iter().map(|(m, factor)| (m.clone(), -factor)).collect(),
            constant: -&self.constant,
        }
    }

    /// The comparison with 0 with the smallest numbers.
    fn reduced(mut self, relation: Relation) -> Linear {
        let divisor = self.monomials.values().fold(BigInt::zero(), |gcd, f| gcd.gcd(f));
        let exact = relation == Relation::AtLeast || self.constant.is_multiple_of(&divisor);
        if divisor > BigInt::one() && exact {
            self.monomials.values_mut().for_each(|factor| *factor /= &divisor);
            // Over integers, 2x - 3 >= 0 is x - 2 >= 0.
            self.constant = self.constant.div_floor(&divisor);
        }
        self
    }

    /// By their variables, those with fewer first.
    pub(super) fn cmp_variables(&self, other: &Linear) -> Ordering {
        let count = |sum: &Linear| sum.monomials.len();
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
pub(super) fn join(parts: &mut Vec<Part>, sum: Linear, relation: Relation, conjunction: bool) {
    let sum = sum.reduced(relation);
    let both = BigInt::from(if conjunction { 0 } else { -2 });
    let opposite = sum.negated().monomials;
    for part in parts.iter_mut() {
        let Part::Compared(other, known) = part else { continue };
        if (relation, *known) == (Relation::AtLeast, Relation::AtLeast)
            && other.monomials == opposite
            && &other.constant + &sum.constant == both
        {
            if conjunction {
                *known = Relation::Equal;
            } else {
                *known = Relation::Different;
                other.constant += 1;
            }
            return;
        }
    }
    parts.push(Part::Compared(sum, relation));
}

impl Writer<'_> {
    /// An integer.
    pub(super) fn integer(&mut self, term: Term) -> Written<Piece> {
        let sum = self.linear(term)?;
        self.sum(&sum)
    }

    pub(super) fn difference(&mut self, a: Term, b: Term) -> Written<Linear> {
        let mut sum = Linear::default();
        self.collect(a, &BigInt::one(), &mut sum)?;
        self.collect(b, &-BigInt::one(), &mut sum)?;
        Some(sum)
    }

    /// The comparison of a sum with 0, as two sums: `x >= y + 2`.
    pub(super) fn compared(&mut self, sum: &Linear, relation: Relation) -> Written<Piece> {
        let sum = sum.clone().reduced(relation);
        if sum.monomials.is_empty() {
            let holds = match relation {
                Relation::AtLeast => !sum.constant.is_negative(),
                Relation::Equal => sum.constant.is_zero(),
                Relation::Different => !sum.constant.is_zero(),
            };
            return Some(Piece::new(holds.to_string(), Hold::Whole));
        }
        let flip = sum.leads_negative();
        let sum = if flip { sum.negated() } else { sum };
        let mut sign = match (relation, flip) {
            (Relation::AtLeast, false) => ">=",
            (Relation::AtLeast, true) => "<=",
            (Relation::Equal, _) => "=",
            (Relation::Different, _) => "!=",
        };
        let mut left = Linear::default();
        let mut right = Linear { constant: -&sum.constant, ..Linear::default() };
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
        let left = self.sum(&left)?.text;
        let right = self.sum(&right)?.text;
        Some(Piece::new(format!("{left} {sign} {right}"), Hold::Comparison))
    }

    fn linear(&mut self, term: Term) -> Written<Linear> {
        let mut sum = Linear::default();
        self.collect(term, &BigInt::one(), &mut sum)?;
        Some(sum)
    }

    /// Adds a term with a factor to a sum.
    fn collect(&mut self, term: Term, factor: &BigInt, sum: &mut Linear) -> Written<()> {
        let terms = self.terms;
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            self.count()?;
            match terms.op(term) {
                Op::Int(number) => sum.constant += factor * number,
                Op::IntAdd => pending.extend(terms.args(term).iter().rev()),
                Op::IntMul => self.deeper(|writer| writer.multiply(term, factor, sum))?,
                _ => sum.add(vec![term], factor),
            }
        }
        Some(())
    }

    /// Adds a product with a factor to a sum. A sum among its factors is not multiplied out, unless
    /// all others are numbers.
    fn multiply(&mut self, product: Term, factor: &BigInt, sum: &mut Linear) -> Written<()> {
        let mut factor = factor.clone();
        let mut monomial = Monomial::new();
        let mut sums = Vec::new();
        for &term in self.terms.args(product) {
            let one = self.linear(term)?;
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
                sum.add(monomial, &(&factor * number));
            }
            return Some(());
        }
        monomial.extend(sums.into_iter().map(|(term, _)| term));
        if monomial.is_empty() {
            sum.constant += factor;
        } else {
            monomial.sort();
            sum.add(monomial, &factor);
        }
        Some(())
    }

    /// A sum, what is added before what is taken away.
    fn sum(&mut self, sum: &Linear) -> Written<Piece> {
        let (added, taken): (Vec<_>, Vec<_>) =
            sum.monomials.iter().partition(|(_, factor)| factor.is_positive());
        let mut pieces: Vec<(bool, Piece)> = Vec::new();
        for (monomial, factor) in added.into_iter().chain(taken) {
            let piece = self.product(monomial, &factor.abs())?;
            pieces.push((factor.is_negative(), piece));
        }
        if !sum.constant.is_zero() || pieces.is_empty() {
            let piece = Piece::new(sum.constant.abs().to_string(), Hold::Whole);
            let first = sum.constant.is_positive() && pieces.iter().all(|(minus, _)| *minus);
            let at = if first { 0 } else { pieces.len() };
            pieces.insert(at, (sum.constant.is_negative(), piece));
        }
        Some(joined(pieces))
    }

    fn product(&mut self, monomial: &Monomial, factor: &BigInt) -> Written<Piece> {
        let mut texts = Vec::new();
        if !factor.is_one() || monomial.is_empty() {
            texts.push(factor.to_string());
        }
        if let ([], [only]) = (texts.as_slice(), monomial.as_slice()) {
            return self.atom(*only);
        }
        for term in monomial {
            texts.push(self.atom(*term)?.inside(Hold::Whole));
        }
        Some(Piece::new(texts.join("*"), Hold::Product))
    }

    /// A factor: anything but a number or a product.
    fn atom(&mut self, term: Term) -> Written<Piece> {
        self.deeper(|writer| {
            let terms = writer.terms;
            match (terms.op(term), terms.args(term)) {
                (Op::Symbol(_), _) => Some(Piece::new(writer.symbol(term).text, Hold::Whole)),
                (Op::IntDiv | Op::IntMod, [a, b]) => {
                    let word = if *terms.op(term) == Op::IntDiv { "div" } else { "mod" };
                    let a = writer.integer(*a)?.inside(Hold::Whole);
                    let b = writer.integer(*b)?.inside(Hold::Whole);
                    Some(Piece::new(format!("{a} {word} {b}"), Hold::Product))
                }
                (Op::Ite, [c, a, b]) => {
                    let c = writer.formula(*c, true)?.text;
                    let a = writer.integer(*a)?.text;
                    let b = writer.integer(*b)?.text;
                    Some(Piece::new(format!("(if {c} then {a} else {b})"), Hold::Whole))
                }
                (Op::IntAdd | Op::IntMul | Op::Int(_), _) => writer.integer(term),
                (Op::BvToNat, [a]) => writer.unsigned(*a),
                _ => Some(Piece::new(terms.display(term).to_string(), Hold::Whole)),
            }
        })
    }
}

/// Pieces with their signs as one sum; the sign is true where a piece is taken away.
pub(super) fn joined(pieces: Vec<(bool, Piece)>) -> Piece {
    let mut pieces = pieces.into_iter();
    let Some((minus, first)) = pieces.next() else { return Piece::new("0", Hold::Whole) };
    let mut sum = if minus {
        Piece::new(format!("-{}", first.inside(Hold::Product)), Hold::Sum)
    } else {
        first
    };
    for (minus, piece) in pieces {
        let sign = if minus { '-' } else { '+' };
        let text = format!("{} {sign} {}", sum.inside(Hold::Sum), piece.inside(Hold::Product));
        sum = Piece::new(text, Hold::Sum);
    }
    sum
}
