//! What a specification must not say, as far as its text alone shows it. What depends on the program
//! (unknown functions, types) the front end of C says.

use std::collections::BTreeSet;

use super::{Condition, Constraint, Guarded, Pattern, Spec, Stmt, Text, Transfer};
use crate::error::Parsed;
use crate::expression;

/// Refuses a specification that makes no sense.
pub(super) fn check(spec: &Spec) -> Parsed<()> {
    let mut names = BTreeSet::new();
    for field in &spec.state {
        if !names.insert(field.name.text.as_str()) {
            let name = &field.name;
            return Err(name.place.refuse(format!("the state has two variables '{}'", name.text)));
        }
        if let Some(initial) = &field.initial {
            nothing_of_a_function(initial, "before the program starts")?;
        }
    }
    promises(&spec.transfers)?;
    for transfer in &spec.transfers {
        check_transfer(transfer, &names)?;
    }
    let mut known = BTreeSet::new();
    for obligation in &spec.obligations {
        let name = &obligation.name;
        if !known.insert(name.text.as_str()) {
            return Err(name.place.refuse(format!("there are two obligations '{}'", name.text)));
        }
        if !says(&obligation.transfers, &|s| matches!(s, Stmt::Set(_) | Stmt::Error(_))) {
            return Err(name.place.refuse(format!(
                "the obligation '{}' says neither set() nor error(): it obliges to nothing",
                name.text
            )));
        }
        promises(&obligation.transfers)?;
        for transfer in &obligation.transfers {
            check_transfer(transfer, &names)?;
        }
    }
    spec.fairness.iter().try_for_each(check_constraint)
}

/// Whether a statement is among these.
pub(super) fn says(transfers: &[Transfer], wanted: &dyn Fn(&Stmt) -> bool) -> bool {
    transfers.iter().any(|transfer| Stmt::any(&transfer.body, wanted))
}

/// Refuses `unset()` where there is no `set()`.
fn promises(transfers: &[Transfer]) -> Parsed<()> {
    if says(transfers, &|s| matches!(s, Stmt::Set(_))) {
        return Ok(());
    }
    match transfers.iter().find_map(|transfer| first_unset(&transfer.body)) {
        Some(place) => {
            Err(place
                .refuse("unset() keeps a promise, and there is no set() beside it that makes one"))
        }
        None => Ok(()),
    }
}

fn first_unset(statements: &[Stmt]) -> Option<crate::error::Place> {
    statements.iter().find_map(|statement| match statement {
        Stmt::Unset(place) => Some(*place),
        Stmt::If(_, then, otherwise) => first_unset(then).or_else(|| first_unset(otherwise)),
        _ => None,
    })
}

fn check_transfer(transfer: &Transfer, fields: &BTreeSet<&str>) -> Parsed<()> {
    for pattern in &transfer.patterns {
        if transfer.optional && matches!(pattern, Pattern::Any(_)) {
            return Err(pattern
                .place()
                .refuse("'any' needs no function, so it cannot be optional"));
        }
        check_statements(&transfer.body, pattern, fields)?;
    }
    Ok(())
}

fn check_statements(statements: &[Stmt], at: &Pattern, fields: &BTreeSet<&str>) -> Parsed<()> {
    for statement in statements {
        match statement {
            Stmt::Assign(target, value) => {
                if !fields.contains(target.text.as_str()) {
                    return Err(target.place.refuse(format!(
                        "'{}' is no variable of the state; a specification changes nothing else",
                        target.text
                    )));
                }
                check_expression(value, at)?;
            }
            Stmt::If(condition, then, otherwise) => {
                if let Condition::Expression(text) = condition {
                    check_expression(text, at)?;
                }
                check_statements(then, at, fields)?;
                check_statements(otherwise, at, fields)?;
            }
            Stmt::Error(_) | Stmt::Set(_) | Stmt::Unset(_) | Stmt::Return(_) => {}
        }
    }
    Ok(())
}

fn check_expression(text: &Text, at: &Pattern) -> Parsed<()> {
    let found = expression::mentions(&text.text, text.place)?;
    match at {
        Pattern::Any(_) => nothing_of_a_function(text, "at any statement"),
        Pattern::Entry(_) => match found.returned {
            Some(place) => Err(place.refuse("$return is not known yet when a function is entered")),
            None => Ok(()),
        },
        Pattern::Exit(name) => match found.parameters.first() {
            Some((number, place)) if name.text == "main" => Err(place.refuse(format!(
                "${number} is not there when the program ends, which exit() may do anywhere"
            ))),
            _ => Ok(()),
        },
    }
}

fn nothing_of_a_function(text: &Text, when: &str) -> Parsed<()> {
    let found = expression::mentions(&text.text, text.place)?;
    match found.parameters.first().map(|one| one.1).or(found.returned) {
        Some(place) => Err(place.refuse(format!("no function is entered or left {when}"))),
        None => Ok(()),
    }
}

fn check_constraint(constraint: &Constraint) -> Parsed<()> {
    for Guarded { pattern, condition } in [&constraint.p, &constraint.q] {
        check_expression(condition, pattern)?;
    }
    let (p, q) = (&constraint.p, &constraint.q);
    if p.condition.text == "0" {
        return Err(p
            .condition
            .place
            .refuse("this is never true, so the constraint never applies; leave it out"));
    }
    let always = |guarded: &Guarded| guarded.condition.text == "1";
    if always(q) && matches!(q.pattern, Pattern::Any(_)) {
        return Err(q.condition.place.refuse(
            "this is true in every step, so the constraint excludes nothing; leave it out",
        ));
    }
    if always(q) && p.pattern.to_string() == q.pattern.to_string() {
        return Err(q.condition.place.refuse(
            "this is true whenever the first part is, so the constraint excludes nothing; leave it out",
        ));
    }
    Ok(())
}
