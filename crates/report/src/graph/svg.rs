//! A picture as SVG, which every browser shows. Colours come from the page where it says so
//! (`currentColor`), so it can be put into one.

use std::fmt::Write as _;

use super::layout::{
    DiagramLayout, HEADING, LINE, MARGIN, PADDING, PlacedBox, lay_out_diagram, text_width,
};
use super::{DiagramArrow, DiagramBox, DiagramBoxKind, RunDiagram};

/// How far below a box an arrow that goes back passes.
const BELOW: f64 = 24.0;

/// The drawing of a picture, as a file.
pub fn svg_file(graph: &RunDiagram) -> String {
    draw_svg(graph, "tip", " xmlns=\"http://www.w3.org/2000/svg\"")
}

/// The same as a part of a page, on which `name` tells pictures apart. A page needs no address of what SVG is.
pub fn svg_in_page(graph: &RunDiagram, name: &str) -> String {
    draw_svg(graph, &format!("tip-{}", escape_for_svg(name)), "")
}

fn draw_svg(graph: &RunDiagram, tip: &str, space: &str) -> String {
    let mut out = String::new();
    // Text can always be written.
    let _ = write_svg(&mut out, graph, &lay_out_diagram(graph), tip, space);
    out
}

fn write_svg(
    out: &mut String,
    graph: &RunDiagram,
    layout: &DiagramLayout,
    tip: &str,
    space: &str,
) -> std::fmt::Result {
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    writeln!(
        out,
        "<svg{space} width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"11\">"
    )?;
    writeln!(out, "<title>{}</title>", escape_for_svg(&graph.title))?;
    writeln!(
        out,
        "<defs><marker id=\"{tip}\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 Z\" fill=\"currentColor\"/>\
         </marker></defs>"
    )?;
    write_text_element(
        out,
        MARGIN,
        MARGIN + LINE,
        "font-weight=\"bold\" font-size=\"13\"",
        &graph.title,
    )?;
    for (heading, y) in graph.groups.iter().zip(&layout.headings) {
        write_text_element(out, MARGIN, y + HEADING / 2.0, "font-weight=\"bold\"", heading)?;
    }
    for (drawn, placed) in graph.boxes.iter().zip(&layout.boxes) {
        write_box(out, drawn, placed)?;
    }
    for arrow in &graph.arrows {
        let ends = [&layout.boxes[arrow.from], &layout.boxes[arrow.to]];
        write_arrow(out, arrow, ends, tip)?;
    }
    writeln!(out, "</svg>")
}

fn write_box(out: &mut String, drawn: &DiagramBox, at: &PlacedBox) -> std::fmt::Result {
    let look = match drawn.kind {
        DiagramBoxKind::Start => Some("rx=\"14\" fill=\"none\" stroke=\"currentColor\""),
        DiagramBoxKind::Recurrent => {
            Some("rx=\"6\" fill=\"#8884\" stroke=\"currentColor\" stroke-width=\"2\"")
        }
        DiagramBoxKind::Variable => None,
        DiagramBoxKind::Object | DiagramBoxKind::Chain => {
            Some("fill=\"none\" stroke=\"currentColor\"")
        }
    };
    if let Some(look) = look {
        let PlacedBox { x, y, width, height } = at;
        if drawn.kind == DiagramBoxKind::Chain {
            // A second frame: there may be more than one.
            writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" {look}/>",
                x + 3.0,
                y + 3.0,
                width - 6.0,
                height - 6.0
            )?;
        }
        writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>"
        )?;
    }
    for (number, line) in drawn.lines.iter().enumerate() {
        let y = at.y + PADDING + LINE * (number as f64 + 0.75);
        write_text_element(out, at.x + PADDING, y, "", line)?;
    }
    Ok(())
}

/// How far beside a box an arrow to its own column passes.
const BESIDE: f64 = 40.0;

fn write_arrow(
    out: &mut String,
    arrow: &DiagramArrow,
    [from, to]: [&PlacedBox; 2],
    tip: &str,
) -> std::fmt::Result {
    let (path, label) = match arrow.line {
        Some(line) => (from_line(line, from, to), None),
        None => {
            let (path, x, y) = from_box(arrow, from, to);
            (path, Some((x, y)))
        }
    };
    writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"currentColor\" marker-end=\"url(#{tip})\"/>"
    )?;
    match label {
        Some((x, y)) if !arrow.label.is_empty() => {
            write_text_element(out, x, y, "font-size=\"10\"", &arrow.label)
        }
        _ => Ok(()),
    }
}

/// From a line of a box to the first line of another, or of itself: out of the side that is nearer.
fn from_line(line: usize, from: &PlacedBox, to: &PlacedBox) -> String {
    let middle_of = |at: &PlacedBox, line: usize| at.y + PADDING + LINE * (line as f64 + 0.5);
    let (begin, end) = (middle_of(from, line), middle_of(to, 0));
    let (right, back) = (from.x + from.width, to.x + to.width);
    let (x, near, far, aim) = if to.x >= right {
        let middle = f64::midpoint(right, to.x);
        (right, middle, middle, to.x)
    } else if back <= from.x {
        let middle = f64::midpoint(from.x, back);
        (from.x, middle, middle, back)
    } else {
        (right, right + BESIDE, back + BESIDE, back)
    };
    format!("M{x:.1},{begin:.1} C{near:.1},{begin:.1} {far:.1},{end:.1} {aim:.1},{end:.1}")
}

/// From a box to another, straight to the right, round it to itself, or below everything back; and where its
/// label is.
fn from_box(arrow: &DiagramArrow, from: &PlacedBox, to: &PlacedBox) -> (String, f64, f64) {
    let (right, left) = (from.x + from.width, to.x);
    if arrow.from == arrow.to {
        let (x, y) = (from.x + from.width / 2.0, from.y + from.height);
        let path = format!(
            "M{:.1},{y:.1} C{:.1},{low:.1} {:.1},{low:.1} {:.1},{y:.1}",
            x - 14.0,
            x - 30.0,
            x + 30.0,
            x + 14.0,
            low = y + BELOW
        );
        (path, x + 26.0, y + BELOW - 8.0)
    } else if left >= right {
        let (begin, end) = (from.y + from.height / 2.0, to.y + to.height / 2.0);
        let middle = f64::midpoint(right, left);
        let path = format!(
            "M{right:.1},{begin:.1} C{middle:.1},{begin:.1} {middle:.1},{end:.1} {left:.1},{end:.1}"
        );
        (path, right + 6.0, begin - 4.0)
    } else {
        let (begin, end) = (from.x + from.width / 2.0, to.x + to.width / 2.0);
        let (begin_y, end_y) = (from.y + from.height, to.y + to.height);
        let low = begin_y.max(end_y) + BELOW;
        let path = format!(
            "M{begin:.1},{begin_y:.1} C{begin:.1},{low:.1} {end:.1},{low:.1} {end:.1},{end_y:.1}"
        );
        let middle = f64::midpoint(begin, end) - text_width(&arrow.label) / 2.0;
        (path, middle, low - 9.0)
    }
}

fn write_text_element(
    out: &mut String,
    x: f64,
    y: f64,
    look: &str,
    text: &str,
) -> std::fmt::Result {
    let space = if look.is_empty() { "" } else { " " };
    let text = escape_for_svg(text);
    writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"currentColor\"{space}{look}>{text}</text>"
    )
}

/// The characters that mean something in XML, as themselves; those that it does not have, as marks.
fn escape_for_svg(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            letter if letter.is_control() => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}
