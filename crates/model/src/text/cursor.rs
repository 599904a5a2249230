//! A place in the tokens of a text, and the small things that can stand there.

use super::ParseError;
use super::lex::{Placed, Token, lex};
use crate::ids::Id;
use crate::{FileId, Span, Type};

pub(crate) type Parsed<T> = Result<T, ParseError>;

/// Reads tokens one after the other. The grammars are in other files.
pub(crate) struct Parser {
    tokens: Vec<Placed>,
    pub(crate) next: usize,
}

impl Parser {
    pub(crate) fn of(text: &str) -> Parsed<Parser> {
        Ok(Parser { tokens: lex(text)?, next: 0 })
    }

    pub(crate) fn here(&self) -> &Placed {
        // The last token is the end, and nothing steps over it.
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(crate) fn step(&mut self) -> Placed {
        let placed = self.here().clone();
        self.next += 1;
        placed
    }

    pub(crate) fn refuse<T>(&self, expected: &str) -> Parsed<T> {
        Err(self.here().error(format!("expected {expected}, found {}", self.here().token)))
    }

    pub(crate) fn at_sign(&self, sign: char) -> bool {
        self.here().token == Token::Sign(sign)
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> bool {
        let there = self.at_sign(sign);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn sign(&mut self, sign: char) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { self.refuse(&format!("{sign:?}")) }
    }

    pub(crate) fn arrow(&mut self) -> Parsed<()> {
        if self.here().token != Token::Arrow {
            return self.refuse("->");
        }
        self.next += 1;
        Ok(())
    }

    pub(crate) fn peek_word(&self) -> Option<&str> {
        match &self.here().token {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let there = self.peek_word() == Some(word);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.refuse(word) }
    }

    pub(crate) fn any_word(&mut self, expected: &str) -> Parsed<String> {
        match self.peek_word() {
            Some(word) => {
                let word = word.to_owned();
                self.next += 1;
                Ok(word)
            }
            None => self.refuse(expected),
        }
    }

    pub(crate) fn text(&mut self) -> Parsed<String> {
        match &self.here().token {
            Token::Text(text) => {
                let text = text.clone();
                self.next += 1;
                Ok(text)
            }
            _ => self.refuse("a string"),
        }
    }

    /// A decimal or (after `0x`) hexadecimal number.
    pub(crate) fn number<T: TryFrom<u128>>(&mut self) -> Parsed<T> {
        let parsed = self.peek_word().and_then(|word| match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => word.parse::<u128>().ok(),
        });
        match parsed.and_then(|number| T::try_from(number).ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.refuse("a number in range"),
        }
    }

    /// A number with a sign, the sign of which may have been read.
    pub(crate) fn signed(&mut self, negative: bool) -> Parsed<i64> {
        let magnitude: u64 = self.number()?;
        let value = if negative {
            0i64.checked_sub_unsigned(magnitude)
        } else {
            i64::try_from(magnitude).ok()
        };
        value.ok_or_else(|| self.here().error("the number before this is out of range"))
    }

    pub(crate) fn id<I: Id>(&mut self, prefix: char) -> Parsed<I> {
        match self.peek_word().and_then(|word| index(word, prefix)) {
            Some(found) => {
                self.next += 1;
                Ok(I::at(found))
            }
            None => self.refuse(&format!("{prefix} and a number")),
        }
    }

    /// An id that must be the next one of its kind.
    pub(crate) fn next_id(&mut self, prefix: char, count: usize) -> Parsed<()> {
        if self.peek_word().and_then(|word| index(word, prefix)) != Some(count) {
            return self.refuse(&format!("{prefix}{count}, because ids go up by one"));
        }
        self.next += 1;
        Ok(())
    }

    pub(crate) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            if !items.is_empty() {
                self.sign(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(crate) fn ty(&mut self) -> Parsed<Type> {
        match self.peek_word().and_then(type_named) {
            Some(ty) => {
                self.next += 1;
                Ok(ty)
            }
            None => self.refuse("a type"),
        }
    }

    pub(crate) fn span(&mut self) -> Parsed<Span> {
        if !self.take_sign('@') {
            return Ok(Span::NONE);
        }
        let first = self.number()?;
        self.sign(':')?;
        let second = self.number()?;
        if !self.take_sign(':') {
            return Ok(Span { file: FileId(0), line: first, column: second });
        }
        Ok(Span { file: FileId(first), line: second, column: self.number()? })
    }
}

/// The number of an id such as `b12`.
pub(crate) fn index(word: &str, prefix: char) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let number: u32 = digits.parse().ok().filter(|_| canonical && !digits.starts_with('+'))?;
    usize::try_from(number).ok()
}

/// The type that is written so.
pub(crate) fn type_named(word: &str) -> Option<Type> {
    match word {
        "ptr" => Some(Type::Ptr),
        _ => {
            let ty = if word.starts_with('i') { Type::Int } else { Type::Float };
            let digits = word.strip_prefix(['i', 'f'])?;
            digits.parse().ok().map(ty)
        }
    }
}
