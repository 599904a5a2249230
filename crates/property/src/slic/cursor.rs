//! A walk over the text of a specification, character by character.

use crate::error::{Parsed, Place, shortened};
use crate::slic::Text;

pub(super) struct Cursor<'t> {
    rest: &'t str,
    pub(super) place: Place,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { rest: text, place: Place::START }
    }

    fn step(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        taken.chars().for_each(|c| self.place.advance(c));
        self.rest = rest;
        taken
    }

    /// Goes past spaces and comments.
    pub(super) fn skip(&mut self) -> Parsed<()> {
        loop {
            let blank = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
            self.step(blank);
            if self.rest.starts_with("//") {
                self.step(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest[2..].find("*/") else {
                    return Err(self.place.refuse("this comment is not closed"));
                };
                self.step(end + 4);
            } else {
                return Ok(());
            }
        }
    }

    /// Whether nothing is left.
    pub(super) fn at_end(&mut self) -> Parsed<bool> {
        self.skip()?;
        Ok(self.rest.is_empty())
    }

    /// Takes a sign if it is next.
    pub(super) fn takes(&mut self, sign: &str) -> Parsed<bool> {
        self.skip()?;
        let found = self.rest.starts_with(sign);
        if found {
            self.step(sign.len());
        }
        Ok(found)
    }

    /// Takes a sign that must be next.
    pub(super) fn expect(&mut self, sign: &str, purpose: &str) -> Parsed<()> {
        if self.takes(sign)? {
            return Ok(());
        }
        Err(self.place.refuse(format!("expected '{sign}' {purpose}, not {}", self.seen())))
    }

    /// The name that is next, without taking it.
    pub(super) fn name_ahead(&mut self) -> Parsed<&'t str> {
        self.skip()?;
        let end = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        Ok(if name.starts_with(|c: char| c.is_ascii_digit()) { "" } else { name })
    }

    /// Takes a keyword if it is next.
    pub(super) fn takes_word(&mut self, word: &str) -> Parsed<bool> {
        let found = self.name_ahead()? == word;
        if found {
            self.step(word.len());
        }
        Ok(found)
    }

    /// Takes a name that must be next.
    pub(super) fn name(&mut self, what: &str) -> Parsed<Text> {
        let name = self.name_ahead()?;
        let place = self.place;
        if name.is_empty() {
            return Err(place.refuse(format!("expected {what}, not {}", self.seen())));
        }
        self.step(name.len());
        Ok(Text { text: name.to_owned(), place })
    }

    /// Takes a name or what stands between quotes.
    pub(super) fn title(&mut self, what: &str) -> Parsed<Text> {
        self.skip()?;
        if !self.rest.starts_with('"') {
            return self.name(what);
        }
        let place = self.place;
        match self.rest[1..].find(['"', '\n']) {
            Some(end) if self.rest[1 + end..].starts_with('"') && end > 0 => {
                let taken = self.step(end + 2);
                Ok(Text { text: taken[1..=end].to_owned(), place })
            }
            _ => Err(place.refuse("expected a name in quotes, on one line")),
        }
    }

    /// Takes a piece of C up to one of these signs outside of brackets, which stays.
    pub(super) fn code(&mut self, ends: &[char]) -> Parsed<Text> {
        self.skip()?;
        let place = self.place;
        let start = self.rest;
        let mut depth = 0_u32;
        while let Some(first) = self.rest.chars().next() {
            // `==` and its like are no `=`.
            if let Some(sign) =
                ["==", "<=", ">=", "!="].iter().find(|sign| self.rest.starts_with(**sign))
            {
                self.step(sign.len());
                continue;
            }
            if depth == 0 && ends.contains(&first) {
                break;
            }
            match first {
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                '"' | '\'' => {
                    self.step(literal(self.rest, first));
                    continue;
                }
                _ => {}
            }
            self.step(first.len_utf8());
        }
        let taken = &start[..start.len() - self.rest.len()];
        Ok(Text { text: taken.trim_end().to_owned(), place })
    }

    /// What stands here, for a message.
    pub(super) fn seen(&self) -> String {
        let word = self.rest.find(|c: char| !is_word(c)).unwrap_or(self.rest.len());
        match self.rest.chars().next() {
            None => "the end of the file".to_owned(),
            Some(_) if word > 0 => format!("'{}'", shortened(&self.rest[..word])),
            Some(first) => format!("'{}'", shortened(&first.to_string())),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// How long a literal is; one that is not closed ends with its line, and `expression` refuses it.
fn literal(text: &str, quote: char) -> usize {
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
