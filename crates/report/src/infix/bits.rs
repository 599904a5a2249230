//! Bit-vectors: the operations of C, and what their bits count as.
//!
//! The bits of a symbol count as a signed or an unsigned number, as its [`Name`](super::Name) says.
//! Where an operation takes them for the other, the text says so: `unsigned(x) < 10`.

use ouro_term::{Op, Term, sign_extend};

use super::linear::joined;
use super::{Hold, Piece, Writer, Written};

/// What some bits count as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Count {
    Signed,
    Unsigned,
    /// The same number either way, or a constant.
    Either,
}

impl Count {
    /// As C combines operands.
    fn and(self, other: Count) -> Count {
        match (self, other) {
            (Count::Either, one) | (one, Count::Either) => one,
            (Count::Unsigned, _) | (_, Count::Unsigned) => Count::Unsigned,
            (Count::Signed, Count::Signed) => Count::Signed,
        }
    }
}

impl Writer<'_> {
    /// A bit-vector, as its own symbols count.
    pub(super) fn bits(&mut self, term: Term) -> Written<Piece> {
        let count = self.counts_as(term)?;
        self.plain(term, count)
    }

    /// A bit-vector as an unsigned number.
    pub(super) fn unsigned(&mut self, term: Term) -> Written<Piece> {
        self.counted(term, Count::Unsigned)
    }

    /// `a = b` or its negation.
    pub(super) fn same_bits(&mut self, a: Term, b: Term, positive: bool) -> Written<Piece> {
        let count = self.counts_as(a)?.and(self.counts_as(b)?);
        let a = self.plain(a, count)?.inside(Hold::Sum);
        let b = self.plain(b, count)?.inside(Hold::Sum);
        let sign = if positive { "=" } else { "!=" };
        Some(Piece::new(format!("{a} {sign} {b}"), Hold::Comparison))
    }

    /// Any other formula, or its negation.
    pub(super) fn compared_bits(&mut self, term: Term, positive: bool) -> Written<Piece> {
        let terms = self.terms;
        let (sign, negated, count) = match terms.op(term) {
            Op::BvUlt => ("<", ">=", Some(Count::Unsigned)),
            Op::BvUle => ("<=", ">", Some(Count::Unsigned)),
            Op::BvSlt => ("<", ">=", Some(Count::Signed)),
            Op::BvSle => ("<=", ">", Some(Count::Signed)),
            Op::FpLt => ("<", "", None),
            Op::FpLe => ("<=", "", None),
            Op::FpEq => ("==", "!=", None),
            _ => return self.called(term, positive),
        };
        let (mut a, mut b) = (terms.args(term)[0], terms.args(term)[1]);
        // A comparison of floats is not the negation of another: not a number is neither.
        if !positive && negated.is_empty() {
            let piece = self.compared_bits(term, true)?;
            return Some(Piece::new(format!("not ({})", piece.text), Hold::Comparison));
        }
        let mut sign = if positive { sign } else { negated };
        if terms.as_constant(a).is_some() {
            (a, b) = (b, a);
            sign = match sign {
                "<" => ">",
                "<=" => ">=",
                ">" => "<",
                ">=" => "<=",
                other => other,
            };
        }
        let (a, b) = match count {
            Some(count) => (self.counted(a, count)?, self.counted(b, count)?),
            None => (self.float(a)?, self.float(b)?),
        };
        let (a, b) = (a.inside(Hold::Sum), b.inside(Hold::Sum));
        Some(Piece::new(format!("{a} {sign} {b}"), Hold::Comparison))
    }

    /// Bits that an operation takes for a number of this kind.
    fn counted(&mut self, term: Term, count: Count) -> Written<Piece> {
        let own = self.counts_as(term)?;
        let piece = self.plain(term, if own == Count::Either { count } else { own })?;
        if own == Count::Either || own == count {
            return Some(piece);
        }
        let word = if count == Count::Signed { "signed" } else { "unsigned" };
        Some(Piece::new(format!("{word}({})", piece.text), Hold::Whole))
    }

    /// What the bits of a term count as by themselves.
    fn counts_as(&mut self, term: Term) -> Written<Count> {
        let terms = self.terms;
        let args = terms.args(term);
        self.deeper(|writer| {
            Some(match terms.op(term) {
                Op::Symbol(_) if writer.symbol(term).unsigned => Count::Unsigned,
                Op::Symbol(_) => Count::Signed,
                Op::Bv { .. } => Count::Either,
                // Widened with zeros, the top bit is 0.
                Op::ZeroExtend(_) => Count::Either,
                Op::SignExtend(_) | Op::BvSdiv | Op::BvSrem | Op::BvAshr => Count::Signed,
                Op::BvNot | Op::BvNeg | Op::BvShl => writer.counts_as(args[0])?,
                Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
                    writer.counts_as(args[0])?.and(writer.counts_as(args[1])?)
                }
                Op::Ite => writer.counts_as(args[1])?.and(writer.counts_as(args[2])?),
                _ => Count::Unsigned,
            })
        })
    }

    /// The text of bits; constants count as said.
    fn plain(&mut self, term: Term, count: Count) -> Written<Piece> {
        self.deeper(|writer| writer.unfolded_bits(term, count))
    }

    fn unfolded_bits(&mut self, term: Term, count: Count) -> Written<Piece> {
        let terms = self.terms;
        let args = terms.args(term);
        let sign = match (terms.op(term), args) {
            (Op::Symbol(_), _) => return Some(Piece::new(self.symbol(term).text, Hold::Whole)),
            (Op::Bv { value, .. }, _) if count == Count::Unsigned => {
                return Some(number(false, value.to_string()));
            }
            (Op::Bv { width, value }, _) => {
                let value = sign_extend(*width, *value);
                return Some(number(value < 0, value.unsigned_abs().to_string()));
            }
            (Op::BvAdd | Op::BvNeg, _) => return self.added(term, count),
            (Op::BvMul, [a, b]) => {
                // Constants are last in the store, and first on paper.
                let (a, b) = if terms.as_bv(*b).is_some() { (b, a) } else { (a, b) };
                let a = self.plain(*a, Count::Signed)?.inside(Hold::Product);
                let b = self.plain(*b, count)?.inside(Hold::Product);
                return Some(Piece::new(format!("{a}*{b}"), Hold::Product));
            }
            (Op::ZeroExtend(_), [a]) => return self.counted(*a, Count::Unsigned),
            (Op::SignExtend(_), [a]) => return self.counted(*a, Count::Signed),
            (Op::Extract { high, low }, [a]) => {
                let a = self.bits(*a)?.inside(Hold::Whole);
                return Some(Piece::new(format!("{a}[{high}:{low}]"), Hold::Whole));
            }
            (Op::BvNot, [a]) => {
                let a = self.plain(*a, count)?.inside(Hold::Whole);
                return Some(Piece::new(format!("~{a}"), Hold::Whole));
            }
            (Op::Ite, [c, a, b]) => {
                let c = self.formula(*c, true)?.text;
                let (a, b) = (self.plain(*a, count)?.text, self.plain(*b, count)?.text);
                let text = format!("(if {c} then {a} else {b})");
                return Some(Piece::new(text, Hold::Whole));
            }
            (Op::BvSdiv | Op::BvSrem | Op::BvUdiv | Op::BvUrem, [a, b]) => {
                let signed = matches!(terms.op(term), Op::BvSdiv | Op::BvSrem);
                let count = if signed { Count::Signed } else { Count::Unsigned };
                let quotient = matches!(terms.op(term), Op::BvSdiv | Op::BvUdiv);
                let sign = if quotient { '/' } else { '%' };
                let a = self.counted(*a, count)?.inside(Hold::Whole);
                let b = self.counted(*b, count)?.inside(Hold::Whole);
                return Some(Piece::new(format!("{a}{sign}{b}"), Hold::Product));
            }
            (Op::BvAshr | Op::BvLshr, [a, b]) => {
                let signed = *terms.op(term) == Op::BvAshr;
                let count = if signed { Count::Signed } else { Count::Unsigned };
                let a = self.counted(*a, count)?.inside(Hold::Whole);
                let b = self.plain(*b, Count::Unsigned)?.inside(Hold::Whole);
                return Some(Piece::new(format!("{a} >> {b}"), Hold::Loose));
            }
            (Op::BvShl, _) => "<<",
            (Op::BvAnd, _) => "&",
            (Op::BvOr, _) => "|",
            (Op::BvXor, _) => "^",
            _ => return self.called(term, true),
        };
        let a = self.plain(args[0], count)?.inside(Hold::Whole);
        let b = self.plain(args[1], Count::Unsigned)?.inside(Hold::Whole);
        Some(Piece::new(format!("{a} {sign} {b}"), Hold::Loose))
    }

    /// A sum, in its order: it may wrap at every sign.
    fn added(&mut self, term: Term, count: Count) -> Written<Piece> {
        let terms = self.terms;
        let mut pending = vec![(false, term)];
        let mut pieces = Vec::new();
        while let Some((minus, term)) = pending.pop() {
            self.count()?;
            match (terms.op(term), terms.args(term)) {
                (Op::BvAdd, [a, b]) => pending.extend([(minus, *b), (minus, *a)]),
                (Op::BvNeg, [a]) => pending.push((!minus, *a)),
                (Op::Bv { width, value }, _) if !pieces.is_empty() => {
                    // x + 4294967295 is x - 1.
                    let value = sign_extend(*width, *value);
                    let piece = Piece::new(value.unsigned_abs().to_string(), Hold::Whole);
                    pieces.push((minus != (value < 0), piece));
                }
                _ => pieces.push((minus, self.plain(term, count)?)),
            }
        }
        Some(joined(pieces))
    }

    /// A float, if that is what the bits are.
    fn float(&mut self, term: Term) -> Written<Piece> {
        let shown = match self.terms.op(term) {
            Op::Bv { width: 32, value } => u32::try_from(*value).ok().map(|bits| {
                let value = f32::from_bits(bits);
                format!("{value:?}")
            }),
            Op::Bv { width: 64, value } => u64::try_from(*value).ok().map(|bits| {
                let value = f64::from_bits(bits);
                format!("{value:?}")
            }),
            _ => None,
        };
        match shown {
            Some(text) => Some(Piece::new(text, Hold::Sum)),
            None => {
                let sign = match self.terms.op(term) {
                    Op::FpAdd => '+',
                    Op::FpSub => '-',
                    Op::FpMul => '*',
                    Op::FpDiv => '/',
                    _ => return self.bits(term),
                };
                let (a, b) = (self.terms.args(term)[0], self.terms.args(term)[1]);
                self.deeper(|writer| {
                    let a = writer.float(a)?.inside(Hold::Whole);
                    let b = writer.float(b)?.inside(Hold::Whole);
                    let hold = if matches!(sign, '+' | '-') { Hold::Sum } else { Hold::Product };
                    Some(Piece::new(format!("{a} {sign} {b}"), hold))
                })
            }
        }
    }

    /// What has no sign of its own: SMT-LIB's name, as a function.
    fn called(&mut self, term: Term, positive: bool) -> Written<Piece> {
        let terms = self.terms;
        let word = match terms.op(term) {
            Op::Concat => "concat",
            Op::FpIsNan => "isnan",
            Op::FpSqrt => "sqrt",
            Op::FpMod => "fmod",
            Op::FpToFp(_) | Op::SbvToFp(_) | Op::UbvToFp(_) => "float",
            Op::FpToSbv(_) | Op::FpToUbv(_) | Op::IntToBv(_) => "int",
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv => return self.float(term),
            _ => return Some(Piece::new(terms.display(term).to_string(), Hold::Whole)),
        };
        let floats = matches!(
            terms.op(term),
            Op::FpIsNan | Op::FpSqrt | Op::FpMod | Op::FpToFp(_) | Op::FpToSbv(_) | Op::FpToUbv(_)
        );
        let mut args = Vec::new();
        for &arg in terms.args(term) {
            let piece = self.deeper(|writer| match terms.op(term) {
                Op::IntToBv(_) => writer.integer(arg),
                _ if floats => writer.float(arg),
                _ => writer.bits(arg),
            })?;
            args.push(piece.text);
        }
        let call = format!("{word}({})", args.join(", "));
        Some(if positive {
            Piece::new(call, Hold::Whole)
        } else {
            Piece::new(format!("not {call}"), Hold::Comparison)
        })
    }
}

/// A number with its sign.
fn number(minus: bool, digits: String) -> Piece {
    if minus {
        Piece::new(format!("-{digits}"), Hold::Sum)
    } else {
        Piece::new(digits, Hold::Whole)
    }
}
