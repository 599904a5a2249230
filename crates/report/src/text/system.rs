//! Evidence about transition systems: a run that never ends, or rankings.

use std::collections::BTreeSet;

use num_bigint::BigInt;

use super::left_out_text;
use crate::excerpt::SourceExcerpt;
use crate::limits::LIMITS;
use crate::system::{EdgeStep, EndlessRun, NamedValue, RankingText, StatesAtLocation};
use crate::{TextStyle, VerdictReport};

/// The set of all states.
const ANY: &str = "true";

/// The set of no states.
const NONE: &str = "false";

/// The run: the loop, how it starts, the way to the loop, and the states that it stays in.
pub(super) fn endless_run_text(
    report: &VerdictReport<'_>,
    run: &EndlessRun,
    style: TextStyle,
) -> String {
    let head = style.bad("loops forever");
    let mut out = format!("{head}: some run of {} never ends\n", report.subject_name());
    let note = match run.states.as_slice() {
        [StatesAtLocation { location, set, .. }] if set == ANY => {
            format!("from {location} it can always return there")
        }
        [StatesAtLocation { location, set, .. }]
            if set.chars().count() <= LIMITS.short_term_text =>
        {
            format!("from {location} with {set} it can always return to such a state")
        }
        [StatesAtLocation { location, .. }] => {
            format!("from {location} it can always return there, in the states below")
        }
        all => {
            format!("it can always continue among {} locations, within the states below", all.len())
        }
    };
    out += &SourceExcerpt {
        place: &run.place,
        label: "this loop never ends",
        others: &run.cycle,
        notes: &[note],
    }
    .render(report.sources, style);
    if !run.initial.is_empty() {
        out += &format!("\n{}\n", style.strong("It starts with:"));
        for value in run.initial.iter().take(LIMITS.inputs) {
            out += &format!("  {}\n", assignment_text(value));
        }
        out += &left_out_text(run.initial.len(), LIMITS.inputs, "  ");
    }
    if !run.stem.is_empty() {
        out += &format!("\n{}\n", style.strong("It reaches the loop in these steps:"));
        for (at, step) in run.stem.iter().enumerate().take(LIMITS.inputs) {
            out += &format!("{:>4}. {}\n", at + 1, step_text(step, ""));
        }
        out += &left_out_text(run.stem.len(), LIMITS.inputs, "      ");
    }
    out += &format!("\n{}\n", style.strong("From then on it stays in these states:"));
    for states in run.states.iter().take(LIMITS.inputs) {
        let set = if states.set == ANY { "any".to_owned() } else { cut_text(&states.set) };
        out += &format!("  {}: {set}\n", style.strong(&states.location));
        for (at, way) in states.moves.iter().enumerate() {
            let first = if at == 0 { "then" } else { "or" };
            for (at, step) in way.iter().enumerate().take(LIMITS.inputs) {
                // All choices of a move are made where it starts.
                let (word, as_at) = match at {
                    0 => (first, String::new()),
                    _ => ("then", format!(", with values as in {}", states.location)),
                };
                out += &format!("    {word} {}\n", step_text(step, &as_at));
            }
            out += &left_out_text(way.len(), LIMITS.inputs, "    ");
        }
    }
    out + &left_out_text(run.states.len(), LIMITS.inputs, "  ")
}

/// What gets smaller, location by location.
pub(super) fn rankings_text(all: &[RankingText], style: TextStyle) -> String {
    if all.is_empty() {
        return "  no location is visited twice\n".to_owned();
    }
    let related = all.iter().any(|place| !place.measures.is_empty());
    let title = match related {
        false => {
            "From each of these locations to the next, this value decreases and was not \
             negative before:"
        }
        true => {
            "At each of these locations, one of these values decreases and was not negative \
             before:"
        }
    };
    let mut out = format!("\n{}\n", style.strong(title));
    for place in all.iter().take(LIMITS.inputs) {
        let mut ranking: Vec<String> = place.ranking.iter().map(|one| cut_text(one)).collect();
        // Where there is only one location, what says nothing about it is left out.
        if all.len() == 1 {
            let mut seen = BTreeSet::new();
            ranking.retain(|one| one.parse::<BigInt>().is_err() && seen.insert(one.clone()));
        }
        let ranking = match ranking.as_slice() {
            _ if place.invariant == NONE => "never reached".to_owned(),
            _ if related => ranking_or_measures_text(&ranking, &place.measures),
            [] => "it runs at most once".to_owned(),
            [one] => one.clone(),
            some => format!("({}) in lexicographic order", some.join(", ")),
        };
        out += &format!("  {}: {ranking}\n", style.strong(&place.location));
        if ![ANY, NONE].contains(&place.invariant.as_str()) {
            out += &format!("    where {} always holds\n", cut_text(&place.invariant));
        }
    }
    out + &left_out_text(all.len(), LIMITS.inputs, "  ")
}

/// A ranking, and what gets smaller while that stays as it is.
fn ranking_or_measures_text(ranking: &[String], measures: &[String]) -> String {
    let ranking = match ranking {
        [] => None,
        [one] => Some(one.clone()),
        some => Some(format!("({}) in lexicographic order", some.join(", "))),
    };
    let ranking = ranking.map(|ranking| format!("{ranking} from each location to the next"));
    let measures: Vec<String> = measures.iter().map(|one| cut_text(one)).collect();
    let any =
        (!measures.is_empty()).then(|| format!("{} between any two visits", measures.join(" or ")));
    match (ranking, any) {
        (Some(ranking), Some(any)) => format!("{ranking}, or {any}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "nothing on its own".to_owned(),
    }
}

fn assignment_text(value: &NamedValue) -> String {
    format!("{} = {}", value.name, cut_text(&value.value))
}

fn step_text(step: &EdgeStep, as_at: &str) -> String {
    let mut text = format!("{} -> {}", step.from, step.to);
    if !step.choices.is_empty() {
        let chosen: Vec<String> =
            step.choices.iter().take(LIMITS.variables).map(assignment_text).collect();
        text += &format!(" with {}", chosen.join(", "));
        if step.choices.len() > LIMITS.variables {
            text += &format!(", and {} more", step.choices.len() - LIMITS.variables);
        }
        text += as_at;
    }
    if step.line != 0 {
        text += &format!("  (line {})", step.line);
    }
    text
}

/// A text that nobody reads to the end is cut off.
pub(super) fn cut_text(text: &str) -> String {
    match text.char_indices().nth(LIMITS.term_text) {
        Some((end, _)) => format!("{}… (--format json has the full text)", &text[..end]),
        None => text.to_owned(),
    }
}
