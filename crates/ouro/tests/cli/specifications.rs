//! Specifications: what is wrong is said at its line, exit 2, and nothing is written.

use super::{COUNTS, Folder};

const LOCKS: &str = "\
                     static int held;
static void mutex_lock(int *which, int flags) { *which = flags; }
static void mutex_unlock(int *which) { *which = 0; }
int main(void) {
  mutex_lock(&held, 1);
  mutex_unlock(&held);
  return 0;
}
";

const PROMISE: &str = "mutex_lock.entry { set(); }\nmutex_unlock.entry { unset(); }\n";

const TWO: &str = "\
                   obligation kept { mutex_lock.entry { set(); } mutex_unlock.entry { unset(); } }
obligation ordered { mutex_unlock.entry { if (!held) error(); } }
";

fn folder() -> Folder {
    Folder::with(&[
        ("locks.c", LOCKS),
        ("counts.c", COUNTS),
        ("wrong.c", "int main(void) { return undeclared; }\n"),
        (
            "system.koat",
            "(GOAL COMPLEXITY)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES f(x) -> f(x))\n",
        ),
        ("promise.slic", PROMISE),
        ("two.slic", TWO),
        ("lok.slic", "mutex_lok.entry { set(); }\n"),
        ("third.slic", "mutex_lock.entry {\n  if ($3) set();\n}\n"),
        ("nothing.slic", "mutex_unlock.exit {\n  if ($return) set();\n}\n"),
        ("member.slic", "mutex_lock.entry {\n\n  if ($1->field) set();\n}\n"),
        ("loop.slic", "mutex_lock.entry {\n  while (1) set();\n}\n"),
        ("end.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("other.prp", "CHECK( init(start()), LTL(F end) )\n"),
        ("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ])
}

fn refused(arguments: &[&str], message: &str) {
    let folder = folder();
    let before = folder.contents();
    let outcome = folder.ouro(arguments);
    assert_eq!(outcome.code, Some(2), "{arguments:?}: {}", outcome.stderr);
    assert_eq!(outcome.stdout, "", "{arguments:?}");
    assert!(outcome.stderr.contains(message), "{arguments:?}: {}", outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
    assert_eq!(folder.contents(), before, "{arguments:?} wrote something");
}

fn refused_spec(specification: &str, message: &str) {
    refused(&["check", "locks.c", "--spec", specification], message);
}

#[test]
fn files() {
    refused_spec("missing.slic", "missing.slic: there is no such file");
    refused_spec(".", ".: not a specification");
    refused_spec("loop.slic", "loop.slic:2:3: 'while' is not allowed: a transfer function");
    let message = "a specification applies to C programs, and this is a transition system; leave \
                   out the specification";
    refused(&["check", "system.koat", "--spec", "promise.slic"], message);
}

#[test]
fn what_does_not_fit_the_program() {
    let message =
        "lok.slic:1:1: the program does not declare a function mutex_lok; did you mean mutex_lock?";
    refused_spec("lok.slic", message);
    refused_spec("third.slic", "third.slic:2:7: $3: mutex_lock has 2 parameters");
    refused_spec("nothing.slic", "nothing.slic:2:7: $return: mutex_unlock returns nothing");
    refused_spec("member.slic", "error: member reference base type 'int' is not a structure");
    // A mistake of the program is the program's, with or without a specification.
    let message = "wrong.c:1:25: error: use of undeclared identifier 'undeclared'";
    refused(&["check", "wrong.c", "--ltl", "true"], message);
}

#[test]
fn formulas_and_property_files() {
    let check = |formula: &str, message: &str| {
        refused(&["check", "locks.c", "--ltl", formula], message);
    };
    check("G(\"held\" ->", "--ltl:1:12: expected a formula, not the end");
    check("G held", "--ltl:1:3: 'held' is not an LTL operator; write expressions of the program");
    check("G \"hold == 1\"", "--ltl:1:4: error: use of undeclared identifier 'hold'");
    refused(&["check", "locks.c", "--prop", "reach.prp"], "reach.prp:1:30: this property is about");
    let message = "other.prp: the property is about runs from start, but --function says main";
    refused(&["check", "locks.c", "--prop", "other.prp"], message);
    refused(&["check", "locks.c", "--ltl", "true", "--prop", "end.prp"], "cannot be used with");
}

#[test]
fn obligations() {
    let two = ["check", "locks.c", "--spec", "two.slic"];
    let message =
        "--obligation 'keep': no obligation has this name; the specification has 'kept', 'ordered'";
    refused(&[&two[..], &["--obligation", "keep"]].concat(), message);
    let message = "--reproducer needs a single obligation, and there are several; choose one with --obligation";
    refused(&[&two[..], &["--reproducer", "out.c"]].concat(), message);
    refused(&["check", "locks.c", "--obligation", "kept"], "--spec");
}

#[test]
fn termination_as_a_property() {
    let folder = folder();
    let outcome = folder.ouro(&["check", "counts.c", "--prop", "end.prp", "--format", "json"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert_eq!(outcome.json()["verdict"], "terminates");
}
