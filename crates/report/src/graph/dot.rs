//! A picture as the text that Graphviz reads.

use std::fmt::Write as _;

use super::{Graph, Kind};

/// The text of a picture, for `dot -Tsvg` and its like.
pub fn dot(graph: &Graph) -> String {
    let mut out = String::new();
    // Text can always be written.
    let _ = write_all(&mut out, graph);
    out
}

fn write_all(out: &mut String, graph: &Graph) -> std::fmt::Result {
    writeln!(out, "digraph ouro {{")?;
    writeln!(out, "  label={};", quoted(&graph.title))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(out, "  node [fontname=\"monospace\", fontsize=11];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=10];")?;
    for (number, heading) in graph.groups.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{number} {{")?;
        writeln!(out, "    label={};", quoted(heading))?;
        let members = graph.boxes.iter().enumerate().filter(|(_, drawn)| drawn.group == number);
        for (index, drawn) in members {
            let shape = match drawn.kind {
                Kind::Start => "shape=circle",
                Kind::Recurrent => "shape=box, style=\"rounded,filled\", fillcolor=lightgrey",
                Kind::Variable => "shape=plaintext",
                Kind::Object => "shape=box",
                Kind::Chain => "shape=box, peripheries=2",
            };
            let lines: Vec<String> = drawn.lines.iter().map(|line| escaped(line)).collect();
            writeln!(out, "    n{index} [{shape}, label=\"{}\"];", lines.join("\\l"))?;
        }
        writeln!(out, "  }}")?;
    }
    for arrow in &graph.arrows {
        let label = quoted(&arrow.label);
        writeln!(out, "  n{} -> n{} [label={label}];", arrow.from, arrow.to)?;
    }
    writeln!(out, "}}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Backslashes and quotation marks mean themselves, and a text stays on its line.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ")
}
