//! A run of a program that stays in a set of states.

use ouro_evidence::ClosedSet;

use super::system::cut_text;
use super::{endless_heading, inputs_text, liveness, overflow};
use crate::closed::{StatesAtHead, states_at_heads};
use crate::excerpt::SourceExcerpt;
use crate::limits::LIMITS;
use crate::liveness::program_inputs;
use crate::{TextStyle, VerdictReport};

/// The run: the loop, the states that it never leaves, and the inputs that lead there.
pub(super) fn closed_set_text(
    report: &VerdictReport<'_>,
    set: &ClosedSet,
    style: TextStyle,
) -> String {
    let mut out = endless_heading(report, style);
    let states = states_at_heads(set);
    let Some(first) = states.first() else { return out };
    let mut notes = match states.as_slice() {
        [only] => vec![format!("the run never leaves these states: {}", describe_states(only))],
        all => {
            let mut notes = vec!["the run never leaves these states:".to_owned()];
            let place = |at: &StatesAtHead| format!("{}: {}", at.place, describe_states(at));
            notes.extend(all.iter().map(place));
            notes
        }
    };
    notes.extend(liveness::promise_notes(report));
    notes.extend(overflow::overflow_note(report));
    if set.recursion {
        notes.push("in practice the stack overflows".to_owned());
    }
    out += &SourceExcerpt {
        place: &first.place,
        label: if set.recursion { "this recursion never ends" } else { "this loop never ends" },
        others: &report.explanation.cycle,
        notes: &notes,
    }
    .render(report.sources, style);
    let chosen: Vec<&StatesAtHead> = states.iter().filter(|at| !at.choices.is_empty()).collect();
    if !set.inputs.is_empty() || chosen.is_empty() {
        out += &inputs_text(report, &program_inputs(&set.inputs), &[], style);
    }
    if !chosen.is_empty() {
        let title = "From then on, in every iteration, with the values at the loop head:";
        out += &format!("\n{}\n", style.strong(title));
    }
    for at in chosen {
        let choices: Vec<String> =
            at.choices.iter().take(LIMITS.variables).map(|choice| cut_text(choice)).collect();
        let more = at.choices.len().saturating_sub(LIMITS.variables);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        out +=
            &format!("  - after {} the next inputs are {}{more}\n", at.place, choices.join(", "));
    }
    out
}

/// What the states have in common.
fn describe_states(at: &StatesAtHead) -> String {
    match (at.set.as_str(), at.variables.as_slice()) {
        ("true", []) => "the state is the same every time".to_owned(),
        ("true", some) if some.len() <= LIMITS.variables => {
            format!("whatever {} may be", some.join(", "))
        }
        ("true", some) => format!("whatever {} variables may be", some.len()),
        (set, _) => cut_text(set),
    }
}
