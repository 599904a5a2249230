//! T2's form: blocks of commands between locations.
//!
//! ```text
//! START: 0;
//! CUTPOINT: 2;                            // may be left out; says nothing here
//! FROM: 0;
//!   AT(12, "prog.c") assume(x > 0 && !(y = 3));
//!   x := x + y;
//!   y := nondet();
//! TO: 2;
//! ```
//!
//! Every name that is not a location's is a variable, and the state before the first step is any.
//! A block is one edge: its commands are carried out one after the other. `assume` of an integer
//! asks that it is not 0. Each `nondet()` is a choice of its own; each `/` and `%` is an unknown of
//! its own, because T2 takes them for any value and does not trust what it then finds to loop.

use ouro_model::ids::LocationId;
use ouro_model::transition::TransitionSystem;
use ouro_term::Term;
use rustc_hash::FxHashMap;

use crate::error::{Parsed, Place};
use crate::formula::{Comparison, Formula};
use crate::infix::{self, Scope, Value};
use crate::lex::{Token, Tokens};
use crate::polynomial::Polynomial;
use crate::relation::Relation;
use crate::system::Builder;

/// Words that are no variables.
const KEYWORDS: [&str; 13] = [
    "START", "CUTPOINT", "FROM", "TO", "AT", "SHADOW", "assume", "nondet", "NONDET", "true",
    "false", "TRUE", "FALSE",
];

/// The system of a text.
pub(crate) fn parse(text: &str) -> Parsed<TransitionSystem> {
    let mut tokens = Tokens::of(text)?;
    let mut builder = Builder::new();
    let mut indices: FxHashMap<&str, usize> = FxHashMap::default();
    for (word, before) in tokens.words() {
        let location = matches!(
            before,
            [Some(Token::Word("START" | "CUTPOINT" | "FROM" | "TO")), Some(Token::Sign(":"))]
        );
        if !location && !KEYWORDS.contains(&word) && !indices.contains_key(word) {
            indices.insert(word, indices.len());
            builder.variable(word);
        }
    }
    tokens.word("START")?;
    builder.system.initial = location(&mut tokens, &mut builder)?;
    if tokens.take_word("CUTPOINT") {
        location_name(&mut tokens)?;
    }
    while tokens.take_word("SHADOW") {
        tokens.sign("(")?;
        tokens.name("a variable")?;
        tokens.sign(",")?;
        tokens.name("a variable")?;
        tokens.sign(")")?;
        tokens.sign(";")?;
    }
    while tokens.here() != Token::End {
        block(&mut tokens, &mut builder, &indices)?;
    }
    Ok(builder.system)
}

/// `: name ;`, after a keyword.
fn location_name<'t>(tokens: &mut Tokens<'t>) -> Parsed<(&'t str, Place)> {
    tokens.sign(":")?;
    let place = tokens.place();
    let (Token::Word(name) | Token::Number(name)) = tokens.here() else {
        return Err(tokens.expected("a location"));
    };
    tokens.step();
    tokens.sign(";")?;
    Ok((name, place))
}

fn location(tokens: &mut Tokens, builder: &mut Builder) -> Parsed<LocationId> {
    let (name, place) = location_name(tokens)?;
    Ok(builder.location(name, place))
}

fn block(
    tokens: &mut Tokens,
    builder: &mut Builder,
    indices: &FxHashMap<&str, usize>,
) -> Parsed<()> {
    let place = tokens.place();
    if !tokens.take_word("FROM") {
        return Err(tokens.expected("FROM or the end of the file"));
    }
    let from = location(tokens, builder)?;
    let state = builder.system.unchanged();
    let mut block = Block {
        builder,
        indices,
        values: state.iter().map(|variable| Polynomial::atom(*variable)).collect(),
        stem: "nondet".to_owned(),
        choices: Vec::new(),
        unknowns: Vec::new(),
    };
    let mut guard = Vec::new();
    while !tokens.take_word("TO") {
        if tokens.take_word("AT") {
            tokens.sign("(")?;
            let Token::Number(_) = tokens.here() else { return Err(tokens.expected("a line")) };
            tokens.step();
            tokens.sign(",")?;
            let Token::Text(_) = tokens.here() else { return Err(tokens.expected("a file")) };
            tokens.step();
            tokens.sign(")")?;
        }
        block.command(tokens, &mut guard)?;
        tokens.sign(";")?;
    }
    let Block { values: update, choices, unknowns, .. } = block;
    let to = location(tokens, builder)?;
    let relation = Relation { guard: Formula::all(guard), update, choices, unknowns };
    builder.edge((from, to), relation, place)
}

/// A block in the making: what each variable is by now, over the variables before the block.
struct Block<'b> {
    builder: &'b mut Builder,
    indices: &'b FxHashMap<&'b str, usize>,
    values: Vec<Polynomial>,
    /// What the next choice is called.
    stem: String,
    choices: Vec<Term>,
    unknowns: Vec<Term>,
}

impl Block<'_> {
    fn command(&mut self, tokens: &mut Tokens, guard: &mut Vec<Formula>) -> Parsed<()> {
        if tokens.take_word("assume") {
            tokens.sign("(")?;
            "nondet".clone_into(&mut self.stem);
            guard.push(match infix::expression(tokens, self)? {
                Value::Condition(formula) => formula,
                Value::Integer(value) => {
                    Formula::compare(Comparison::Different, &value, &Polynomial::default())
                }
            });
            return tokens.sign(")");
        }
        let index = match tokens.here() {
            Token::Word(name) => self.indices.get(name).copied(),
            _ => None,
        };
        let (Some(index), Token::Word(name)) = (index, tokens.here()) else {
            return Err(tokens.expected("assume, an assignment or TO"));
        };
        tokens.step();
        tokens.sign(":=")?;
        self.stem = format!("{name}'");
        self.values[index] = infix::integer(tokens, self)?;
        Ok(())
    }
}

impl Scope for Block<'_> {
    fn variable(&mut self, name: &str) -> Option<Polynomial> {
        self.indices.get(name).map(|index| self.values[*index].clone())
    }

    fn call(&mut self, name: &str) -> Option<Polynomial> {
        if !matches!(name, "nondet" | "NONDET") {
            return None;
        }
        let choice = self.builder.choice(&self.stem);
        self.choices.push(choice);
        Some(Polynomial::atom(choice))
    }

    fn quotient(&mut self) -> Option<Polynomial> {
        let unknown = self.builder.choice("quotient");
        self.unknowns.push(unknown);
        Some(Polynomial::atom(unknown))
    }
}
