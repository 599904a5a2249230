//! From text to terms. Nesting costs memory, not stack.

use num_bigint::BigInt;
use num_traits::Num;
use rustc_hash::FxHashMap;

use super::{NAMES, TermParseError, is_plain_symbol_char};
use crate::{Term, TermOp, TermStore};

impl TermStore {
    /// The term of a text whose symbols all exist in this store.
    pub fn parse(&mut self, text: &str) -> Result<Term, TermParseError> {
        self.parse_with(text, |_| None)
    }

    /// The term of a text. `lookup` says what a symbol stands for; where it does not know, the
    /// symbol must exist in this store.
    pub fn parse_with(
        &mut self,
        text: &str,
        lookup: impl FnMut(&str) -> Option<Term>,
    ) -> Result<Term, TermParseError> {
        let lexer = TermLexer { text, position: 0 };
        let mut parser = TermParser {
            terms: self,
            lexer,
            lookup,
            open: Vec::new(),
            scope: FxHashMap::default(),
        };
        parser.parse_term()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TermToken<'t> {
    Open,
    Close,
    /// A word, number or literal.
    Atom(&'t str),
    /// A symbol between bars, without them.
    Quoted(String),
    End,
}

#[derive(Clone)]
struct TermLexer<'t> {
    text: &'t str,
    position: usize,
}

fn parse_error<T>(offset: usize, message: impl Into<String>) -> Result<T, TermParseError> {
    Err(TermParseError { offset, message: message.into() })
}

impl<'t> TermLexer<'t> {
    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.position..];
            let blank = rest.len() - rest.trim_start().len();
            self.position += blank;
            match self.text[self.position..].strip_prefix(';') {
                Some(comment) => {
                    self.position += 1 + comment.find('\n').unwrap_or(comment.len());
                }
                None => return,
            }
        }
    }

    /// The next token and where it starts.
    fn next_token(&mut self) -> Result<(usize, TermToken<'t>), TermParseError> {
        self.skip_space();
        let start = self.position;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok((start, TermToken::End)) };
        self.position += first.len_utf8();
        let token = match first {
            '(' => TermToken::Open,
            ')' => TermToken::Close,
            '|' => TermToken::Quoted(self.read_quoted_symbol(start)?),
            c if is_plain_symbol_char(c) || c == '#' => {
                let length =
                    rest[1..].find(|c| !is_plain_symbol_char(c)).map_or(rest.len(), |end| end + 1);
                self.position = start + length;
                TermToken::Atom(&rest[..length])
            }
            other => return parse_error(start, format!("{other:?} cannot stand here")),
        };
        Ok((start, token))
    }

    fn read_quoted_symbol(&mut self, start: usize) -> Result<String, TermParseError> {
        let mut name = String::new();
        let mut characters = self.text[self.position..].char_indices();
        while let Some((at, character)) = characters.next() {
            match character {
                '|' => {
                    self.position += at + 1;
                    return Ok(name);
                }
                '\\' => match characters.next() {
                    Some((_, escaped @ ('|' | '\\'))) => name.push(escaped),
                    _ => return parse_error(self.position + at, "a bar or backslash must follow"),
                },
                other => name.push(other),
            }
        }
        parse_error(start, "the bar is not closed")
    }
}

/// What an application in the text does.
#[derive(Clone, Debug)]
enum ApplicationHead {
    Op(TermOp),
    /// `(_ zero_extend n)`, `(_ sign_extend n)`: the width of the argument is to be added.
    ZeroExtend(u32),
    SignExtend(u32),
    /// `-` of one or more arguments.
    Minus,
    BvSub,
    Implies,
    Distinct,
    /// A comparison with its arguments the other way round.
    Swapped(TermOp),
    /// `<` and `>` on integers: not `<=` the other way round.
    Less,
    Greater,
}

/// What has been opened and not closed.
enum ParserFrame {
    Apply {
        head: ApplicationHead,
        offset: usize,
        args: Vec<Term>,
    },
    /// Inside `((name …) …)` of a `let`: names bound so far, and the one whose value is read.
    Binding {
        done: Vec<(String, Term)>,
        name: String,
    },
    /// After it: the names that end here.
    Body(Vec<String>),
}

struct TermParser<'t, 's, L> {
    terms: &'s mut TermStore,
    lexer: TermLexer<'t>,
    lookup: L,
    open: Vec<ParserFrame>,
    /// The values of names bound by `let`, innermost last.
    scope: FxHashMap<String, Vec<Term>>,
}

impl<L: FnMut(&str) -> Option<Term>> TermParser<'_, '_, L> {
    fn parse_term(&mut self) -> Result<Term, TermParseError> {
        loop {
            let Some(mut value) = self.parse_application_start()? else { continue };
            // A value may close what is open around it.
            loop {
                let Some(frame) = self.open.pop() else {
                    return match self.lexer.next_token()? {
                        (_, TermToken::End) => Ok(value),
                        (offset, _) => parse_error(offset, "the text goes on after the term"),
                    };
                };
                match self.deliver_value(frame, value)? {
                    Some(closed) => value = closed,
                    None => break,
                }
            }
        }
    }

    /// Reads up to the first argument of an application, or a whole leaf.
    fn parse_application_start(&mut self) -> Result<Option<Term>, TermParseError> {
        let (offset, token) = self.lexer.next_token()?;
        match token {
            TermToken::Atom(word) => self.parse_leaf(offset, word).map(Some),
            TermToken::Quoted(name) => self.resolve_symbol(offset, &name).map(Some),
            TermToken::Close => parse_error(offset, "a term must stand here"),
            TermToken::End => parse_error(offset, "the text ends inside a term"),
            TermToken::Open => {
                let (head_offset, token) = self.lexer.next_token()?;
                match token {
                    TermToken::Atom("let") => {
                        self.expect_token(&TermToken::Open, "(")?;
                        self.parse_let_bindings(Vec::new())?;
                        return Ok(None);
                    }
                    TermToken::Atom("_") => return self.bit_vector_numeral().map(Some),
                    TermToken::Atom(word) => {
                        let head = find_application_head(word).ok_or_else(|| TermParseError {
                            offset: head_offset,
                            message: format!("{word} is not an operator"),
                        })?;
                        self.open.push(ParserFrame::Apply {
                            head,
                            offset: head_offset,
                            args: vec![],
                        });
                    }
                    TermToken::Open => {
                        let head = self.indexed_head()?;
                        self.open.push(ParserFrame::Apply {
                            head,
                            offset: head_offset,
                            args: vec![],
                        });
                    }
                    _ => return parse_error(head_offset, "an operator must stand here"),
                }
                self.close_without_arguments()
            }
        }
    }

    /// An application of no arguments: `(and)`.
    fn close_without_arguments(&mut self) -> Result<Option<Term>, TermParseError> {
        let ahead = self.lexer.clone();
        if self.lexer.next_token()?.1 == TermToken::Close
            && let Some(ParserFrame::Apply { head, offset, args }) = self.open.pop()
        {
            return self.apply_head(head, offset, &args).map(Some);
        }
        self.lexer = ahead;
        Ok(None)
    }

    /// Gives a value to what is open around it; the value of that, if it is complete.
    fn deliver_value(
        &mut self,
        frame: ParserFrame,
        value: Term,
    ) -> Result<Option<Term>, TermParseError> {
        match frame {
            ParserFrame::Apply { head, offset, mut args } => {
                args.push(value);
                let ahead = self.lexer.clone();
                if self.lexer.next_token()?.1 == TermToken::Close {
                    return self.apply_head(head, offset, &args).map(Some);
                }
                self.lexer = ahead;
                self.open.push(ParserFrame::Apply { head, offset, args });
                Ok(None)
            }
            ParserFrame::Binding { mut done, name } => {
                self.expect_token(&TermToken::Close, ")")?;
                done.push((name, value));
                self.parse_let_bindings(done)?;
                Ok(None)
            }
            ParserFrame::Body(names) => {
                self.expect_token(&TermToken::Close, ")")?;
                for name in names {
                    if let Some(values) = self.scope.get_mut(&name) {
                        values.pop();
                    }
                }
                Ok(Some(value))
            }
        }
    }

    /// Reads `(name` of the next binding, or the end of the bindings, which then hold.
    fn parse_let_bindings(&mut self, done: Vec<(String, Term)>) -> Result<(), TermParseError> {
        match self.lexer.next_token()? {
            (_, TermToken::Open) => {
                let name = match self.lexer.next_token()? {
                    (_, TermToken::Atom(name)) => name.to_owned(),
                    (_, TermToken::Quoted(name)) => name,
                    (offset, _) => return parse_error(offset, "a name must stand here"),
                };
                self.open.push(ParserFrame::Binding { done, name });
            }
            (_, TermToken::Close) => {
                let names = done.iter().map(|(name, _)| name.clone()).collect();
                for (name, value) in done {
                    self.scope.entry(name).or_default().push(value);
                }
                self.open.push(ParserFrame::Body(names));
            }
            (offset, _) => return parse_error(offset, "a binding or ) must stand here"),
        }
        Ok(())
    }

    fn expect_token(&mut self, token: &TermToken<'_>, shown: &str) -> Result<(), TermParseError> {
        match self.lexer.next_token()? {
            (_, found) if found == *token => Ok(()),
            (offset, _) => parse_error(offset, format!("{shown} must stand here")),
        }
    }

    fn parse_leaf(&mut self, offset: usize, word: &str) -> Result<Term, TermParseError> {
        let refused = || TermParseError { offset, message: format!("{word} is not a literal") };
        if let Some(digits) = word.strip_prefix("#x") {
            let value = u128::from_str_radix(digits, 16).map_err(|_| refused())?;
            return self.bit_vector_constant(offset, digits.len().saturating_mul(4), value);
        }
        if let Some(digits) = word.strip_prefix("#b") {
            let value = u128::from_str_radix(digits, 2).map_err(|_| refused())?;
            return self.bit_vector_constant(offset, digits.len(), value);
        }
        if word.starts_with('#') {
            return Err(refused());
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.bytes().all(|b| b.is_ascii_digit());
            let value = digits.then(|| BigInt::from_str_radix(word, 10).ok()).flatten();
            return Ok(self.terms.int(value.ok_or_else(refused)?));
        }
        match word {
            "true" => Ok(self.terms.bool(true)),
            "false" => Ok(self.terms.bool(false)),
            name => self.resolve_symbol(offset, name),
        }
    }

    fn bit_vector_constant(
        &mut self,
        offset: usize,
        width: usize,
        value: u128,
    ) -> Result<Term, TermParseError> {
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        let refused =
            TermParseError { offset, message: "the value does not fit 1 to 128 bits".to_owned() };
        self.terms.apply_operator(TermOp::Bv { width, value }, &[]).map_err(|_| refused)
    }

    /// `(_ bv5 8)`, after the underscore.
    fn bit_vector_numeral(&mut self) -> Result<Term, TermParseError> {
        let (offset, token) = self.lexer.next_token()?;
        let value = match token {
            TermToken::Atom(word) => word.strip_prefix("bv").and_then(|v| v.parse::<u128>().ok()),
            _ => None,
        };
        let Some(value) = value else {
            return parse_error(offset, "bv and a number must stand here");
        };
        let width = self.parse_index()?;
        self.expect_token(&TermToken::Close, ")")?;
        self.bit_vector_constant(offset, width as usize, value)
    }

    fn resolve_symbol(&mut self, offset: usize, name: &str) -> Result<Term, TermParseError> {
        if let Some(value) = self.scope.get(name).and_then(|values| values.last()) {
            return Ok(*value);
        }
        if let Some(term) = (self.lookup)(name) {
            return Ok(term);
        }
        match self.terms.find_symbol(name) {
            Some(id) => Ok(self.terms.symbol_term(id)),
            None => parse_error(offset, format!("there is no symbol {name}")),
        }
    }

    /// `_ extract 7 0)`, after the parenthesis.
    fn indexed_head(&mut self) -> Result<ApplicationHead, TermParseError> {
        self.expect_token(&TermToken::Atom("_"), "_")?;
        let (offset, token) = self.lexer.next_token()?;
        let TermToken::Atom(word) = token else {
            return parse_error(offset, "an operator must stand here");
        };
        let head = match word {
            "extract" => {
                let high = self.parse_index()?;
                ApplicationHead::Op(TermOp::Extract { high, low: self.parse_index()? })
            }
            "zero_extend" => ApplicationHead::ZeroExtend(self.parse_index()?),
            "sign_extend" => ApplicationHead::SignExtend(self.parse_index()?),
            "int2bv" => ApplicationHead::Op(TermOp::IntToBv(self.parse_index()?)),
            "fp.to_fp" => ApplicationHead::Op(TermOp::FpToFp(self.parse_index()?)),
            "fp.to_sbv" => ApplicationHead::Op(TermOp::FpToSbv(self.parse_index()?)),
            "fp.to_ubv" => ApplicationHead::Op(TermOp::FpToUbv(self.parse_index()?)),
            "sbv.to_fp" => ApplicationHead::Op(TermOp::SbvToFp(self.parse_index()?)),
            "ubv.to_fp" => ApplicationHead::Op(TermOp::UbvToFp(self.parse_index()?)),
            other => return parse_error(offset, format!("{other} is not an indexed operator")),
        };
        self.expect_token(&TermToken::Close, ")")?;
        Ok(head)
    }

    fn parse_index(&mut self) -> Result<u32, TermParseError> {
        match self.lexer.next_token()? {
            (offset, TermToken::Atom(word)) => word
                .parse()
                .map_err(|_| TermParseError { offset, message: format!("{word} is not an index") }),
            (offset, _) => parse_error(offset, "an index must stand here"),
        }
    }

    fn apply_head(
        &mut self,
        head: ApplicationHead,
        offset: usize,
        args: &[Term],
    ) -> Result<Term, TermParseError> {
        let refused = |message: String| TermParseError { offset, message };
        let sort_of = |terms: &TermStore, term: Term| terms.sort(term).width();
        let terms = &mut *self.terms;
        let applied = match (head, args) {
            (ApplicationHead::Op(op), args) => terms.apply_operator(op, args),
            (ApplicationHead::ZeroExtend(more), [a]) => {
                let width = sort_of(terms, *a).unwrap_or(0).saturating_add(more);
                terms.apply_operator(TermOp::ZeroExtend(width), args)
            }
            (ApplicationHead::SignExtend(more), [a]) => {
                let width = sort_of(terms, *a).unwrap_or(0).saturating_add(more);
                terms.apply_operator(TermOp::SignExtend(width), args)
            }
            (ApplicationHead::Minus, [a]) => {
                let minus = terms.int(-1);
                terms.apply_operator(TermOp::IntMul, &[minus, *a])
            }
            (ApplicationHead::Minus, [a, b]) => {
                let minus = terms.int(-1);
                let negated = terms.apply_operator(TermOp::IntMul, &[minus, *b]);
                negated.and_then(|negated| terms.apply_operator(TermOp::IntAdd, &[*a, negated]))
            }
            (ApplicationHead::BvSub, [a, b]) => {
                let negated = terms.apply_operator(TermOp::BvNeg, &[*b]);
                negated.and_then(|negated| terms.apply_operator(TermOp::BvAdd, &[*a, negated]))
            }
            (ApplicationHead::Implies, [a, b]) => {
                let not_a = terms.apply_operator(TermOp::Not, &[*a]);
                not_a.and_then(|not_a| terms.apply_operator(TermOp::Or, &[not_a, *b]))
            }
            (ApplicationHead::Distinct, [a, b]) => {
                let equal = terms.apply_operator(TermOp::Eq, &[*a, *b]);
                equal.and_then(|equal| terms.apply_operator(TermOp::Not, &[equal]))
            }
            (ApplicationHead::Swapped(op), [a, b]) => terms.apply_operator(op, &[*b, *a]),
            (ApplicationHead::Less, [a, b]) => {
                let reverse = terms.apply_operator(TermOp::IntLe, &[*b, *a]);
                reverse.and_then(|reverse| terms.apply_operator(TermOp::Not, &[reverse]))
            }
            (ApplicationHead::Greater, [a, b]) => {
                let reverse = terms.apply_operator(TermOp::IntLe, &[*a, *b]);
                reverse.and_then(|reverse| terms.apply_operator(TermOp::Not, &[reverse]))
            }
            (head, args) => {
                return Err(refused(format!("{head:?} cannot have {} arguments", args.len())));
            }
        };
        applied.map_err(|reason| refused(reason.to_string()))
    }
}

fn find_application_head(word: &str) -> Option<ApplicationHead> {
    let named = NAMES.iter().find(|(name, _)| *name == word);
    Some(match word {
        "-" => ApplicationHead::Minus,
        "bvsub" => ApplicationHead::BvSub,
        "=>" => ApplicationHead::Implies,
        "distinct" => ApplicationHead::Distinct,
        "<" => ApplicationHead::Less,
        ">" => ApplicationHead::Greater,
        ">=" => ApplicationHead::Swapped(TermOp::IntLe),
        "bvugt" => ApplicationHead::Swapped(TermOp::BvUlt),
        "bvuge" => ApplicationHead::Swapped(TermOp::BvUle),
        "bvsgt" => ApplicationHead::Swapped(TermOp::BvSlt),
        "bvsge" => ApplicationHead::Swapped(TermOp::BvSle),
        _ => ApplicationHead::Op(named?.1.clone()),
    })
}
