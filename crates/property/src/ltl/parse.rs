//! The text of a formula: `G("lock == 1" -> F "lock == 0")`.
//!
//! From loose to tight: `<->`, `->`, `||`, `&&`, then `U R W` (all of these lean to the right), then
//! `! X F G`. `[]` is `G`, `<>` is `F`, `V` is `R`, `WU` is `W`; letters may be written together (`FG`).

use super::{Atom, Ltl, Property};
use crate::error::{Parsed, Place, shortened};
use crate::expression;

/// How deep a formula may be nested: more is no formula that anyone wrote.
const DEEPEST: u32 = 200;

/// Reads a formula that starts at a place and is the whole text.
pub(crate) fn formula(text: &str, start: Place) -> Parsed<Property> {
    let mut reader = Reader { tokens: tokens(text, start)?, next: 0, atoms: Vec::new(), depth: 0 };
    let formula = reader.equivalent()?;
    let (token, place) = reader.peek();
    if *token != Token::End {
        return Err(place.refuse(format!("expected an operator or the end, not {token}")));
    }
    Ok(Property { formula, atoms: reader.atoms })
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Atom(String, Place),
    Constant(bool),
    Unary(char),
    Binary(&'static str),
    Open,
    Close,
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Atom(text, _) => write!(f, "\"{}\"", shortened(text)),
            Token::Constant(value) => write!(f, "{value}"),
            Token::Unary(sign) => write!(f, "{sign}"),
            Token::Binary(sign) => f.write_str(sign),
            Token::Open => f.write_str("("),
            Token::Close => f.write_str(")"),
            Token::End => f.write_str("the end"),
        }
    }
}

/// Signs and what they mean, the longer before those that they start with.
const SIGNS: [(&str, Token); 17] = [
    ("<->", Token::Binary("<->")),
    ("<=>", Token::Binary("<->")),
    ("->", Token::Binary("->")),
    ("=>", Token::Binary("->")),
    ("&&", Token::Binary("&&")),
    ("||", Token::Binary("||")),
    ("/\\", Token::Binary("&&")),
    ("\\/", Token::Binary("||")),
    ("[]", Token::Unary('G')),
    ("<>", Token::Unary('F')),
    ("&", Token::Binary("&&")),
    ("|", Token::Binary("||")),
    ("!", Token::Unary('!')),
    ("~", Token::Unary('!')),
    ("(", Token::Open),
    (")", Token::Close),
    // A sign that nothing starts with ends the list.
    ("\0", Token::End),
];

fn tokens(text: &str, start: Place) -> Parsed<Vec<(Token, Place)>> {
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
            expression::check(inner, at)?;
            tokens.push((Token::Atom(inner.to_owned(), at), place));
            end + 2
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let word = &rest[..end.unwrap_or(rest.len())];
            words(word, place, &mut tokens)?;
            word.len()
        } else if let Some((sign, token)) =
            SIGNS.iter().find(|(sign, _)| *sign != "\0" && rest.starts_with(sign))
        {
            tokens.push((token.clone(), place));
            sign.len()
        } else {
            return Err(place.refuse(format!("{first:?} is no operator of LTL")));
        };
        rest[..length].chars().for_each(|c| place.advance(c));
        rest = &rest[length..];
    }
    tokens.push((Token::End, place));
    Ok(tokens)
}

/// An operator that is a word, or several that are written together.
fn words(word: &str, place: Place, tokens: &mut Vec<(Token, Place)>) -> Parsed<()> {
    let one = match word {
        "true" => Token::Constant(true),
        "false" => Token::Constant(false),
        "U" => Token::Binary("U"),
        "R" | "V" => Token::Binary("R"),
        "W" | "WU" => Token::Binary("W"),
        _ if word.chars().all(|c| matches!(c, 'X' | 'F' | 'G')) => {
            let mut place = place;
            for letter in word.chars() {
                tokens.push((Token::Unary(letter), place));
                place.advance(letter);
            }
            return Ok(());
        }
        _ => {
            return Err(place.refuse(format!(
                "'{}' is no operator of LTL; an expression of the program stands in quotes, \
                 \"x == 1\"",
                shortened(word)
            )));
        }
    };
    tokens.push((one, place));
    Ok(())
}

struct Reader {
    tokens: Vec<(Token, Place)>,
    next: usize,
    atoms: Vec<Atom>,
    depth: u32,
}

impl Reader {
    fn peek(&self) -> &(Token, Place) {
        &self.tokens[self.next]
    }

    fn take(&mut self) -> (Token, Place) {
        let taken = self.tokens[self.next].clone();
        // The end stays the end.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        taken
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(&self.peek().0, Token::Binary(found) if *found == sign);
        if found {
            self.take();
        }
        found
    }

    /// Goes one level down, unless that is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Reader) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let place = self.peek().1;
            return Err(place.refuse(format!("this is nested more than {DEEPEST} times")));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn equivalent(&mut self) -> Parsed<Ltl> {
        self.deeper(|reader| {
            let left = reader.implies()?;
            if !reader.takes("<->") {
                return Ok(left);
            }
            Ok(Ltl::Equivalent(Box::new(left), Box::new(reader.equivalent()?)))
        })
    }

    fn implies(&mut self) -> Parsed<Ltl> {
        self.deeper(|reader| {
            let left = reader.or()?;
            if !reader.takes("->") {
                return Ok(left);
            }
            Ok(Ltl::Implies(Box::new(left), Box::new(reader.implies()?)))
        })
    }

    fn or(&mut self) -> Parsed<Ltl> {
        self.deeper(|reader| {
            let left = reader.and()?;
            if !reader.takes("||") {
                return Ok(left);
            }
            Ok(Ltl::Or(Box::new(left), Box::new(reader.or()?)))
        })
    }

    fn and(&mut self) -> Parsed<Ltl> {
        self.deeper(|reader| {
            let left = reader.until()?;
            if !reader.takes("&&") {
                return Ok(left);
            }
            Ok(Ltl::And(Box::new(left), Box::new(reader.and()?)))
        })
    }

    fn until(&mut self) -> Parsed<Ltl> {
        self.deeper(|reader| {
            let left = reader.unary()?;
            let make = if reader.takes("U") {
                Ltl::Until
            } else if reader.takes("R") {
                Ltl::Release
            } else if reader.takes("W") {
                Ltl::WeakUntil
            } else {
                return Ok(left);
            };
            Ok(make(Box::new(left), Box::new(reader.until()?)))
        })
    }

    fn unary(&mut self) -> Parsed<Ltl> {
        let (token, place) = self.take();
        match token {
            Token::Constant(value) => Ok(Ltl::Constant(value)),
            Token::Atom(text, place) => {
                let text = text.trim().to_owned();
                let known = self.atoms.iter().position(|atom| atom.text == text);
                let number = known.unwrap_or_else(|| {
                    self.atoms.push(Atom { text, place });
                    self.atoms.len() - 1
                });
                Ok(Ltl::Atom(u32::try_from(number).unwrap_or(u32::MAX)))
            }
            Token::Unary(sign) => {
                let inner = Box::new(self.deeper(Reader::unary)?);
                Ok(match sign {
                    '!' => Ltl::Not(inner),
                    'X' => Ltl::Next(inner),
                    'F' => Ltl::Finally(inner),
                    _ => Ltl::Globally(inner),
                })
            }
            Token::Open => {
                let inner = self.equivalent()?;
                match self.take() {
                    (Token::Close, _) => Ok(inner),
                    (other, place) => Err(place.refuse(format!("expected ')', not {other}"))),
                }
            }
            Token::Binary(_) | Token::Close | Token::End => {
                Err(place.refuse(format!("expected a formula, not {token}")))
            }
        }
    }
}
