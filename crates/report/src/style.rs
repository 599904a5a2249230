//! Colours.

/// How text is emphasised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextStyle {
    /// Not at all: for files, pipes, and whoever set `NO_COLOR`.
    Plain,
    /// With ANSI colours.
    Colour,
}

impl TextStyle {
    /// Good news.
    pub(crate) fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Bad news.
    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// No news.
    pub(crate) fn doubtful(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// What stands around the source: arrows, line numbers.
    pub(crate) fn frame(self, text: &str) -> String {
        self.paint("1;34", text)
    }

    /// What matters in a line.
    pub(crate) fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            TextStyle::Plain => text.to_owned(),
            TextStyle::Colour => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}
