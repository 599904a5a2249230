//! Text inside XML and HTML.

/// Text that markup cannot change, between tags and in attributes. Control characters that XML has no way to
/// write are shown as a replacement character.
pub(crate) fn escape_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(c),
            '\r' => {}
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape_markup;

    #[test]
    fn nothing_gets_out() {
        assert_eq!(
            escape_markup("<b a='\"'>&\u{1}\r\n"),
            "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}\n"
        );
    }
}
