//! A walk over the text of a specification, character by character.

use crate::error::{SpecificationPlace, SpecificationResult, shorten_text};
use crate::slic::CodeFragment;

pub(super) struct SpecificationCursor<'t> {
    rest: &'t str,
    pub(super) place: SpecificationPlace,
}

impl<'t> SpecificationCursor<'t> {
    pub(super) fn new(text: &'t str) -> SpecificationCursor<'t> {
        SpecificationCursor { rest: text, place: SpecificationPlace::START }
    }

    fn advance(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        taken.chars().for_each(|c| self.place.advance(c));
        self.rest = rest;
        taken
    }

    /// Goes past spaces and comments.
    pub(super) fn skip(&mut self) -> SpecificationResult<()> {
        loop {
            let blank = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.advance(blank);
            if self.rest.starts_with("//") {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(self.place.refuse("this comment is not closed"));
                };
                self.advance(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    /// Whether nothing is left.
    pub(super) fn at_end(&mut self) -> SpecificationResult<bool> {
        self.skip()?;
        Ok(self.rest.is_empty())
    }

    /// Takes a sign if it is next.
    pub(super) fn take_sign(&mut self, sign: &str) -> SpecificationResult<bool> {
        self.skip()?;
        let found = self.rest.starts_with(sign);
        if found {
            self.advance(sign.len());
        }
        Ok(found)
    }

    /// Takes a sign that must be next.
    pub(super) fn expect(&mut self, sign: &str, purpose: &str) -> SpecificationResult<()> {
        if self.take_sign(sign)? {
            return Ok(());
        }
        Err(self.place.refuse(format!("expected '{sign}' {purpose}, not {}", self.text_here())))
    }

    /// The name that is next, without taking it.
    pub(super) fn name_ahead(&mut self) -> SpecificationResult<&'t str> {
        self.skip()?;
        let end = self.rest.find(|c: char| !is_word_character(c)).unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        Ok(if name.starts_with(|c: char| c.is_ascii_digit()) { "" } else { name })
    }

    /// Takes a keyword if it is next.
    pub(super) fn take_keyword(&mut self, word: &str) -> SpecificationResult<bool> {
        let found = self.name_ahead()? == word;
        if found {
            self.advance(word.len());
        }
        Ok(found)
    }

    /// Takes a name that must be next.
    pub(super) fn expect_name(&mut self, what: &str) -> SpecificationResult<CodeFragment> {
        let name = self.name_ahead()?;
        let place = self.place;
        if name.is_empty() {
            return Err(place.refuse(format!("expected {what}, not {}", self.text_here())));
        }
        self.advance(name.len());
        Ok(CodeFragment { text: name.to_owned(), place })
    }

    /// Takes a name or what stands between quotes.
    pub(super) fn expect_title(&mut self, what: &str) -> SpecificationResult<CodeFragment> {
        self.skip()?;
        if !self.rest.starts_with('"') {
            return self.expect_name(what);
        }
        let place = self.place;
        match self.rest[1..].find(['"', '\n']) {
            Some(end) if self.rest[1 + end..].starts_with('"') && end > 0 => {
                let taken = self.advance(end + 2);
                Ok(CodeFragment { text: taken[1..=end].to_owned(), place })
            }
            _ => Err(place.refuse("expected a name in quotes, on one line")),
        }
    }

    /// Takes a piece of C up to one of these signs outside of brackets, which stays.
    pub(super) fn take_code(&mut self, ends: &[char]) -> SpecificationResult<CodeFragment> {
        self.skip()?;
        let place = self.place;
        let start = self.rest;
        let mut depth = 0_u32;
        while let Some(first) = self.rest.chars().next() {
            // `==` and its like are no `=`.
            if let Some(sign) =
                ["==", "<=", ">=", "!="].iter().find(|sign| self.rest.starts_with(**sign))
            {
                self.advance(sign.len());
                continue;
            }
            if depth == 0 && ends.contains(&first) {
                break;
            }
            match first {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                '"' | '\'' => {
                    self.advance(literal_length(self.rest, first));
                    continue;
                }
                _ => {}
            }
            self.advance(first.len_utf8());
        }
        let taken = &start[..start.len() - self.rest.len()];
        Ok(CodeFragment { text: taken.trim_end().to_owned(), place })
    }

    /// What stands here, for a message.
    pub(super) fn text_here(&self) -> String {
        let word = self.rest.find(|c: char| !is_word_character(c)).unwrap_or(self.rest.len());
        match self.rest.chars().next() {
            None => "the end of the file".to_owned(),
            Some(_) if word > 0 => format!("'{}'", shorten_text(&self.rest[..word])),
            Some(first) => format!("'{}'", shorten_text(&first.to_string())),
        }
    }
}

fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// How long a literal is; one that is not closed ends with its line, and `expression` refuses it.
fn literal_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
