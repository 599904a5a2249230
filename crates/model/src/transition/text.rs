//! The text form of transition systems, both ways.
//!
//! ```text
//! system 1                          ; the version of the text form
//! variable "x" int
//! variable "y" bv32
//! location l0 "start" @3:5
//! location l1 "loop"
//! initial l0 "(<= 0 x)"
//! edge e0 l0 -> l1 @3:5 @4:1 {
//!   choice "c" int
//!   unknown "u" bv32
//!   guard "(<= x c)"
//!   set "x" "(+ x c)"
//!   set "y" "(bvadd y u)"
//! }
//! fair [e0] [e1, e2]
//! ```
//!
//! Terms are between quotes, in the text form of `ouro-term`. A guard that is true and a variable
//! that keeps its value are left out.

use std::fmt::{self, Write};

use ouro_term::{Op, Sort, Term, Terms};

use super::{Compassion, Edge, Location, TransitionSystem, Variable};
use crate::ids::IdVec;
use crate::text::ParseError;
use crate::text::cursor::{Parsed, Parser};
use crate::text::lex::{Quoted, Token};

/// The text of a system that keeps the rules.
pub fn print(system: &TransitionSystem) -> String {
    let mut text = String::new();
    write_system(&mut text, system).expect("writing to a string does not fail");
    text
}

/// The system of a text, with a store of its own.
pub fn parse(text: &str) -> Result<TransitionSystem, ParseError> {
    parse_into(text, Terms::new())
}

/// The system of a text, with this store. What is already in it keeps its handle, so a text parsed
/// into the store it was printed from gives an equal system.
pub fn parse_into(text: &str, terms: Terms) -> Result<TransitionSystem, ParseError> {
    Reader { cursor: Parser::of(text)?, terms, variables: Vec::new() }.system()
}

fn write_system(out: &mut String, system: &TransitionSystem) -> fmt::Result {
    let terms = &system.terms;
    let term = |term: Term| terms.display(term).to_string();
    writeln!(out, "system 1")?;
    for variable in &system.variables {
        writeln!(out, "variable {} {}", Quoted(&variable.name), sort_name(variable.sort))?;
    }
    for (id, location) in system.locations.enumerate() {
        write!(out, "location {id} {}", Quoted(&location.name))?;
        if let Some(span) = location.span {
            write!(out, " @{}:{}:{}", span.file.0, span.line, span.column)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "initial {} {}", system.initial, Quoted(&term(system.condition)))?;
    for (id, edge) in system.edges.enumerate() {
        write!(out, "edge {id} {} -> {}", edge.from, edge.to)?;
        for span in &edge.spans {
            write!(out, " @{}:{}:{}", span.file.0, span.line, span.column)?;
        }
        writeln!(out, " {{")?;
        for (kind, symbols) in [("choice", &edge.choices), ("unknown", &edge.unknowns)] {
            for symbol in symbols {
                let sort = sort_name(terms.sort(*symbol));
                let Op::Symbol(id) = terms.op(*symbol) else { continue };
                writeln!(out, "  {kind} {} {sort}", Quoted(&terms.symbol_of(*id).name))?;
            }
        }
        if terms.as_bool(edge.guard) != Some(true) {
            writeln!(out, "  guard {}", Quoted(&term(edge.guard)))?;
        }
        for (variable, value) in system.variables.iter().zip(&edge.update) {
            if *value != variable.symbol {
                writeln!(out, "  set {} {}", Quoted(&variable.name), Quoted(&term(*value)))?;
            }
        }
        writeln!(out, "}}")?;
    }
    for pair in &system.fairness {
        let list =
            |edges: &[_]| edges.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        writeln!(out, "fair [{}] [{}]", list(&pair.p), list(&pair.q))?;
    }
    Ok(())
}

fn sort_name(sort: Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::BitVec(width) => format!("bv{width}"),
    }
}

struct Reader {
    cursor: Parser,
    terms: Terms,
    variables: Vec<Variable>,
}

impl Reader {
    fn system(mut self) -> Parsed<TransitionSystem> {
        self.cursor.word("system")?;
        self.cursor.word("1")?;
        while self.cursor.take_word("variable") {
            let (name, sort, symbol) = self.symbol()?;
            self.variables.push(Variable { symbol, name, sort });
        }
        let mut locations = IdVec::new();
        while self.cursor.take_word("location") {
            self.cursor.next_id('l', locations.len())?;
            let name = self.cursor.text()?;
            let span = match self.cursor.at_sign('@') {
                true => Some(self.cursor.span()?),
                false => None,
            };
            locations.push(Location { name, span });
        }
        self.cursor.word("initial")?;
        let initial = self.cursor.id('l')?;
        let condition = self.term()?;
        let mut edges = IdVec::new();
        while self.cursor.take_word("edge") {
            self.cursor.next_id('e', edges.len())?;
            edges.push(self.edge()?);
        }
        let mut fairness = Vec::new();
        while self.cursor.take_word("fair") {
            self.cursor.sign('[')?;
            let p = self.cursor.list(']', |cursor| cursor.id('e'))?;
            self.cursor.sign('[')?;
            let q = self.cursor.list(']', |cursor| cursor.id('e'))?;
            fairness.push(Compassion { p, q });
        }
        if self.cursor.here().token != Token::End {
            return self.cursor.refuse("edge, fair or the end of the text");
        }
        let Reader { terms, variables, .. } = self;
        Ok(TransitionSystem { terms, variables, locations, edges, initial, condition, fairness })
    }

    /// A name and a sort.
    fn symbol(&mut self) -> Parsed<(String, Sort, Term)> {
        let place = self.cursor.here().clone();
        let name = self.cursor.text()?;
        let sort = match self.cursor.peek_word() {
            Some("bool") => Sort::Bool,
            Some("int") => Sort::Int,
            Some(word) => match word.strip_prefix("bv").and_then(|width| width.parse().ok()) {
                Some(width) => Sort::BitVec(width),
                None => return self.cursor.refuse("a sort"),
            },
            None => return self.cursor.refuse("a sort"),
        };
        self.cursor.next += 1;
        match self.terms.symbol(&name, sort) {
            Some(symbol) => Ok((name, sort, symbol)),
            None => Err(place.error(format!("{name} cannot be of this sort"))),
        }
    }

    fn term(&mut self) -> Parsed<Term> {
        let place = self.cursor.here().clone();
        let text = self.cursor.text()?;
        self.terms.parse(&text).map_err(|refused| place.error(refused.to_string()))
    }

    fn edge(&mut self) -> Parsed<Edge> {
        let from = self.cursor.id('l')?;
        self.cursor.arrow()?;
        let to = self.cursor.id('l')?;
        let mut spans = Vec::new();
        while self.cursor.at_sign('@') {
            spans.push(self.cursor.span()?);
        }
        self.cursor.sign('{')?;
        let mut choices = Vec::new();
        let mut unknowns = Vec::new();
        loop {
            if self.cursor.take_word("choice") {
                choices.push(self.symbol()?.2);
            } else if self.cursor.take_word("unknown") {
                unknowns.push(self.symbol()?.2);
            } else {
                break;
            }
        }
        let guard = match self.cursor.take_word("guard") {
            true => self.term()?,
            false => self.terms.bool(true),
        };
        let mut update: Vec<Term> = self.variables.iter().map(|variable| variable.symbol).collect();
        while self.cursor.take_word("set") {
            let place = self.cursor.here().clone();
            let name = self.cursor.text()?;
            let Some(index) = self.variables.iter().position(|variable| variable.name == name)
            else {
                return Err(place.error(format!("there is no variable {name}")));
            };
            update[index] = self.term()?;
        }
        self.cursor.sign('}')?;
        Ok(Edge { from, to, guard, update, choices, unknowns, spans })
    }
}
