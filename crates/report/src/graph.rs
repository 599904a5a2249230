//! Pictures: boxes and arrows, in groups, as Graphviz text or as SVG.
//!
//! A picture shows what a run that never ends does: the sets of states that it stays in and how it goes from one to
//! the other, and the memory with which it comes there. It is for people; nothing rests on it.
//!
//! | file | one idea |
//! | --- | --- |
//! | `states` | the graph of states that evidence speaks of |
//! | `dot` | the text that Graphviz reads |
//! | `layout` | where boxes and arrows lie |
//! | `svg` | the drawing, which every browser shows |

mod dot;
mod layout;
mod states;
mod svg;
#[cfg(test)]
mod tests;

pub use dot::dot_text;
pub use states::{closed_set_diagram, recurrence_diagram, system_diagram};
pub use svg::{svg_file, svg_in_page};

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunDiagram {
    /// What it shows, in one sentence.
    pub title: String,
    /// Parts that are drawn one below the other, by their headings.
    pub groups: Vec<String>,
    /// The boxes.
    pub boxes: Vec<DiagramBox>,
    /// The arrows between boxes of one group.
    pub arrows: Vec<DiagramArrow>,
}

/// A box.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagramBox {
    /// The number of its group.
    pub group: usize,
    /// What is in it, line by line.
    pub lines: Vec<String>,
    /// What it stands for.
    pub kind: DiagramBoxKind,
}

/// What a box stands for, and so what it looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramBoxKind {
    /// Where the run comes from.
    Start,
    /// States that the run never leaves.
    Recurrent,
    /// A variable.
    Variable,
    /// An object of memory.
    Object,
    /// A list of any length.
    Chain,
}

/// An arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiagramArrow {
    /// The number of the box where it begins.
    pub from: usize,
    /// The number of the box where it ends.
    pub to: usize,
    /// What is written beside it.
    pub label: String,
    /// The line of the box where it begins, if it belongs to one. Then a drawing needs no label.
    pub line: Option<usize>,
}

impl RunDiagram {
    /// A picture without anything in it.
    pub fn new(title: &str) -> RunDiagram {
        RunDiagram { title: title.to_owned(), ..RunDiagram::default() }
    }

    /// Begins a group; gives its number.
    pub fn add_group(&mut self, heading: &str) -> usize {
        self.groups.push(heading.to_owned());
        self.groups.len() - 1
    }

    /// Adds a box to a group; gives its number.
    pub fn add_box(&mut self, group: usize, kind: DiagramBoxKind, lines: Vec<String>) -> usize {
        self.boxes.push(DiagramBox { group, lines, kind });
        self.boxes.len() - 1
    }

    /// Adds an arrow, once.
    pub fn add_arrow(&mut self, from: usize, to: usize, label: &str) {
        self.add_arrow_from_line(from, None, to, label);
    }

    /// Adds an arrow that begins at a line of its box, once.
    pub fn add_arrow_from_line(
        &mut self,
        from: usize,
        line: Option<usize>,
        to: usize,
        label: &str,
    ) {
        let arrow = DiagramArrow { from, to, label: label.to_owned(), line };
        if !self.arrows.contains(&arrow) {
            self.arrows.push(arrow);
        }
    }
}
