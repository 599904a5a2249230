//! `--allocations`: whether memory can run out is part of what the program means.

use serde_json::Value;

use super::Folder;

/// Ends, unless there is no memory.
const INSISTS: &str = "\
                       #include <stdlib.h>
int main(void) {
  int *cell = malloc(sizeof *cell);
  while (cell == 0)
    ;
  *cell = 3;
  return *cell - 3;
}
";

/// The same as one of SV-COMP's programs, whose functions it calls.
const OF_SVCOMP: &str = "\
                         #include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int *cell = malloc(sizeof *cell);
  while (cell == 0)
    ;
  *cell = __VERIFIER_nondet_int();
  return 0;
}
";

const ASSUMPTION: &str = "memory allocation never fails";
const ASSUMPTION_OF_SVCOMP: &str = "memory allocation succeeds, because the program uses \
                                    SV-COMP's functions (change this with --allocations may-fail)";

/// A folder with a program and its certificate, and what the report says.
fn certified(source: &str, allocations: &[&str], verdict: &str) -> (Folder, Value) {
    let folder = Folder::with(&[("program.c", source)]);
    let arguments = ["check", "program.c", "--format", "json", "--certificate", "proof.json"];
    let outcome = folder.ouro(&[&arguments, allocations].concat());
    let report = outcome.json();
    assert_eq!(report["verdict"], verdict, "{}{}", outcome.stdout, outcome.stderr);
    check_verified(&folder, 0);
    (folder, report)
}

fn check_verified(folder: &Folder, code: i32) {
    let outcome = folder.ouro(&["verify", "proof.json"]);
    assert_eq!(outcome.code, Some(code), "{}{}", outcome.stdout, outcome.stderr);
}

/// Changes what the certificate says about allocations.
fn tamper(folder: &Folder, change: impl FnOnce(&mut serde_json::Map<String, Value>)) {
    let mut certificate: Value = serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    change(certificate["program"].as_object_mut().expect("an object"));
    folder.write("proof.json", certificate.to_string());
}

fn assumes(report: &Value, assumption: &str) -> bool {
    report["assumptions"].as_array().expect("a list").iter().any(|text| text == assumption)
}

fn recorded(folder: &Folder) -> String {
    let certificate: Value = serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    certificate["program"]["allocations"].as_str().expect("a word").to_owned()
}

#[test]
fn they_may_fail_unless_told_otherwise() {
    for asked in [&[][..], &["--allocations", "may-fail"]] {
        let (folder, report) = certified(INSISTS, asked, "loops");
        assert_eq!(report["assumptions"], Value::Array(Vec::new()), "{report}");
        tamper(&folder, |program| {
            // As in certificates from before the option.
            assert_eq!(program.remove("allocations"), Some("may-fail".into()));
        });
        check_verified(&folder, 0);
        tamper(&folder, |program| {
            program.insert("allocations".to_owned(), "succeed".into());
        });
        check_verified(&folder, 2);
    }
}

#[test]
fn they_succeed_when_told_so() {
    let (folder, report) = certified(INSISTS, &["--allocations", "succeed"], "terminates");
    assert!(assumes(&report, ASSUMPTION), "{report}");
    for word in ["may-fail", "sometimes"] {
        tamper(&folder, |program| {
            program.insert("allocations".to_owned(), word.into());
        });
        check_verified(&folder, 2);
    }
    tamper(&folder, |program| {
        program.remove("allocations");
    });
    check_verified(&folder, 2);
}

#[test]
fn they_succeed_in_programs_of_svcomp() {
    let (folder, report) = certified(OF_SVCOMP, &[], "terminates");
    assert!(assumes(&report, ASSUMPTION_OF_SVCOMP), "{report}");
    assert_eq!(recorded(&folder), "succeed");
    tamper(&folder, |program| {
        program.insert("allocations".to_owned(), "may-fail".into());
    });
    check_verified(&folder, 2);

    let (_, report) = certified(OF_SVCOMP, &["--allocations", "succeed"], "terminates");
    assert!(assumes(&report, ASSUMPTION), "{report}");
    assert!(!assumes(&report, ASSUMPTION_OF_SVCOMP), "{report}");
}

#[test]
fn they_may_fail_in_programs_of_svcomp_when_told_so() {
    let (folder, report) = certified(OF_SVCOMP, &["--allocations", "may-fail"], "loops");
    assert_eq!(report["assumptions"], Value::Array(Vec::new()), "{report}");
    assert_eq!(recorded(&folder), "may-fail");
    let outcome = folder.ouro(&["run", "program.c", "--input", "3"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

#[test]
fn a_program_without_allocation_assumes_nothing() {
    let source = "extern int __VERIFIER_nondet_int(void);\n\
                  int main(void) { return __VERIFIER_nondet_int() & 1; }\n";
    let (folder, report) = certified(source, &[], "terminates");
    assert_eq!(report["assumptions"], Value::Array(Vec::new()), "{report}");
    assert_eq!(recorded(&folder), "succeed");
}

#[test]
fn every_function_that_allocates_obeys() {
    let source = "\
                  #define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void need(int holds) {
  while (!holds)
    ;
}
int main(void) {
  void *aligned = 0;
  char *text = 0;
  need(malloc(8) != 0);
  need(calloc(2, 4) != 0);
  need(realloc(malloc(8), 16) != 0);
  need(reallocarray(0, 2, 4) != 0);
  need(aligned_alloc(16, 16) != 0);
  need(memalign(16, 16) != 0);
  need(posix_memalign(&aligned, 16, 16) == 0 && aligned != 0);
  need(strdup(\"a\") != 0);
  need(strndup(\"ab\", 1) != 0);
  need(asprintf(&text, \"%d\", 7) == 1);
  // More than any machine has.
  need(malloc((size_t)PTRDIFF_MAX + 1) == 0);
  need(calloc(SIZE_MAX, 2) == 0);
  need(realloc(0, SIZE_MAX) == 0);
  need(reallocarray(0, SIZE_MAX, 2) == 0);
  need(aligned_alloc(16, SIZE_MAX - 15) == 0);
  return 0;
}
";
    certified(source, &["--allocations", "succeed"], "terminates");
}
