use super::*;

/// A list of two nodes, tied into a ring.
fn ring() -> Graph {
    let mut graph = Graph::new("A \"ring\"");
    let group = graph.group("Memory");
    let p = graph.add(group, Kind::Variable, vec!["p".to_owned()]);
    let first =
        graph.add(group, Kind::Object, vec!["node, 16 bytes".to_owned(), "+0: 7 < 8".to_owned()]);
    let second =
        graph.add(group, Kind::Object, vec!["node, 16 bytes".to_owned(), "+8: there".to_owned()]);
    graph.arrow(p, first, "");
    graph.arrow(first, second, "+8");
    graph.arrow_from(second, Some(1), first, "+8");
    graph.arrow_from(second, Some(1), second, "+8");
    graph
}

#[test]
fn the_text_for_graphviz() {
    let text = dot(&ring());
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
    let text = svg(&ring());
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
    let mut graph = ring();
    let group = graph.group("States");
    let start = graph.add(group, Kind::Start, vec!["start".to_owned()]);
    for number in 0..5 {
        let next = graph.add(group, Kind::Recurrent, vec![format!("state {number}")]);
        graph.arrow(start, next, "1 input");
        graph.arrow(next, next, "");
    }
    let all = layout::layout(&graph);
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
    let mut graph = Graph::new("");
    let group = graph.group("");
    let (a, b) = (
        graph.add(group, Kind::Object, vec!["a".to_owned()]),
        graph.add(group, Kind::Object, vec!["b".to_owned()]),
    );
    graph.arrow(a, b, "");
    graph.arrow(b, a, "");
    let all = layout::layout(&graph);
    assert!(all.boxes[a].x < all.boxes[b].x);
}
