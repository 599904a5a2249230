//! JSON for tools.

use expect_test::expect;
use ouro_evidence::UnknownReason;

use super::*;

fn json_of(verdict: &Verdict, explanation: &Explanation) -> String {
    let line = with_report(verdict, explanation, json);
    assert!(line.ends_with('\n') && line.trim_end().lines().count() == 1, "one line: {line}");
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    serde_json::to_string_pretty(&value).expect("JSON again")
}

#[test]
fn json_loops() {
    expect![[r#"
        {
          "after_overflow": null,
          "assumptions": [
            "sensor() returns any int and touches nothing else"
          ],
          "attempts": [],
          "certificate": "checked",
          "command": "check",
          "endless_input": null,
          "engine": "explore",
          "findings": [],
          "inputs": [
            {
              "function": "__VERIFIER_nondet_uint",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 14
              },
              "repeats": false,
              "source": "__VERIFIER_nondet_uint",
              "value": "4294967295",
              "width": 32
            },
            {
              "function": "__VERIFIER_nondet_int",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 15
              },
              "repeats": false,
              "source": "__VERIFIER_nondet_int",
              "value": "-10",
              "width": 32
            },
            {
              "function": "malloc",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 16
              },
              "repeats": false,
              "source": "malloc",
              "value": "0",
              "width": 1
            },
            {
              "function": null,
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 17
              },
              "repeats": false,
              "source": "uninitialised variable x",
              "value": "-1",
              "width": 32
            },
            {
              "function": "sensor",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 17
              },
              "repeats": false,
              "source": "sensor",
              "value": "-2147483648",
              "width": 32
            },
            {
              "function": "__VERIFIER_nondet_double",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 18
              },
              "repeats": false,
              "source": "__VERIFIER_nondet_double",
              "value": "1.5",
              "width": 64
            },
            {
              "function": "getchar",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 19
              },
              "repeats": true,
              "source": "getchar",
              "value": "97",
              "width": 32
            },
            {
              "function": "__VERIFIER_nondet_int",
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 20
              },
              "repeats": true,
              "source": "__VERIFIER_nondet_int",
              "value": "7",
              "width": 32
            }
          ],
          "location": {
            "file": "search.c",
            "function": "search",
            "line": 3
          },
          "loops": [],
          "notes": [],
          "ranking": null,
          "reason": null,
          "recurrent_set": {
            "recursion": false,
            "variables": {
              "hi": "4294967295",
              "lo": "1"
            }
          },
          "schema_version": 2,
          "seconds": 1.234,
          "stem": null,
          "tool_version": "0",
          "verdict": "loops",
          "violation": null,
          "wraps_too": null
        }"#]]
    .assert_eq(&json_of(&looping_verdict(), &sample_explanation()));
}

#[test]
fn json_terminates() {
    let (verdict, explanation) = terminating_verdict();
    expect![[r#"
        {
          "after_overflow": null,
          "assumptions": [
            {
              "compilers": "x86 raises SIGFPE and other processors return a number; at -O2 gcc and clang may assume that it never happens",
              "file": "search.c",
              "happens": true,
              "head": null,
              "inputs": [
                {
                  "function": "__VERIFIER_nondet_int",
                  "location": {
                    "file": "search.c",
                    "function": "main",
                    "line": 2
                  },
                  "repeats": false,
                  "source": "__VERIFIER_nondet_int",
                  "value": "0",
                  "width": 32
                }
              ],
              "kind": "undefined",
              "line": 4,
              "text": "no division by zero at search.c:4: it happens with __VERIFIER_nondet_int() (line 2) = 0. x86 raises SIGFPE and other processors return a number; at -O2 gcc and clang may assume that it never happens",
              "variables": {},
              "what": "division by zero"
            }
          ],
          "attempts": [],
          "certificate": "checked",
          "command": "check",
          "endless_input": null,
          "engine": "explore",
          "findings": [],
          "inputs": [],
          "location": null,
          "loops": [
            {
              "location": {
                "file": "search.c",
                "function": "search",
                "line": 3
              },
              "rankings": [],
              "reason": "at most 32 iterations on every path",
              "status": "terminates"
            },
            {
              "location": {
                "file": "search.c",
                "function": "main",
                "line": 120
              },
              "rankings": [],
              "reason": "never reached",
              "status": "terminates"
            }
          ],
          "notes": [],
          "ranking": null,
          "reason": null,
          "recurrent_set": null,
          "schema_version": 2,
          "seconds": 1.234,
          "stem": null,
          "tool_version": "0",
          "verdict": "terminates",
          "violation": null,
          "wraps_too": null
        }"#]]
    .assert_eq(&json_of(&verdict, &explanation));
}

#[test]
fn json_unknown() {
    let verdict =
        Verdict::Unknown(UnknownReason::SignedOverflow { place: sample_place(3, "search") });
    expect![[r#"
        {
          "after_overflow": null,
          "assumptions": [],
          "attempts": [],
          "certificate": null,
          "command": "check",
          "endless_input": null,
          "engine": null,
          "findings": [],
          "inputs": [],
          "location": {
            "file": "search.c",
            "function": "search",
            "line": 3
          },
          "loops": [],
          "notes": [],
          "ranking": null,
          "reason": "only a signed overflow ends it, which is undefined behaviour (search.c:3 in search)",
          "recurrent_set": null,
          "schema_version": 2,
          "seconds": 1.234,
          "stem": null,
          "tool_version": "0",
          "verdict": "unknown",
          "violation": null,
          "wraps_too": null
        }"#]]
    .assert_eq(&json_of(&verdict, &Explanation::default()));
}
