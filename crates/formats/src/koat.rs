//! KoAT's form: rewrite rules with guards.
//!
//! ```text
//! (GOAL COMPLEXITY)                       # or TERMINATION, or none
//! (STARTTERM (FUNCTIONSYMBOLS f))
//! (VAR x y)
//! (RULES
//!   f(x, y) -> g(x + 1, y) :|: x > 0 && y < 3
//!   g(x, y) -{1}> Com_1(f(x, z)) [ z^2 <= y ]
//! )
//! ```
//!
//! A function symbol is a location and its arguments are the state, so the variables of the system
//! are the positions, called as the rules first call them. A variable that a rule's left-hand side
//! does not bind is a choice, declared or not: KoAT itself does not declare them. An argument on the
//! left that is not a variable of its own must equal the state there. A location with fewer
//! arguments than others leaves the variables behind its own as they are. Costs are left out.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ouro_model::transition::TransitionSystem;
use ouro_term::{Sort, Term, TermOp, TermStore};

use crate::error::{FormatPlace, FormatResult, shorten_text};
use crate::formula::{IntegerComparison, PolynomialFormula};
use crate::infix::{self, InfixScope};
use crate::lex::{FormatToken, TokenStream};
use crate::polynomial::Polynomial;
use crate::relation::StepRelation;
use crate::system::SystemBuilder;

/// The system of a text.
pub(crate) fn parse_koat(text: &str) -> FormatResult<TransitionSystem> {
    let mut tokens = TokenStream::of_text(text)?;
    let mut builder = SystemBuilder::new();
    let mut names = RuleVariables { terms: std::mem::take(&mut builder.system.terms) };
    let (start, place) = parse_header(&mut tokens)?;
    let mut arities: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rules = Vec::new();
    while !tokens.take_sign(")") {
        let rule = parse_rule(&mut tokens, &mut names)?;
        for side in [&rule.left, &rule.right] {
            let arity = *arities.entry(side.symbol).or_insert(side.arguments.len());
            if arity != side.arguments.len() {
                let found = side.arguments.len();
                let symbol = side.symbol;
                return Err(side.place.expected(&format!(
                    "{arity} arguments of {}, found {found}",
                    shorten_text(symbol)
                )));
            }
        }
        rules.push(rule);
    }
    if tokens.current_token() != FormatToken::End {
        return Err(tokens.expected("the end of the file"));
    }
    builder.system.terms = names.terms;
    builder.system.initial = builder.intern_location(start, place);
    let positions = arities.values().copied().max().unwrap_or(0);
    add_position_variables(&mut builder, &rules, positions);
    for rule in rules {
        add_rule_edge(&mut builder, rule)?;
    }
    Ok(builder.system)
}

/// `f(x, y)`
struct KoatCall<'t> {
    symbol: &'t str,
    arguments: Vec<Polynomial>,
    place: FormatPlace,
}

/// A rule over symbols that are called as its variables are.
struct KoatRule<'t> {
    left: KoatCall<'t>,
    right: KoatCall<'t>,
    guard: PolynomialFormula,
}

struct RuleVariables {
    terms: TermStore,
}

impl InfixScope for RuleVariables {
    fn variable_value(&mut self, name: &str) -> Option<Polynomial> {
        self.terms.intern_symbol(name, Sort::Int).map(Polynomial::from_atom)
    }

    fn call_value(&mut self, _: &str) -> Option<Polynomial> {
        None
    }

    fn quotient_value(&mut self) -> Option<Polynomial> {
        None
    }
}

/// Everything up to the first rule: the start symbol.
fn parse_header<'t>(tokens: &mut TokenStream<'t>) -> FormatResult<(&'t str, FormatPlace)> {
    tokens.expect_sign("(")?;
    if tokens.take_word("GOAL") {
        if !tokens.take_word("COMPLEXITY") && !tokens.take_word("TERMINATION") {
            return Err(tokens.expected("COMPLEXITY or TERMINATION"));
        }
        tokens.expect_sign(")")?;
        tokens.expect_sign("(")?;
    }
    tokens.expect_word("STARTTERM")?;
    tokens.expect_sign("(")?;
    tokens.expect_word("FUNCTIONSYMBOLS")?;
    let place = tokens.place();
    let start = tokens.expect_name("a function symbol")?;
    if matches!(tokens.current_token(), FormatToken::Word(_)) {
        return Err(tokens.place().refuse("a second start symbol is not supported"));
    }
    tokens.expect_sign(")")?;
    tokens.expect_sign(")")?;
    tokens.expect_sign("(")?;
    tokens.expect_word("VAR")?;
    while !tokens.take_sign(")") {
        tokens.expect_name("a variable or )")?;
    }
    tokens.expect_sign("(")?;
    tokens.expect_word("RULES")?;
    Ok((start, place))
}

fn parse_rule<'t>(
    tokens: &mut TokenStream<'t>,
    names: &mut RuleVariables,
) -> FormatResult<KoatRule<'t>> {
    let left = parse_call(tokens, names, "a rule or )")?;
    if !tokens.take_sign("->") {
        if !tokens.take_sign("-") {
            return Err(tokens.expected("->"));
        }
        tokens.expect_sign("{")?;
        infix::parse_integer(tokens, names)?;
        if tokens.take_sign(",") {
            infix::parse_integer(tokens, names)?;
        }
        tokens.expect_sign("}")?;
        tokens.expect_sign(">")?;
    }
    let right = match tokens.current_token() {
        FormatToken::Word(word) if word.starts_with("Com_") => {
            if word != "Com_1" {
                let message =
                    format!("{} is not a single call, which is not supported", shorten_text(word));
                return Err(tokens.place().refuse(message));
            }
            tokens.advance();
            tokens.expect_sign("(")?;
            let call = parse_call(tokens, names, "a function symbol")?;
            tokens.expect_sign(")")?;
            call
        }
        _ => parse_call(tokens, names, "a function symbol")?,
    };
    let guard = if tokens.take_sign(":|:") {
        infix::parse_condition(tokens, names)?
    } else if tokens.take_sign("[") {
        let guard = infix::parse_condition(tokens, names)?;
        tokens.expect_sign("]")?;
        guard
    } else {
        PolynomialFormula::Constant(true)
    };
    Ok(KoatRule { left, right, guard })
}

fn parse_call<'t>(
    tokens: &mut TokenStream<'t>,
    names: &mut RuleVariables,
    expected: &str,
) -> FormatResult<KoatCall<'t>> {
    let place = tokens.place();
    let symbol = tokens.expect_name(expected)?;
    tokens.expect_sign("(")?;
    let mut arguments = Vec::new();
    while !tokens.take_sign(")") {
        if !arguments.is_empty() && !tokens.take_sign(",") {
            return Err(tokens.expected(", or )"));
        }
        arguments.push(infix::parse_integer(tokens, names)?);
    }
    Ok(KoatCall { symbol, arguments, place })
}

/// The name of a plain variable.
fn plain_variable_name(terms: &TermStore, argument: &Polynomial) -> Option<(Term, String)> {
    let atom = argument.as_atom()?;
    match terms.op(atom) {
        TermOp::Symbol(id) => Some((atom, terms.symbol_declaration(*id).name.clone())),
        _ => None,
    }
}

/// One variable a position, called as in the first rule where the name is not taken.
fn add_position_variables(builder: &mut SystemBuilder, rules: &[KoatRule], positions: usize) {
    for position in 0..positions {
        let named = rules.iter().any(|rule| {
            let argument = rule.left.arguments.get(position);
            let name =
                argument.and_then(|argument| plain_variable_name(&builder.system.terms, argument));
            name.is_some_and(|(_, name)| builder.add_variable(&name).is_some())
        });
        let mut number = position;
        while !named && builder.system.variables.len() == position {
            number += 1;
            builder.add_variable(&format!("arg{number}"));
        }
    }
}

fn add_rule_edge(builder: &mut SystemBuilder, rule: KoatRule) -> FormatResult<()> {
    let KoatRule { left, right, guard } = rule;
    let place = left.place;
    let state = builder.system.identity_update();
    let mut map: BTreeMap<Term, Polynomial> = BTreeMap::new();
    let mut equations = Vec::new();
    for (argument, variable) in left.arguments.iter().zip(&state) {
        match plain_variable_name(&builder.system.terms, argument) {
            Some((symbol, _)) if !map.contains_key(&symbol) => {
                map.insert(symbol, Polynomial::from_atom(*variable));
            }
            _ => equations.push((argument, *variable)),
        }
    }
    // What is left is bound by no argument: the environment decides it.
    let mut choices = Vec::new();
    let guard_term = guard.to_term(&mut builder.system.terms);
    let mut roots = vec![guard_term];
    for argument in left.arguments.iter().chain(&right.arguments) {
        roots.push(argument.to_term(&mut builder.system.terms));
    }
    let mut symbols = Vec::new();
    builder.system.terms.visit_symbols(&roots, |id| symbols.push(id));
    for id in symbols {
        let symbol = builder.system.terms.symbol_term(id);
        if let Entry::Vacant(free) = map.entry(symbol) {
            let name = builder.system.terms.symbol_declaration(id).name.clone();
            let choice = builder.add_choice(&name);
            choices.push(choice);
            free.insert(Polynomial::from_atom(choice));
        }
    }
    let terms = &mut builder.system.terms;
    let mut parts = Vec::new();
    for (argument, variable) in equations {
        let value = argument.substitute(terms, &map).ok_or_else(|| place.too_large())?;
        parts.push(PolynomialFormula::compare(
            IntegerComparison::Equal,
            &Polynomial::from_atom(variable),
            &value,
        ));
    }
    parts.push(guard.substitute(terms, &map).ok_or_else(|| place.too_large())?);
    let mut update: Vec<Polynomial> =
        state.iter().map(|variable| Polynomial::from_atom(*variable)).collect();
    for (value, argument) in update.iter_mut().zip(&right.arguments) {
        *value = argument.substitute(terms, &map).ok_or_else(|| right.place.too_large())?;
    }
    let ends = (
        builder.intern_location(left.symbol, place),
        builder.intern_location(right.symbol, right.place),
    );
    let relation = StepRelation {
        guard: PolynomialFormula::conjunction(parts),
        update,
        choices,
        unknowns: Vec::new(),
    };
    builder.add_edge(ends, relation, place)
}
