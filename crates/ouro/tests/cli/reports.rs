//! The reports of all commands are as `docs/schema/ouro-report.schema.json` says.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::schema::{assert_valid, complaints};
use super::{COUNTS, FORKS, Folder, OPEN, WAITS};

const SCHEMA: &str = include_str!("../../../../docs/schema/ouro-report.schema.json");

/// Fails unless a report is as the schema says, and is one of this command.
fn assert_report(command: &str, report: &Value) {
    assert_eq!(report["command"], command, "{report:#}");
    // The part about the command says more precisely what is wrong.
    let mut schema: Value = serde_json::from_str(SCHEMA).expect("a schema");
    schema.as_object_mut().expect("an object").remove("oneOf");
    schema["$ref"] = format!("#/$defs/{command}").into();
    assert_valid(&schema.to_string(), report);
    assert_valid(SCHEMA, report);
}

const SYSTEM: &str = "(GOAL COMPLEXITY)\n(STARTTERM (FUNCTIONSYMBOLS f))\n(VAR x)\n(RULES\n\
                      f(x) -> g(x)\ng(x) -> g(x + 1) :|: x > 0\n)\n";

const LOCKS: &str = "\
                     extern int __VERIFIER_nondet_int(void);
void lock(void) {}
void unlock(void) {}
int main(void) {
  lock();
  if (__VERIFIER_nondet_int())
    unlock();
  return 0;
}
";

#[test]
fn check() {
    let sources = [("waits.c", WAITS), ("counts.c", COUNTS), ("open.c", OPEN), ("forks.c", FORKS)];
    let folder = Folder::with(&sources);
    folder.write("system.koat", SYSTEM);
    for (file, verdict) in [
        ("waits.c", "loops"),
        ("counts.c", "terminates"),
        ("open.c", "unknown"),
        ("system.koat", "loops"),
    ] {
        let report = folder.ouro(&["check", file, "--format", "json"]).json();
        assert_eq!(report["verdict"], verdict, "{file}");
        assert_report("check", &report);
    }
    // The supervisor makes this one itself.
    let asked = ["check", "forks.c", "--memory", "64", "--engine", "explore", "--format", "json"];
    assert_report("check", &folder.ouro(&asked).json());
}

#[test]
fn check_of_formulas() {
    let folder = Folder::with(&[("locks.c", LOCKS)]);
    let formula = "G(\"1\" -> F \"0\")";
    let report = folder.ouro(&["check", "locks.c", "--ltl", formula, "--format", "json"]).json();
    assert_report("check", &report);
}

#[test]
fn scan_and_merge() {
    let folder = Folder::with(&[("counts.c", COUNTS), ("open.c", OPEN), ("wrong.c", "int main(")]);
    let scanned = folder.ouro(&["scan", ".", "--format", "json", "--no-cache"]);
    assert_report("scan", &scanned.json());
    assert_eq!(scanned.json()["verdict"], "unknown");
    folder.write("first.json", &scanned.stdout);
    let merged = folder.ouro(&["merge", "first.json", "--format", "json"]);
    assert_report("scan", &merged.json());
    assert_eq!(merged.json()["findings"], scanned.json()["findings"]);
}

#[test]
fn attach_and_verify() {
    let folder = Folder::with(&[]);
    let mut sleeper =
        Command::new("sleep").arg("1000").stdin(Stdio::null()).spawn().expect("sleep");
    std::thread::sleep(Duration::from_millis(200));
    let pid = sleeper.id().to_string();
    let waiting = folder.ouro(&["attach", &pid, "--format", "json"]);
    let _ = sleeper.kill();
    let _ = sleeper.wait();
    assert_report("attach", &waiting.json());
    assert_eq!(waiting.json()["verdict"], "waits");

    let spin = "int main(void) { volatile int stop = 0; while (!stop) { } return 0; }\n";
    folder.write("spin.c", spin);
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-o", "spin", "spin.c"]).current_dir(folder.0.path());
    assert!(gcc.status().expect("gcc").success());
    let mut running = Command::new(folder.path("spin")).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(200));
    let pid = running.id().to_string();
    let mut asked = vec!["attach", pid.as_str(), "--format", "json"];
    asked.extend(["--save", "saved", "--certificate", "proof.json"]);
    let looping = folder.ouro(&asked);
    let _ = running.kill();
    let _ = running.wait();
    assert_report("attach", &looping.json());
    assert_eq!(looping.json()["verdict"], "loops");
    let limited =
        folder.ouro(&["attach", "--snapshot", "saved", "--format", "json", "--timeout", "1ms"]);
    assert_report("attach", &limited.json());

    let verify = ["verify", "proof.json", "--snapshot", "saved", "--format", "json"];
    let accepted = folder.ouro(&verify);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stderr);
    assert_report("verify", &accepted.json());
    assert_eq!(accepted.json()["verdict"], "accepted");
    // The other way to ask gives the same.
    let same = folder.ouro(&["attach", "--snapshot", "saved", "--check", "proof.json"]);
    assert_eq!(same.stdout, folder.ouro(&verify[..4]).stdout);
    let mut proof: Value = serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    proof["head"] = 4096.into();
    folder.write("wrong.json", proof.to_string());
    let rejected =
        folder.ouro(&["verify", "wrong.json", "--snapshot", "saved", "--format", "json"]);
    assert_eq!(rejected.code, Some(2));
    assert!(rejected.stderr.contains("rejected"), "{}", rejected.stderr);
    assert_report("verify", &rejected.json());
    assert_eq!(rejected.json()["verdict"], "rejected");
}

#[test]
fn verify_of_programs() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    assert_eq!(folder.ouro(&["check", "counts.c", "--certificate", "c.json"]).code, Some(0));
    let report = folder.ouro(&["verify", "c.json", "--format", "json"]).json();
    assert_report("verify", &report);
    assert_eq!(report["verdict"], "accepted");
}

#[test]
fn the_schema_refuses_what_is_none() {
    let folder = Folder::with(&[("counts.c", COUNTS)]);
    let report = folder.ouro(&["check", "counts.c", "--format", "json"]).json();
    for (field, value) in [
        ("schema_version", Value::from(1)),
        ("verdict", "perhaps".into()),
        ("command", "check it".into()),
        ("loops", Value::Null),
    ] {
        let mut wrong = report.clone();
        wrong[field] = value;
        assert!(!complaints(SCHEMA, &wrong).is_empty(), "{field}");
    }
}
