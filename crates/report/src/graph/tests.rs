//! Pictures of small memories.

use super::*;

/// A list of two nodes, tied into a ring.
fn ring_diagram() -> RunDiagram {
    let mut graph = RunDiagram::new("A \"ring\"");
    let group = graph.add_group("Memory");
    let p = graph.add_box(group, DiagramBoxKind::Variable, vec!["p".to_owned()]);
    let first = graph.add_box(
        group,
        DiagramBoxKind::Object,
        vec!["node, 16 bytes".to_owned(), "+0: 7 < 8".to_owned()],
    );
    let second = graph.add_box(
        group,
        DiagramBoxKind::Object,
        vec!["node, 16 bytes".to_owned(), "+8: there".to_owned()],
    );
    graph.add_arrow(p, first, "");
    graph.add_arrow(first, second, "+8");
    graph.add_arrow_from_line(second, Some(1), first, "+8");
    graph.add_arrow_from_line(second, Some(1), second, "+8");
    graph
}

#[test]
fn the_text_for_graphviz() {
    let text = dot_text(&ring_diagram());
    for line in [
        "digraph ouro {",
        r#"  label="A \"ring\"";"#,
        "  subgraph cluster_0 {",
        r#"    n0 [shape=plaintext, label="p"];"#,
        r#"    n1 [shape=box, label="node, 16 bytes\l+0: 7 < 8"];"#,
        r#"  n1 -> n2 [label="+8"];"#,
        r#"  n2 -> n1 [label="+8"];"#,
        "}",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} is not in\n{text}");
    }
}

#[test]
fn the_drawing_has_every_box_and_arrow_once() {
    let text = svg_file(&ring_diagram());
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
    assert_eq!(text.matches("<rect ").count(), 2);
    assert_eq!(text.matches("marker-end=").count(), 4);
    // An arrow that begins at a line needs no label.
    assert_eq!(text.matches(">+8</text>").count(), 1);
    assert!(text.contains("+0: 7 &lt; 8"));
    assert!(text.contains("<title>A &quot;ring&quot;</title>"));
}

#[test]
fn boxes_of_one_picture_do_not_overlap() {
    let mut graph = ring_diagram();
    let group = graph.add_group("States");
    let start = graph.add_box(group, DiagramBoxKind::Start, vec!["start".to_owned()]);
    for number in 0..5 {
        let next = graph.add_box(group, DiagramBoxKind::Recurrent, vec![format!("state {number}")]);
        graph.add_arrow(start, next, "1 input");
        graph.add_arrow(next, next, "");
    }
    let all = layout::lay_out_diagram(&graph);
    for (i, a) in all.boxes.iter().enumerate() {
        assert!(a.x >= 0.0 && a.x + a.width <= all.width && a.y + a.height <= all.height);
        for b in &all.boxes[..i] {
            let apart = a.x + a.width <= b.x
                || b.x + b.width <= a.x
                || a.y + a.height <= b.y
                || b.y + b.height <= a.y;
            assert!(apart, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_cycle_that_nothing_leads_into_is_drawn() {
    let mut graph = RunDiagram::new("");
    let group = graph.add_group("");
    let (a, b) = (
        graph.add_box(group, DiagramBoxKind::Object, vec!["a".to_owned()]),
        graph.add_box(group, DiagramBoxKind::Object, vec!["b".to_owned()]),
    );
    graph.add_arrow(a, b, "");
    graph.add_arrow(b, a, "");
    let all = layout::lay_out_diagram(&graph);
    assert!(all.boxes[a].x < all.boxes[b].x);
}
