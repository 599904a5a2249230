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

use ouro_term::{Sort, Term, TermOp, TermStore};

use super::{EdgeCompassionPair, Location, StateVariable, TransitionEdge, TransitionSystem};
use crate::ids::IdVec;
use crate::text::ModelParseError;
use crate::text::cursor::{ModelParseResult, ModelParser};
use crate::text::lex::{ModelToken, QuotedString};

/// The text of a system that keeps the rules.
pub fn print_system(system: &TransitionSystem) -> String {
    let mut text = String::new();
    write_system(&mut text, system).expect("writing to a string does not fail");
    text
}

/// The system of a text, with a store of its own.
pub fn parse_system(text: &str) -> Result<TransitionSystem, ModelParseError> {
    parse_system_into(text, TermStore::new())
}

/// The system of a text, with this store. What is already in it keeps its handle, so a text parsed
/// into the store it was printed from gives an equal system.
pub fn parse_system_into(
    text: &str,
    terms: TermStore,
) -> Result<TransitionSystem, ModelParseError> {
    SystemReader { cursor: ModelParser::of_text(text)?, terms, variables: Vec::new() }.read_system()
}

fn write_system(out: &mut String, system: &TransitionSystem) -> fmt::Result {
    let terms = &system.terms;
    let term = |term: Term| terms.display(term).to_string();
    writeln!(out, "system 1")?;
    for variable in &system.variables {
        writeln!(out, "variable {} {}", QuotedString(&variable.name), sort_name(variable.sort))?;
    }
    for (id, location) in system.locations.enumerate() {
        write!(out, "location {id} {}", QuotedString(&location.name))?;
        if let Some(span) = location.span {
            write!(out, " @{}:{}:{}", span.file.0, span.line, span.column)?;
        }
        writeln!(out)?;
    }
    writeln!(out, "initial {} {}", system.initial, QuotedString(&term(system.condition)))?;
    for (id, edge) in system.edges.enumerate() {
        write!(out, "edge {id} {} -> {}", edge.from, edge.to)?;
        for span in &edge.spans {
            write!(out, " @{}:{}:{}", span.file.0, span.line, span.column)?;
        }
        writeln!(out, " {{")?;
        for (kind, symbols) in [("choice", &edge.choices), ("unknown", &edge.unknowns)] {
            for symbol in symbols {
                let sort = sort_name(terms.sort(*symbol));
                let TermOp::Symbol(id) = terms.op(*symbol) else { continue };
                writeln!(
                    out,
                    "  {kind} {} {sort}",
                    QuotedString(&terms.symbol_declaration(*id).name)
                )?;
            }
        }
        if terms.as_bool(edge.guard) != Some(true) {
            writeln!(out, "  guard {}", QuotedString(&term(edge.guard)))?;
        }
        for (variable, value) in system.variables.iter().zip(&edge.update) {
            if *value != variable.symbol {
                writeln!(
                    out,
                    "  set {} {}",
                    QuotedString(&variable.name),
                    QuotedString(&term(*value))
                )?;
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

struct SystemReader {
    cursor: ModelParser,
    terms: TermStore,
    variables: Vec<StateVariable>,
}

impl SystemReader {
    fn read_system(mut self) -> ModelParseResult<TransitionSystem> {
        self.cursor.expect_word("system")?;
        self.cursor.expect_word("1")?;
        while self.cursor.take_word("variable") {
            let (name, sort, symbol) = self.read_symbol()?;
            self.variables.push(StateVariable { symbol, name, sort });
        }
        let mut locations = IdVec::new();
        while self.cursor.take_word("location") {
            self.cursor.expect_next_id('l', locations.len())?;
            let name = self.cursor.read_string()?;
            let span = match self.cursor.at_sign('@') {
                true => Some(self.cursor.read_span()?),
                false => None,
            };
            locations.push(Location { name, span });
        }
        self.cursor.expect_word("initial")?;
        let initial = self.cursor.read_id('l')?;
        let condition = self.read_term()?;
        let mut edges = IdVec::new();
        while self.cursor.take_word("edge") {
            self.cursor.expect_next_id('e', edges.len())?;
            edges.push(self.read_edge()?);
        }
        let mut fairness = Vec::new();
        while self.cursor.take_word("fair") {
            self.cursor.expect_sign('[')?;
            let p = self.cursor.read_list(']', |cursor| cursor.read_id('e'))?;
            self.cursor.expect_sign('[')?;
            let q = self.cursor.read_list(']', |cursor| cursor.read_id('e'))?;
            fairness.push(EdgeCompassionPair { p, q });
        }
        if self.cursor.peek_token().token != ModelToken::End {
            return self.cursor.refuse_token("edge, fair or the end of the text");
        }
        let SystemReader { terms, variables, .. } = self;
        Ok(TransitionSystem { terms, variables, locations, edges, initial, condition, fairness })
    }

    /// A name and a sort.
    fn read_symbol(&mut self) -> ModelParseResult<(String, Sort, Term)> {
        let place = self.cursor.peek_token().clone();
        let name = self.cursor.read_string()?;
        let sort = match self.cursor.peek_word() {
            Some("bool") => Sort::Bool,
            Some("int") => Sort::Int,
            Some(word) => match word.strip_prefix("bv").and_then(|width| width.parse().ok()) {
                Some(width) => Sort::BitVec(width),
                None => return self.cursor.refuse_token("a sort"),
            },
            None => return self.cursor.refuse_token("a sort"),
        };
        self.cursor.next += 1;
        match self.terms.intern_symbol(&name, sort) {
            Some(symbol) => Ok((name, sort, symbol)),
            None => Err(place.error_here(format!("{name} cannot be of this sort"))),
        }
    }

    fn read_term(&mut self) -> ModelParseResult<Term> {
        let place = self.cursor.peek_token().clone();
        let text = self.cursor.read_string()?;
        self.terms.parse(&text).map_err(|refused| place.error_here(refused.to_string()))
    }

    fn read_edge(&mut self) -> ModelParseResult<TransitionEdge> {
        let from = self.cursor.read_id('l')?;
        self.cursor.expect_arrow()?;
        let to = self.cursor.read_id('l')?;
        let mut spans = Vec::new();
        while self.cursor.at_sign('@') {
            spans.push(self.cursor.read_span()?);
        }
        self.cursor.expect_sign('{')?;
        let mut choices = Vec::new();
        let mut unknowns = Vec::new();
        loop {
            if self.cursor.take_word("choice") {
                choices.push(self.read_symbol()?.2);
            } else if self.cursor.take_word("unknown") {
                unknowns.push(self.read_symbol()?.2);
            } else {
                break;
            }
        }
        let guard = match self.cursor.take_word("guard") {
            true => self.read_term()?,
            false => self.terms.bool(true),
        };
        let mut update: Vec<Term> = self.variables.iter().map(|variable| variable.symbol).collect();
        while self.cursor.take_word("set") {
            let place = self.cursor.peek_token().clone();
            let name = self.cursor.read_string()?;
            let Some(index) = self.variables.iter().position(|variable| variable.name == name)
            else {
                return Err(place.error_here(format!("there is no variable {name}")));
            };
            update[index] = self.read_term()?;
        }
        self.cursor.expect_sign('}')?;
        Ok(TransitionEdge { from, to, guard, update, choices, unknowns, spans })
    }
}
