//! Version 2.1 of the format, in YAML.

use std::fmt::Write as _;

use ouro_evidence::Verdict;

use super::Task;
use super::hints::{Ends, Lasso, Returned, Spot, ends, lasso};
use crate::Report;

/// The witness, or why there is none.
pub fn yaml(report: &Report<'_>, task: &Task) -> Result<String, &'static str> {
    let (kind, content) = match report.verdict {
        Verdict::Loops(_) => ("violation_sequence", violation(&lasso(report)?)),
        Verdict::Terminates(_) => ("invariant_set", invariants(&ends(report)?)),
        Verdict::Unknown(_) => return Err("the verdict is 'unknown'"),
        Verdict::Holds(_) | Verdict::Violated(_) => return Err("witnesses are about termination"),
    };
    let mut out = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.1\"\n");
    let _ = writeln!(out, "    uuid: {}", quoted(&task.identifier(&content)));
    let _ = writeln!(out, "    creation_time: {}", quoted(&task.time));
    let version = quoted(&task.version);
    let _ = writeln!(out, "    producer:\n      name: \"Ouro\"\n      version: {version}");
    out += "    task:\n      input_files:\n";
    for (name, _) in &task.files {
        let _ = writeln!(out, "      - {}", quoted(name));
    }
    out += "      input_file_hashes:\n";
    for (name, hash) in &task.files {
        let _ = writeln!(out, "        {}: {}", quoted(name), quoted(hash));
    }
    let _ = writeln!(out, "      specification: {}", quoted(&task.specification()));
    let model = if task.narrow { "ILP32" } else { "LP64" };
    let _ = writeln!(out, "      data_model: \"{model}\"\n      language: \"C\"");
    Ok(out + &content)
}

/// The way there, then the state at the head of the cycle, then what is returned in every turn.
fn violation(lasso: &Lasso) -> String {
    let mut out = "  content:\n".to_owned();
    for one in &lasso.stem {
        out += &result(one, "follow");
    }
    out += &segment("recurrence_condition", "cycle", &lasso.head, &lasso.recurrent, "c_expression");
    for one in &lasso.cycle {
        out += &result(one, "cycle");
    }
    out
}

fn result(one: &Returned, action: &str) -> String {
    let constraint = format!("\\result == {}", one.value);
    segment("function_return", action, &one.spot, &constraint, "ext_c_expression")
}

fn segment(kind: &str, action: &str, spot: &Spot, constraint: &str, format: &str) -> String {
    format!(
        "  - segment:\n    - waypoint:\n        type: {kind}\n        action: {action}\n\
         {}        constraint:\n          value: {}\n          format: {format}\n",
        location(spot, "        "),
        quoted(constraint)
    )
}

fn invariants(all: &[Ends]) -> String {
    let mut out = String::new();
    for one in all {
        let (said, kind, format) = match (&one.transition, &one.invariant) {
            (Some(said), _) => (said.as_str(), "loop_transition_invariant", "ext_c_expression"),
            (None, Some(said)) => (said.as_str(), "loop_invariant", "c_expression"),
            // That there is a loop is said, and nothing about it.
            (None, None) => ("1", "loop_invariant", "c_expression"),
        };
        out += &invariant(one, kind, said, format);
        if let (Some(_), Some(said)) = (&one.transition, &one.invariant) {
            out += &invariant(one, "loop_invariant", said, "c_expression");
        }
    }
    if out.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{out}") }
}

fn invariant(one: &Ends, kind: &str, said: &str, format: &str) -> String {
    format!(
        "  - invariant:\n      type: {kind}\n{}      value: {}\n      format: {format}\n",
        location(&one.head, "      "),
        quoted(said)
    )
}

fn location(spot: &Spot, indent: &str) -> String {
    let mut out = format!("{indent}location:\n{indent}  file_name: {}\n", quoted(&spot.file));
    let _ = writeln!(out, "{indent}  line: {}", spot.line);
    if spot.column != 0 {
        let _ = writeln!(out, "{indent}  column: {}", spot.column);
    }
    if !spot.function.is_empty() {
        let _ = writeln!(out, "{indent}  function: {}", quoted(&spot.function));
    }
    out
}

/// A string. YAML reads those of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
