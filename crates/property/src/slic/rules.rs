//! What a specification must not say, as far as its text alone shows it. What depends on the program
//! (unknown functions, types) the front end of C says.

use std::collections::BTreeSet;

use super::{
    BranchCondition, CodeFragment, FairnessConstraint, GuardedPattern, ProgramPointPattern,
    SlicSpecification, SlicStatement, TransferFunction,
};
use crate::error::SpecificationResult;
use crate::expression;

/// Refuses a specification that makes no sense.
pub(super) fn check_specification(spec: &SlicSpecification) -> SpecificationResult<()> {
    let mut names = BTreeSet::new();
    for field in &spec.state {
        if !names.insert(field.name.text.as_str()) {
            let name = &field.name;
            return Err(name.place.refuse(format!("the state has two variables '{}'", name.text)));
        }
        if let Some(initial) = &field.initial {
            refuse_mentions(initial, "before the program starts")?;
        }
    }
    check_promises(&spec.transfers)?;
    for transfer in &spec.transfers {
        check_transfer(transfer, &names)?;
    }
    let mut known = BTreeSet::new();
    for obligation in &spec.obligations {
        let name = &obligation.name;
        if !known.insert(name.text.as_str()) {
            return Err(name.place.refuse(format!("there are two obligations '{}'", name.text)));
        }
        if !transfers_contain(&obligation.transfers, &|s| {
            matches!(s, SlicStatement::Set(_) | SlicStatement::Error(_))
        }) {
            return Err(name.place.refuse(format!(
                "the obligation '{}' has neither set() nor error(), so it requires nothing",
                name.text
            )));
        }
        check_promises(&obligation.transfers)?;
        for transfer in &obligation.transfers {
            check_transfer(transfer, &names)?;
        }
    }
    spec.fairness.iter().try_for_each(check_constraint)
}

/// Whether a statement is among these.
pub(super) fn transfers_contain(
    transfers: &[TransferFunction],
    wanted: &dyn Fn(&SlicStatement) -> bool,
) -> bool {
    transfers.iter().any(|transfer| SlicStatement::contains_statement(&transfer.body, wanted))
}

/// Refuses `unset()` where there is no `set()`.
fn check_promises(transfers: &[TransferFunction]) -> SpecificationResult<()> {
    if transfers_contain(transfers, &|s| matches!(s, SlicStatement::Set(_))) {
        return Ok(());
    }
    match transfers.iter().find_map(|transfer| first_unset(&transfer.body)) {
        Some(place) => Err(place.refuse(
            "unset() keeps a promise, but there is no set() in this obligation to \
             make one",
        )),
        None => Ok(()),
    }
}

fn first_unset(statements: &[SlicStatement]) -> Option<crate::error::SpecificationPlace> {
    statements.iter().find_map(|statement| match statement {
        SlicStatement::Unset(place) => Some(*place),
        SlicStatement::If(_, then, otherwise) => {
            first_unset(then).or_else(|| first_unset(otherwise))
        }
        _ => None,
    })
}

fn check_transfer(transfer: &TransferFunction, fields: &BTreeSet<&str>) -> SpecificationResult<()> {
    for pattern in &transfer.patterns {
        if transfer.optional && matches!(pattern, ProgramPointPattern::Any(_)) {
            return Err(pattern
                .place()
                .refuse("'any' needs no function, so it cannot be optional"));
        }
        check_statements(&transfer.body, pattern, fields)?;
    }
    Ok(())
}

fn check_statements(
    statements: &[SlicStatement],
    at: &ProgramPointPattern,
    fields: &BTreeSet<&str>,
) -> SpecificationResult<()> {
    for statement in statements {
        match statement {
            SlicStatement::Assign(target, value) => {
                if !fields.contains(target.text.as_str()) {
                    return Err(target.place.refuse(format!(
                        "'{}' is not a variable of the state; a specification can change nothing \
                         else",
                        target.text
                    )));
                }
                check_expression(value, at)?;
            }
            SlicStatement::If(condition, then, otherwise) => {
                if let BranchCondition::Expression(text) = condition {
                    check_expression(text, at)?;
                }
                check_statements(then, at, fields)?;
                check_statements(otherwise, at, fields)?;
            }
            SlicStatement::Error(_)
            | SlicStatement::Set(_)
            | SlicStatement::Unset(_)
            | SlicStatement::Return(_) => {}
        }
    }
    Ok(())
}

fn check_expression(text: &CodeFragment, at: &ProgramPointPattern) -> SpecificationResult<()> {
    let found = expression::find_mentions(&text.text, text.place)?;
    match at {
        ProgramPointPattern::Any(_) => refuse_mentions(text, "at any statement"),
        ProgramPointPattern::Entry(_) => match found.returned {
            Some(place) => Err(place.refuse("$return has no value yet when a function is entered")),
            None => Ok(()),
        },
        ProgramPointPattern::Exit(name) => match found.parameters.first() {
            Some((number, place)) if name.text == "main" => Err(place.refuse(format!(
                "${number} is not available when the program ends, because exit() may be called \
                 anywhere"
            ))),
            _ => Ok(()),
        },
    }
}

fn refuse_mentions(text: &CodeFragment, when: &str) -> SpecificationResult<()> {
    let found = expression::find_mentions(&text.text, text.place)?;
    match found.parameters.first().map(|one| one.1).or(found.returned) {
        Some(place) => Err(place.refuse(format!("no function is entered or left {when}"))),
        None => Ok(()),
    }
}

fn check_constraint(constraint: &FairnessConstraint) -> SpecificationResult<()> {
    for GuardedPattern { pattern, condition } in [&constraint.p, &constraint.q] {
        check_expression(condition, pattern)?;
    }
    let (p, q) = (&constraint.p, &constraint.q);
    if p.condition.text == "0" {
        return Err(p
            .condition
            .place
            .refuse("this is never true, so the constraint never applies; leave it out"));
    }
    let always = |guarded: &GuardedPattern| guarded.condition.text == "1";
    if always(q) && matches!(q.pattern, ProgramPointPattern::Any(_)) {
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
