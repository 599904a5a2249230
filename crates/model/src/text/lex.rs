//! Words, strings and signs of the text form, each with its place.

use std::fmt;

use super::ModelParseError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ModelToken {
    /// A keyword, id, type or number: letters, digits, `_` and `.`.
    Word(String),
    /// A string, its escapes resolved.
    Text(String),
    /// A sign.
    Sign(char),
    /// `->`
    Arrow,
    /// Nothing is left.
    End,
}

impl fmt::Display for ModelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelToken::Word(word) => f.write_str(word),
            ModelToken::Text(text) => write!(f, "{text:?}"),
            ModelToken::Sign(sign) => write!(f, "{sign}"),
            ModelToken::Arrow => f.write_str("->"),
            ModelToken::End => f.write_str("the end of the text"),
        }
    }
}

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct PlacedToken {
    pub(crate) token: ModelToken,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl PlacedToken {
    pub(crate) fn error_here(&self, message: impl Into<String>) -> ModelParseError {
        ModelParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// All tokens, the last one [`ModelToken::End`].
pub(crate) fn lex_tokens(text: &str) -> Result<Vec<PlacedToken>, ModelParseError> {
    let mut lexer = ModelLexer { rest: text.chars().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        let placed = lexer.next_token()?;
        let ended = placed.token == ModelToken::End;
        tokens.push(placed);
        if ended {
            return Ok(tokens);
        }
    }
}

struct ModelLexer<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: u32,
    column: u32,
}

fn is_word_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.')
}

impl ModelLexer<'_> {
    fn next_char(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if character == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
        Some(character)
    }

    fn next_token(&mut self) -> Result<PlacedToken, ModelParseError> {
        while let Some(character) = self.rest.peek() {
            if *character == ';' {
                while self.rest.peek().is_some_and(|c| *c != '\n') {
                    self.next_char();
                }
            } else if character.is_whitespace() {
                self.next_char();
            } else {
                break;
            }
        }
        let mut placed =
            PlacedToken { token: ModelToken::End, line: self.line, column: self.column };
        let Some(first) = self.next_char() else { return Ok(placed) };
        placed.token = match first {
            '"' => ModelToken::Text(self.read_string(&placed)?),
            '-' if self.rest.peek() == Some(&'>') => {
                self.next_char();
                ModelToken::Arrow
            }
            c if is_word_char(c) => {
                let mut word = String::from(c);
                while let Some(c) = self.rest.next_if(|c| is_word_char(*c)) {
                    word.push(c);
                    self.column = self.column.saturating_add(1);
                }
                ModelToken::Word(word)
            }
            c if "(){}[],:=@&+-*".contains(c) => ModelToken::Sign(c),
            other => return Err(placed.error_here(format!("{other:?} cannot stand here"))),
        };
        Ok(placed)
    }

    /// The rest of a string, after its first quote.
    fn read_string(&mut self, start: &PlacedToken) -> Result<String, ModelParseError> {
        let unclosed = || start.error_here("the string is not closed");
        let mut text = String::new();
        loop {
            match self.next_char().ok_or_else(unclosed)? {
                '"' => return Ok(text),
                '\\' => text
                    .push(self.read_escape().ok_or_else(|| start.error_here("an unknown escape"))?),
                other => text.push(other),
            }
        }
    }

    fn read_escape(&mut self) -> Option<char> {
        match self.next_char()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            plain @ ('"' | '\\') => Some(plain),
            'u' => {
                let mut code = String::new();
                if self.next_char()? != '{' {
                    return None;
                }
                loop {
                    match self.next_char()? {
                        '}' => break,
                        digit if digit.is_ascii_hexdigit() && code.len() < 6 => code.push(digit),
                        _ => return None,
                    }
                }
                char::from_u32(u32::from_str_radix(&code, 16).ok()?)
            }
            _ => None,
        }
    }
}

/// A string as it is written.
pub(crate) struct QuotedString<'t>(pub(crate) &'t str);

impl fmt::Display for QuotedString<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for character in self.0.chars() {
            match character {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() => write!(f, "\\u{{{:X}}}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}
