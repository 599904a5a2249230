//! From text to terms. Nesting costs memory, not stack.

use num_bigint::BigInt;
use num_traits::Num;
use rustc_hash::FxHashMap;

use super::{NAMES, ParseError, is_plain};
use crate::{Op, Term, Terms};

impl Terms {
    /// The term of a text whose symbols all exist in this store.
    pub fn parse(&mut self, text: &str) -> Result<Term, ParseError> {
        self.parse_with(text, |_| None)
    }

    /// The term of a text. `lookup` says what a symbol stands for; where it does not know, the
    /// symbol must exist in this store.
    pub fn parse_with(
        &mut self,
        text: &str,
        lookup: impl FnMut(&str) -> Option<Term>,
    ) -> Result<Term, ParseError> {
        let lexer = Lexer { text, position: 0 };
        let mut parser =
            Parser { terms: self, lexer, lookup, open: Vec::new(), scope: FxHashMap::default() };
        parser.term()
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token<'t> {
    Open,
    Close,
    /// A word, number or literal.
    Atom(&'t str),
    /// A symbol between bars, without them.
    Quoted(String),
    End,
}

#[derive(Clone)]
struct Lexer<'t> {
    text: &'t str,
    position: usize,
}

fn error<T>(offset: usize, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError { offset, message: message.into() })
}

impl<'t> Lexer<'t> {
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
    fn next(&mut self) -> Result<(usize, Token<'t>), ParseError> {
        self.skip_space();
        let start = self.position;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok((start, Token::End)) };
        self.position += first.len_utf8();
        let token = match first {
            '(' => Token::Open,
            ')' => Token::Close,
            '|' => Token::Quoted(self.quoted(start)?),
            c if is_plain(c) || c == '#' => {
                let length = rest[1..].find(|c| !is_plain(c)).map_or(rest.len(), |end| end + 1);
                self.position = start + length;
                Token::Atom(&rest[..length])
            }
            other => return error(start, format!("{other:?} cannot stand here")),
        };
        Ok((start, token))
    }

    fn quoted(&mut self, start: usize) -> Result<String, ParseError> {
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
                    _ => return error(self.position + at, "a bar or backslash must follow"),
                },
                other => name.push(other),
            }
        }
        error(start, "the bar is not closed")
    }
}

/// What an application in the text does.
#[derive(Clone, Debug)]
enum Head {
    Op(Op),
    /// `(_ zero_extend n)`, `(_ sign_extend n)`: the width of the argument is to be added.
    ZeroExtend(u32),
    SignExtend(u32),
    /// `-` of one or more arguments.
    Minus,
    BvSub,
    Implies,
    Distinct,
    /// A comparison with its arguments the other way round.
    Swapped(Op),
    /// `<` and `>` on integers: not `<=` the other way round.
    Less,
    Greater,
}

/// What has been opened and not closed.
enum Frame {
    Apply {
        head: Head,
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

struct Parser<'t, 's, L> {
    terms: &'s mut Terms,
    lexer: Lexer<'t>,
    lookup: L,
    open: Vec<Frame>,
    /// The values of names bound by `let`, innermost last.
    scope: FxHashMap<String, Vec<Term>>,
}

impl<L: FnMut(&str) -> Option<Term>> Parser<'_, '_, L> {
    fn term(&mut self) -> Result<Term, ParseError> {
        loop {
            let Some(mut value) = self.start()? else { continue };
            // A value may close what is open around it.
            loop {
                let Some(frame) = self.open.pop() else {
                    return match self.lexer.next()? {
                        (_, Token::End) => Ok(value),
                        (offset, _) => error(offset, "the text goes on after the term"),
                    };
                };
                match self.deliver(frame, value)? {
                    Some(closed) => value = closed,
                    None => break,
                }
            }
        }
    }

    /// Reads up to the first argument of an application, or a whole leaf.
    fn start(&mut self) -> Result<Option<Term>, ParseError> {
        let (offset, token) = self.lexer.next()?;
        match token {
            Token::Atom(word) => self.leaf(offset, word).map(Some),
            Token::Quoted(name) => self.symbol(offset, &name).map(Some),
            Token::Close => error(offset, "a term must stand here"),
            Token::End => error(offset, "the text ends inside a term"),
            Token::Open => {
                let (head_offset, token) = self.lexer.next()?;
                match token {
                    Token::Atom("let") => {
                        self.expect(&Token::Open, "(")?;
                        self.bindings(Vec::new())?;
                        return Ok(None);
                    }
                    Token::Atom("_") => return self.bit_vector_numeral().map(Some),
                    Token::Atom(word) => {
                        let head = head(word).ok_or_else(|| ParseError {
                            offset: head_offset,
                            message: format!("{word} is not an operator"),
                        })?;
                        self.open.push(Frame::Apply { head, offset: head_offset, args: vec![] });
                    }
                    Token::Open => {
                        let head = self.indexed_head()?;
                        self.open.push(Frame::Apply { head, offset: head_offset, args: vec![] });
                    }
                    _ => return error(head_offset, "an operator must stand here"),
                }
                self.close_early()
            }
        }
    }

    /// An application of no arguments: `(and)`.
    fn close_early(&mut self) -> Result<Option<Term>, ParseError> {
        let ahead = self.lexer.clone();
        if self.lexer.next()?.1 == Token::Close
            && let Some(Frame::Apply { head, offset, args }) = self.open.pop()
        {
            return self.apply(head, offset, &args).map(Some);
        }
        self.lexer = ahead;
        Ok(None)
    }

    /// Gives a value to what is open around it; the value of that, if it is complete.
    fn deliver(&mut self, frame: Frame, value: Term) -> Result<Option<Term>, ParseError> {
        match frame {
            Frame::Apply { head, offset, mut args } => {
                args.push(value);
                let ahead = self.lexer.clone();
                if self.lexer.next()?.1 == Token::Close {
                    return self.apply(head, offset, &args).map(Some);
                }
                self.lexer = ahead;
                self.open.push(Frame::Apply { head, offset, args });
                Ok(None)
            }
            Frame::Binding { mut done, name } => {
                self.expect(&Token::Close, ")")?;
                done.push((name, value));
                self.bindings(done)?;
                Ok(None)
            }
            Frame::Body(names) => {
                self.expect(&Token::Close, ")")?;
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
    fn bindings(&mut self, done: Vec<(String, Term)>) -> Result<(), ParseError> {
        match self.lexer.next()? {
            (_, Token::Open) => {
                let name = match self.lexer.next()? {
                    (_, Token::Atom(name)) => name.to_owned(),
                    (_, Token::Quoted(name)) => name,
                    (offset, _) => return error(offset, "a name must stand here"),
                };
                self.open.push(Frame::Binding { done, name });
            }
            (_, Token::Close) => {
                let names = done.iter().map(|(name, _)| name.clone()).collect();
                for (name, value) in done {
                    self.scope.entry(name).or_default().push(value);
                }
                self.open.push(Frame::Body(names));
            }
            (offset, _) => return error(offset, "a binding or ) must stand here"),
        }
        Ok(())
    }

    fn expect(&mut self, token: &Token<'_>, shown: &str) -> Result<(), ParseError> {
        match self.lexer.next()? {
            (_, found) if found == *token => Ok(()),
            (offset, _) => error(offset, format!("{shown} must stand here")),
        }
    }

    fn leaf(&mut self, offset: usize, word: &str) -> Result<Term, ParseError> {
        let refused = || ParseError { offset, message: format!("{word} is not a literal") };
        if let Some(digits) = word.strip_prefix("#x") {
            let value = u128::from_str_radix(digits, 16).map_err(|_| refused())?;
            return self.bit_vector(offset, digits.len().saturating_mul(4), value);
        }
        if let Some(digits) = word.strip_prefix("#b") {
            let value = u128::from_str_radix(digits, 2).map_err(|_| refused())?;
            return self.bit_vector(offset, digits.len(), value);
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
            name => self.symbol(offset, name),
        }
    }

    fn bit_vector(&mut self, offset: usize, width: usize, value: u128) -> Result<Term, ParseError> {
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        let refused =
            ParseError { offset, message: "the value does not fit 1 to 128 bits".to_owned() };
        self.terms.apply(Op::Bv { width, value }, &[]).map_err(|_| refused)
    }

    /// `(_ bv5 8)`, after the underscore.
    fn bit_vector_numeral(&mut self) -> Result<Term, ParseError> {
        let (offset, token) = self.lexer.next()?;
        let value = match token {
            Token::Atom(word) => word.strip_prefix("bv").and_then(|v| v.parse::<u128>().ok()),
            _ => None,
        };
        let Some(value) = value else { return error(offset, "bv and a number must stand here") };
        let width = self.index()?;
        self.expect(&Token::Close, ")")?;
        self.bit_vector(offset, width as usize, value)
    }

    fn symbol(&mut self, offset: usize, name: &str) -> Result<Term, ParseError> {
        if let Some(value) = self.scope.get(name).and_then(|values| values.last()) {
            return Ok(*value);
        }
        if let Some(term) = (self.lookup)(name) {
            return Ok(term);
        }
        match self.terms.find_symbol(name) {
            Some(id) => Ok(self.terms.symbol_term(id)),
            None => error(offset, format!("there is no symbol {name}")),
        }
    }

    /// `_ extract 7 0)`, after the parenthesis.
    fn indexed_head(&mut self) -> Result<Head, ParseError> {
        self.expect(&Token::Atom("_"), "_")?;
        let (offset, token) = self.lexer.next()?;
        let Token::Atom(word) = token else { return error(offset, "an operator must stand here") };
        let head = match word {
            "extract" => {
                let high = self.index()?;
                Head::Op(Op::Extract { high, low: self.index()? })
            }
            "zero_extend" => Head::ZeroExtend(self.index()?),
            "sign_extend" => Head::SignExtend(self.index()?),
            "int2bv" => Head::Op(Op::IntToBv(self.index()?)),
            "fp.to_fp" => Head::Op(Op::FpToFp(self.index()?)),
            "fp.to_sbv" => Head::Op(Op::FpToSbv(self.index()?)),
            "fp.to_ubv" => Head::Op(Op::FpToUbv(self.index()?)),
            "sbv.to_fp" => Head::Op(Op::SbvToFp(self.index()?)),
            "ubv.to_fp" => Head::Op(Op::UbvToFp(self.index()?)),
            other => return error(offset, format!("{other} is not an indexed operator")),
        };
        self.expect(&Token::Close, ")")?;
        Ok(head)
    }

    fn index(&mut self) -> Result<u32, ParseError> {
        match self.lexer.next()? {
            (offset, Token::Atom(word)) => word
                .parse()
                .map_err(|_| ParseError { offset, message: format!("{word} is not an index") }),
            (offset, _) => error(offset, "an index must stand here"),
        }
    }

    fn apply(&mut self, head: Head, offset: usize, args: &[Term]) -> Result<Term, ParseError> {
        let refused = |message: String| ParseError { offset, message };
        let sort_of = |terms: &Terms, term: Term| terms.sort(term).width();
        let terms = &mut *self.terms;
        let applied = match (head, args) {
            (Head::Op(op), args) => terms.apply(op, args),
            (Head::ZeroExtend(more), [a]) => {
                let width = sort_of(terms, *a).unwrap_or(0).saturating_add(more);
                terms.apply(Op::ZeroExtend(width), args)
            }
            (Head::SignExtend(more), [a]) => {
                let width = sort_of(terms, *a).unwrap_or(0).saturating_add(more);
                terms.apply(Op::SignExtend(width), args)
            }
            (Head::Minus, [a]) => {
                let minus = terms.int(-1);
                terms.apply(Op::IntMul, &[minus, *a])
            }
            (Head::Minus, [a, b]) => {
                let minus = terms.int(-1);
                let negated = terms.apply(Op::IntMul, &[minus, *b]);
                negated.and_then(|negated| terms.apply(Op::IntAdd, &[*a, negated]))
            }
            (Head::BvSub, [a, b]) => {
                let negated = terms.apply(Op::BvNeg, &[*b]);
                negated.and_then(|negated| terms.apply(Op::BvAdd, &[*a, negated]))
            }
            (Head::Implies, [a, b]) => {
                let not_a = terms.apply(Op::Not, &[*a]);
                not_a.and_then(|not_a| terms.apply(Op::Or, &[not_a, *b]))
            }
            (Head::Distinct, [a, b]) => {
                let equal = terms.apply(Op::Eq, &[*a, *b]);
                equal.and_then(|equal| terms.apply(Op::Not, &[equal]))
            }
            (Head::Swapped(op), [a, b]) => terms.apply(op, &[*b, *a]),
            (Head::Less, [a, b]) => {
                let reverse = terms.apply(Op::IntLe, &[*b, *a]);
                reverse.and_then(|reverse| terms.apply(Op::Not, &[reverse]))
            }
            (Head::Greater, [a, b]) => {
                let reverse = terms.apply(Op::IntLe, &[*a, *b]);
                reverse.and_then(|reverse| terms.apply(Op::Not, &[reverse]))
            }
            (head, args) => {
                return Err(refused(format!("{head:?} cannot have {} arguments", args.len())));
            }
        };
        applied.map_err(|reason| refused(reason.to_string()))
    }
}

fn head(word: &str) -> Option<Head> {
    let named = NAMES.iter().find(|(name, _)| *name == word);
    Some(match word {
        "-" => Head::Minus,
        "bvsub" => Head::BvSub,
        "=>" => Head::Implies,
        "distinct" => Head::Distinct,
        "<" => Head::Less,
        ">" => Head::Greater,
        ">=" => Head::Swapped(Op::IntLe),
        "bvugt" => Head::Swapped(Op::BvUlt),
        "bvuge" => Head::Swapped(Op::BvUle),
        "bvsgt" => Head::Swapped(Op::BvSlt),
        "bvsge" => Head::Swapped(Op::BvSle),
        _ => Head::Op(named?.1.clone()),
    })
}
