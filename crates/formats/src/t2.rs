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

use crate::error::{FormatPlace, FormatResult};
use crate::formula::{IntegerComparison, PolynomialFormula};
use crate::infix::{self, InfixScope, InfixValue};
use crate::lex::{FormatToken, TokenStream};
use crate::polynomial::Polynomial;
use crate::relation::StepRelation;
use crate::system::SystemBuilder;

/// Words that are no variables.
const KEYWORDS: [&str; 13] = [
    "START", "CUTPOINT", "FROM", "TO", "AT", "SHADOW", "assume", "nondet", "NONDET", "true",
    "false", "TRUE", "FALSE",
];

/// The system of a text.
pub(crate) fn parse_t2(text: &str) -> FormatResult<TransitionSystem> {
    let mut tokens = TokenStream::of_text(text)?;
    let mut builder = SystemBuilder::new();
    let mut indices: FxHashMap<&str, usize> = FxHashMap::default();
    for (word, before) in tokens.words() {
        let location = matches!(
            before,
            [
                Some(FormatToken::Word("START" | "CUTPOINT" | "FROM" | "TO")),
                Some(FormatToken::Sign(":"))
            ]
        );
        if !location && !KEYWORDS.contains(&word) && !indices.contains_key(word) {
            indices.insert(word, indices.len());
            builder.add_variable(word);
        }
    }
    tokens.expect_word("START")?;
    builder.system.initial = read_location(&mut tokens, &mut builder)?;
    if tokens.take_word("CUTPOINT") {
        read_location_name(&mut tokens)?;
    }
    while tokens.take_word("SHADOW") {
        tokens.expect_sign("(")?;
        tokens.expect_name("a variable")?;
        tokens.expect_sign(",")?;
        tokens.expect_name("a variable")?;
        tokens.expect_sign(")")?;
        tokens.expect_sign(";")?;
    }
    while tokens.current_token() != FormatToken::End {
        read_block(&mut tokens, &mut builder, &indices)?;
    }
    Ok(builder.system)
}

/// `: name ;`, after a keyword.
fn read_location_name<'t>(tokens: &mut TokenStream<'t>) -> FormatResult<(&'t str, FormatPlace)> {
    tokens.expect_sign(":")?;
    let place = tokens.place();
    let (FormatToken::Word(name) | FormatToken::Number(name)) = tokens.current_token() else {
        return Err(tokens.expected("a location"));
    };
    tokens.advance();
    tokens.expect_sign(";")?;
    Ok((name, place))
}

fn read_location(
    tokens: &mut TokenStream,
    builder: &mut SystemBuilder,
) -> FormatResult<LocationId> {
    let (name, place) = read_location_name(tokens)?;
    Ok(builder.intern_location(name, place))
}

fn read_block(
    tokens: &mut TokenStream,
    builder: &mut SystemBuilder,
    indices: &FxHashMap<&str, usize>,
) -> FormatResult<()> {
    let place = tokens.place();
    if !tokens.take_word("FROM") {
        return Err(tokens.expected("FROM or the end of the file"));
    }
    let from = read_location(tokens, builder)?;
    let state = builder.system.identity_update();
    let mut block = T2Block {
        builder,
        indices,
        values: state.iter().map(|variable| Polynomial::from_atom(*variable)).collect(),
        stem: "nondet".to_owned(),
        choices: Vec::new(),
        unknowns: Vec::new(),
    };
    let mut guard = Vec::new();
    while !tokens.take_word("TO") {
        if tokens.take_word("AT") {
            tokens.expect_sign("(")?;
            let FormatToken::Number(_) = tokens.current_token() else {
                return Err(tokens.expected("a line"));
            };
            tokens.advance();
            tokens.expect_sign(",")?;
            let FormatToken::Text(_) = tokens.current_token() else {
                return Err(tokens.expected("a file"));
            };
            tokens.advance();
            tokens.expect_sign(")")?;
        }
        block.read_command(tokens, &mut guard)?;
        tokens.expect_sign(";")?;
    }
    let T2Block { values: update, choices, unknowns, .. } = block;
    let to = read_location(tokens, builder)?;
    let relation =
        StepRelation { guard: PolynomialFormula::conjunction(guard), update, choices, unknowns };
    builder.add_edge((from, to), relation, place)
}

/// A block in the making: what each variable is by now, over the variables before the block.
struct T2Block<'b> {
    builder: &'b mut SystemBuilder,
    indices: &'b FxHashMap<&'b str, usize>,
    values: Vec<Polynomial>,
    /// What the next choice is called.
    stem: String,
    choices: Vec<Term>,
    unknowns: Vec<Term>,
}

impl T2Block<'_> {
    fn read_command(
        &mut self,
        tokens: &mut TokenStream,
        guard: &mut Vec<PolynomialFormula>,
    ) -> FormatResult<()> {
        if tokens.take_word("assume") {
            tokens.expect_sign("(")?;
            "nondet".clone_into(&mut self.stem);
            guard.push(match infix::parse_expression(tokens, self)? {
                InfixValue::Condition(formula) => formula,
                InfixValue::Integer(value) => PolynomialFormula::compare(
                    IntegerComparison::Different,
                    &value,
                    &Polynomial::default(),
                ),
            });
            return tokens.expect_sign(")");
        }
        let index = match tokens.current_token() {
            FormatToken::Word(name) => self.indices.get(name).copied(),
            _ => None,
        };
        let (Some(index), FormatToken::Word(name)) = (index, tokens.current_token()) else {
            return Err(tokens.expected("assume, an assignment or TO"));
        };
        tokens.advance();
        tokens.expect_sign(":=")?;
        self.stem = format!("{name}'");
        self.values[index] = infix::parse_integer(tokens, self)?;
        Ok(())
    }
}

impl InfixScope for T2Block<'_> {
    fn variable_value(&mut self, name: &str) -> Option<Polynomial> {
        self.indices.get(name).map(|index| self.values[*index].clone())
    }

    fn call_value(&mut self, name: &str) -> Option<Polynomial> {
        if !matches!(name, "nondet" | "NONDET") {
            return None;
        }
        let choice = self.builder.add_choice(&self.stem);
        self.choices.push(choice);
        Some(Polynomial::from_atom(choice))
    }

    fn quotient_value(&mut self) -> Option<Polynomial> {
        let unknown = self.builder.add_choice("quotient");
        self.unknowns.push(unknown);
        Some(Polynomial::from_atom(unknown))
    }
}
