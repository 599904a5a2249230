//! Where boxes and arrows lie: each group in columns from left to right, by how many arrows lead to a box.
//!
//! A box is one column to the right of the nearest box that leads to it. That is enough for pictures of a dozen
//! boxes; larger ones are for Graphviz.

use std::collections::VecDeque;

use super::{DiagramBox, RunDiagram};

/// Width of a letter; letters of the drawing are all of the same width.
pub(super) const LETTER: f64 = 6.7;
/// Height of a line of text.
pub(super) const LINE: f64 = 15.0;
/// Space between text and frame.
pub(super) const PADDING: f64 = 7.0;
/// Space around everything, and between groups.
pub(super) const MARGIN: f64 = 18.0;
/// The least space between columns, where arrows and their labels are.
const GAP: f64 = 64.0;
/// Space between boxes of one column.
const ROW: f64 = 34.0;
/// The height of a heading.
pub(super) const HEADING: f64 = 26.0;

/// A box with its place: the upper left corner, and how large it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct PlacedBox {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Where everything lies.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct DiagramLayout {
    /// For each box.
    pub(super) boxes: Vec<PlacedBox>,
    /// Where the heading of each group is, from above.
    pub(super) headings: Vec<f64>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Lays a picture out.
pub(super) fn lay_out_diagram(graph: &RunDiagram) -> DiagramLayout {
    let columns = box_columns(graph);
    let mut all = DiagramLayout {
        boxes: vec![PlacedBox::default(); graph.boxes.len()],
        ..DiagramLayout::default()
    };
    let mut top = MARGIN + LINE + MARGIN;
    all.width = 2.0 * MARGIN + text_width(&graph.title);
    for (group, heading) in graph.groups.iter().enumerate() {
        all.headings.push(top);
        all.width = all.width.max(2.0 * MARGIN + text_width(heading));
        let begin = top + HEADING;
        let (mut x, mut bottom) = (MARGIN, begin);
        let is_here = |index: &usize| graph.boxes[*index].group == group;
        let members: Vec<usize> = (0..graph.boxes.len()).filter(is_here).collect();
        let last = members.iter().map(|index| columns[*index]).max().unwrap_or(0);
        for column in 0..=last {
            let (mut y, mut widest) = (begin, 0.0f64);
            for index in members.iter().copied().filter(|index| columns[*index] == column) {
                let (width, height) = box_size(&graph.boxes[index]);
                all.boxes[index] = PlacedBox { x, y, width, height };
                y += height + ROW;
                widest = widest.max(width);
            }
            bottom = bottom.max(y - ROW);
            x += widest + column_gap(graph, &columns, group, column);
        }
        // Arrows that go back pass below.
        top = bottom + ROW + MARGIN;
        all.width = all.width.max(x);
    }
    all.height = top;
    all
}

/// The width of a text in one line.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * LETTER
}

fn box_size(drawn: &DiagramBox) -> (f64, f64) {
    let longest = drawn.lines.iter().map(|line| text_width(line)).fold(0.0, f64::max);
    let lines = drawn.lines.len().max(1) as f64;
    (longest + 2.0 * PADDING, lines * LINE + 2.0 * PADDING)
}

/// The space behind a column: room for the longest label of an arrow that leaves it.
fn column_gap(graph: &RunDiagram, columns: &[usize], group: usize, column: usize) -> f64 {
    let leaves = |from: usize| graph.boxes[from].group == group && columns[from] == column;
    let labels = graph.arrows.iter().filter(|arrow| leaves(arrow.from));
    let longest = labels.map(|arrow| text_width(&arrow.label)).fold(0.0, f64::max);
    GAP.max(longest + 2.0 * MARGIN)
}

/// The column of each box: its distance from those that no arrow leads to, or from the first.
fn box_columns(graph: &RunDiagram) -> Vec<usize> {
    let count = graph.boxes.len();
    let leads_to = |to: usize| graph.arrows.iter().any(|a| a.to == to && a.from != to);
    let mut columns: Vec<Option<usize>> = vec![None; count];
    let mut next: VecDeque<usize> = (0..count).filter(|index| !leads_to(*index)).collect();
    for index in &next {
        columns[*index] = Some(0);
    }
    // Boxes in a cycle that nothing leads into begin with the first of them.
    for begin in 0..=count {
        while let Some(from) = next.pop_front() {
            let column = columns[from].unwrap_or(0);
            for to in graph.arrows.iter().filter(|a| a.from == from).map(|a| a.to) {
                if columns[to].is_none() {
                    columns[to] = Some(column + 1);
                    next.push_back(to);
                }
            }
        }
        if begin < count && columns[begin].is_none() {
            columns[begin] = Some(0);
            next.push_back(begin);
        }
    }
    columns.into_iter().map(|column| column.unwrap_or(0)).collect()
}
