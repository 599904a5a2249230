//! Words, numbers, strings and signs of `.koat` and `.t2`, each with its place, and a walk over
//! them.

use std::fmt;

use crate::error::{Parsed, Place, Refusal, shortened};

/// Signs, the longer before those that they start with.
const SIGNS: [&str; 31] = [
    ":|:", ":=", "->", "&&", "||", "/\\", "\\/", "<=", ">=", "==", "!=", "**", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", "+", "-", "*", "/", "%", "^", "<", ">", "=", "!",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    /// A name or keyword.
    Word(&'t str),
    /// Decimal digits.
    Number(&'t str),
    /// What stands between quotes.
    Text(&'t str),
    /// One of the signs.
    Sign(&'static str),
    /// Nothing is left.
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => f.write_str(&shortened(text)),
            Token::Text(text) => write!(f, "{:?}", shortened(text)),
            Token::Sign(sign) => f.write_str(sign),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Reads tokens one after the other. The grammars are in other files.
pub(crate) struct Tokens<'t> {
    tokens: Vec<(Token<'t>, Place)>,
    end: Place,
    next: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn of(text: &'t str) -> Parsed<Tokens<'t>> {
        let mut rest = text;
        let mut place = Place::START;
        let mut tokens = Vec::new();
        while let Some(first) = rest.chars().next() {
            let (token, length) = if first.is_whitespace() {
                (None, first.len_utf8())
            } else if first == '#' || rest.starts_with("//") {
                (None, rest.find('\n').unwrap_or(rest.len()))
            } else if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                (Some(Token::Number(&rest[..end])), end)
            } else if starts_word(first) {
                let end = word_end(rest);
                (Some(Token::Word(&rest[..end])), end)
            } else if first == '"' {
                match rest[1..].find(['"', '\n']) {
                    Some(end) if rest[1 + end..].starts_with('"') => {
                        (Some(Token::Text(&rest[1..=end])), end + 2)
                    }
                    _ => return Err(place.refuse("this string is not closed on its line")),
                }
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Some(Token::Sign(sign)), sign.len())
            } else {
                return Err(place.refuse(format!("{first:?} cannot stand here")));
            };
            tokens.extend(token.map(|token| (token, place)));
            rest[..length].chars().for_each(|c| place.advance(c));
            rest = &rest[length..];
        }
        Ok(Tokens { tokens, end: place, next: 0 })
    }

    /// All words with the two tokens before each.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'t str, [Option<Token<'t>>; 2])> {
        self.tokens.iter().enumerate().filter_map(|(at, (token, _))| match token {
            Token::Word(word) => {
                let before = |by: usize| Some(self.tokens.get(at.checked_sub(by)?)?.0);
                Some((*word, [before(2), before(1)]))
            }
            _ => None,
        })
    }

    pub(crate) fn here(&self) -> Token<'t> {
        self.ahead(0)
    }

    pub(crate) fn ahead(&self, by: usize) -> Token<'t> {
        self.tokens.get(self.next + by).map_or(Token::End, |(token, _)| *token)
    }

    pub(crate) fn place(&self) -> Place {
        self.tokens.get(self.next).map_or(self.end, |(_, place)| *place)
    }

    pub(crate) fn step(&mut self) {
        self.next += 1;
    }

    /// What should have been here.
    pub(crate) fn expected(&self, what: &str) -> Refusal {
        self.place().expected(&format!("{what}, found {}", self.here()))
    }

    pub(crate) fn at(&self, sign: &str) -> bool {
        matches!(self.here(), Token::Sign(here) if here == sign)
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.here() == Token::Word(word)
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let there = self.at(sign);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let there = self.at_word(word);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<&'t str> {
        match self.here() {
            Token::Word(name) => {
                self.step();
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }
}

fn starts_word(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | '$' | '\'')
}

fn continues_word(character: char) -> bool {
    starts_word(character) || character.is_ascii_digit() || character == '.'
}

/// Where a word ends. An exclamation mark belongs to it if the word goes on behind it.
fn word_end(text: &str) -> usize {
    let mut rest = text.char_indices().peekable();
    while let Some((at, character)) = rest.next() {
        let inside = continues_word(character)
            || (character == '!' && rest.peek().is_some_and(|(_, next)| continues_word(*next)));
        if !inside {
            return at;
        }
    }
    text.len()
}
