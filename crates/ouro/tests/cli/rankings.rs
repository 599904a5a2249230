//! Certificates of programs and systems that terminate because something gets smaller: accepted as
//! they were written, and refused with a reason once they were made wrong.

use serde_json::{Value, json};

use super::Folder;

/// The inner counter starts again with every turn of the outer one.
const NESTED: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < m)
      j++;
  }
  return 0;
}
";

/// What gets smaller there: n - i, and then m - j. The first goes wrong without the second and the
/// other way round; both together are a ranking.
const OUTER: &str = "(bvadd ((_ sign_extend 8) n) (bvneg ((_ sign_extend 8) i)))";
const INNER: &str = "(bvadd ((_ sign_extend 8) m) (bvneg ((_ sign_extend 8) j)))";

/// Goes up for a while, and then down; where integers wrap, some runs never end.
const PHASES: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  while (x > 0) {
    x += y;
    y--;
  }
  return 0;
}
";

/// A recursion with a loop in it, and a loop after the recursion has returned.
const AFTER: &str = "\
extern int __VERIFIER_nondet_int(void);
static int walk(int n) {
  int steps = __VERIFIER_nondet_int();
  while (steps > 0)
    steps--;
  if (n <= 0)
    return 0;
  return walk(n - 1) + 1;
}
int main(void) {
  walk(__VERIFIER_nondet_int());
  int left = __VERIFIER_nondet_int();
  while (left > 0)
    left--;
  return 0;
}
";

/// The same as the first, with a choice.
const SYSTEM: &str = "\
(GOAL TERMINATION)
(STARTTERM (FUNCTIONSYMBOLS start))
(VAR i j n)
(RULES
  start(i, j) -> outer(i, j)
  outer(i, j) -> inner(i - 1, n) :|: i > 0
  inner(i, j) -> inner(i, j - 1) :|: j > 0
  inner(i, j) -> outer(i, j)     :|: j <= 0
)
";

type Tamper = fn(&mut Value);

/// A folder with a certificate of rankings that is accepted.
fn certified(file: &str, source: &str) -> (Folder, Value) {
    let folder = Folder::with(&[(file, source)]);
    let asked = ["check", file, "--engine", "ranking", "--certificate", "proof.json"];
    let outcome = folder.ouro(&asked);
    assert_eq!(outcome.code, Some(0), "{}{}", outcome.stdout, outcome.stderr);
    let accepted = folder.ouro(&["verify", "proof.json"]);
    assert!(accepted.stdout.starts_with("accepted: terminates\n"), "{}", accepted.stderr);
    let original: Value = serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    (folder, original)
}

/// Sees each change to a certificate refused, with what is said then.
fn check_tampered(file: &str, source: &str, all: &[(&str, &str, Tamper)]) {
    let (folder, original) = certified(file, source);
    let mut wrong = Vec::new();
    for (what, why, tamper) in all {
        let mut tampered = original.clone();
        tamper(&mut tampered);
        assert_ne!(tampered, original, "{what} changes nothing");
        folder.write("proof.json", tampered.to_string());
        let outcome = folder.ouro(&["verify", "proof.json"]);
        let said = outcome.stderr.trim_end();
        let refused = outcome.code == Some(2) && outcome.stdout.is_empty();
        if !(refused && said.contains(why) && said.lines().count() == 1) {
            wrong.push(format!("{what}: {:?} {}{said}", outcome.code, outcome.stdout));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first head of a program's ranking.
fn head(certificate: &mut Value) -> &mut Value {
    &mut certificate["evidence"]["ranked_program"]["heads"][0]
}

/// The first place of a system's ranking.
fn place(certificate: &mut Value) -> &mut Value {
    &mut certificate["evidence"]["ranked"]["places"][0]
}

#[test]
fn rankings_by_hand() {
    let (folder, mut certificate) = certified("nested.c", NESTED);
    head(&mut certificate)["ranking"] = json!([OUTER, INNER]);
    folder.write("proof.json", certificate.to_string());
    let accepted = folder.ouro(&["verify", "proof.json"]);
    let said = accepted.stdout.lines().next();
    assert_eq!(said, Some("accepted: terminates"), "{}", accepted.stderr);
}

/// What comes after a recursion is looked at, although the loop in the recursion comes first and nobody
/// says how often that is left: the call is taken to have returned.
#[test]
fn tampered_rankings_after_a_recursion() {
    fn after(certificate: &mut Value) -> &mut Value {
        let ranking = &mut certificate["evidence"]["ranked_program"];
        assert_eq!(ranking["vague"], true, "the recursion is looked at one call at a time");
        let heads = ranking["heads"].as_array_mut().expect("heads");
        let in_main = heads.iter_mut().find(|head| head["function"] == "main");
        in_main.expect("the loop after the recursion")
    }
    let smaller =
        "the ranking function does not get smaller from after.c:13 in main to after.c:13 in main";
    check_tampered(
        "after.c",
        AFTER,
        &[
            ("the first element everywhere", smaller, |c| {
                let ranking = after(c)["ranking"].as_array_mut().expect("elements");
                let first = ranking[0].clone();
                ranking.fill(first);
            }),
            ("a measure that grows", smaller, |c| {
                let ranking = after(c)["ranking"].as_array_mut().expect("elements");
                for element in ranking {
                    let text = element.as_str().expect("a term").to_owned();
                    if text.contains("left") {
                        *element = format!("(bvneg {text})").into();
                    }
                }
            }),
        ],
    );
}

#[test]
fn tampered_rankings_of_programs() {
    let smaller = "the ranking function does not get smaller";
    let again = "times in new states";
    let lost = "without passing a loop head";
    check_tampered(
        "nested.c",
        NESTED,
        &[
            ("a stronger invariant", again, |c| {
                head(c)["invariant"] = "(bvsle j #x00000005)".into();
            }),
            ("an invariant that never holds", again, |c| head(c)["invariant"] = "false".into()),
            ("another constant in a ranking", smaller, |c| {
                // Negative where the outer loop turns for the last time.
                let outer = format!("(bvadd {OUTER} #xfffffffffd)");
                head(c)["ranking"] = json!([outer, INNER]);
            }),
            ("swapped rankings", smaller, |c| head(c)["ranking"] = json!([INNER, OUTER])),
            ("only the outer ranking", smaller, |c| head(c)["ranking"] = json!([OUTER])),
            ("only the inner ranking", smaller, |c| head(c)["ranking"] = json!([INNER])),
            ("no ranking", smaller, |c| head(c)["ranking"] = json!([])),
            ("no head", lost, |c| c["evidence"]["ranked_program"]["heads"] = json!([])),
            ("a hole fewer", again, |c| {
                let holes = head(c)["holes"].as_array_mut().expect("holes");
                holes.retain(|hole| hole["name"] != "j");
                head(c)["invariant"] = "true".into();
                head(c)["ranking"] = json!([OUTER]);
            }),
            ("two holes for one variable", again, |c| {
                let holes = head(c)["holes"].as_array_mut().expect("holes");
                let of = |name: &str| holes.iter().position(|hole| hole["name"] == name);
                let (i, j) = (of("i").expect("i"), of("j").expect("j"));
                holes[j]["cell"] = holes[i]["cell"].clone();
            }),
            ("another function", lost, |c| head(c)["function"] = "f".into()),
            ("another position", lost, |c| head(c)["position"] = 0.into()),
            ("unbounded integers", again, |c| c["program"]["ints"] = "unbounded".into()),
            ("another start", "there is no function", |c| c["program"]["function"] = "f".into()),
            ("another verdict", "invalid certificate", |c| c["verdict"] = "loops".into()),
            ("another hash", "the file has changed since", |c| {
                c["program"]["files"][0]["sha256"] = "0".repeat(64).into();
            }),
        ],
    );
}

/// Both end because of what holds in the loop and is not tested there.
#[test]
fn weaker_invariants() {
    let smaller = "the ranking function does not get smaller";
    let drains = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  int d = __VERIFIER_nondet_int();
  if (d >= 1)
    while (x > 0)
      x -= d;
  return 0;
}
";
    check_tampered(
        "drains.c",
        drains,
        &[
            ("no invariant", smaller, |c| head(c)["invariant"] = "true".into()),
            ("a weaker invariant", smaller, |c| {
                head(c)["invariant"] = "(bvsle #x00000000 d)".into();
            }),
        ],
    );
    let drains = "\
(GOAL TERMINATION)
(STARTTERM (FUNCTIONSYMBOLS start))
(VAR x d)
(RULES
  start(x, d) -> loop(x, d)     :|: d >= 1
  loop(x, d)  -> loop(x - d, d) :|: x > 0
)
";
    check_tampered(
        "drains.koat",
        drains,
        &[
            ("no invariant", smaller, |c| place(c)["invariant"] = "true".into()),
            ("a weaker invariant", smaller, |c| place(c)["invariant"] = "(<= 0 d)".into()),
        ],
    );
}

#[test]
fn rankings_of_other_integers() {
    let smaller = "the ranking function does not get smaller";
    check_tampered(
        "phases.c",
        PHASES,
        &[
            ("integers that wrap", smaller, |c| c["program"]["ints"] = "wrap".into()),
            ("swapped phases", smaller, |c| {
                head(c)["ranking"].as_array_mut().expect("a ranking").reverse();
            }),
        ],
    );
}

#[test]
fn tampered_rankings_of_systems() {
    let smaller = "the ranking function does not get smaller";
    check_tampered(
        "nested.koat",
        SYSTEM,
        &[
            ("a stronger invariant", "the invariant at l2 is not preserved", |c| {
                place(c)["invariant"] = "(<= 5 i)".into();
            }),
            ("an invariant that never holds", "is not preserved", |c| {
                place(c)["invariant"] = "false".into();
            }),
            ("another constant in a ranking", smaller, |c| {
                place(c)["ranking"] = json!(["(+ i (- 3))", "j"]);
            }),
            ("swapped rankings", smaller, |c| place(c)["ranking"] = json!(["j", "i"])),
            ("no ranking", smaller, |c| place(c)["ranking"] = json!([])),
            ("what grows", smaller, |c| place(c)["ranking"] = json!(["i", "(* (- 1) j)"])),
            ("no place", "is on a cycle that has no ranked location", |c| {
                c["evidence"]["ranked"]["places"] = json!([]);
            }),
            ("another location", "is on a cycle that has no ranked location", |c| {
                place(c)["location"] = 1.into();
            }),
            ("a location that is not there", "there is no l9", |c| {
                place(c)["location"] = 9.into();
            }),
            ("a location twice", "has two rankings", |c| {
                let again = place(c).clone();
                c["evidence"]["ranked"]["places"].as_array_mut().expect("places").push(again);
            }),
            ("another variable", "not a term", |c| place(c)["ranking"] = json!(["k", "j"])),
            ("a program's evidence", "its evidence is about a program", |c| {
                c["evidence"] = json!({"ranked_program": {"heads": []}});
            }),
        ],
    );
}

/// A list of any length, walked to its end.
const LIST: &str = "\
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
int main(void) {
  struct node *list = NULL;
  for (unsigned i = 0, n = __VERIFIER_nondet_uint(); i < n; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  for (struct node *p = list; p != NULL; p = p->next)
    ;
  return 0;
}
";

#[test]
fn tampered_rankings_of_lists() {
    fn ranking(certificate: &mut Value) -> &mut Value {
        &mut certificate["evidence"]["ranked_program"]
    }
    /// The head whose ranking speaks of the length of a list.
    fn walk(certificate: &mut Value) -> &mut Value {
        let heads = ranking(certificate)["heads"].as_array_mut().expect("heads");
        let speaks = |head: &&mut Value| head["ranking"].to_string().contains("length");
        heads.iter_mut().find(speaks).expect("a ranking by length")
    }
    let other = "in new states";
    check_tampered(
        "list.c",
        LIST,
        &[
            ("memory that is not vague", "memory has to be vague", |c| {
                ranking(c).as_object_mut().expect("an object").remove("vague");
            }),
            ("no list", other, |c| {
                ranking(c).as_object_mut().expect("an object").remove("links");
            }),
            ("a link elsewhere", other, |c| ranking(c)["links"][0]["link"] = json!(4)),
            ("an entry elsewhere", other, |c| ranking(c)["links"][0]["entry"] = json!(4)),
            ("another shape", other, |c| walk(c)["shape"] = json!("v0.0>0*")),
            ("a list that is too short", other, |c| {
                let holes = walk(c)["holes"].as_array_mut().expect("holes");
                let length = holes.iter().find(|hole| hole["sort"] == "Int").expect("a length");
                let symbol = length["symbol"].as_str().expect("text").to_owned();
                walk(c)["invariant"] = json!(format!("(<= |{symbol}| 3)"));
            }),
            ("a ranking that grows", "does not get smaller", |c| {
                let grows = walk(c)["ranking"].as_array().expect("a ranking").iter();
                let grows: Vec<Value> = grows
                    .map(|term| match term.as_str().expect("text") {
                        term if term.contains("length") => json!(format!("(- 5 {term})")),
                        term => json!(term),
                    })
                    .collect();
                walk(c)["ranking"] = json!(grows);
            }),
        ],
    );
}
