//! Terms as people write them: `x >= 1 and y = z + 2`.
//!
//! Integer comparisons are brought into one shape, sums on both sides and the first variable on the
//! left (`linear`); comparisons of bit-vectors stay as they are, since moving a term to the other
//! side changes their meaning when they wrap (`bits`). Negations go down to the comparisons. What
//! would be longer or deeper than anyone reads is given as SMT-LIB text instead.
//!
//! The text is for reading: nothing parses it, and no verdict depends on it.

mod bits;
mod linear;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use linear::{MonomialSum, ZeroRelation};
use ouro_term::{Sort, Term, TermOp, TermStore};

use crate::limits::LIMITS;

/// What the user calls a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolName {
    /// Its name.
    pub text: String,
    /// Whether its bits are an unsigned number; integers do not mind.
    pub unsigned: bool,
}

/// A term as people write it. `name` says what the user calls a symbol.
pub fn infix_text(terms: &TermStore, term: Term, name: &dyn Fn(&str) -> SymbolName) -> String {
    let mut writer = InfixWriter { terms, name, parts: 0, depth: 0 };
    let written = match terms.sort(term) {
        Sort::Bool => writer.write_formula(term, true),
        Sort::Int => writer.write_integer(term),
        Sort::BitVec(_) => writer.write_bits(term),
    };
    match written {
        Some(piece) => piece.text,
        None => terms.display(term).to_string(),
    }
}

/// How tightly a piece of text holds together; what binds less needs parentheses inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum BindingStrength {
    /// `if c then a else b`, and signs whose precedence nobody remembers.
    Loose,
    /// `a or b`
    Or,
    /// `a and b`
    And,
    /// `a < b`, `not a`
    Comparison,
    /// `a + b`
    Sum,
    /// `a*b`
    Product,
    /// `a`, `f(a)`
    Whole,
}

/// A piece of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
struct InfixPiece {
    text: String,
    hold: BindingStrength,
}

impl InfixPiece {
    fn new(text: impl Into<String>, hold: BindingStrength) -> InfixPiece {
        InfixPiece { text: text.into(), hold }
    }

    /// The text where at least this much hold is needed.
    fn text_within(self, least: BindingStrength) -> String {
        if self.hold < least { format!("({})", self.text) } else { self.text }
    }
}

/// A part of a conjunction or disjunction. Comparisons of integers can still be joined.
enum JunctionPart {
    Compared(MonomialSum, ZeroRelation),
    Written(InfixPiece),
}

struct InfixWriter<'a> {
    terms: &'a TermStore,
    name: &'a dyn Fn(&str) -> SymbolName,
    parts: usize,
    depth: usize,
}

/// `None` when the text would be too long or too deep.
type InfixResult<T> = Option<T>;

impl InfixWriter<'_> {
    /// Counts a part.
    fn count_part(&mut self) -> InfixResult<()> {
        self.parts += 1;
        (self.parts <= LIMITS.term_parts).then_some(())
    }

    /// Goes one level down.
    fn write_deeper<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> InfixResult<T>,
    ) -> InfixResult<T> {
        self.count_part()?;
        if self.depth == LIMITS.term_depth {
            return None;
        }
        self.depth += 1;
        let written = inside(self);
        self.depth -= 1;
        written
    }

    /// A formula, or its negation.
    fn write_formula(&mut self, term: Term, positive: bool) -> InfixResult<InfixPiece> {
        match self.write_part(term, positive)? {
            JunctionPart::Written(piece) => Some(piece),
            JunctionPart::Compared(sum, relation) => self.write_comparison(&sum, relation),
        }
    }

    fn write_part(&mut self, term: Term, positive: bool) -> InfixResult<JunctionPart> {
        self.write_deeper(|writer| writer.write_unfolded_part(term, positive))
    }

    fn write_unfolded_part(&mut self, term: Term, positive: bool) -> InfixResult<JunctionPart> {
        let terms = self.terms;
        let args = terms.args(term);
        let piece = match (terms.op(term), args) {
            (TermOp::True, _) => InfixPiece::new(positive.to_string(), BindingStrength::Whole),
            (TermOp::False, _) => InfixPiece::new((!positive).to_string(), BindingStrength::Whole),
            (TermOp::Not, [inner]) => return self.write_part(*inner, !positive),
            (TermOp::And | TermOp::Or, _) => self.write_junction(term, positive)?,
            (TermOp::IntLe, [a, b]) => {
                // a <= b is b - a >= 0; its negation is a - b - 1 >= 0.
                let (more, less) = if positive { (*b, *a) } else { (*a, *b) };
                let mut sum = self.sum_difference(more, less)?;
                if !positive {
                    sum.add_constant(-1);
                }
                return Some(JunctionPart::Compared(sum, ZeroRelation::AtLeast));
            }
            (TermOp::Eq, [a, b]) => match terms.sort(*a) {
                Sort::Int => {
                    let relation =
                        if positive { ZeroRelation::Equal } else { ZeroRelation::Different };
                    return Some(JunctionPart::Compared(self.sum_difference(*a, *b)?, relation));
                }
                Sort::Bool => {
                    let a =
                        self.write_formula(*a, positive)?.text_within(BindingStrength::Comparison);
                    let b = self.write_formula(*b, true)?.text_within(BindingStrength::Comparison);
                    InfixPiece::new(format!("{a} iff {b}"), BindingStrength::Loose)
                }
                Sort::BitVec(_) => self.write_bit_equality(*a, *b, positive)?,
            },
            (TermOp::Ite, [c, a, b]) => {
                let c = self.write_formula(*c, true)?.text;
                let a = self.write_formula(*a, positive)?.text;
                let b = self.write_formula(*b, positive)?.text;
                InfixPiece::new(format!("if {c} then {a} else {b}"), BindingStrength::Loose)
            }
            (TermOp::Symbol(_), _) => {
                let name = self.symbol_name(term).text;
                if positive {
                    InfixPiece::new(name, BindingStrength::Whole)
                } else {
                    InfixPiece::new(format!("not {name}"), BindingStrength::Comparison)
                }
            }
            _ => self.write_bit_comparison(term, positive)?,
        };
        Some(JunctionPart::Written(piece))
    }

    /// A conjunction or disjunction with those of its kind inside it.
    fn write_junction(&mut self, term: Term, positive: bool) -> InfixResult<InfixPiece> {
        let terms = self.terms;
        let conjunction = (*terms.op(term) == TermOp::And) == positive;
        let mut pending = vec![(term, positive)];
        let mut parts: Vec<JunctionPart> = Vec::new();
        while let Some((term, positive)) = pending.pop() {
            self.count_part()?;
            match terms.op(term) {
                TermOp::Not => pending.push((terms.args(term)[0], !positive)),
                TermOp::And | TermOp::Or
                    if ((*terms.op(term) == TermOp::And) == positive) == conjunction =>
                {
                    pending.extend(terms.args(term).iter().rev().map(|arg| (*arg, positive)));
                }
                _ => match self.write_part(term, positive)? {
                    JunctionPart::Compared(sum, relation) => {
                        linear::join_comparison(&mut parts, sum, relation, conjunction);
                    }
                    written @ JunctionPart::Written(_) => parts.push(written),
                },
            }
        }
        // The order of the store says nothing; that of the variables does.
        parts.sort_by(|a, b| match (a, b) {
            (JunctionPart::Compared(a, _), JunctionPart::Compared(b, _)) => a.cmp_variables(b),
            (JunctionPart::Compared(..), JunctionPart::Written(_)) => Ordering::Less,
            (JunctionPart::Written(_), JunctionPart::Compared(..)) => Ordering::Greater,
            (JunctionPart::Written(_), JunctionPart::Written(_)) => Ordering::Equal,
        });
        let (word, hold) = if conjunction {
            (" and ", BindingStrength::And)
        } else {
            (" or ", BindingStrength::Or)
        };
        let mut texts: Vec<String> = Vec::new();
        for part in parts {
            let piece = match part {
                JunctionPart::Compared(sum, relation) => self.write_comparison(&sum, relation)?,
                JunctionPart::Written(piece) => piece,
            };
            // One kind of junction inside the other has parentheses, whichever binds more.
            let text = piece.text_within(BindingStrength::Comparison);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match texts.len() {
            0 => Some(InfixPiece::new(conjunction.to_string(), BindingStrength::Whole)),
            1 => Some(InfixPiece::new(texts.remove(0), BindingStrength::Comparison)),
            _ => Some(InfixPiece::new(texts.join(word), hold)),
        }
    }

    fn symbol_name(&self, term: Term) -> SymbolName {
        match self.terms.op(term) {
            TermOp::Symbol(id) => (self.name)(&self.terms.symbol_declaration(*id).name),
            _ => SymbolName { text: self.terms.display(term).to_string(), unsigned: false },
        }
    }
}
