//! What the report says about each loop, and `--every-loop`.

use super::{COUNTS, FORKS, Folder, WAITS};

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
  for (int k = n; k > 0; k--)
    ;
  return 0;
}
";

/// Line, status and rankings of each loop, and the exit code.
fn loops(folder: &Folder, arguments: &[&str]) -> (Vec<(u64, String, serde_json::Value)>, i32) {
    let outcome = folder.ouro(&[&["check", "--format", "json"], arguments].concat());
    let object = outcome.json();
    let all = object["loops"].as_array().expect("loops").iter();
    let one = |one: &serde_json::Value| {
        assert!(one["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{object}");
        assert_eq!(one["location"]["function"], "main");
        let line = one["location"]["line"].as_u64().expect("a line");
        (line, one["status"].as_str().expect("a status").to_owned(), one["rankings"].clone())
    };
    (all.map(one).collect(), outcome.code.expect("an exit code"))
}

#[test]
fn every_loop_has_its_ranking() {
    let folder = Folder::with(&[("nested.c", NESTED)]);
    let (all, code) = loops(&folder, &["nested.c", "--every-loop"]);
    assert_eq!(code, 0);
    let lines: Vec<(u64, &str)> = all.iter().map(|(line, status, _)| (*line, &**status)).collect();
    assert_eq!(lines, [(5, "terminates"), (7, "terminates"), (10, "terminates")]);
    // What gets smaller in the last loop is its counter, give or take a constant.
    assert!(all[2].2[0][0].as_str().is_some_and(|text| text.contains('k')), "{all:?}");
    let text = folder.ouro(&["check", "nested.c"]);
    for part in ["nested.c:5 in main   terminates: ", "nested.c:10 in main  terminates: "] {
        assert!(text.stdout.contains(part), "{}", text.stdout);
    }
    let last = text.stdout.lines().find(|line| line.contains("nested.c:10"));
    assert!(
        last.is_some_and(|line| line.ends_with("gets smaller with every iteration")),
        "{last:?}"
    );
}

#[test]
fn terminates_and_loops_keep_their_codes() {
    let folder = Folder::with(&[("counts.c", COUNTS), ("waits.c", WAITS)]);
    let (all, code) = loops(&folder, &["counts.c", "--every-loop"]);
    assert_eq!((all[0].0, all[0].1.as_str(), code), (3, "terminates", 0));
    let (all, code) = loops(&folder, &["waits.c", "--every-loop"]);
    assert_eq!((all[0].0, all[0].1.as_str(), code), (7, "loops", 1));
}

#[test]
fn an_open_loop_is_an_error() {
    let folder = Folder::with(&[("forks.c", FORKS)]);
    // Exploring alone does not get to the end of it, and says so before its time is over.
    let asked = ["forks.c", "--engine", "explore", "--timeout", "2s"];
    let (all, code) = loops(&folder, &asked);
    assert_eq!((all.len(), all[0].0, all[0].1.as_str(), code), (1, 4, "unknown", 3));
    let (_, code) = loops(&folder, &[&asked, &["--every-loop"][..]].concat());
    assert_eq!(code, 1);
    let outcome = folder.ouro(&[&["check"], &asked[..], &["--every-loop"]].concat());
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stdout.starts_with("unknown: "), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("forks.c:4 in main  unknown: "), "{}", outcome.stdout);
    assert_eq!(outcome.stderr, "error: the only loop is not proved to terminate (--every-loop)\n");
}

#[test]
fn what_has_no_loop_stays_unknown() {
    let assembly =
        "int main(void) { int x; __asm__ volatile(\"movl $0, %0\" : \"=r\"(x)); return x; }";
    let system = "(GOAL TERMINATION)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n  f(x) -> \
                  g(x)\n  g(x) -> g(x - 1) :|: x > 0\n)\n";
    let folder = Folder::with(&[("assembly.c", assembly), ("down.koat", system)]);
    let (all, code) = loops(&folder, &["assembly.c", "--every-loop"]);
    assert_eq!((all.len(), code), (0, 3));
    // The loops of a system have no names, but they are loops.
    assert_eq!(folder.ouro(&["check", "down.koat", "--every-loop"]).code, Some(0));
    let asked = ["check", "down.koat", "--engine", "explore", "--every-loop"];
    assert_eq!(folder.ouro(&asked).code, Some(1));
}
