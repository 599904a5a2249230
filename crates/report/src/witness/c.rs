//! Terms as C expressions.
//!
//! What people read (`infix`) is nearly C already, so it is translated word by word; a text with a word that C
//! has no sign for (`if`, `length(list)`) is no C expression, and `None`.

use std::collections::BTreeSet;

/// Something in the text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum InfixWord {
    Name(String),
    Number(String),
    Sign(String),
}

/// A text over these names as a C expression; `old` says how the names are written. Numbers are made wide
/// enough that sums of C's usual integers do not overflow.
pub(super) fn c_expression(text: &str, names: &BTreeSet<String>, old: bool) -> Option<String> {
    let mut out: Vec<String> = Vec::new();
    for word in split_into_words(text)? {
        out.push(match word {
            InfixWord::Name(name) => match name.as_str() {
                "and" => "&&".to_owned(),
                "or" => "||".to_owned(),
                "not" => "!".to_owned(),
                "true" => "1".to_owned(),
                "false" => "0".to_owned(),
                _ if !names.contains(&name) || !is_identifier(&name) => return None,
                _ if old => format!("(long long)\\at({name}, AnyPrev)"),
                _ => format!("(long long){name}"),
            },
            InfixWord::Number(digits) => {
                // More than 18 digits may not fit, and what does not fit means something else.
                if digits.len() > 18 {
                    return None;
                }
                format!("{digits}LL")
            }
            InfixWord::Sign(sign) => match sign.as_str() {
                "=" => "==".to_owned(),
                _ => sign,
            },
        });
    }
    Some(out.join(" "))
}

/// Whether it is a name in C, rather than a place in memory such as `list->next`.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b == b'_' || b.is_ascii_alphabetic())
        && bytes.all(|b| b == b'_' || b.is_ascii_alphanumeric())
}

fn split_into_words(text: &str) -> Option<Vec<InfixWord>> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = |good: fn(char) -> bool| rest.find(|c: char| !good(c)).unwrap_or(rest.len());
        let (word, end) = if first.is_ascii_digit() {
            let end = length(|c| c.is_ascii_digit());
            (InfixWord::Number(rest[..end].to_owned()), end)
        } else if first == '_' || first.is_ascii_alphabetic() {
            let end = length(|c| c == '_' || c.is_ascii_alphanumeric());
            (InfixWord::Name(rest[..end].to_owned()), end)
        } else {
            let two = ["<=", ">=", "!=", "=="].into_iter().find(|sign| rest.starts_with(sign));
            let one = "+-*()<>=".find(first).map(|_| &rest[..1]);
            let sign = two.or(one)?;
            (InfixWord::Sign(sign.to_owned()), sign.len())
        };
        out.push(word);
        rest = rest[end..].trim_start();
    }
    // A name before a parenthesis would be a call.
    let called = out.windows(2).any(|pair| match pair {
        [InfixWord::Name(name), InfixWord::Sign(sign)] => {
            sign == "(" && !matches!(name.as_str(), "and" | "or" | "not")
        }
        _ => false,
    });
    (!called && !out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn c(text: &str, old: bool) -> Option<String> {
        let names = ["n", "i", "x_1"].map(str::to_owned).into_iter().collect();
        c_expression(text, &names, old)
    }

    #[test]
    fn comparisons_and_sums_are_c() {
        assert_eq!(c("n - i", false).as_deref(), Some("(long long)n - (long long)i"));
        assert_eq!(c("2*n", true).as_deref(), Some("2LL * (long long)\\at(n, AnyPrev)"));
        assert_eq!(
            c("x_1 >= 1 and (i = 0 or not (n < 2))", false).as_deref(),
            Some("(long long)x_1 >= 1LL && ( (long long)i == 0LL || ! ( (long long)n < 2LL ) )")
        );
    }

    #[test]
    fn what_c_has_no_word_for_is_left_out() {
        for text in [
            "if n < 1 then 2 else 3",
            "length(list)",
            "unsigned(n) < 3",
            "other < 3",
            "n->next = 0",
            "9999999999999999999",
            "",
        ] {
            assert_eq!(c(text, false), None, "{text}");
        }
    }
}
