//! Arguments in the user's own words.
//!
//! A loop on its own calls memory `s_at_8`. What the user calls it is written where the loop reads it, so it is
//! taken from there: `s->n`. In the text of a macro that cannot be done, and the name stays.

use std::collections::BTreeMap;

use ouro_isolate::NamedCell;
use ouro_model::Program;
use ouro_report::SourceTexts;

/// What the user calls the memory that these names stand for.
pub(super) fn cell_expressions(
    names: &[NamedCell],
    program: &Program,
    sources: &SourceTexts,
) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for NamedCell { name, span, is_pointer } in names {
        let text = (span.is_known().then(|| program.files.get(span.file.0 as usize)))
            .flatten()
            .and_then(|file| sources.get(file));
        let line = text.and_then(|text| text.lines().nth(span.line.saturating_sub(1) as usize));
        let found = line.and_then(|line| expression_at(line, span.column as usize, !*is_pointer));
        if let Some(found) = found {
            all.insert(name.clone(), found);
        }
    }
    all
}

/// A text with expressions in the place of names. A pointer that moves up to the end of addresses is better told as
/// what it is.
pub(super) fn in_user_words(text: &str, expressions: &BTreeMap<String, String>) -> String {
    let mut spoken = String::new();
    let mut word = String::new();
    for letter in text.chars().chain([' ']) {
        if letter.is_ascii_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        spoken.push_str(expressions.get(&word).unwrap_or(&word));
        word.clear();
        spoken.push(letter);
    }
    spoken.pop();
    room_left_text(&spoken).unwrap_or(spoken)
}

/// `-p + 9223372036854775805 …` as what is left for `p`.
fn room_left_text(text: &str) -> Option<String> {
    let (pointer, rest) = text.strip_prefix('-')?.split_once(" + ")?;
    let (number, rest) = rest.split_once(' ')?;
    let huge = number.parse::<u64>().is_ok_and(|number| number > u64::MAX / 4);
    let plain = pointer.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    (huge && plain).then(|| format!("the space left after {pointer} {rest}"))
}

/// The expression that is read at a column, from 1: a variable, a member, what a pointer leads to, with an index
/// behind it if that is asked for.
fn expression_at(line: &str, column: usize, index: bool) -> Option<String> {
    let bytes = line.as_bytes();
    let at = column.checked_sub(1)?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name_from = |from: usize| bytes[from..].iter().take_while(|byte| is_name(byte)).count();
    let stars = bytes.get(at..)?.iter().take_while(|byte| **byte == b'*').count();
    let name = at + stars;
    let length = name_from(name);
    if length == 0 || bytes[name].is_ascii_digit() {
        return None;
    }
    let mut end = name + length;
    let mut start = at;
    // Members: back to the start of what they are members of.
    let object_of = |start: usize| {
        let before = &line[..start];
        before.strip_suffix("->").or_else(|| before.strip_suffix('.')).filter(|_| stars == 0)
    };
    while let Some(object) = object_of(start) {
        start = start_of_operand(object)?;
    }
    if index && bytes.get(end) == Some(&b'[') {
        end += bracket_length(&line[end..])?;
    }
    let text = line.get(start..end)?;
    // A call or a macro is no place in memory.
    let keyword = matches!(text, "for" | "while" | "do" | "if" | "switch" | "return");
    (bytes.get(end) != Some(&b'(') && !keyword).then(|| text.to_owned())
}

/// Where the operand at the end of a text starts: a name, perhaps with indices.
fn start_of_operand(text: &str) -> Option<usize> {
    let mut rest = text;
    while let Some(inside) = rest.strip_suffix(']') {
        let mut depth = 1;
        let open = inside.char_indices().rev().find(|(_, letter)| {
            depth += i32::from(*letter == ']') - i32::from(*letter == '[');
            depth == 0
        });
        rest = &inside[..open?.0];
    }
    let name =
        rest.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
    (name.len() < rest.len()).then_some(name.len())
}

/// How long the bracket is that a text starts with.
fn bracket_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    let close = text.char_indices().find(|(_, letter)| {
        depth += i32::from(*letter == '[') - i32::from(*letter == ']');
        depth == 0
    });
    close.map(|(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_at_a_column_is_an_expression() {
        let at = |line: &str, text: &str, index: bool| {
            expression_at(line, line.find(text).unwrap() + 1, index)
        };
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(at("for (i = 0; i < s->list.n; i++)", "n; i++", true), said("s->list.n"));
        assert_eq!(
            at("while (g->parts[k + f[1]].n > i)", "n > i", true),
            said("g->parts[k + f[1]].n")
        );
        assert_eq!(at("while (*end != 0)", "*end", true), said("*end"));
        assert_eq!(at("if (limit > 3)", "limit", true), said("limit"));
        assert_eq!(at("x = s->a[i] + 1;", "a[i]", true), said("s->a[i]"));
        assert_eq!(at("x = s->a[i] + 1;", "a[i]", false), said("s->a"));
        assert_eq!(at("x = PLACE(s);", "PLACE", true), None);
        assert_eq!(at("x = (y)->n;", "n;", true), None);
        assert_eq!(expression_at("", 1, true), None);
        assert_eq!(expression_at("abc", 9, true), None);
    }

    #[test]
    fn names_become_expressions() {
        let all = BTreeMap::from([("s_at_8".to_owned(), "s->n".to_owned())]);
        assert_eq!(in_user_words("s_at_8 - i gets smaller", &all), "s->n - i gets smaller");
        assert_eq!(in_user_words("s_at_80 + 1", &all), "s_at_80 + 1");
        let moving = "-p + 9223372036854775805 gets smaller with every iteration";
        assert_eq!(
            in_user_words(moving, &all),
            "the space left after p gets smaller with every \
             iteration"
        );
        assert_eq!(in_user_words("-p + 12 gets smaller", &all), "-p + 12 gets smaller");
    }
}
