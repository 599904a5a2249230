//! Words, strings and signs of the text form, each with its place.

use std::fmt;

use super::ParseError;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
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

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(word) => f.write_str(word),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Sign(sign) => write!(f, "{sign}"),
            Token::Arrow => f.write_str("->"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// A token and where it starts.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) token: Token,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Placed {
    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// All tokens, the last one [`Token::End`].
pub(crate) fn lex(text: &str) -> Result<Vec<Placed>, ParseError> {
    let mut lexer = Lexer { rest: text.chars().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        let placed = lexer.next()?;
        let ended = placed.token == Token::End;
        tokens.push(placed);
        if ended {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    line: u32,
    column: u32,
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '.')
}

impl Lexer<'_> {
    fn bump(&mut self) -> Option<char> {
        let character = self.rest.next()?;
        if character == '\n' {
            self.line = self.line.saturating_add(1);
            self.column = 1;
        } else {
            self.column = self.column.saturating_add(1);
        }
        Some(character)
    }

    fn next(&mut self) -> Result<Placed, ParseError> {
        while let Some(character) = self.rest.peek() {
            if *character == ';' {
                while self.rest.peek().is_some_and(|c| *c != '\n') {
                    self.bump();
                }
            } else if character.is_whitespace() {
                self.bump();
            } else {
                break;
            }
        }
        let mut placed = Placed { token: Token::End, line: self.line, column: self.column };
        let Some(first) = self.bump() else { return Ok(placed) };
        placed.token = match first {
            '"' => Token::Text(self.string(&placed)?),
            '-' if self.rest.peek() == Some(&'>') => {
                self.bump();
                Token::Arrow
            }
            c if is_word(c) => {
                let mut word = String::from(c);
                while let Some(c) = self.rest.next_if(|c| is_word(*c)) {
                    word.push(c);
                    self.column = self.column.saturating_add(1);
                }
                Token::Word(word)
            }
            c if "(){}[],:=@&+-*".contains(c) => Token::Sign(c),
            other => return Err(placed.error(format!("{other:?} cannot stand here"))),
        };
        Ok(placed)
    }

    /// The rest of a string, after its first quote.
    fn string(&mut self, start: &Placed) -> Result<String, ParseError> {
        let unclosed = || start.error("the string is not closed");
        let mut text = String::new();
        loop {
            match self.bump().ok_or_else(unclosed)? {
                '"' => return Ok(text),
                '\\' => text.push(self.escape().ok_or_else(|| start.error("an unknown escape"))?),
                other => text.push(other),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        match self.bump()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            plain @ ('"' | '\\') => Some(plain),
            'u' => {
                let mut code = String::new();
                if self.bump()? != '{' {
                    return None;
                }
                loop {
                    match self.bump()? {
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
pub(crate) struct Quoted<'t>(pub(crate) &'t str);

impl fmt::Display for Quoted<'_> {
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
