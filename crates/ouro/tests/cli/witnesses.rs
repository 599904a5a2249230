//! Witnesses of SV-COMP, for both verdicts.

use serde_json::Value;

use super::schema::assert_valid;
use super::{COUNTS, Folder, OPEN, WAITS};

const SCHEMA: &str = include_str!("../schemas/witness-2.1.json");

/// Ends because `n - i` gets smaller, which takes a ranking.
const RANKED: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n)
    i++;
  return 0;
}
";

fn yaml(folder: &Folder, arguments: &[&str]) -> Value {
    let outcome = folder.ouro(&[&["check", "--witness", "w.yml"], arguments].concat());
    assert!(matches!(outcome.code, Some(0 | 1)), "{}", outcome.stderr);
    let value: Value = serde_yaml_ng::from_str(&folder.read("w.yml")).expect("YAML");
    assert_valid(SCHEMA, &value);
    value
}

#[test]
fn a_run_that_never_ends_is_a_sequence_with_a_cycle() {
    let folder = Folder::with(&[("waits.c", WAITS)]);
    let witness = yaml(&folder, &["waits.c", "--engine", "explore", "--data-model", "ilp32"]);
    let [entry] = witness.as_array().expect("a list").as_slice() else { panic!("{witness:#}") };
    assert_eq!(entry["entry_type"], "violation_sequence");
    let task = &entry["metadata"]["task"];
    assert_eq!(task["specification"], "CHECK( init(main()), LTL(F end) )");
    assert_eq!(task["data_model"], "ILP32");
    let points: Vec<(&str, &str, u64)> = (entry["content"].as_array().expect("segments").iter())
        .map(|one| &one["segment"][0]["waypoint"])
        .map(|point| {
            let word = |name: &str| point[name].as_str().expect("a word");
            (word("type"), word("action"), point["location"]["line"].as_u64().expect("a line"))
        })
        .collect();
    assert_eq!(points[0], ("function_return", "follow", 4));
    // Perhaps after some turns on the way: the head once, then what is returned in every turn.
    let head = points.iter().position(|point| point.0 == "recurrence_condition").expect("a head");
    assert!(points[..head].iter().all(|point| point.1 == "follow"), "{points:?}");
    assert_eq!(
        points[head..],
        [("recurrence_condition", "cycle", 7), ("function_return", "cycle", 8)]
    );
    let first = &entry["content"][0]["segment"][0]["waypoint"];
    // The parenthesis that ends the call.
    assert_eq!(first["location"]["column"], 39);
    let head = &entry["content"][head]["segment"][0]["waypoint"];
    assert_eq!(head["location"]["column"], 3);
    assert!(head["constraint"]["value"].as_str().is_some_and(|said| said.starts_with("n == ")));
}

#[test]
fn a_loop_that_ends_has_a_transition_invariant() {
    let folder = Folder::with(&[("ranked.c", RANKED), ("counts.c", COUNTS)]);
    let witness = yaml(&folder, &["ranked.c", "--engine", "ranking"]);
    assert_eq!(witness[0]["entry_type"], "invariant_set");
    let said = &witness[0]["content"][0]["invariant"];
    assert_eq!(said["type"], "loop_transition_invariant", "{witness:#}");
    assert_eq!((&said["location"]["line"], &said["location"]["column"]), (&5.into(), &3.into()));
    let value = said["value"].as_str().expect("an expression");
    assert!(value.contains("\\at(i, AnyPrev)") && value.contains(" < "), "{value}");
    // What was followed to its end needs no ranking; the loop is named all the same.
    let counted = yaml(&folder, &["counts.c", "--engine", "explore"]);
    assert_eq!(counted[0]["content"][0]["invariant"]["type"], "loop_invariant");
}

#[test]
fn the_same_question_has_the_same_witness() {
    let folder = Folder::with(&[("waits.c", WAITS)]);
    let text = || {
        let mut command =
            folder.command(&["check", "waits.c", "--engine", "explore", "--witness", "w.yml"]);
        command.env("SOURCE_DATE_EPOCH", "1000000000").output().expect("running ouro");
        folder.read("w.yml")
    };
    let first = text();
    assert!(first.contains("creation_time: \"2001-09-09T01:46:40Z\""), "{first}");
    assert_eq!(first, text());
}

#[test]
fn graphml_marks_the_head_of_the_cycle_once() {
    let folder = Folder::with(&[("waits.c", WAITS), ("counts.c", COUNTS)]);
    assert_eq!(folder.ouro(&["check", "waits.c", "--witness", "w.graphml"]).code, Some(1));
    let text = folder.read("w.graphml");
    assert_eq!(text.matches("<data key=\"cyclehead\">true</data>").count(), 1, "{text}");
    assert_eq!(text.matches("<data key=\"entry\">true</data>").count(), 1, "{text}");
    assert!(text.contains("<data key=\"specification\">CHECK( init(main()), LTL(F end) )</data>"));
    // Every edge leads from a node to a node that is there.
    let named = |start: &str| -> Vec<&str> {
        text.split(start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let nodes = named("<node id=\"");
    for end in named("<edge source=\"").into_iter().chain(named(" target=\"")) {
        assert!(nodes.contains(&end), "{end} in {text}");
    }
    let none = folder.ouro(&["check", "counts.c", "--witness", "none.graphml"]);
    assert!(none.stderr.contains("none.graphml was not written"), "{}", none.stderr);
    assert!(!folder.path("none.graphml").exists());
}

#[test]
fn what_is_unknown_has_no_witness() {
    let folder = Folder::with(&[("open.c", OPEN)]);
    let arguments = ["check", "open.c", "--engine", "explore", "--witness", "w.yml"];
    let outcome = folder.ouro(&arguments);
    assert_eq!(outcome.code, Some(3));
    assert!(!folder.path("w.yml").exists());
}
