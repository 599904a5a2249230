//! Bit-vectors: the operations of C, and what their bits count as.
//!
//! The bits of a symbol count as a signed or an unsigned number, as its [`SymbolName`](super::Name) says.
//! Where an operation takes them for the other, the text says so: `unsigned(x) < 10`.

use ouro_term::{Term, TermOp, sign_extend};

use super::linear::join_signed_pieces;
use super::{BindingStrength, InfixPiece, InfixResult, InfixWriter};

/// What some bits count as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BitInterpretation {
    Signed,
    Unsigned,
    /// The same number either way, or a constant.
    Either,
}

impl BitInterpretation {
    /// As C combines operands.
    fn combine_with(self, other: BitInterpretation) -> BitInterpretation {
        match (self, other) {
            (BitInterpretation::Either, one) | (one, BitInterpretation::Either) => one,
            (BitInterpretation::Unsigned, _) | (_, BitInterpretation::Unsigned) => {
                BitInterpretation::Unsigned
            }
            (BitInterpretation::Signed, BitInterpretation::Signed) => BitInterpretation::Signed,
        }
    }
}

impl InfixWriter<'_> {
    /// A bit-vector, as its own symbols count.
    pub(super) fn write_bits(&mut self, term: Term) -> InfixResult<InfixPiece> {
        let count = self.natural_interpretation(term)?;
        self.write_plain_bits(term, count)
    }

    /// A bit-vector as an unsigned number.
    pub(super) fn write_unsigned(&mut self, term: Term) -> InfixResult<InfixPiece> {
        self.write_interpreted(term, BitInterpretation::Unsigned)
    }

    /// `a = b` or its negation.
    pub(super) fn write_bit_equality(
        &mut self,
        a: Term,
        b: Term,
        positive: bool,
    ) -> InfixResult<InfixPiece> {
        let count = self.natural_interpretation(a)?.combine_with(self.natural_interpretation(b)?);
        let a = self.write_plain_bits(a, count)?.text_within(BindingStrength::Sum);
        let b = self.write_plain_bits(b, count)?.text_within(BindingStrength::Sum);
        let sign = if positive { "=" } else { "!=" };
        Some(InfixPiece::new(format!("{a} {sign} {b}"), BindingStrength::Comparison))
    }

    /// Any other formula, or its negation.
    pub(super) fn write_bit_comparison(
        &mut self,
        term: Term,
        positive: bool,
    ) -> InfixResult<InfixPiece> {
        let terms = self.terms;
        let (sign, negated, count) = match terms.op(term) {
            TermOp::BvUlt => ("<", ">=", Some(BitInterpretation::Unsigned)),
            TermOp::BvUle => ("<=", ">", Some(BitInterpretation::Unsigned)),
            TermOp::BvSlt => ("<", ">=", Some(BitInterpretation::Signed)),
            TermOp::BvSle => ("<=", ">", Some(BitInterpretation::Signed)),
            TermOp::FpLt => ("<", "", None),
            TermOp::FpLe => ("<=", "", None),
            TermOp::FpEq => ("==", "!=", None),
            _ => return self.write_function_call(term, positive),
        };
        let (mut a, mut b) = (terms.args(term)[0], terms.args(term)[1]);
        // A comparison of floats is not the negation of another: not a number is neither.
        if !positive && negated.is_empty() {
            let piece = self.write_bit_comparison(term, true)?;
            return Some(InfixPiece::new(
                format!("not ({})", piece.text),
                BindingStrength::Comparison,
            ));
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
            Some(count) => (self.write_interpreted(a, count)?, self.write_interpreted(b, count)?),
            None => (self.write_float(a)?, self.write_float(b)?),
        };
        let (a, b) = (a.text_within(BindingStrength::Sum), b.text_within(BindingStrength::Sum));
        Some(InfixPiece::new(format!("{a} {sign} {b}"), BindingStrength::Comparison))
    }

    /// Bits that an operation takes for a number of this kind.
    fn write_interpreted(
        &mut self,
        term: Term,
        count: BitInterpretation,
    ) -> InfixResult<InfixPiece> {
        let own = self.natural_interpretation(term)?;
        let piece = self
            .write_plain_bits(term, if own == BitInterpretation::Either { count } else { own })?;
        if own == BitInterpretation::Either || own == count {
            return Some(piece);
        }
        let word = if count == BitInterpretation::Signed { "signed" } else { "unsigned" };
        Some(InfixPiece::new(format!("{word}({})", piece.text), BindingStrength::Whole))
    }

    /// What the bits of a term count as by themselves.
    fn natural_interpretation(&mut self, term: Term) -> InfixResult<BitInterpretation> {
        let terms = self.terms;
        let args = terms.args(term);
        self.write_deeper(|writer| {
            Some(match terms.op(term) {
                TermOp::Symbol(_) if writer.symbol_name(term).unsigned => {
                    BitInterpretation::Unsigned
                }
                TermOp::Symbol(_) => BitInterpretation::Signed,
                TermOp::Bv { .. } => BitInterpretation::Either,
                // Widened with zeros, the top bit is 0.
                TermOp::ZeroExtend(_) => BitInterpretation::Either,
                TermOp::SignExtend(_) | TermOp::BvSdiv | TermOp::BvSrem | TermOp::BvAshr => {
                    BitInterpretation::Signed
                }
                TermOp::BvNot | TermOp::BvNeg | TermOp::BvShl => {
                    writer.natural_interpretation(args[0])?
                }
                TermOp::BvAdd | TermOp::BvMul | TermOp::BvAnd | TermOp::BvOr | TermOp::BvXor => {
                    writer
                        .natural_interpretation(args[0])?
                        .combine_with(writer.natural_interpretation(args[1])?)
                }
                TermOp::Ite => writer
                    .natural_interpretation(args[1])?
                    .combine_with(writer.natural_interpretation(args[2])?),
                _ => BitInterpretation::Unsigned,
            })
        })
    }

    /// The text of bits; constants count as said.
    fn write_plain_bits(
        &mut self,
        term: Term,
        count: BitInterpretation,
    ) -> InfixResult<InfixPiece> {
        self.write_deeper(|writer| writer.write_unfolded_bits(term, count))
    }

    fn write_unfolded_bits(
        &mut self,
        term: Term,
        count: BitInterpretation,
    ) -> InfixResult<InfixPiece> {
        let terms = self.terms;
        let args = terms.args(term);
        let sign = match (terms.op(term), args) {
            (TermOp::Symbol(_), _) => {
                return Some(InfixPiece::new(self.symbol_name(term).text, BindingStrength::Whole));
            }
            (TermOp::Bv { value, .. }, _) if count == BitInterpretation::Unsigned => {
                return Some(number_piece(false, value.to_string()));
            }
            (TermOp::Bv { width, value }, _) => {
                let value = sign_extend(*width, *value);
                return Some(number_piece(value < 0, value.unsigned_abs().to_string()));
            }
            (TermOp::BvAdd | TermOp::BvNeg, _) => return self.write_bit_sum(term, count),
            (TermOp::BvMul, [a, b]) => {
                // Constants are last in the store, and first on paper.
                let (a, b) = if terms.as_bv(*b).is_some() { (b, a) } else { (a, b) };
                let a = self
                    .write_plain_bits(*a, BitInterpretation::Signed)?
                    .text_within(BindingStrength::Product);
                let b = self.write_plain_bits(*b, count)?.text_within(BindingStrength::Product);
                return Some(InfixPiece::new(format!("{a}*{b}"), BindingStrength::Product));
            }
            (TermOp::ZeroExtend(_), [a]) => {
                return self.write_interpreted(*a, BitInterpretation::Unsigned);
            }
            (TermOp::SignExtend(_), [a]) => {
                return self.write_interpreted(*a, BitInterpretation::Signed);
            }
            (TermOp::Extract { high, low }, [a]) => {
                let a = self.write_bits(*a)?.text_within(BindingStrength::Whole);
                return Some(InfixPiece::new(format!("{a}[{high}:{low}]"), BindingStrength::Whole));
            }
            (TermOp::BvNot, [a]) => {
                let a = self.write_plain_bits(*a, count)?.text_within(BindingStrength::Whole);
                return Some(InfixPiece::new(format!("~{a}"), BindingStrength::Whole));
            }
            (TermOp::Ite, [c, a, b]) => {
                let c = self.write_formula(*c, true)?.text;
                let (a, b) = (
                    self.write_plain_bits(*a, count)?.text,
                    self.write_plain_bits(*b, count)?.text,
                );
                let text = format!("(if {c} then {a} else {b})");
                return Some(InfixPiece::new(text, BindingStrength::Whole));
            }
            (TermOp::BvSdiv | TermOp::BvSrem | TermOp::BvUdiv | TermOp::BvUrem, [a, b]) => {
                let signed = matches!(terms.op(term), TermOp::BvSdiv | TermOp::BvSrem);
                let count =
                    if signed { BitInterpretation::Signed } else { BitInterpretation::Unsigned };
                let quotient = matches!(terms.op(term), TermOp::BvSdiv | TermOp::BvUdiv);
                let sign = if quotient { '/' } else { '%' };
                let a = self.write_interpreted(*a, count)?.text_within(BindingStrength::Whole);
                let b = self.write_interpreted(*b, count)?.text_within(BindingStrength::Whole);
                return Some(InfixPiece::new(format!("{a}{sign}{b}"), BindingStrength::Product));
            }
            (TermOp::BvAshr | TermOp::BvLshr, [a, b]) => {
                let signed = *terms.op(term) == TermOp::BvAshr;
                let count =
                    if signed { BitInterpretation::Signed } else { BitInterpretation::Unsigned };
                let a = self.write_interpreted(*a, count)?.text_within(BindingStrength::Whole);
                let b = self
                    .write_plain_bits(*b, BitInterpretation::Unsigned)?
                    .text_within(BindingStrength::Whole);
                return Some(InfixPiece::new(format!("{a} >> {b}"), BindingStrength::Loose));
            }
            (TermOp::BvShl, _) => "<<",
            (TermOp::BvAnd, _) => "&",
            (TermOp::BvOr, _) => "|",
            (TermOp::BvXor, _) => "^",
            _ => return self.write_function_call(term, true),
        };
        let a = self.write_plain_bits(args[0], count)?.text_within(BindingStrength::Whole);
        let b = self
            .write_plain_bits(args[1], BitInterpretation::Unsigned)?
            .text_within(BindingStrength::Whole);
        Some(InfixPiece::new(format!("{a} {sign} {b}"), BindingStrength::Loose))
    }

    /// A sum, in its order: it may wrap at every sign.
    fn write_bit_sum(&mut self, term: Term, count: BitInterpretation) -> InfixResult<InfixPiece> {
        let terms = self.terms;
        let mut pending = vec![(false, term)];
        let mut pieces = Vec::new();
        while let Some((minus, term)) = pending.pop() {
            self.count_part()?;
            match (terms.op(term), terms.args(term)) {
                (TermOp::BvAdd, [a, b]) => pending.extend([(minus, *b), (minus, *a)]),
                (TermOp::BvNeg, [a]) => pending.push((!minus, *a)),
                (TermOp::Bv { width, value }, _) if !pieces.is_empty() => {
                    // x + 4294967295 is x - 1.
                    let value = sign_extend(*width, *value);
                    let piece =
                        InfixPiece::new(value.unsigned_abs().to_string(), BindingStrength::Whole);
                    pieces.push((minus != (value < 0), piece));
                }
                _ => pieces.push((minus, self.write_plain_bits(term, count)?)),
            }
        }
        Some(join_signed_pieces(pieces))
    }

    /// A float, if that is what the bits are.
    fn write_float(&mut self, term: Term) -> InfixResult<InfixPiece> {
        let shown = match self.terms.op(term) {
            TermOp::Bv { width: 32, value } => u32::try_from(*value).ok().map(|bits| {
                let value = f32::from_bits(bits);
                format!("{value:?}")
            }),
            TermOp::Bv { width: 64, value } => u64::try_from(*value).ok().map(|bits| {
                let value = f64::from_bits(bits);
                format!("{value:?}")
            }),
            _ => None,
        };
        match shown {
            Some(text) => Some(InfixPiece::new(text, BindingStrength::Sum)),
            None => {
                let sign = match self.terms.op(term) {
                    TermOp::FpAdd => '+',
                    TermOp::FpSub => '-',
                    TermOp::FpMul => '*',
                    TermOp::FpDiv => '/',
                    _ => return self.write_bits(term),
                };
                let (a, b) = (self.terms.args(term)[0], self.terms.args(term)[1]);
                self.write_deeper(|writer| {
                    let a = writer.write_float(a)?.text_within(BindingStrength::Whole);
                    let b = writer.write_float(b)?.text_within(BindingStrength::Whole);
                    let hold = if matches!(sign, '+' | '-') {
                        BindingStrength::Sum
                    } else {
                        BindingStrength::Product
                    };
                    Some(InfixPiece::new(format!("{a} {sign} {b}"), hold))
                })
            }
        }
    }

    /// What has no sign of its own: SMT-LIB's name, as a function.
    fn write_function_call(&mut self, term: Term, positive: bool) -> InfixResult<InfixPiece> {
        let terms = self.terms;
        let word = match terms.op(term) {
            TermOp::Concat => "concat",
            TermOp::FpIsNan => "isnan",
            TermOp::FpSqrt => "sqrt",
            TermOp::FpMod => "fmod",
            TermOp::FpToFp(_) | TermOp::SbvToFp(_) | TermOp::UbvToFp(_) => "float",
            TermOp::FpToSbv(_) | TermOp::FpToUbv(_) | TermOp::IntToBv(_) => "int",
            TermOp::FpAdd | TermOp::FpSub | TermOp::FpMul | TermOp::FpDiv => {
                return self.write_float(term);
            }
            _ => {
                return Some(InfixPiece::new(
                    terms.display(term).to_string(),
                    BindingStrength::Whole,
                ));
            }
        };
        let floats = matches!(
            terms.op(term),
            TermOp::FpIsNan
                | TermOp::FpSqrt
                | TermOp::FpMod
                | TermOp::FpToFp(_)
                | TermOp::FpToSbv(_)
                | TermOp::FpToUbv(_)
        );
        let mut args = Vec::new();
        for &arg in terms.args(term) {
            let piece = self.write_deeper(|writer| match terms.op(term) {
                TermOp::IntToBv(_) => writer.write_integer(arg),
                _ if floats => writer.write_float(arg),
                _ => writer.write_bits(arg),
            })?;
            args.push(piece.text);
        }
        let call = format!("{word}({})", args.join(", "));
        Some(if positive {
            InfixPiece::new(call, BindingStrength::Whole)
        } else {
            InfixPiece::new(format!("not {call}"), BindingStrength::Comparison)
        })
    }
}

/// A number with its sign.
fn number_piece(minus: bool, digits: String) -> InfixPiece {
    if minus {
        InfixPiece::new(format!("-{digits}"), BindingStrength::Sum)
    } else {
        InfixPiece::new(digits, BindingStrength::Whole)
    }
}
