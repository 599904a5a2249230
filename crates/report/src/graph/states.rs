//! The graph of states that evidence for an endless run speaks of.

use ouro_evidence::{ClosedSet, RecurrentSet, StateRecurrence};
use ouro_model::transition::TransitionSystem;

use super::{DiagramBoxKind, RunDiagram};
use crate::closed::states_at_heads;
use crate::limits::LIMITS;
use crate::system::endless_run;

/// The heading of the states.
const HEADING: &str = "States that the run never leaves";

/// The sets of states at the heads of a program, and which leads to which.
pub fn closed_set_diagram(set: &ClosedSet, ways: &[(usize, usize)]) -> RunDiagram {
    let mut graph = RunDiagram::new("A run that never ends, in ever new states");
    let group = graph.add_group(HEADING);
    let start = graph.add_box(group, DiagramBoxKind::Start, vec!["start".to_owned()]);
    let mut boxes = Vec::new();
    for at in states_at_heads(set) {
        let mut lines = vec![at.place.to_string()];
        if !at.variables.is_empty() && at.set == "true" {
            lines.push(format!("whatever {} may be", at.variables.join(", ")));
        } else {
            lines.extend(formula_lines(&at.set));
        }
        boxes.push(graph.add_box(group, DiagramBoxKind::Recurrent, lines));
    }
    if let Some(first) = boxes.first() {
        graph.add_arrow(start, *first, &inputs_text(set.inputs.len()));
    }
    for (from, to) in ways {
        if let (Some(from), Some(to)) = (boxes.get(*from), boxes.get(*to)) {
            graph.add_arrow(*from, *to, "");
        }
    }
    graph
}

/// The state that a run of a program comes back to.
pub fn recurrence_diagram(recurrence: &StateRecurrence) -> RunDiagram {
    let mut graph = RunDiagram::new("A run that never ends, in states that come back");
    let group = graph.add_group(HEADING);
    let start = graph.add_box(group, DiagramBoxKind::Start, vec!["start".to_owned()]);
    let again = graph.add_box(group, DiagramBoxKind::Recurrent, vec![recurrence.place.to_string()]);
    graph.add_arrow(
        start,
        again,
        &inputs_text(recurrence.cycle_inputs.min(recurrence.inputs.len())),
    );
    let steps = recurrence.second_step.saturating_sub(recurrence.first_step);
    graph.add_arrow(again, again, &format!("the same state, {steps} steps later"));
    graph
}

/// The sets of states at the locations of a system, and which leads to which.
pub fn system_diagram(system: &TransitionSystem, file: &str, set: &RecurrentSet) -> RunDiagram {
    let run = endless_run(system, file, set);
    let mut graph = RunDiagram::new("A run that never ends");
    let group = graph.add_group(HEADING);
    let start = graph.add_box(group, DiagramBoxKind::Start, vec!["start".to_owned()]);
    let mut boxes = Vec::new();
    for states in &run.states {
        let mut lines = vec![states.location.clone()];
        lines.extend(formula_lines(&states.set));
        boxes.push(graph.add_box(group, DiagramBoxKind::Recurrent, lines));
    }
    if let Some(first) = boxes.first() {
        graph.add_arrow(start, *first, &format!("{} steps", run.stem.len()));
    }
    for (states, from) in run.states.iter().zip(&boxes) {
        for last in states.moves.iter().filter_map(|way| way.last()) {
            if let Some(to) = run.states.iter().position(|other| other.location == last.to) {
                graph.add_arrow(*from, boxes[to], "");
            }
        }
    }
    graph
}

fn inputs_text(count: usize) -> String {
    match count {
        0 => "without input".to_owned(),
        1 => "1 input".to_owned(),
        some => format!("{some} inputs"),
    }
}

/// A formula in lines that are not too long, and not too many.
fn formula_lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is one");
        if !line.is_empty()
            && line.chars().count() + word.chars().count() >= LIMITS.picture_line_length
        {
            lines.push(word.to_owned());
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if lines.len() > LIMITS.picture_lines {
        lines.truncate(LIMITS.picture_lines);
        lines.push("…".to_owned());
    }
    lines
}
