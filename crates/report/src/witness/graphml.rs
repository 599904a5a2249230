//! Version 1.0 of the format: an automaton in GraphML, for runs that never end.

use std::fmt::Write as _;

use super::WitnessTask;
use super::hints::{ReturnedValue, witness_lasso};
use crate::VerdictReport;
use crate::markup::escape_markup;

/// The keys that are used, what they are about, and their defaults.
const KEYS: [(&str, &str, Option<&str>); 17] = [
    ("witness-type", "graph", None),
    ("sourcecodelang", "graph", None),
    ("producer", "graph", None),
    ("specification", "graph", None),
    ("programfile", "graph", None),
    ("programhash", "graph", None),
    ("architecture", "graph", None),
    ("creationtime", "graph", None),
    ("entry", "node", Some("false")),
    ("cyclehead", "node", Some("false")),
    ("invariant", "node", Some("true")),
    ("assumption", "edge", None),
    ("assumption.scope", "edge", None),
    ("assumption.resultfunction", "edge", None),
    ("startline", "edge", None),
    ("enterLoopHead", "edge", Some("false")),
    ("enterFunction", "edge", None),
];

/// The witness, or why there is none.
pub fn graphml_witness(
    report: &VerdictReport<'_>,
    task: &WitnessTask,
) -> Result<String, &'static str> {
    let lasso = witness_lasso(report).map_err(|why| match why {
        "the verdict is not 'loops forever'" => {
            "a GraphML witness describes a run that never \
             ends, and there is none"
        }
        other => other,
    })?;
    let mut out = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
                   <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
                   xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
        .to_owned();
    for (name, about, default) in KEYS {
        let head = format!(
            "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"string\" for=\"{about}\""
        );
        let _ = match default {
            None => writeln!(out, "{head}/>"),
            Some(value) => writeln!(out, "{head}><default>{value}</default></key>"),
        };
    }
    out += "  <graph edgedefault=\"directed\">\n";
    let (file, hash) = task.files.first().cloned().unwrap_or_default();
    let producer = format!("Ouro {}", task.version);
    for (key, value) in [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", &producer),
        ("specification", &task.specification()),
        ("programfile", &file),
        ("programhash", &hash),
        ("architecture", if task.narrow { "32bit" } else { "64bit" }),
        ("creationtime", &task.time),
    ] {
        out += &data_element(key, value, "    ");
    }
    let mut nodes = GraphmlNodes { out, next: 0 };
    let mut here = nodes.add_node(&[("entry", "true")]);
    let start = nodes.add_node(&[]);
    nodes.add_edge(here, start, &[("enterFunction", &task.function)]);
    here = start;
    for one in &lasso.stem {
        let next = nodes.add_node(&[]);
        nodes.add_returned_value(here, next, one);
        here = next;
    }
    let head = nodes.add_node(&[("cyclehead", "true"), ("invariant", &lasso.recurrent)]);
    let line = lasso.head.line.to_string();
    nodes.add_edge(here, head, &[("startline", &line), ("enterLoopHead", "true")]);
    here = head;
    if lasso.cycle.is_empty() {
        let body = nodes.add_node(&[]);
        nodes.add_edge(head, body, &[("startline", &line)]);
        here = body;
    }
    for one in &lasso.cycle {
        let next = nodes.add_node(&[]);
        nodes.add_returned_value(here, next, one);
        here = next;
    }
    nodes.add_edge(here, head, &[("enterLoopHead", "true")]);
    Ok(nodes.out + "  </graph>\n</graphml>\n")
}

struct GraphmlNodes {
    out: String,
    next: usize,
}

impl GraphmlNodes {
    fn add_node(&mut self, all: &[(&str, &str)]) -> usize {
        let id = self.next;
        self.next += 1;
        let _ = writeln!(self.out, "    <node id=\"n{id}\">");
        for (key, value) in all {
            self.out += &data_element(key, value, "      ");
        }
        self.out += "    </node>\n";
        id
    }

    fn add_edge(&mut self, from: usize, to: usize, all: &[(&str, &str)]) {
        let _ = writeln!(self.out, "    <edge source=\"n{from}\" target=\"n{to}\">");
        for (key, value) in all {
            self.out += &data_element(key, value, "      ");
        }
        self.out += "    </edge>\n";
    }

    fn add_returned_value(&mut self, from: usize, to: usize, one: &ReturnedValue) {
        let assumption = format!("\\result == {};", one.value);
        let line = one.spot.line.to_string();
        let all = [
            ("startline", line.as_str()),
            ("assumption", &assumption),
            ("assumption.scope", &one.spot.function),
            ("assumption.resultfunction", &one.function),
        ];
        self.add_edge(from, to, &all);
    }
}

fn data_element(key: &str, value: &str, indent: &str) -> String {
    format!("{indent}<data key=\"{key}\">{}</data>\n", escape_markup(value))
}
