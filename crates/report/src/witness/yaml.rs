//! Version 2.1 of the format, in YAML.

use std::fmt::Write as _;

use ouro_evidence::Verdict;

use super::WitnessTask;
use super::hints::{
    LoopEndHint, ReturnedValue, WitnessLasso, WitnessPlace, loop_end_hints, witness_lasso,
};
use crate::VerdictReport;

/// The witness, or why there is none.
pub fn yaml_witness(
    report: &VerdictReport<'_>,
    task: &WitnessTask,
) -> Result<String, &'static str> {
    let (kind, content) = match report.verdict {
        Verdict::Loops(_) => ("violation_sequence", violation_sequence(&witness_lasso(report)?)),
        Verdict::Terminates(_) => ("invariant_set", invariant_set(&loop_end_hints(report)?)),
        Verdict::Unknown(_) => return Err("the verdict is 'unknown'"),
        Verdict::Holds(_) | Verdict::Violated(_) => {
            return Err("a witness is about termination, \
                        and a specification was checked");
        }
    };
    let mut out = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.1\"\n");
    let _ = writeln!(out, "    uuid: {}", quote_for_yaml(&task.witness_identifier(&content)));
    let _ = writeln!(out, "    creation_time: {}", quote_for_yaml(&task.time));
    let version = quote_for_yaml(&task.version);
    let _ = writeln!(out, "    producer:\n      name: \"Ouro\"\n      version: {version}");
    out += "    task:\n      input_files:\n";
    for (name, _) in &task.files {
        let _ = writeln!(out, "      - {}", quote_for_yaml(name));
    }
    out += "      input_file_hashes:\n";
    for (name, hash) in &task.files {
        let _ = writeln!(out, "        {}: {}", quote_for_yaml(name), quote_for_yaml(hash));
    }
    let _ = writeln!(out, "      specification: {}", quote_for_yaml(&task.specification()));
    let model = if task.narrow { "ILP32" } else { "LP64" };
    let _ = writeln!(out, "      data_model: \"{model}\"\n      language: \"C\"");
    Ok(out + &content)
}

/// The way there, then the state at the head of the cycle, then what is returned in every iteration.
fn violation_sequence(lasso: &WitnessLasso) -> String {
    let mut out = "  content:\n".to_owned();
    for one in &lasso.stem {
        out += &return_waypoint(one, "follow");
    }
    out += &segment_entry(
        "recurrence_condition",
        "cycle",
        &lasso.head,
        &lasso.recurrent,
        "c_expression",
    );
    for one in &lasso.cycle {
        out += &return_waypoint(one, "cycle");
    }
    out
}

fn return_waypoint(one: &ReturnedValue, action: &str) -> String {
    let constraint = format!("\\result == {}", one.value);
    segment_entry("function_return", action, &one.spot, &constraint, "ext_c_expression")
}

fn segment_entry(
    kind: &str,
    action: &str,
    spot: &WitnessPlace,
    constraint: &str,
    format: &str,
) -> String {
    format!(
        "  - segment:\n    - waypoint:\n        type: {kind}\n        action: {action}\n\
         {}        constraint:\n          value: {}\n          format: {format}\n",
        location_entry(spot, "        "),
        quote_for_yaml(constraint)
    )
}

fn invariant_set(all: &[LoopEndHint]) -> String {
    let mut out = String::new();
    for one in all {
        let (said, kind, format) = match (&one.transition, &one.invariant) {
            (Some(said), _) => (said.as_str(), "loop_transition_invariant", "ext_c_expression"),
            (None, Some(said)) => (said.as_str(), "loop_invariant", "c_expression"),
            // That there is a loop is said, and nothing about it.
            (None, None) => ("1", "loop_invariant", "c_expression"),
        };
        out += &invariant_entry(one, kind, said, format);
        if let (Some(_), Some(said)) = (&one.transition, &one.invariant) {
            out += &invariant_entry(one, "loop_invariant", said, "c_expression");
        }
    }
    if out.is_empty() { "  content: []\n".to_owned() } else { format!("  content:\n{out}") }
}

fn invariant_entry(one: &LoopEndHint, kind: &str, said: &str, format: &str) -> String {
    format!(
        "  - invariant:\n      type: {kind}\n{}      value: {}\n      format: {format}\n",
        location_entry(&one.head, "      "),
        quote_for_yaml(said)
    )
}

fn location_entry(spot: &WitnessPlace, indent: &str) -> String {
    let mut out =
        format!("{indent}location:\n{indent}  file_name: {}\n", quote_for_yaml(&spot.file));
    let _ = writeln!(out, "{indent}  line: {}", spot.line);
    if spot.column != 0 {
        let _ = writeln!(out, "{indent}  column: {}", spot.column);
    }
    if !spot.function.is_empty() {
        let _ = writeln!(out, "{indent}  function: {}", quote_for_yaml(&spot.function));
    }
    out
}

/// A string. YAML reads those of JSON.
fn quote_for_yaml(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
