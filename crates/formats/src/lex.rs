//! Words, numbers, strings and signs of `.koat` and `.t2`, each with its place, and a walk over
//! them.

use std::fmt;

use crate::error::{FormatPlace, FormatRefusal, FormatResult, shorten_text};

/// Signs, the longer before those that they start with.
const SIGNS: [&str; 31] = [
    ":|:", ":=", "->", "&&", "||", "/\\", "\\/", "<=", ">=", "==", "!=", "**", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", "+", "-", "*", "/", "%", "^", "<", ">", "=", "!",
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FormatToken<'t> {
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

impl fmt::Display for FormatToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatToken::Word(text) | FormatToken::Number(text) => f.write_str(&shorten_text(text)),
            FormatToken::Text(text) => write!(f, "{:?}", shorten_text(text)),
            FormatToken::Sign(sign) => f.write_str(sign),
            FormatToken::End => f.write_str("the end of the file"),
        }
    }
}

/// Reads tokens one after the other. The grammars are in other files.
pub(crate) struct TokenStream<'t> {
    tokens: Vec<(FormatToken<'t>, FormatPlace)>,
    end: FormatPlace,
    next: usize,
}

impl<'t> TokenStream<'t> {
    pub(crate) fn of_text(text: &'t str) -> FormatResult<TokenStream<'t>> {
        let mut rest = text;
        let mut place = FormatPlace::START;
        let mut tokens = Vec::new();
        while let Some(first) = rest.chars().next() {
            let (token, length) = if first.is_whitespace() {
                (None, first.len_utf8())
            } else if first == '#' || rest.starts_with("//") {
                (None, rest.find('\n').unwrap_or(rest.len()))
            } else if first.is_ascii_digit() {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                (Some(FormatToken::Number(&rest[..end])), end)
            } else if starts_word(first) {
                let end = word_end(rest);
                (Some(FormatToken::Word(&rest[..end])), end)
            } else if first == '"' {
                match rest[1..].find(['"', '\n']) {
                    Some(end) if rest[1 + end..].starts_with('"') => {
                        (Some(FormatToken::Text(&rest[1..=end])), end + 2)
                    }
                    _ => return Err(place.refuse("this string is not closed on its line")),
                }
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Some(FormatToken::Sign(sign)), sign.len())
            } else {
                return Err(place.refuse(format!("{first:?} is not allowed here")));
            };
            tokens.extend(token.map(|token| (token, place)));
            rest[..length].chars().for_each(|c| place.advance(c));
            rest = &rest[length..];
        }
        Ok(TokenStream { tokens, end: place, next: 0 })
    }

    /// All words with the two tokens before each.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&'t str, [Option<FormatToken<'t>>; 2])> {
        self.tokens.iter().enumerate().filter_map(|(at, (token, _))| match token {
            FormatToken::Word(word) => {
                let before = |by: usize| Some(self.tokens.get(at.checked_sub(by)?)?.0);
                Some((*word, [before(2), before(1)]))
            }
            _ => None,
        })
    }

    pub(crate) fn current_token(&self) -> FormatToken<'t> {
        self.token_ahead(0)
    }

    pub(crate) fn token_ahead(&self, by: usize) -> FormatToken<'t> {
        self.tokens.get(self.next + by).map_or(FormatToken::End, |(token, _)| *token)
    }

    pub(crate) fn place(&self) -> FormatPlace {
        self.tokens.get(self.next).map_or(self.end, |(_, place)| *place)
    }

    pub(crate) fn advance(&mut self) {
        self.next += 1;
    }

    /// What should have been here.
    pub(crate) fn expected(&self, what: &str) -> FormatRefusal {
        self.place().expected(&format!("{what}, found {}", self.current_token()))
    }

    pub(crate) fn is_at_sign(&self, sign: &str) -> bool {
        matches!(self.current_token(), FormatToken::Sign(here) if here == sign)
    }

    pub(crate) fn is_at_word(&self, word: &str) -> bool {
        self.current_token() == FormatToken::Word(word)
    }

    pub(crate) fn take_sign(&mut self, sign: &str) -> bool {
        let there = self.is_at_sign(sign);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_at_word(word);
        self.next += usize::from(there);
        there
    }

    pub(crate) fn expect_sign(&mut self, sign: &str) -> FormatResult<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(sign)) }
    }

    pub(crate) fn expect_word(&mut self, word: &str) -> FormatResult<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    pub(crate) fn expect_name(&mut self, what: &str) -> FormatResult<&'t str> {
        match self.current_token() {
            FormatToken::Word(name) => {
                self.advance();
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
