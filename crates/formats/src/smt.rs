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
use read::{SmtNode, SmtNodeKind, read_nodes};
use value::SmtScope;

use crate::error::{FormatPlace, FormatResult, shorten_text};
use crate::polynomial::Polynomial;
use crate::relation::StepRelation;
use crate::system::SystemBuilder;

/// The helpers, with their parameters as numbers: other meanings are refused.
const HELPERS: [(&str, &str); 3] = [
    ("cfg_init", "(and (= 0 1) 2)"),
    ("cfg_trans2", "(and (= 0 1) (= 2 3) 4)"),
    ("cfg_trans3", "(and (= 0 1) (= 2 3) (= 4 5) 6)"),
];

/// The system of a text.
pub(crate) fn parse_smt(text: &str) -> FormatResult<TransitionSystem> {
    let (commands, end) = read_nodes(text)?;
    let mut builder = SystemBuilder::new();
    let mut start: Option<SmtFunction> = None;
    let mut step: Option<SmtFunction> = None;
    for command in &commands {
        let items = command.expect_items("a command between parentheses")?;
        match command.head() {
            Some("declare-sort") => match items {
                [_, name, rank] if name.is_word("Loc") && rank.is_word("0") => {}
                _ => return Err(command.place.expected("(declare-sort Loc 0)")),
            },
            Some("declare-const") => add_location(&mut builder, command, &items[1..])?,
            Some("declare-fun") => match items {
                [_, name, parameters, sort] if parameters.list().is_some_and(<[_]>::is_empty) => {
                    add_location(&mut builder, command, &[name.clone(), sort.clone()])?;
                }
                _ => return Err(command.place.expected("a function without parameters")),
            },
            Some("assert") => match items {
                [_, fact] if fact.head() == Some("distinct") => check_distinct(&builder, fact)?,
                _ => return Err(command.place.expected("(assert (distinct …)) of locations")),
            },
            Some("define-fun") => {
                let function = read_function(command, items)?;
                let slot = match function.name.split_once('_') {
                    Some(("cfg", _)) => {
                        check_helper(&function)?;
                        continue;
                    }
                    Some(("init", _)) => &mut start,
                    Some(("next", _)) => &mut step,
                    _ => return Err(command.place.expected("cfg_…, init_… or next_…")),
                };
                if slot.is_some() {
                    return Err(command.place.refuse("a second procedure is not supported"));
                }
                *slot = Some(function);
            }
            Some("set-logic" | "set-info" | "set-option" | "check-sat" | "exit") => {}
            _ => {
                let found =
                    format!("declare-const, assert or define-fun, found {}", command.describe());
                return Err(command.place.expected(&found));
            }
        }
    }
    let start = start.ok_or_else(|| end.expected("the definition of init_main"))?;
    let step = step.ok_or_else(|| end.expected("the definition of next_main"))?;
    if start.name.strip_prefix("init_") != step.name.strip_prefix("next_") {
        return Err(step.place.expected("init_ and next_ of the same name"));
    }
    add_step_edges(&mut builder, &step)?;
    add_initial_locations(&mut builder, &start)?;
    Ok(builder.system)
}

/// `(define-fun name ((parameter sort)…) Bool body)`
struct SmtFunction<'n, 't> {
    place: FormatPlace,
    name: &'t str,
    parameters: Vec<SmtParameter<'t>>,
    body: &'n SmtNode<'t>,
}

struct SmtParameter<'t> {
    name: &'t str,
    sort: &'t str,
    place: FormatPlace,
}

fn read_function<'n, 't>(
    command: &SmtNode<'t>,
    items: &'n [SmtNode<'t>],
) -> FormatResult<SmtFunction<'n, 't>> {
    let [_, name, listed, result, body] = items else {
        return Err(command.place.expected("(define-fun name (parameters) Bool body)"));
    };
    if !result.is_word("Bool") {
        return Err(result.place.expected(&format!("Bool, found {}", result.describe())));
    }
    let mut parameters: Vec<SmtParameter> = Vec::new();
    for parameter in listed.expect_items("a list of parameters")? {
        let [name, sort] = parameter.expect_items("a parameter with its sort")? else {
            return Err(parameter.place.expected("a parameter with its sort"));
        };
        let (name, sort) = (name.expect_name("a name")?, sort.expect_name("a sort")?);
        if parameters.iter().any(|other| other.name == name) {
            return Err(parameter
                .place
                .refuse(format!("the parameter {} is declared twice", shorten_text(name))));
        }
        parameters.push(SmtParameter { name, sort, place: parameter.place });
    }
    Ok(SmtFunction { place: command.place, name: name.expect_name("a name")?, parameters, body })
}

fn add_location(
    builder: &mut SystemBuilder,
    command: &SmtNode,
    rest: &[SmtNode],
) -> FormatResult<()> {
    let [name, sort] = rest else { return Err(command.place.expected("(declare-const name Loc)")) };
    if !sort.is_word("Loc") {
        return Err(sort.place.expected(&format!("the sort Loc, found {}", sort.describe())));
    }
    let text = name.expect_name("a name")?;
    if builder.find_location(text).is_some() {
        return Err(name.place.refuse(format!("{} is declared twice", shorten_text(text))));
    }
    builder.intern_location(text, name.place);
    Ok(())
}

fn check_distinct(builder: &SystemBuilder, fact: &SmtNode) -> FormatResult<()> {
    for item in fact.expect_items("distinct locations")?.iter().skip(1) {
        if item.word().and_then(|name| builder.find_location(name)).is_none() {
            return Err(item.place.expected(&format!("a location, found {}", item.describe())));
        }
    }
    Ok(())
}

/// A helper must mean what it always means.
fn check_helper(function: &SmtFunction) -> FormatResult<()> {
    let Some((_, meaning)) = HELPERS.iter().find(|(name, _)| *name == function.name) else {
        return Err(function.place.expected("cfg_init, cfg_trans2 or cfg_trans3"));
    };
    let mut shape = String::new();
    write_numbered_body(function.body, function, &mut shape);
    if shape == *meaning {
        return Ok(());
    }
    Err(function.body.place.refuse(format!("{} does not have its usual meaning", function.name)))
}

/// The text of a body with numbers for parameters.
fn write_numbered_body(node: &SmtNode, function: &SmtFunction, out: &mut String) {
    match &node.kind {
        SmtNodeKind::Text => out.push('"'),
        SmtNodeKind::Word(word) => {
            match function.parameters.iter().position(|parameter| parameter.name == *word) {
                Some(at) => out.push_str(&at.to_string()),
                None => out.push_str(word),
            }
        }
        SmtNodeKind::List(items) => {
            out.push('(');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                write_numbered_body(item, function, out);
            }
            out.push(')');
        }
    }
}

/// The program counter and the other parameters, all of them integers.
fn split_parameters<'p, 't>(
    function: &SmtFunction<'_, 't>,
    parameters: &'p [SmtParameter<'t>],
) -> FormatResult<(&'t str, Vec<&'p SmtParameter<'t>>)> {
    let mut counter = None;
    let mut variables = Vec::new();
    for parameter in parameters {
        match parameter.sort {
            "Int" => variables.push(parameter),
            "Loc" if counter.is_none() => counter = Some(parameter.name),
            "Loc" => return Err(parameter.place.refuse("a second program counter")),
            other => {
                let found = format!("a variable of sort Int or Loc, found {}", shorten_text(other));
                return Err(parameter.place.expected(&found));
            }
        }
    }
    let counter = counter.ok_or_else(|| function.place.expected("a parameter of sort Loc"))?;
    Ok((counter, variables))
}

fn add_step_edges(builder: &mut SystemBuilder, step: &SmtFunction) -> FormatResult<()> {
    if !step.parameters.len().is_multiple_of(2) {
        return Err(step.place.expected("as many parameters before the step as after it"));
    }
    let (before, after) = step.parameters.split_at(step.parameters.len() / 2);
    let (from, old) = split_parameters(step, before)?;
    let (to, new) = split_parameters(step, after)?;
    if old.len() != new.len() {
        return Err(step.place.expected("as many parameters before the step as after it"));
    }
    let mut symbols = Vec::new();
    for parameter in &old {
        match builder.add_variable(parameter.name) {
            Some(symbol) => symbols.push(symbol),
            None => return Err(parameter.place.refuse("this parameter is declared twice")),
        }
    }
    let mut scope = SmtScope::new(builder);
    for (parameter, symbol) in old.iter().zip(&symbols) {
        scope.bind_symbol(parameter.name, *symbol);
    }
    let mut pending = vec![step.body];
    while let Some(node) = pending.pop() {
        match (node.head(), node.list()) {
            (Some("or"), Some(items)) => pending.extend(items[1..].iter().rev()),
            (Some("cfg_trans2"), Some([_, pc, source, pc1, target, relation])) => {
                check_counter_name(pc, from)?;
                check_counter_name(pc1, to)?;
                let ends = (
                    known_location(scope.builder, source)?,
                    known_location(scope.builder, target)?,
                );
                let posts: Vec<_> = new.iter().map(|p| scope.builder.add_choice(p.name)).collect();
                for (parameter, post) in new.iter().zip(&posts) {
                    scope.bind_symbol(parameter.name, *post);
                }
                let guard = scope.read_condition(relation, true)?;
                for parameter in &new {
                    scope.release(parameter.name);
                }
                let mut choices = std::mem::take(&mut scope.choices);
                choices.extend(&posts);
                let update = posts.iter().map(|post| Polynomial::from_atom(*post)).collect();
                let relation = StepRelation { guard, update, choices, unknowns: Vec::new() };
                scope.builder.add_edge(ends, relation, node.place)?;
            }
            (Some("cfg_trans2"), _) => {
                return Err(node.place.expected("(cfg_trans2 pc source pc1 target relation)"));
            }
            (Some("cfg_trans3"), _) => {
                return Err(node
                    .place
                    .refuse("cfg_trans3 returns from a procedure, which is not supported"));
            }
            _ if node.is_word("false") => {}
            _ => {
                let found = format!("or, cfg_trans2 or false, found {}", node.describe());
                return Err(node.place.expected(&found));
            }
        }
    }
    Ok(())
}

fn add_initial_locations(builder: &mut SystemBuilder, start: &SmtFunction) -> FormatResult<()> {
    let (pc, listed) = split_parameters(start, &start.parameters)?;
    let symbols = builder.system.identity_update();
    if listed.len() != symbols.len() {
        return Err(start.place.expected(&format!("{} variables as in next_", symbols.len())));
    }
    let (Some("cfg_init"), Some([_, node, location, condition])) =
        (start.body.head(), start.body.list())
    else {
        return Err(start.body.place.expected("(cfg_init pc location condition)"));
    };
    check_counter_name(node, pc)?;
    builder.system.initial = known_location(builder, location)?;
    let mut scope = SmtScope::new(builder);
    for (parameter, symbol) in listed.iter().zip(&symbols) {
        scope.bind_symbol(parameter.name, *symbol);
    }
    let condition = scope.read_condition(condition, false)?;
    builder.system.condition = condition.to_term(&mut builder.system.terms);
    Ok(())
}

fn check_counter_name(node: &SmtNode, name: &str) -> FormatResult<()> {
    if node.is_word(name) {
        return Ok(());
    }
    Err(node.place.expected(&format!(
        "the program counter {}, found {}",
        shorten_text(name),
        node.describe()
    )))
}

fn known_location(builder: &SystemBuilder, node: &SmtNode) -> FormatResult<LocationId> {
    let location = node.word().and_then(|name| builder.find_location(name));
    location.ok_or_else(|| node.place.expected(&format!("a location, found {}", node.describe())))
}
