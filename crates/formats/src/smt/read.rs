//! Parentheses and words of SMT-LIB, each with its place.

use crate::error::{FormatPlace, FormatResult, shorten_text};
use crate::limits::LIMITS;

/// A word or a list.
#[derive(Clone, Debug)]
pub(super) struct SmtNode<'t> {
    pub(super) place: FormatPlace,
    pub(super) kind: SmtNodeKind<'t>,
}

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum SmtNodeKind<'t> {
    /// A name or number; a name between bars is without them.
    Word(&'t str),
    /// What stands between quotes.
    Text,
    /// What stands between parentheses.
    List(Vec<SmtNode<'t>>),
}

impl<'t> SmtNode<'t> {
    pub(super) fn word(&self) -> Option<&'t str> {
        match self.kind {
            SmtNodeKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    pub(super) fn list(&self) -> Option<&[SmtNode<'t>]> {
        match &self.kind {
            SmtNodeKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The word that a list starts with.
    pub(super) fn head(&self) -> Option<&'t str> {
        self.list()?.first()?.word()
    }

    /// The word that must be here.
    pub(super) fn expect_name(&self, expected: &str) -> FormatResult<&'t str> {
        self.word()
            .ok_or_else(|| self.place.expected(&format!("{expected}, found {}", self.describe())))
    }

    /// The list that must be here.
    pub(super) fn expect_items(&self, expected: &str) -> FormatResult<&[SmtNode<'t>]> {
        self.list()
            .ok_or_else(|| self.place.expected(&format!("{expected}, found {}", self.describe())))
    }

    /// What it is, for a message.
    pub(super) fn describe(&self) -> String {
        match &self.kind {
            SmtNodeKind::Word(word) => shorten_text(word),
            SmtNodeKind::Text => "a string".to_owned(),
            SmtNodeKind::List(items) => match items.first().and_then(SmtNode::word) {
                Some(head) => format!("({} …)", shorten_text(head)),
                None if items.is_empty() => "()".to_owned(),
                None => "a list".to_owned(),
            },
        }
    }
}

/// All nodes of a text, and where it ends.
pub(super) fn read_nodes(text: &str) -> FormatResult<(Vec<SmtNode<'_>>, FormatPlace)> {
    let mut rest = UnreadText { text, place: FormatPlace::START };
    let mut open: Vec<(FormatPlace, Vec<SmtNode>)> = Vec::new();
    let mut top = Vec::new();
    loop {
        rest.skip(char::is_whitespace);
        let place = rest.place;
        let Some(first) = rest.text.chars().next() else { break };
        let kind = match first {
            ';' => {
                rest.skip(|c| c != '\n');
                continue;
            }
            '(' => {
                if open.len() == LIMITS.smt_depth {
                    return Err(place
                        .refuse(format!("nested deeper than {} parentheses", LIMITS.smt_depth)));
                }
                rest.bump();
                open.push((place, Vec::new()));
                continue;
            }
            ')' => {
                rest.bump();
                let Some((opened, items)) = open.pop() else {
                    return Err(place.refuse("this closing parenthesis has no opening one"));
                };
                let list = SmtNode { place: opened, kind: SmtNodeKind::List(items) };
                open.last_mut().map_or(&mut top, |(_, items)| items).push(list);
                continue;
            }
            '"' | '|' => {
                rest.bump();
                let inside = rest.skip(|c| c != first);
                if rest.bump().is_none() {
                    return Err(place.refuse(format!("this {first} is not closed")));
                }
                if first == '|' { SmtNodeKind::Word(inside) } else { SmtNodeKind::Text }
            }
            _ => SmtNodeKind::Word(rest.skip(|c| !c.is_whitespace() && !"();\"|".contains(c))),
        };
        open.last_mut().map_or(&mut top, |(_, items)| items).push(SmtNode { place, kind });
    }
    match open.pop() {
        Some((opened, _)) => Err(opened.refuse("this parenthesis is not closed")),
        None => Ok((top, rest.place)),
    }
}

struct UnreadText<'t> {
    text: &'t str,
    place: FormatPlace,
}

impl<'t> UnreadText<'t> {
    fn bump(&mut self) -> Option<char> {
        let mut rest = self.text.chars();
        let first = rest.next()?;
        self.text = rest.as_str();
        self.place.advance(first);
        Some(first)
    }

    /// Steps over these characters and gives them.
    fn skip(&mut self, over: impl Fn(char) -> bool) -> &'t str {
        let end = self.text.find(|c| !over(c)).unwrap_or(self.text.len());
        let (skipped, rest) = self.text.split_at(end);
        for character in skipped.chars() {
            self.place.advance(character);
        }
        self.text = rest;
        skipped
    }
}
