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
use ouro_term::{Op, Sort, Term, Terms};

use crate::error::{Parsed, Place, shortened};
use crate::formula::{Comparison, Formula};
use crate::infix::{self, Scope};
use crate::lex::{Token, Tokens};
use crate::polynomial::Polynomial;
use crate::relation::Relation;
use crate::system::Builder;

/// The system of a text.
pub(crate) fn parse(text: &str) -> Parsed<TransitionSystem> {
    let mut tokens = Tokens::of(text)?;
    let mut builder = Builder::new();
    let mut names = Names { terms: std::mem::take(&mut builder.system.terms) };
    let (start, place) = header(&mut tokens)?;
    let mut arities: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rules = Vec::new();
    while !tokens.take(")") {
        let rule = rule(&mut tokens, &mut names)?;
        for side in [&rule.left, &rule.right] {
            let arity = *arities.entry(side.symbol).or_insert(side.arguments.len());
            if arity != side.arguments.len() {
                let found = side.arguments.len();
                let symbol = side.symbol;
                return Err(side.place.expected(&format!(
                    "{arity} arguments of {}, found {found}",
                    shortened(symbol)
                )));
            }
        }
        rules.push(rule);
    }
    if tokens.here() != Token::End {
        return Err(tokens.expected("the end of the file"));
    }
    builder.system.terms = names.terms;
    builder.system.initial = builder.location(start, place);
    let positions = arities.values().copied().max().unwrap_or(0);
    variables(&mut builder, &rules, positions);
    for rule in rules {
        step(&mut builder, rule)?;
    }
    Ok(builder.system)
}

/// `f(x, y)`
struct Call<'t> {
    symbol: &'t str,
    arguments: Vec<Polynomial>,
    place: Place,
}

/// A rule over symbols that are called as its variables are.
struct Rule<'t> {
    left: Call<'t>,
    right: Call<'t>,
    guard: Formula,
}

struct Names {
    terms: Terms,
}

impl Scope for Names {
    fn variable(&mut self, name: &str) -> Option<Polynomial> {
        self.terms.symbol(name, Sort::Int).map(Polynomial::atom)
    }

    fn call(&mut self, _: &str) -> Option<Polynomial> {
        None
    }

    fn quotient(&mut self) -> Option<Polynomial> {
        None
    }
}

/// Everything up to the first rule: the start symbol.
fn header<'t>(tokens: &mut Tokens<'t>) -> Parsed<(&'t str, Place)> {
    tokens.sign("(")?;
    if tokens.take_word("GOAL") {
        if !tokens.take_word("COMPLEXITY") && !tokens.take_word("TERMINATION") {
            return Err(tokens.expected("COMPLEXITY or TERMINATION"));
        }
        tokens.sign(")")?;
        tokens.sign("(")?;
    }
    tokens.word("STARTTERM")?;
    tokens.sign("(")?;
    tokens.word("FUNCTIONSYMBOLS")?;
    let place = tokens.place();
    let start = tokens.name("a function symbol")?;
    if matches!(tokens.here(), Token::Word(_)) {
        return Err(tokens
            .place()
            .refuse("a second start symbol, which a transition system cannot say"));
    }
    tokens.sign(")")?;
    tokens.sign(")")?;
    tokens.sign("(")?;
    tokens.word("VAR")?;
    while !tokens.take(")") {
        tokens.name("a variable or )")?;
    }
    tokens.sign("(")?;
    tokens.word("RULES")?;
    Ok((start, place))
}

fn rule<'t>(tokens: &mut Tokens<'t>, names: &mut Names) -> Parsed<Rule<'t>> {
    let left = call(tokens, names, "a rule or )")?;
    if !tokens.take("->") {
        if !tokens.take("-") {
            return Err(tokens.expected("->"));
        }
        tokens.sign("{")?;
        infix::integer(tokens, names)?;
        if tokens.take(",") {
            infix::integer(tokens, names)?;
        }
        tokens.sign("}")?;
        tokens.sign(">")?;
    }
    let right = match tokens.here() {
        Token::Word(word) if word.starts_with("Com_") => {
            if word != "Com_1" {
                let message = format!(
                    "{} is not one call, which a transition system cannot say",
                    shortened(word)
                );
                return Err(tokens.place().refuse(message));
            }
            tokens.step();
            tokens.sign("(")?;
            let call = call(tokens, names, "a function symbol")?;
            tokens.sign(")")?;
            call
        }
        _ => call(tokens, names, "a function symbol")?,
    };
    let guard = if tokens.take(":|:") {
        infix::condition(tokens, names)?
    } else if tokens.take("[") {
        let guard = infix::condition(tokens, names)?;
        tokens.sign("]")?;
        guard
    } else {
        Formula::Constant(true)
    };
    Ok(Rule { left, right, guard })
}

fn call<'t>(tokens: &mut Tokens<'t>, names: &mut Names, expected: &str) -> Parsed<Call<'t>> {
    let place = tokens.place();
    let symbol = tokens.name(expected)?;
    tokens.sign("(")?;
    let mut arguments = Vec::new();
    while !tokens.take(")") {
        if !arguments.is_empty() && !tokens.take(",") {
            return Err(tokens.expected(", or )"));
        }
        arguments.push(infix::integer(tokens, names)?);
    }
    Ok(Call { symbol, arguments, place })
}

/// The name of a plain variable.
fn plain(terms: &Terms, argument: &Polynomial) -> Option<(Term, String)> {
    let atom = argument.as_atom()?;
    match terms.op(atom) {
        Op::Symbol(id) => Some((atom, terms.symbol_of(*id).name.clone())),
        _ => None,
    }
}

/// One variable a position, called as in the first rule where the name is not taken.
fn variables(builder: &mut Builder, rules: &[Rule], positions: usize) {
    for position in 0..positions {
        let named = rules.iter().any(|rule| {
            let argument = rule.left.arguments.get(position);
            let name = argument.and_then(|argument| plain(&builder.system.terms, argument));
            name.is_some_and(|(_, name)| builder.variable(&name).is_some())
        });
        let mut number = position;
        while !named && builder.system.variables.len() == position {
            number += 1;
            builder.variable(&format!("arg{number}"));
        }
    }
}

fn step(builder: &mut Builder, rule: Rule) -> Parsed<()> {
    let Rule { left, right, guard } = rule;
    let place = left.place;
    let state = builder.system.unchanged();
    let mut map: BTreeMap<Term, Polynomial> = BTreeMap::new();
    let mut equations = Vec::new();
    for (argument, variable) in left.arguments.iter().zip(&state) {
        match plain(&builder.system.terms, argument) {
            Some((symbol, _)) if !map.contains_key(&symbol) => {
                map.insert(symbol, Polynomial::atom(*variable));
            }
            _ => equations.push((argument, *variable)),
        }
    }
    // What is left is bound by no argument: the environment decides it.
    let mut choices = Vec::new();
    let guard_term = guard.term(&mut builder.system.terms);
    let mut roots = vec![guard_term];
    for argument in left.arguments.iter().chain(&right.arguments) {
        roots.push(argument.term(&mut builder.system.terms));
    }
    let mut symbols = Vec::new();
    builder.system.terms.visit_symbols(&roots, |id| symbols.push(id));
    for id in symbols {
        let symbol = builder.system.terms.symbol_term(id);
        if let Entry::Vacant(free) = map.entry(symbol) {
            let name = builder.system.terms.symbol_of(id).name.clone();
            let choice = builder.choice(&name);
            choices.push(choice);
            free.insert(Polynomial::atom(choice));
        }
    }
    let terms = &mut builder.system.terms;
    let mut parts = Vec::new();
    for (argument, variable) in equations {
        let value = argument.substitute(terms, &map).ok_or_else(|| place.too_large())?;
        parts.push(Formula::compare(Comparison::Equal, &Polynomial::atom(variable), &value));
    }
    parts.push(guard.substitute(terms, &map).ok_or_else(|| place.too_large())?);
    let mut update: Vec<Polynomial> =
        state.iter().map(|variable| Polynomial::atom(*variable)).collect();
    for (value, argument) in update.iter_mut().zip(&right.arguments) {
        *value = argument.substitute(terms, &map).ok_or_else(|| right.place.too_large())?;
    }
    let ends = (builder.location(left.symbol, place), builder.location(right.symbol, right.place));
    let relation = Relation { guard: Formula::all(parts), update, choices, unknowns: Vec::new() };
    builder.edge(ends, relation, place)
}
