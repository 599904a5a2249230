//! The run that never ends, or the argument that it does, drawn.
//!
//! A run is a column of boxes: the way there, then one iteration, and an arrow back to where the iteration begins. A
//! loop that ends is one box with an arrow back, labelled with what gets smaller, and an arrow out.

use std::fmt::Write as _;

use crate::finding::{FindingAnswer, FindingPlace, ReportFinding};
use crate::limits::LIMITS;
use crate::markup::escape_markup;

const WIDTH: usize = 460;
const BOX: usize = 34;
const GAP: usize = 22;
/// Room on the left for the arrow back.
const LEFT: usize = 60;

/// A picture with a caption, if there is something to draw.
pub(super) fn finding_figure(finding: &ReportFinding) -> String {
    let (drawn, caption) = match finding.verdict {
        FindingAnswer::Loops | FindingAnswer::Violated if !finding.cycle.is_empty() => (
            run_svg(finding),
            "How the run gets to the loop, and the iteration it repeats \
             forever.",
        ),
        FindingAnswer::Terminates if finding.argument.is_some() => (
            ranking_svg(finding),
            "Every iteration decreases something that cannot decrease forever.",
        ),
        _ => return String::new(),
    };
    format!("<figure>\n{drawn}<figcaption>{caption}</figcaption>\n</figure>\n")
}

/// What stands in the boxes; where some are left out, how many.
fn box_labels(places: &[FindingPlace]) -> Vec<String> {
    let label = |place: &FindingPlace| format!("{}: {}", place.line, place.text);
    if places.len() <= LIMITS.page_picture_boxes {
        return places.iter().map(label).collect();
    }
    let half = LIMITS.page_picture_boxes / 2;
    let left_out = places.len() - 2 * half;
    let first = places[..half].iter().map(label);
    let last = places[places.len() - half..].iter().map(label);
    first.chain([format!("… {left_out} more …")]).chain(last).collect()
}

fn run_svg(finding: &ReportFinding) -> String {
    let stem = box_labels(&finding.stem);
    let cycle = box_labels(&finding.cycle);
    let top = |row: usize| 10 + row * (BOX + GAP);
    let rows = stem.len() + cycle.len();
    let height = top(rows);
    let mut out = svg_opening(height, "The run that never ends");
    for (row, label) in stem.iter().chain(&cycle).enumerate() {
        let class = if row >= stem.len() { "box turn" } else { "box" };
        out += &box_svg(top(row), label, class);
        if row + 1 < rows {
            let class = if row >= stem.len() { " turn" } else { "" };
            out += &down_arrow_svg(top(row) + BOX, class);
        }
    }
    // From the last box round to the first of the iteration.
    let first = top(stem.len()) + BOX / 2;
    let last = top(rows - 1) + BOX / 2;
    out += &back_arrow_svg(last, first, "turn");
    out + "</svg>\n"
}

fn ranking_svg(finding: &ReportFinding) -> String {
    let top = 10;
    let mut out = svg_opening(top + 2 * BOX + GAP + 34, "A loop that terminates");
    let head = format!("{}: {} in {}", finding.line, finding.kind.word(), finding.function);
    out += &box_svg(top, &head, "box ends");
    out += &back_arrow_svg(top + BOX - 6, top + 6, "ends");
    out += &down_arrow_svg(top + BOX, " ends");
    out += &box_svg(top + BOX + GAP, "left after finitely many iterations", "box");
    let why = finding.argument.as_deref().unwrap_or("");
    let _ = writeln!(
        out,
        "<text x=\"{LEFT}\" y=\"{}\">{}</text>",
        top + 2 * BOX + GAP + 24,
        escape_markup(&cut_text(why, LIMITS.page_picture_letters + 8))
    );
    out + "</svg>\n"
}

fn svg_opening(height: usize, title: &str) -> String {
    let width = LEFT + WIDTH + 10;
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"{title}\">\n<title>{title}</title>\n"
    )
}

fn box_svg(top: usize, label: &str, class: &str) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{LEFT}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{BOX}\" rx=\"6\"/>\n\
         <text x=\"{}\" y=\"{}\">{}</text>\n",
        LEFT + 12,
        top + 22,
        escape_markup(&cut_text(label, LIMITS.page_picture_letters))
    )
}

/// An arrow from the bottom of one box to the top of the next.
fn down_arrow_svg(from: usize, class: &str) -> String {
    let x = LEFT + 40;
    let to = from + GAP;
    format!(
        "<path class=\"edge{class}\" d=\"M{x} {from} V{}\"/>\n\
         <path class=\"tip{class}\" d=\"M{} {} L{} {} L{x} {to} Z\"/>\n",
        to - 8,
        x - 5,
        to - 8,
        x + 5,
        to - 8
    )
}

/// An arrow on the left from one height up to another.
fn back_arrow_svg(from: usize, to: usize, class: &str) -> String {
    let near = LEFT - 8;
    format!(
        "<path class=\"edge {class}\" d=\"M{LEFT} {from} C10 {from} 10 {to} {near} {to}\"/>\n\
         <path class=\"tip {class}\" d=\"M{near} {} L{near} {} L{LEFT} {to} Z\"/>\n",
        to - 5,
        to + 5
    )
}

fn cut_text(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
