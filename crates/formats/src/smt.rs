//! TermComp's `.smt2` form.
//!
//! ```text
//! (declare-sort Loc 0)
//! (declare-const l0 Loc) (declare-const l1 Loc)
//! (assert (distinct l0 l1))
//! (define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
//! (define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
//!   (and (= pc src) (= pc1 dst) rel))
//! (define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc l0 true))
//! (define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (x1 Int)) Bool (or
//!   (cfg_trans2 pc l0 pc1 l1 (= x1 (+ x 1)))
//!   (cfg_trans2 pc l1 pc1 l1 (exists ((n Int)) (and (> x 0) (< n 0) (= x1 (+ x n)))))))
//! ```
//!
//! There is one `init_` and one `next_`, of the same name. A file may define `cfg_trans3`, the step
//! of a procedure's return, but not use it. A constant of sort `Loc` is another location than every
//! other one, whatever `distinct` says.

mod read;
mod value;

use ouro_model::ids::LocationId;
use ouro_model::transition::TransitionSystem;
use read::{Kind, Node, read};
use value::Scope;

use crate::error::{Parsed, Place, shortened};
use crate::polynomial::Polynomial;
use crate::relation::Relation;
use crate::system::Builder;

/// The helpers, with their parameters as numbers: other meanings are refused.
const HELPERS: [(&str, &str); 3] = [
    ("cfg_init", "(and (= 0 1) 2)"),
    ("cfg_trans2", "(and (= 0 1) (= 2 3) 4)"),
    ("cfg_trans3", "(and (= 0 1) (= 2 3) (= 4 5) 6)"),
];

/// The system of a text.
pub(crate) fn parse(text: &str) -> Parsed<TransitionSystem> {
    let (commands, end) = read(text)?;
    let mut builder = Builder::new();
    let mut start: Option<Function> = None;
    let mut step: Option<Function> = None;
    for command in &commands {
        let items = command.items("a command between parentheses")?;
        match command.head() {
            Some("declare-sort") => match items {
                [_, name, rank] if name.is("Loc") && rank.is("0") => {}
                _ => return Err(command.place.expected("(declare-sort Loc 0)")),
            },
            Some("declare-const") => location(&mut builder, command, &items[1..])?,
            Some("declare-fun") => match items {
                [_, name, parameters, sort] if parameters.list().is_some_and(<[_]>::is_empty) => {
                    location(&mut builder, command, &[name.clone(), sort.clone()])?;
                }
                _ => return Err(command.place.expected("a function without parameters")),
            },
            Some("assert") => match items {
                [_, fact] if fact.head() == Some("distinct") => distinct(&builder, fact)?,
                _ => return Err(command.place.expected("(assert (distinct …)) of locations")),
            },
            Some("define-fun") => {
                let function = function(command, items)?;
                let slot = match function.name.split_once('_') {
                    Some(("cfg", _)) => {
                        helper(&function)?;
                        continue;
                    }
                    Some(("init", _)) => &mut start,
                    Some(("next", _)) => &mut step,
                    _ => return Err(command.place.expected("cfg_…, init_… or next_…")),
                };
                if slot.is_some() {
                    return Err(command
                        .place
                        .refuse("a second procedure, which a transition system cannot say"));
                }
                *slot = Some(function);
            }
            Some("set-logic" | "set-info" | "set-option" | "check-sat" | "exit") => {}
            _ => {
                let found =
                    format!("declare-const, assert or define-fun, found {}", command.shown());
                return Err(command.place.expected(&found));
            }
        }
    }
    let start = start.ok_or_else(|| end.expected("the definition of init_main"))?;
    let step = step.ok_or_else(|| end.expected("the definition of next_main"))?;
    if start.name.strip_prefix("init_") != step.name.strip_prefix("next_") {
        return Err(step.place.expected("init_ and next_ of the same name"));
    }
    steps(&mut builder, &step)?;
    initial(&mut builder, &start)?;
    Ok(builder.system)
}

/// `(define-fun name ((parameter sort)…) Bool body)`
struct Function<'n, 't> {
    place: Place,
    name: &'t str,
    parameters: Vec<Parameter<'t>>,
    body: &'n Node<'t>,
}

struct Parameter<'t> {
    name: &'t str,
    sort: &'t str,
    place: Place,
}

fn function<'n, 't>(command: &Node<'t>, items: &'n [Node<'t>]) -> Parsed<Function<'n, 't>> {
    let [_, name, listed, result, body] = items else {
        return Err(command.place.expected("(define-fun name (parameters) Bool body)"));
    };
    if !result.is("Bool") {
        return Err(result.place.expected(&format!("Bool, found {}", result.shown())));
    }
    let mut parameters: Vec<Parameter> = Vec::new();
    for parameter in listed.items("a list of parameters")? {
        let [name, sort] = parameter.items("a parameter with its sort")? else {
            return Err(parameter.place.expected("a parameter with its sort"));
        };
        let (name, sort) = (name.name("a name")?, sort.name("a sort")?);
        if parameters.iter().any(|other| other.name == name) {
            return Err(parameter
                .place
                .refuse(format!("the parameter {} comes twice", shortened(name))));
        }
        parameters.push(Parameter { name, sort, place: parameter.place });
    }
    Ok(Function { place: command.place, name: name.name("a name")?, parameters, body })
}

fn location(builder: &mut Builder, command: &Node, rest: &[Node]) -> Parsed<()> {
    let [name, sort] = rest else { return Err(command.place.expected("(declare-const name Loc)")) };
    if !sort.is("Loc") {
        return Err(sort.place.expected(&format!("the sort Loc, found {}", sort.shown())));
    }
    let text = name.name("a name")?;
    if builder.find_location(text).is_some() {
        return Err(name.place.refuse(format!("{} is declared twice", shortened(text))));
    }
    builder.location(text, name.place);
    Ok(())
}

fn distinct(builder: &Builder, fact: &Node) -> Parsed<()> {
    for item in fact.items("distinct locations")?.iter().skip(1) {
        if item.word().and_then(|name| builder.find_location(name)).is_none() {
            return Err(item.place.expected(&format!("a location, found {}", item.shown())));
        }
    }
    Ok(())
}

/// A helper must mean what it always means.
fn helper(function: &Function) -> Parsed<()> {
    let Some((_, meaning)) = HELPERS.iter().find(|(name, _)| *name == function.name) else {
        return Err(function.place.expected("cfg_init, cfg_trans2 or cfg_trans3"));
    };
    let mut shape = String::new();
    numbered(function.body, function, &mut shape);
    if shape == *meaning {
        return Ok(());
    }
    Err(function.body.place.refuse(format!("{} does not have its usual meaning", function.name)))
}

/// The text of a body with numbers for parameters.
fn numbered(node: &Node, function: &Function, out: &mut String) {
    match &node.kind {
        Kind::Text => out.push('"'),
        Kind::Word(word) => {
            match function.parameters.iter().position(|parameter| parameter.name == *word) {
                Some(at) => out.push_str(&at.to_string()),
                None => out.push_str(word),
            }
        }
        Kind::List(items) => {
            out.push('(');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                numbered(item, function, out);
            }
            out.push(')');
        }
    }
}

/// The program counter and the other parameters, all of them integers.
fn split<'p, 't>(
    function: &Function<'_, 't>,
    parameters: &'p [Parameter<'t>],
) -> Parsed<(&'t str, Vec<&'p Parameter<'t>>)> {
    let mut counter = None;
    let mut variables = Vec::new();
    for parameter in parameters {
        match parameter.sort {
            "Int" => variables.push(parameter),
            "Loc" if counter.is_none() => counter = Some(parameter.name),
            "Loc" => return Err(parameter.place.refuse("a second program counter")),
            other => {
                let found = format!("a variable of sort Int or Loc, found {}", shortened(other));
                return Err(parameter.place.expected(&found));
            }
        }
    }
    let counter = counter.ok_or_else(|| function.place.expected("a parameter of sort Loc"))?;
    Ok((counter, variables))
}

fn steps(builder: &mut Builder, step: &Function) -> Parsed<()> {
    if !step.parameters.len().is_multiple_of(2) {
        return Err(step.place.expected("as many parameters before the step as after it"));
    }
    let (before, after) = step.parameters.split_at(step.parameters.len() / 2);
    let (from, old) = split(step, before)?;
    let (to, new) = split(step, after)?;
    if old.len() != new.len() {
        return Err(step.place.expected("as many parameters before the step as after it"));
    }
    let mut symbols = Vec::new();
    for parameter in &old {
        match builder.variable(parameter.name) {
            Some(symbol) => symbols.push(symbol),
            None => return Err(parameter.place.refuse("this parameter comes twice")),
        }
    }
    let mut scope = Scope::new(builder);
    for (parameter, symbol) in old.iter().zip(&symbols) {
        scope.bind_symbol(parameter.name, *symbol);
    }
    let mut pending = vec![step.body];
    while let Some(node) = pending.pop() {
        match (node.head(), node.list()) {
            (Some("or"), Some(items)) => pending.extend(items[1..].iter().rev()),
            (Some("cfg_trans2"), Some([_, pc, source, pc1, target, relation])) => {
                counter(pc, from)?;
                counter(pc1, to)?;
                let ends = (known(scope.builder, source)?, known(scope.builder, target)?);
                let posts: Vec<_> = new.iter().map(|p| scope.builder.choice(p.name)).collect();
                for (parameter, post) in new.iter().zip(&posts) {
                    scope.bind_symbol(parameter.name, *post);
                }
                let guard = scope.condition(relation, true)?;
                for parameter in &new {
                    scope.release(parameter.name);
                }
                let mut choices = std::mem::take(&mut scope.choices);
                choices.extend(&posts);
                let update = posts.iter().map(|post| Polynomial::atom(*post)).collect();
                let relation = Relation { guard, update, choices, unknowns: Vec::new() };
                scope.builder.edge(ends, relation, node.place)?;
            }
            (Some("cfg_trans2"), _) => {
                return Err(node.place.expected("(cfg_trans2 pc source pc1 target relation)"));
            }
            (Some("cfg_trans3"), _) => {
                return Err(node.place.refuse(
                    "cfg_trans3 returns from a procedure, which a transition system cannot say",
                ));
            }
            _ if node.is("false") => {}
            _ => {
                let found = format!("or, cfg_trans2 or false, found {}", node.shown());
                return Err(node.place.expected(&found));
            }
        }
    }
    Ok(())
}

fn initial(builder: &mut Builder, start: &Function) -> Parsed<()> {
    let (pc, listed) = split(start, &start.parameters)?;
    let symbols = builder.system.unchanged();
    if listed.len() != symbols.len() {
        return Err(start.place.expected(&format!("{} variables as in next_", symbols.len())));
    }
    let (Some("cfg_init"), Some([_, node, location, condition])) =
        (start.body.head(), start.body.list())
    else {
        return Err(start.body.place.expected("(cfg_init pc location condition)"));
    };
    counter(node, pc)?;
    builder.system.initial = known(builder, location)?;
    let mut scope = Scope::new(builder);
    for (parameter, symbol) in listed.iter().zip(&symbols) {
        scope.bind_symbol(parameter.name, *symbol);
    }
    let condition = scope.condition(condition, false)?;
    builder.system.condition = condition.term(&mut builder.system.terms);
    Ok(())
}

fn counter(node: &Node, name: &str) -> Parsed<()> {
    if node.is(name) {
        return Ok(());
    }
    Err(node.place.expected(&format!(
        "the program counter {}, found {}",
        shortened(name),
        node.shown()
    )))
}

fn known(builder: &Builder, node: &Node) -> Parsed<LocationId> {
    let location = node.word().and_then(|name| builder.find_location(name));
    location.ok_or_else(|| node.place.expected(&format!("a location, found {}", node.shown())))
}
