//! Expressions of the program inside a specification. clang reads them; here only what it would accept
//! and we must not is refused: what changes the program.

use crate::error::{SpecificationPlace, SpecificationResult};

/// Signs with which an expression of C changes something, among those that look alike and do not.
const SIGNS: [(&str, bool); 20] = [
    ("<<=", true),
    (">>=", true),
    ("==", false),
    ("!=", false),
    ("<=", false),
    (">=", false),
    ("->", false),
    ("&&", false),
    ("||", false),
    ("++", true),
    ("--", true),
    ("+=", true),
    ("-=", true),
    ("*=", true),
    ("/=", true),
    ("%=", true),
    ("&=", true),
    ("|=", true),
    ("^=", true),
    ("=", true),
];

/// Refuses an expression that is empty, changes something, or would not stay within its bounds when it is
/// put into the monitor's code: a bracket without its partner, a quote, a comment, a semicolon, a
/// preprocessor's line.
pub(crate) fn check_c_expression(text: &str, start: SpecificationPlace) -> SpecificationResult<()> {
    if text.trim().is_empty() {
        return Err(start.refuse("an expression of the program is missing here"));
    }
    let mut place = start;
    let mut open: Vec<(char, SpecificationPlace)> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        if let Some((sign, changes)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            if *changes {
                return Err(place.refuse(format!(
                    "'{sign}' changes the program; an expression of a specification must not have \
                     side effects"
                )));
            }
            length = sign.len();
        } else if rest.starts_with("//") || rest.starts_with("/*") {
            return Err(place.refuse("a comment is not allowed inside an expression"));
        } else {
            match first {
                '\'' => length = literal_length(rest, '\'', place)?,
                '"' => length = literal_length(rest, '"', place)?,
                ';' | '{' | '}' | '#' | '\\' => {
                    return Err(
                        place.refuse(format!("'{first}' is not allowed inside an expression"))
                    );
                }
                '(' | '[' => open.push((first, place)),
                ')' | ']' => match (open.pop(), first) {
                    (Some(('(', _)), ')') | (Some(('[', _)), ']') => {}
                    _ => return Err(place.refuse(format!("this '{first}' has no opening bracket"))),
                },
                _ if first.is_control() && !first.is_whitespace() => {
                    return Err(place.refuse("a control character is not allowed here"));
                }
                _ => {}
            }
        }
        rest[..length].chars().for_each(|c| place.advance(c));
        rest = &rest[length..];
    }
    match open.pop() {
        Some((sign, place)) => Err(place.refuse(format!("this '{sign}' is not closed"))),
        None => Ok(()),
    }
}

/// How long a character or string literal is.
fn literal_length(
    text: &str,
    quote: char,
    place: SpecificationPlace,
) -> SpecificationResult<usize> {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return Ok(at + 1),
            _ => {}
        }
    }
    Err(place.refuse("this literal is not closed on its line"))
}

/// What an expression mentions of the function that is entered or left.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ParameterMentions {
    /// `$1`, `$2`, … and where each stands.
    pub(crate) parameters: Vec<(u32, SpecificationPlace)>,
    /// Where `$return` stands.
    pub(crate) returned: Option<SpecificationPlace>,
}

/// Finds `$1`, `$2`, … and `$return`.
pub(crate) fn find_mentions(
    text: &str,
    start: SpecificationPlace,
) -> SpecificationResult<ParameterMentions> {
    let mut found = ParameterMentions::default();
    for (word, place) in placed_words(text, start) {
        let Some(name) = word.strip_prefix('$') else { continue };
        match name.parse::<u32>() {
            Ok(number @ 1..=999) if !name.starts_with('0') => {
                found.parameters.push((number, place));
            }
            _ if name == "return" => found.returned = found.returned.or(Some(place)),
            _ => {
                return Err(place.refuse(format!(
                    "'{word}' has no meaning; $1, $2, … are the parameters of the function and \
                     $return is its result"
                )));
            }
        }
    }
    Ok(found)
}

/// The text with some names replaced, wherever they do not name a member.
pub(crate) fn rename_words(text: &str, rename: impl Fn(&str) -> Option<String>) -> String {
    let mut result = String::new();
    let mut done = 0;
    for (word, at) in words_outside_literals(text) {
        let before = text[..at].trim_end();
        let member = before.ends_with("->") || before.ends_with('.');
        if let Some(new) = rename(word).filter(|_| !member) {
            result.push_str(&text[done..at]);
            result.push_str(&new);
            done = at + word.len();
        }
    }
    result.push_str(&text[done..]);
    result
}

fn placed_words(text: &str, start: SpecificationPlace) -> Vec<(&str, SpecificationPlace)> {
    let mut place = start;
    let mut done = 0;
    let mut words = Vec::new();
    for (word, at) in words_outside_literals(text) {
        text[done..at].chars().for_each(|c| place.advance(c));
        done = at;
        words.push((word, place));
    }
    words
}

/// Names and numbers outside of literals, with their offsets.
fn words_outside_literals(text: &str) -> Vec<(&str, usize)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = if is_word(first) {
            let end = text[at..].find(|c: char| !is_word(c)).unwrap_or(text.len() - at);
            found.push((&text[at..at + end], at));
            end
        } else if first == '"' || first == '\'' {
            // `check` has seen that it is closed.
            literal_length(&text[at..], first, SpecificationPlace::START).unwrap_or(1)
        } else {
            first.len_utf8()
        };
        at += length;
    }
    found
}
