//! The text of a formula: `G("lock == 1" -> F "lock == 0")`.
//!
//! From loose to tight: `<->`, `->`, `||`, `&&`, then `U R W` (all of these lean to the right), then
//! `! X F G`. `[]` is `G`, `<>` is `F`, `V` is `R`, `WU` is `W`; letters may be written together (`FG`).

use super::{LtlAtom, LtlFormula, LtlProperty};
use crate::error::{SpecificationPlace, SpecificationResult, shorten_text};
use crate::expression;
use crate::limits::LIMITS;

/// Reads a formula that starts at a place and is the whole text.
pub(crate) fn parse_property(
    text: &str,
    start: SpecificationPlace,
) -> SpecificationResult<LtlProperty> {
    let mut reader =
        LtlParser { tokens: lex_formula(text, start)?, next: 0, atoms: Vec::new(), depth: 0 };
    let formula = reader.parse_equivalence()?;
    let (token, place) = reader.peek();
    if *token != LtlToken::End {
        return Err(place.refuse(format!("expected an operator or the end, not {token}")));
    }
    Ok(LtlProperty { formula, atoms: reader.atoms })
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum LtlToken {
    Atom(String, SpecificationPlace),
    Constant(bool),
    Unary(char),
    Binary(&'static str),
    Open,
    Close,
    End,
}

impl std::fmt::Display for LtlToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LtlToken::Atom(text, _) => write!(f, "\"{}\"", shorten_text(text)),
            LtlToken::Constant(value) => write!(f, "{value}"),
            LtlToken::Unary(sign) => write!(f, "{sign}"),
            LtlToken::Binary(sign) => f.write_str(sign),
            LtlToken::Open => f.write_str("("),
            LtlToken::Close => f.write_str(")"),
            LtlToken::End => f.write_str("the end"),
        }
    }
}

/// Signs and what they mean, the longer before those that they start with.
const SIGNS: [(&str, LtlToken); 17] = [
    ("<->", LtlToken::Binary("<->")),
    ("<=>", LtlToken::Binary("<->")),
    ("->", LtlToken::Binary("->")),
    ("=>", LtlToken::Binary("->")),
    ("&&", LtlToken::Binary("&&")),
    ("||", LtlToken::Binary("||")),
    ("/\\", LtlToken::Binary("&&")),
    ("\\/", LtlToken::Binary("||")),
    ("[]", LtlToken::Unary('G')),
    ("<>", LtlToken::Unary('F')),
    ("&", LtlToken::Binary("&&")),
    ("|", LtlToken::Binary("||")),
    ("!", LtlToken::Unary('!')),
    ("~", LtlToken::Unary('!')),
    ("(", LtlToken::Open),
    (")", LtlToken::Close),
    // A sign that nothing starts with ends the list.
    ("\0", LtlToken::End),
];

fn lex_formula(
    text: &str,
    start: SpecificationPlace,
) -> SpecificationResult<Vec<(LtlToken, SpecificationPlace)>> {
    let mut rest = text;
    let mut place = start;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_whitespace() {
            first.len_utf8()
        } else if first == '"' {
            let Some(end) = rest[1..].find('"') else {
                return Err(place.refuse("this expression has no closing quote"));
            };
            let inner = &rest[1..=end];
            let mut at = place;
            at.advance('"');
            expression::check_c_expression(inner, at)?;
            tokens.push((LtlToken::Atom(inner.to_owned(), at), place));
            end + 2
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let word = &rest[..end.unwrap_or(rest.len())];
            push_word_tokens(word, place, &mut tokens)?;
            word.len()
        } else if let Some((sign, token)) =
            SIGNS.iter().find(|(sign, _)| *sign != "\0" && rest.starts_with(sign))
        {
            tokens.push((token.clone(), place));
            sign.len()
        } else {
            return Err(place.refuse(format!("{first:?} is not an LTL operator")));
        };
        rest[..length].chars().for_each(|c| place.advance(c));
        rest = &rest[length..];
    }
    tokens.push((LtlToken::End, place));
    Ok(tokens)
}

/// An operator that is a word, or several that are written together.
fn push_word_tokens(
    word: &str,
    place: SpecificationPlace,
    tokens: &mut Vec<(LtlToken, SpecificationPlace)>,
) -> SpecificationResult<()> {
    let one = match word {
        "true" => LtlToken::Constant(true),
        "false" => LtlToken::Constant(false),
        "U" => LtlToken::Binary("U"),
        "R" | "V" => LtlToken::Binary("R"),
        "W" | "WU" => LtlToken::Binary("W"),
        _ if word.chars().all(|c| matches!(c, 'X' | 'F' | 'G')) => {
            let mut place = place;
            for letter in word.chars() {
                tokens.push((LtlToken::Unary(letter), place));
                place.advance(letter);
            }
            return Ok(());
        }
        _ => {
            return Err(place.refuse(format!(
                "'{}' is not an LTL operator; write expressions of the program in quotes, \"x == \
                 1\"",
                shorten_text(word)
            )));
        }
    };
    tokens.push((one, place));
    Ok(())
}

struct LtlParser {
    tokens: Vec<(LtlToken, SpecificationPlace)>,
    next: usize,
    atoms: Vec<LtlAtom>,
    depth: u32,
}

impl LtlParser {
    fn peek(&self) -> &(LtlToken, SpecificationPlace) {
        &self.tokens[self.next]
    }

    fn take(&mut self) -> (LtlToken, SpecificationPlace) {
        let taken = self.tokens[self.next].clone();
        // The end stays the end.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        taken
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = matches!(&self.peek().0, LtlToken::Binary(found) if *found == sign);
        if found {
            self.take();
        }
        found
    }

    /// Goes one level down, unless that is too deep.
    fn parse_deeper<T>(
        &mut self,
        read: impl FnOnce(&mut LtlParser) -> SpecificationResult<T>,
    ) -> SpecificationResult<T> {
        self.depth += 1;
        if self.depth > LIMITS.formula_depth {
            let place = self.peek().1;
            return Err(
                place.refuse(format!("this is nested more than {} times", LIMITS.formula_depth))
            );
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn parse_equivalence(&mut self) -> SpecificationResult<LtlFormula> {
        self.parse_deeper(|reader| {
            let left = reader.parse_implication()?;
            if !reader.take_sign("<->") {
                return Ok(left);
            }
            Ok(LtlFormula::Equivalent(Box::new(left), Box::new(reader.parse_equivalence()?)))
        })
    }

    fn parse_implication(&mut self) -> SpecificationResult<LtlFormula> {
        self.parse_deeper(|reader| {
            let left = reader.parse_disjunction()?;
            if !reader.take_sign("->") {
                return Ok(left);
            }
            Ok(LtlFormula::Implies(Box::new(left), Box::new(reader.parse_implication()?)))
        })
    }

    fn parse_disjunction(&mut self) -> SpecificationResult<LtlFormula> {
        self.parse_deeper(|reader| {
            let left = reader.parse_conjunction()?;
            if !reader.take_sign("||") {
                return Ok(left);
            }
            Ok(LtlFormula::Or(Box::new(left), Box::new(reader.parse_disjunction()?)))
        })
    }

    fn parse_conjunction(&mut self) -> SpecificationResult<LtlFormula> {
        self.parse_deeper(|reader| {
            let left = reader.parse_until()?;
            if !reader.take_sign("&&") {
                return Ok(left);
            }
            Ok(LtlFormula::And(Box::new(left), Box::new(reader.parse_conjunction()?)))
        })
    }

    fn parse_until(&mut self) -> SpecificationResult<LtlFormula> {
        self.parse_deeper(|reader| {
            let left = reader.parse_unary()?;
            let make = if reader.take_sign("U") {
                LtlFormula::Until
            } else if reader.take_sign("R") {
                LtlFormula::Release
            } else if reader.take_sign("W") {
                LtlFormula::WeakUntil
            } else {
                return Ok(left);
            };
            Ok(make(Box::new(left), Box::new(reader.parse_until()?)))
        })
    }

    fn parse_unary(&mut self) -> SpecificationResult<LtlFormula> {
        let (token, place) = self.take();
        match token {
            LtlToken::Constant(value) => Ok(LtlFormula::Constant(value)),
            LtlToken::Atom(text, place) => {
                let text = text.trim().to_owned();
                let known = self.atoms.iter().position(|atom| atom.text == text);
                let number = known.unwrap_or_else(|| {
                    self.atoms.push(LtlAtom { text, place });
                    self.atoms.len() - 1
                });
                Ok(LtlFormula::Atom(u32::try_from(number).unwrap_or(u32::MAX)))
            }
            LtlToken::Unary(sign) => {
                let inner = Box::new(self.parse_deeper(LtlParser::parse_unary)?);
                Ok(match sign {
                    '!' => LtlFormula::Not(inner),
                    'X' => LtlFormula::Next(inner),
                    'F' => LtlFormula::Finally(inner),
                    _ => LtlFormula::Globally(inner),
                })
            }
            LtlToken::Open => {
                let inner = self.parse_equivalence()?;
                match self.take() {
                    (LtlToken::Close, _) => Ok(inner),
                    (other, place) => Err(place.refuse(format!("expected ')', not {other}"))),
                }
            }
            LtlToken::Binary(_) | LtlToken::Close | LtlToken::End => {
                Err(place.refuse(format!("expected a formula, not {token}")))
            }
        }
    }
}
