//! Every call site that breaks a promise is reported once, with a certificate of its own.

use std::collections::BTreeSet;

use super::Folder;

/// Of the calls of `take`, those in lines 4, 8 and 9 may be left without a `give`.
const SITES: &str = "\
extern int __VERIFIER_nondet_int(void);
static void take(void) {}
static void give(void) {}
static void again(void) { take(); if (__VERIFIER_nondet_int()) give(); }
int main(void) {
  int which = __VERIFIER_nondet_int();
  if (which == 1) { take(); give(); }
  if (which == 2) { take(); }
  if (which == 3) { take(); while (1) {} }
  if (which == 4) { take(); if (__VERIFIER_nondet_int()) give(); else give(); }
  if (which == 5) { again(); again(); }
  return 0;
}
";

const KEPT: &str = "take.entry { set(); }\ngive.entry { unset(); }\n";

/// Two places in which a rule is broken, without any promise.
const RULES: &str = "\
obligation kept { take.entry { set(); } give.entry { unset(); } }
obligation never { give.entry { error(); } }
";

fn folder() -> Folder {
    Folder::with(&[("sites.c", SITES), ("kept.slic", KEPT), ("rules.slic", RULES)])
}

/// The lines of the call sites, of the first run and of the others.
fn lines(report: &serde_json::Value, of: impl Fn(&serde_json::Value) -> u64) -> Vec<u64> {
    let violation = &report["violation"];
    let others = violation["others"].as_array().expect("a list");
    std::iter::once(violation).chain(others).map(of).collect()
}

#[test]
fn each_call_site_once() {
    let folder = folder();
    let check = ["check", "sites.c", "--spec", "kept.slic", "--format", "json"];
    let outcome = folder.ouro(&[&check[..], &["--certificate", "out.json"]].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let found = lines(&outcome.json(), |run| run["promised"]["line"].as_u64().expect("a line"));
    assert_eq!(found.iter().copied().collect::<BTreeSet<_>>(), BTreeSet::from([4, 8, 9]));
    assert_eq!(found.len(), 3, "{found:?}");
    for certificate in ["out.json", "out-2.json", "out-3.json"] {
        let verified = folder.ouro(&["verify", certificate]);
        assert_eq!(verified.code, Some(0), "{certificate}: {}", verified.stderr);
    }
    assert!(!folder.path("out-4.json").exists());
}

#[test]
fn each_broken_rule_once() {
    let folder = folder();
    let check = ["check", "sites.c", "--spec", "rules.slic", "--obligation", "never"];
    let outcome = folder.ouro(&[&check[..], &["--format", "json"]].concat());
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let report = outcome.json();
    let first = report["location"]["line"].as_u64().expect("a line");
    let mut found = lines(&report, |run| run["location"]["line"].as_u64().unwrap_or(first));
    found.sort_unstable();
    assert_eq!(found, [4, 7, 10]);
}

/// The certificates of several obligations are beside each other.
#[test]
fn several_obligations() {
    let folder = folder();
    let check = ["check", "sites.c", "--spec", "rules.slic", "--certificate", "out"];
    let outcome = folder.ouro(&check);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    // Three call sites of the first, three places of the second.
    for (name, exists) in [("out", true), ("out-6", true), ("out-7", false)] {
        assert_eq!(folder.path(name).exists(), exists, "{name}: {}", outcome.stderr);
    }
    assert!(outcome.stderr.contains("note: out-4 is about 'never'\n"), "{}", outcome.stderr);
    let verified = folder.ouro(&["verify", "out-6"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
}
