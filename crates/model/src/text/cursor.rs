//! A place in the tokens of a text, and the small things that can stand there.

use super::ModelParseError;
use super::lex::{ModelToken, PlacedToken, lex_tokens};
use crate::ids::TypedId;
use crate::{FileId, Span, Type};

pub(crate) type ModelParseResult<T> = Result<T, ModelParseError>;

/// Reads tokens one after the other. The grammars are in other files.
pub(crate) struct ModelParser {
    tokens: Vec<PlacedToken>,
    pub(crate) next: usize,
}

impl ModelParser {
    pub(crate) fn of_text(text: &str) -> ModelParseResult<ModelParser> {
        Ok(ModelParser { tokens: lex_tokens(text)?, next: 0 })
    }

    pub(crate) fn peek_token(&self) -> &PlacedToken {
        // The last token is the end, and nothing steps over it.
        &self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    pub(crate) fn next_token(&mut self) -> PlacedToken {
        let placed = self.peek_token().clone();
        self.next += 1;
        placed
    }

    pub(crate) fn refuse_token<T>(&self, expected: &str) -> ModelParseResult<T> {
        Err(self
            .peek_token()
            .error_here(format!("expected {expected}, found {}", self.peek_token().token)))
    }

    pub(crate) fn at_sign(&self, sign: char) -> bool {
        self.peek_token().token == ModelToken::Sign(sign)
    }

    pub(crate) fn take_sign(&mut self, sign: char) -> bool {
        let there = self.at_sign(sign);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn expect_sign(&mut self, sign: char) -> ModelParseResult<()> {
        if self.take_sign(sign) { Ok(()) } else { self.refuse_token(&format!("{sign:?}")) }
    }

    pub(crate) fn expect_arrow(&mut self) -> ModelParseResult<()> {
        if self.peek_token().token != ModelToken::Arrow {
            return self.refuse_token("->");
        }
        self.next += 1;
        Ok(())
    }

    pub(crate) fn peek_word(&self) -> Option<&str> {
        match &self.peek_token().token {
            ModelToken::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let there = self.peek_word() == Some(word);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> ModelParseResult<()> {
        if self.take_word(word) { Ok(()) } else { self.refuse_token(word) }
    }

    pub(crate) fn read_word(&mut self, expected: &str) -> ModelParseResult<String> {
        match self.peek_word() {
            Some(word) => {
                let word = word.to_owned();
                self.next += 1;
                Ok(word)
            }
            None => self.refuse_token(expected),
        }
    }

    pub(crate) fn read_string(&mut self) -> ModelParseResult<String> {
        match &self.peek_token().token {
            ModelToken::Text(text) => {
                let text = text.clone();
                self.next += 1;
                Ok(text)
            }
            _ => self.refuse_token("a string"),
        }
    }

    /// A decimal or (after `0x`) hexadecimal number.
    pub(crate) fn read_number<T: TryFrom<u128>>(&mut self) -> ModelParseResult<T> {
        let parsed = self.peek_word().and_then(|word| match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok(),
            None => word.parse::<u128>().ok(),
        });
        match parsed.and_then(|number| T::try_from(number).ok()) {
            Some(number) => {
                self.next += 1;
                Ok(number)
            }
            None => self.refuse_token("a number in range"),
        }
    }

    /// A number with a sign, the sign of which may have been read.
    pub(crate) fn read_signed_number(&mut self, negative: bool) -> ModelParseResult<i64> {
        let magnitude: u64 = self.read_number()?;
        let value = if negative {
            0i64.checked_sub_unsigned(magnitude)
        } else {
            i64::try_from(magnitude).ok()
        };
        value.ok_or_else(|| self.peek_token().error_here("the number before this is out of range"))
    }

    pub(crate) fn read_id<I: TypedId>(&mut self, prefix: char) -> ModelParseResult<I> {
        match self.peek_word().and_then(|word| parse_id_index(word, prefix)) {
            Some(found) => {
                self.next += 1;
                Ok(I::from_index(found))
            }
            None => self.refuse_token(&format!("{prefix} and a number")),
        }
    }

    /// An id that must be the next one of its kind.
    pub(crate) fn expect_next_id(&mut self, prefix: char, count: usize) -> ModelParseResult<()> {
        if self.peek_word().and_then(|word| parse_id_index(word, prefix)) != Some(count) {
            return self.refuse_token(&format!("{prefix}{count}, because ids go up by one"));
        }
        self.next += 1;
        Ok(())
    }

    pub(crate) fn read_list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> ModelParseResult<T>,
    ) -> ModelParseResult<Vec<T>> {
        let mut items = Vec::new();
        while !self.take_sign(close) {
            if !items.is_empty() {
                self.expect_sign(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    pub(crate) fn read_type(&mut self) -> ModelParseResult<Type> {
        match self.peek_word().and_then(parse_type_name) {
            Some(ty) => {
                self.next += 1;
                Ok(ty)
            }
            None => self.refuse_token("a type"),
        }
    }

    pub(crate) fn read_span(&mut self) -> ModelParseResult<Span> {
        if !self.take_sign('@') {
            return Ok(Span::NONE);
        }
        let first = self.read_number()?;
        self.expect_sign(':')?;
        let second = self.read_number()?;
        if !self.take_sign(':') {
            return Ok(Span { file: FileId(0), line: first, column: second });
        }
        Ok(Span { file: FileId(first), line: second, column: self.read_number()? })
    }
}

/// The number of an id such as `b12`.
pub(crate) fn parse_id_index(word: &str, prefix: char) -> Option<usize> {
    let digits = word.strip_prefix(prefix)?;
    let canonical = digits == "0" || !digits.starts_with('0');
    let number: u32 = digits.parse().ok().filter(|_| canonical && !digits.starts_with('+'))?;
    usize::try_from(number).ok()
}

/// The type that is written so.
pub(crate) fn parse_type_name(word: &str) -> Option<Type> {
    match word {
        "ptr" => Some(Type::Ptr),
        _ => {
            let ty = if word.starts_with('i') { Type::Int } else { Type::Float };
            let digits = word.strip_prefix(['i', 'f'])?;
            digits.parse().ok().map(ty)
        }
    }
}
