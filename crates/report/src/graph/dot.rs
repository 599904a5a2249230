//! A picture as the text that Graphviz reads.

use std::fmt::Write as _;

use super::{DiagramBoxKind, RunDiagram};

/// The text of a picture, for `dot -Tsvg` and its like.
pub fn dot_text(graph: &RunDiagram) -> String {
    let mut out = String::new();
    // Text can always be written.
    let _ = write_dot(&mut out, graph);
    out
}

fn write_dot(out: &mut String, graph: &RunDiagram) -> std::fmt::Result {
    writeln!(out, "digraph ouro {{")?;
    writeln!(out, "  label={};", quote_for_dot(&graph.title))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [fontname=\"monospace\", fontsize=11];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=10];")?;
    for (number, heading) in graph.groups.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{")?;
        writeln!(out, "    label={};", quote_for_dot(heading))?;
        let members = graph.boxes.iter().enumerate().filter(|(_, drawn)| drawn.group == number);
        for (index, drawn) in members {
            let shape = match drawn.kind {
                DiagramBoxKind::Start => "shape=circle",
                DiagramBoxKind::Recurrent => {
                    "shape=box, style=\"rounded,filled\", fillcolor=lightgrey"
                }
                DiagramBoxKind::Variable => "shape=plaintext",
                DiagramBoxKind::Object => "shape=box",
                DiagramBoxKind::Chain => "shape=box, peripheries=2",
            };
            let lines: Vec<String> = drawn.lines.iter().map(|line| escape_for_dot(line)).collect();
            writeln!(out, "    n{index} [{shape}, label=\"{}\"];", lines.join("\\l"))?;
        }
        writeln!(out, "  }}")?;
    }
    for arrow in &graph.arrows {
        let label = quote_for_dot(&arrow.label);
        writeln!(out, "  n{} -> n{} [label={label}];", arrow.from, arrow.to)?;
    }
    writeln!(out, "}}")
}

fn quote_for_dot(text: &str) -> String {
    format!("\"{}\"", escape_for_dot(text))
}

/// Backslashes and quotation marks mean themselves, and a text stays on its line.
fn escape_for_dot(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
