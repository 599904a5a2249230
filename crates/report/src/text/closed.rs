//! A run of a program that stays in a set of states.

use ouro_evidence::ClosedSet;

use super::system::cut;
use super::{MOST_VARIABLES, heading, inputs, liveness, overflow};
use crate::closed::{StatesAt, states};
use crate::excerpt::Excerpt;
use crate::liveness::of_program;
use crate::{Report, Style};

/// The run: the loop, the states that it never leaves, and the inputs that lead there.
pub(super) fn shown(report: &Report<'_>, set: &ClosedSet, style: Style) -> String {
    let mut out = heading(report, style);
    let states = states(set);
    let Some(first) = states.first() else { return out };
    let mut notes = match states.as_slice() {
        [only] => vec![format!("the run never leaves these states: {}", described(only))],
        all => {
            let mut notes = vec!["the run never leaves these states:".to_owned()];
            let place = |at: &StatesAt| format!("{}: {}", at.place, described(at));
            notes.extend(all.iter().map(place));
            notes
        }
    };
    notes.extend(liveness::notes(report));
    notes.extend(overflow::notes(report));
    if set.recursion {
        notes.push("in practice the stack overflows".to_owned());
    }
    out += &Excerpt {
        place: &first.place,
        label: if set.recursion { "this recursion never ends" } else { "this loop never ends" },
        others: &report.explanation.cycle,
        notes: &notes,
    }
    .render(report.sources, style);
    let chosen: Vec<&StatesAt> = states.iter().filter(|at| !at.choices.is_empty()).collect();
    if !set.inputs.is_empty() || chosen.is_empty() {
        out += &inputs(report, &of_program(&set.inputs), &[], style);
    }
    if !chosen.is_empty() {
        let title = "From then on, in every turn, with values as they are at the head:";
        out += &format!("\n{}\n", style.strong(title));
    }
    for at in chosen {
        let choices: Vec<String> =
            at.choices.iter().take(MOST_VARIABLES).map(|choice| cut(choice)).collect();
        let more = at.choices.len().saturating_sub(MOST_VARIABLES);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        out +=
            &format!("  - after {} the next inputs are {}{more}\n", at.place, choices.join(", "));
    }
    out
}

/// What the states have in common.
fn described(at: &StatesAt) -> String {
    match (at.set.as_str(), at.variables.as_slice()) {
        ("true", []) => "nothing differs from time to time".to_owned(),
        ("true", some) if some.len() <= MOST_VARIABLES => {
            format!("whatever {} may be", some.join(", "))
        }
        ("true", some) => format!("whatever {} variables may be", some.len()),
        (set, _) => cut(set),
    }
}
