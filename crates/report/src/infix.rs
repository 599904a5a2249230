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

use linear::{Linear, Relation};
use ouro_term::{Op, Sort, Term, Terms};

/// More parts than this nobody reads.
const MOST_PARTS: usize = 20_000;

/// Nested deeper than this nobody reads either, and the printer calls itself that often.
const DEEPEST: usize = 200;

/// What the user calls a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Its name.
    pub text: String,
    /// Whether its bits are an unsigned number; integers do not mind.
    pub unsigned: bool,
}

/// A term as people write it. `name` says what the user calls a symbol.
pub fn infix(terms: &Terms, term: Term, name: &dyn Fn(&str) -> Name) -> String {
    let mut writer = Writer { terms, name, parts: 0, depth: 0 };
    let written = match terms.sort(term) {
        Sort::Bool => writer.formula(term, true),
        Sort::Int => writer.integer(term),
        Sort::BitVec(_) => writer.bits(term),
    };
    match written {
        Some(piece) => piece.text,
        None => terms.display(term).to_string(),
    }
}

/// How tightly a piece of text holds together; what binds less needs parentheses inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Hold {
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
struct Piece {
    text: String,
    hold: Hold,
}

impl Piece {
    fn new(text: impl Into<String>, hold: Hold) -> Piece {
        Piece { text: text.into(), hold }
    }

    /// The text where at least this much hold is needed.
    fn inside(self, least: Hold) -> String {
        if self.hold < least { format!("({})", self.text) } else { self.text }
    }
}

/// A part of a conjunction or disjunction. Comparisons of integers can still be joined.
enum Part {
    Compared(Linear, Relation),
    Written(Piece),
}

struct Writer<'a> {
    terms: &'a Terms,
    name: &'a dyn Fn(&str) -> Name,
    parts: usize,
    depth: usize,
}

/// `None` when the text would be too long or too deep.
type Written<T> = Option<T>;

impl Writer<'_> {
    /// Counts a part.
    fn count(&mut self) -> Written<()> {
        self.parts += 1;
        (self.parts <= MOST_PARTS).then_some(())
    }

    /// Goes one level down.
    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Written<T>) -> Written<T> {
        self.count()?;
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let written = inside(self);
        self.depth -= 1;
        written
    }

    /// A formula, or its negation.
    fn formula(&mut self, term: Term, positive: bool) -> Written<Piece> {
        match self.part(term, positive)? {
            Part::Written(piece) => Some(piece),
            Part::Compared(sum, relation) => self.compared(&sum, relation),
        }
    }

    fn part(&mut self, term: Term, positive: bool) -> Written<Part> {
        self.deeper(|writer| writer.unfolded(term, positive))
    }

    fn unfolded(&mut self, term: Term, positive: bool) -> Written<Part> {
        let terms = self.terms;
        let args = terms.args(term);
        let piece = match (terms.op(term), args) {
            (Op::True, _) => Piece::new(positive.to_string(), Hold::Whole),
            (Op::False, _) => Piece::new((!positive).to_string(), Hold::Whole),
            (Op::Not, [inner]) => return self.part(*inner, !positive),
            (Op::And | Op::Or, _) => self.junction(term, positive)?,
            (Op::IntLe, [a, b]) => {
                // a <= b is b - a >= 0; its negation is a - b - 1 >= 0.
                let (more, less) = if positive { (*b, *a) } else { (*a, *b) };
                let mut sum = self.difference(more, less)?;
                if !positive {
                    sum.add_constant(-1);
                }
                return Some(Part::Compared(sum, Relation::AtLeast));
            }
            (Op::Eq, [a, b]) => match terms.sort(*a) {
                Sort::Int => {
                    let relation = if positive { Relation::Equal } else { Relation::Different };
                    return Some(Part::Compared(self.difference(*a, *b)?, relation));
                }
                Sort::Bool => {
                    let a = self.formula(*a, positive)?.inside(Hold::Comparison);
                    let b = self.formula(*b, true)?.inside(Hold::Comparison);
                    Piece::new(format!("{a} iff {b}"), Hold::Loose)
                }
                Sort::BitVec(_) => self.same_bits(*a, *b, positive)?,
            },
            (Op::Ite, [c, a, b]) => {
                let c = self.formula(*c, true)?.text;
                let a = self.formula(*a, positive)?.text;
                let b = self.formula(*b, positive)?.text;
                Piece::new(format!("if {c} then {a} else {b}"), Hold::Loose)
            }
            (Op::Symbol(_), _) => {
                let name = self.symbol(term).text;
                if positive {
                    Piece::new(name, Hold::Whole)
                } else {
                    Piece::new(format!("not {name}"), Hold::Comparison)
                }
            }
            _ => self.compared_bits(term, positive)?,
        };
        Some(Part::Written(piece))
    }

    /// A conjunction or disjunction with those of its kind inside it.
    fn junction(&mut self, term: Term, positive: bool) -> Written<Piece> {
        let terms = self.terms;
        let conjunction = (*terms.op(term) == Op::And) == positive;
        let mut pending = vec![(term, positive)];
        let mut parts: Vec<Part> = Vec::new();
        while let Some((term, positive)) = pending.pop() {
            self.count()?;
            match terms.op(term) {
                Op::Not => pending.push((terms.args(term)[0], !positive)),
                Op::And | Op::Or if ((*terms.op(term) == Op::And) == positive) == conjunction => {
                    pending.extend(terms.args(term).iter().rev().map(|arg| (*arg, positive)));
                }
                _ => match self.part(term, positive)? {
                    Part::Compared(sum, relation) => {
                        linear::join(&mut parts, sum, relation, conjunction);
                    }
                    written @ Part::Written(_) => parts.push(written),
                },
            }
        }
        // The order of the store says nothing; that of the variables does.
        parts.sort_by(|a, b| match (a, b) {
            (Part::Compared(a, _), Part::Compared(b, _)) => a.cmp_variables(b),
            (Part::Compared(..), Part::Written(_)) => Ordering::Less,
            (Part::Written(_), Part::Compared(..)) => Ordering::Greater,
            (Part::Written(_), Part::Written(_)) => Ordering::Equal,
        });
        let (word, hold) = if conjunction { (" and ", Hold::And) } else { (" or ", Hold::Or) };
        let mut texts: Vec<String> = Vec::new();
        for part in parts {
            let piece = match part {
                Part::Compared(sum, relation) => self.compared(&sum, relation)?,
                Part::Written(piece) => piece,
            };
            // One kind of junction inside the other has parentheses, whichever binds more.
            let text = piece.inside(Hold::Comparison);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match texts.len() {
            0 => Some(Piece::new(conjunction.to_string(), Hold::Whole)),
            1 => Some(Piece::new(texts.remove(0), Hold::Comparison)),
            _ => Some(Piece::new(texts.join(word), hold)),
        }
    }

    fn symbol(&self, term: Term) -> Name {
        match self.terms.op(term) {
            Op::Symbol(id) => (self.name)(&self.terms.symbol_of(*id).name),
            _ => Name { text: self.terms.display(term).to_string(), unsigned: false },
        }
    }
}
