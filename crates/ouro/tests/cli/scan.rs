//! Whole projects.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::{Folder, Outcome};

/// The example of the documentation.
const PROJECT: [(&str, &str); 5] = [
    ("buffer.h", include_str!("../../../../examples/scan/buffer.h")),
    ("buffer.c", include_str!("../../../../examples/scan/buffer.c")),
    ("numbers.c", include_str!("../../../../examples/scan/numbers.c")),
    ("list.c", include_str!("../../../../examples/scan/list.c")),
    ("main.c", include_str!("../../../../examples/scan/main.c")),
];

fn project() -> Folder {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    for (name, text) in PROJECT {
        folder.write(&format!("src/{name}"), text);
    }
    folder
}

/// The example without the loops of which nothing is known: each of those costs all the time there is.
fn decided_project() -> Folder {
    let folder = project();
    fs::remove_file(folder.path("src/list.c")).expect("a file to remove");
    folder.write("src/numbers.c", decided_numbers());
    folder
}

fn decided_numbers() -> &'static str {
    PROJECT[2].1.split("/* Every number").next().expect("the beginning")
}

pub(crate) fn scan(folder: &Folder, more: &[&str]) -> Outcome {
    let limit: &[&str] = if more.contains(&"--timeout") { &[] } else { &["--timeout", "10s"] };
    folder.ouro(&[&["scan", "src", "--cache", "cache"], limit, more].concat())
}

pub(crate) fn findings(outcome: &Outcome) -> Vec<Value> {
    let object: Value = serde_json::from_str(&outcome.stdout).expect(&outcome.stdout);
    object["findings"].as_array().expect("a list").clone()
}

/// The findings that no clock has a part in. What is unknown because the time was over is tried again.
fn definite(outcome: &Outcome) -> Vec<Value> {
    findings(outcome).into_iter().filter(|one| one["verdict"] != "unknown").collect()
}

/// The verdict of the only loop of each function.
fn verdicts(findings: &[Value]) -> BTreeMap<String, String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    findings.iter().map(|one| (text(&one["function"]), text(&one["verdict"]))).collect()
}

#[test]
fn every_loop_of_a_project_has_a_verdict() {
    let folder = project();
    let outcome = scan(&folder, &["--format", "json"]);
    let all = findings(&outcome);
    let expected = [
        ("clear", "terminates"),
        ("count_lines", "terminates"),
        ("digits", "terminates"),
        ("length", "terminates"),
        ("main", "loops"),
        ("middle", "terminates"),
        ("steps", "unknown"),
        ("sum", "unknown"),
    ];
    let expected = expected.map(|(name, verdict)| (name.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts(&all), BTreeMap::from(expected), "{}", outcome.stderr);
    assert_eq!(outcome.code, Some(1), "a loop that can run forever is denied");
    let one = |name: &str| all.iter().find(|one| one["function"] == name).expect(name);
    // What is assumed is said, and only where something is.
    assert_eq!(one("digits")["assumed"], serde_json::json!([]));
    let assumed = one("clear")["assumed"][0].as_str().expect("an assumption");
    assert!(assumed.contains("line 16 does not change what line 15 reads"), "{assumed}");
    assert_eq!(one("digits")["file"], "numbers.c");
    assert_eq!(one("digits")["line"], 8);
    assert!(one("middle")["argument"].as_str().expect("a ranking").contains("high - low"));
    assert!(one("sum")["suppressed"].as_str().expect("a suppression").starts_with("nothing in"));
    for finding in &all {
        let proved = finding["verdict"] != "unknown";
        assert_eq!(finding["certificate"]["status"] == "accepted", proved, "{finding}");
    }
}

#[test]
fn the_text_ends_with_a_table_and_a_sum() {
    let folder = project();
    let outcome = scan(&folder, &["--deny", "unknown"]);
    assert_eq!(outcome.code, Some(1), "steps() has no suppression");
    assert!(outcome.stdout.contains("list.c"), "{}", outcome.stdout);
    let last = outcome.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("8 loops: 5 terminate (62 %)"), "{last}");
    assert!(last.contains("1 loops forever; 1 suppressed; 1 unknown"), "{last}");
}

#[test]
fn a_second_run_says_the_same_and_notices_changes() {
    let folder = decided_project();
    let first = scan(&folder, &["--format", "json"]);
    let again = scan(&folder, &["--format", "json"]);
    let known = definite(&first);
    assert!(known.len() >= 5, "{known:?}");
    // Times included: nothing was done again.
    assert!(known.iter().all(|one| definite(&again).contains(one)), "{}", again.stdout);
    // A header that changes is read again.
    folder.write("src/buffer.h", PROJECT[0].1.replace("int used", "short used"));
    let changed = scan(&folder, &["--format", "json"]);
    let times = |outcome: &Outcome, file: &str| -> Vec<Value> {
        let all = definite(outcome);
        all.iter().filter(|one| one["file"] == file).map(|one| one["seconds"].clone()).collect()
    };
    assert_ne!(times(&first, "buffer.c"), times(&changed, "buffer.c"));
}

#[test]
fn parts_merge_to_the_whole() {
    let folder = decided_project();
    let whole = scan(&folder, &["--format", "json"]);
    for part in ["1/3", "2/3", "3/3"] {
        let file = format!("part{}.json", &part[..1]);
        let part = scan(&folder, &["--format", "json", "--shard", part, "--output", &file]);
        assert!(part.stderr.contains("loops:"), "{}", part.stderr);
    }
    let parts = ["merge", "part3.json", "part1.json", "part2.json", "--format", "json"];
    let merged = folder.ouro(&parts);
    assert_eq!(findings(&merged).len(), findings(&whole).len());
    assert!(
        definite(&whole).iter().all(|one| definite(&merged).contains(one)),
        "{}",
        merged.stdout
    );
    assert_eq!(merged.code, Some(1));
}

#[test]
fn a_baseline_leaves_only_what_is_new() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    for (name, text) in [PROJECT[0], PROJECT[2]] {
        folder.write(&format!("src/{name}"), text);
    }
    let scan = |more: &[&str]| scan(&folder, &[more, &["--timeout", "4s"]].concat());
    scan(&["--format", "json", "--output", "known.json"]);
    let same = scan(&["--baseline", "known.json", "--deny", "loops", "--deny", "unknown"]);
    assert_eq!(same.code, Some(0), "{}", same.stdout);
    // A line above does not make an old finding a new one; another loop is one.
    let moved = format!("/* moved */\n{}", PROJECT[2].1);
    let more =
        "unsigned more(unsigned n) { while (n != 7) n = n % 3 ? n + 5 : n * 3; return n; }\n";
    folder.write("src/numbers.c", format!("{moved}{more}"));
    let new = scan(&["--baseline", "known.json", "--format", "json", "--deny", "unknown"]);
    let bad: Vec<Value> =
        findings(&new).into_iter().filter(|one| one["verdict"] == "unknown").collect();
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert_eq!(bad[0]["function"], "more");
    assert_eq!(new.code, Some(1));
}

#[test]
fn suppressions_without_a_use_are_reported() {
    let source = "int f(int n) {\n  // ouro: terminates because n gets smaller\n\
                  \x20 while (n > 0) n--;\n  return n;\n}\n\
                  // ouro: terminates because of nothing\nint x;\n";
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/f.c", source);
    let outcome = scan(&folder, &[]);
    assert!(outcome.stdout.contains("f.c:2: this suppression is not needed"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("f.c:6: this suppression has no loop"), "{}", outcome.stdout);
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn a_list_of_commands_says_how_files_are_compiled() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/f.c", "int f(int n) { while (n STEP) n--; return n; }\n");
    let entry = |options: &str| {
        let folder = folder.path("src").display().to_string();
        serde_json::json!([{
            "directory": folder, "file": "f.c", "command": format!("cc -O2 -c {options} f.c")
        }])
    };
    folder.write("src/compile_commands.json", entry("'-DSTEP=> 0'").to_string());
    assert_eq!(verdicts(&findings(&scan(&folder, &["--format", "json"])))["f"], "terminates");
    // A file that cannot be compiled is named, and is not the end of the scan.
    folder.write("src/compile_commands.json", entry("").to_string());
    let outcome = scan(&folder, &[]);
    assert!(outcome.stdout.contains("error: f.c was skipped:"), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("0 loops; 1 file was skipped\n"), "{}", outcome.stdout);
    assert_eq!(outcome.code, Some(4), "nothing was looked at");
    assert_eq!(scan(&folder, &["--allow-skipped"]).code, Some(0));
    let wrong = folder.ouro(&["scan", "nowhere"]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("nowhere: there is no such file"), "{}", wrong.stderr);
}

#[test]
fn what_the_time_cut_short_is_said_and_not_kept() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    let steps = PROJECT[2].1.split("/* Every number").nth(1).expect("the end");
    folder.write("src/steps.c", format!("#include <limits.h>\n/* {steps}"));
    folder.write("src/quick.c", "int f(int n) { while (n > 0) n--; return n; }\n");
    let outcome = scan(&folder, &["--format", "json", "--timeout", "500ms"]);
    let all = findings(&outcome);
    let one = |name: &str| all.iter().find(|one| one["function"] == name).expect(name);
    assert_eq!(one("steps")["timed_out"], true, "{}", one("steps"));
    let reason = one("steps")["reason"].as_str().unwrap_or_default();
    assert!(reason.contains("out of time while looking"), "{reason}");
    assert_eq!(one("f").get("timed_out"), None);
    let kept = fs::read_dir(folder.path("cache")).expect("a folder").count();
    assert_eq!(kept, 1, "what is decided is kept, and nothing else");
}

/// A tree as CMake has it: sources, a folder of headers beside them, and a build elsewhere whose list of commands
/// has full names, one file in two programs, and a source that the build makes.
fn cmake_tree(at: &str) -> Folder {
    let folder = Folder::with(&[]);
    for name in ["project/src/part", "project/include", "project/build/generated"] {
        fs::create_dir_all(folder.path(name)).expect("a folder");
    }
    let header = "static inline int low(int n) { while (n > 9) n -= 3; return n; }\n";
    folder.write("project/include/low.h", header);
    folder.write(
        "project/src/main.c",
        "#include <low.h>\nint main(int c, char **v) { while (c > 0) c--; return low(c); }\n",
    );
    folder.write(
        "project/src/part/part.c",
        "#include \"low.h\"\nint part(int n) {\n#ifdef SLOW\n  while (n > 0) n--;\n#endif\n  return low(n); }\n",
    );
    folder.write(
        "project/build/generated/table.c",
        "#line 7 \"table.y\"\nint table(int n) { do n--; while (n > 0); return n; }\n",
    );
    let root = folder.path(at).display().to_string();
    let entry = |file: &str, options: &str| {
        let object = file.replace('/', "_");
        serde_json::json!({
            "directory": format!("{root}/build"),
            "command": format!(
                "/usr/bin/cc {options} -I{root}/include -g -std=gnu99 -o CMakeFiles/x.dir/{object}.o -c {root}/{file}"
            ),
            "file": format!("{root}/{file}"),
            "output": format!("CMakeFiles/x.dir/{object}.o")
        })
    };
    let commands = serde_json::json!([
        entry("src/main.c", ""),
        entry("src/part/part.c", "-DSLOW"),
        entry("src/part/part.c", ""),
        entry("src/part/part.c", ""),
        entry("build/generated/table.c", ""),
    ]);
    folder.write("project/build/compile_commands.json", commands.to_string());
    folder
}

/// What is proved where, by file and function.
fn places(outcome: &Outcome) -> Vec<String> {
    let all = findings(outcome);
    let place = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        format!("{} {} {}", text("file"), text("function"), text("verdict"))
    };
    all.iter().map(place).collect()
}

#[test]
fn a_build_outside_of_the_sources_is_looked_at() {
    let expected = |prefix: &str| {
        let files = ["include/low.h low", "src/main.c main", "src/part/part.c part"];
        let files = files.map(|one| format!("{prefix}{one} terminates"));
        let mut all = files.to_vec();
        // A name that leads nowhere is as the code says it.
        all.push("table.y table terminates".to_owned());
        all
    };
    let folder = cmake_tree("project");
    let run = |from: &str, list: &str| {
        let mut command = folder.command(&["scan", list, "--no-cache", "--format", "json"]);
        let output = command.current_dir(folder.path(from)).output().expect("running ouro");
        Outcome {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    };
    let here = run("project", "build/compile_commands.json");
    assert_eq!((here.code, places(&here)), (Some(0), expected("")), "{}", here.stderr);
    // From elsewhere the names are relative to what all sources are in.
    assert_eq!(places(&run("project/build", "compile_commands.json")), expected(""));
    assert_eq!(places(&run("project/build/generated", "../..//build")), expected(""));
    assert_eq!(places(&run(".", "project/build")), expected("project/"));
}

#[test]
fn links_to_sources_are_followed() {
    // The whole tree behind a link, as builds on another disk have it, and the list linked into the root.
    let folder = cmake_tree("linked");
    std::os::unix::fs::symlink("project", folder.path("linked")).expect("a link");
    std::os::unix::fs::symlink(
        "build/compile_commands.json",
        folder.path("project/compile_commands.json"),
    )
    .expect("a link");
    for list in ["linked/build/compile_commands.json", "linked", "project/compile_commands.json"] {
        let outcome = folder.ouro(&["scan", list, "--no-cache", "--format", "json"]);
        let names = places(&outcome);
        assert_eq!(names.len(), 4, "{list}: {names:?} {}", outcome.stderr);
        assert!(names.iter().any(|one| one.ends_with("src/main.c main terminates")), "{names:?}");
    }
    // A link to a file or a folder is as good as the thing itself; one that leads around is not followed.
    fs::create_dir(folder.path("view")).expect("a folder");
    for (target, name) in [
        ("../project/src/main.c", "view/main.c"),
        ("../project/src/part", "view/part"),
        ("..", "view/up"),
    ] {
        std::os::unix::fs::symlink(target, folder.path(name)).expect("a link");
    }
    let outcome = folder.ouro(&[
        "scan",
        "view",
        "--no-cache",
        "--format",
        "json",
        "--",
        "-Iproject/include",
        "-DSLOW",
    ]);
    assert_eq!(places(&outcome).len(), 3, "{}", outcome.stdout);
}

#[test]
fn what_was_not_looked_at_makes_a_scan_fail() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/good.c", "int f(int n) { while (n > 0) n--; return n; }\n");
    assert_eq!(scan(&folder, &[]).code, Some(0));
    folder.write("src/bad.c", "#include \"config.h\"\nint g(void) { for (;;) ; }\n");
    let text = scan(&folder, &[]);
    assert_eq!(text.code, Some(4));
    assert!(text.stdout.ends_with("0 unknown; 1 file was skipped\n"), "{}", text.stdout);
    let sarif = scan(&folder, &["--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect(&sarif.stdout);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = invocation["toolExecutionNotifications"][0].to_string();
    assert!(said.contains("bad.c was skipped") && said.contains("config.h"), "{said}");
    let junit = scan(&folder, &["--format", "junit", "--allow-skipped"]);
    assert!(junit.stdout.contains("<error type=\"skipped\""), "{}", junit.stdout);
    assert_eq!(junit.code, Some(0));
    // A part that failed makes the whole fail, however it is joined.
    scan(&folder, &["--format", "json", "--output", "part.json"]);
    assert_eq!(folder.ouro(&["merge", "part.json"]).code, Some(4));
    // Nothing at all is an error of the command.
    folder.write(
        "src/compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"gone.c\", \"command\": \"cc gone.c\"}]",
    );
    let nothing = scan(&folder, &[]);
    assert_eq!(nothing.code, Some(2));
    assert!(
        nothing.stderr.contains("no C files") && nothing.stderr.contains("gone.c"),
        "{}",
        nothing.stderr
    );
}

/// Code behind something that is not covered is not in the program, but its loops are in the project.
#[test]
fn a_loop_behind_something_unsupported_is_counted() {
    let text = r#"
struct node { int n; struct node *next; };
void links(struct node *h) { for (struct node *p = h; p; p = p->next) __asm__ volatile("movq %0, 8(%0)" : : "r"(p) : "memory"); }
void half(_Float16 x, int n) { x = x * x; while (n != 5) n -= 2; }
int fine(int n) { __asm__ volatile("" : : : "memory"); while (n > 0) n--; return n; }
"#;
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/lost.c", text);
    let outcome = scan(&folder, &["--format", "json", "--deny", "unknown"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stderr);
    let all = findings(&outcome);
    for name in ["links", "half"] {
        let found = all.iter().find(|one| one["function"] == name).expect(name);
        assert_eq!(found["verdict"], "unknown", "{found}");
        let reason = found["reason"].as_str().expect("a reason");
        assert!(reason.starts_with("Ouro does not support"), "{reason}");
    }
}

/// A function that calls itself by a pointer may do so forever.
#[test]
fn a_recursion_through_a_pointer_has_a_finding() {
    let text = r#"
static int again(int n, void *f) { return ((int (*)(int, void *))f)(n, f); }
static int other(void) { return 1; }
int (*chosen)(void) = other;
int starts(int n) { return again(n, again) + chosen(); }
"#;
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/again.c", text);
    let outcome = scan(&folder, &["--format", "json", "--timeout", "1s"]);
    let all = findings(&outcome);
    let names: Vec<&str> = all.iter().filter_map(|one| one["function"].as_str()).collect();
    assert_eq!(names, ["again"], "{}", outcome.stdout);
    assert_eq!((&all[0]["kind"], &all[0]["verdict"]), (&"recursion".into(), &"unknown".into()));
}

#[test]
fn what_keeps_all_files_from_being_looked_at_is_one_error() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/f.c", "int f(int n) { while (n > 0) n--; return n; }\n");
    let mut command = folder.command(&["scan", "src", "--no-cache", "--allow-skipped"]);
    let output = command.env("TMPDIR", folder.path("gone")).output().expect("running ouro");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("cannot create a temporary folder") && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn findings_are_written_for_other_tools() {
    let folder = decided_project();
    let sarif = scan(&folder, &["--format", "sarif", "--report", "pages"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect(&sarif.stdout);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert!(results.iter().any(|one| one["level"] == "error"), "{}", sarif.stdout);
    let index = fs::read_to_string(folder.path("pages/index.html")).expect("a page");
    assert!(index.contains("numbers.c") && index.contains("buffer.c"), "{index}");
    let junit = scan(&folder, &["--format", "junit", "--output", "junit.xml"]);
    assert_eq!(junit.code, Some(1));
    let xml = fs::read_to_string(folder.path("junit.xml")).expect("a file");
    assert!(xml.contains("<testsuite") && xml.contains("<failure"), "{xml}");
}

#[test]
fn a_single_loop_has_a_certificate() {
    let folder = decided_project();
    let outcome = scan(&folder, &["--format", "json", "--certificates", "proofs"]);
    let all = findings(&outcome);
    let of = |name: &str| -> String {
        let one = all.iter().find(|one| one["function"] == name).expect(name);
        one["certificate"]["file"].as_str().unwrap_or_default().to_owned()
    };
    let accepted = folder.ouro(&["verify", &of("digits")]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stderr);
    let says = "accepted: the loop at src/numbers.c:8 in digits terminates\n    checked: on its own, from any \
                state, if its calls return; --ints c --data-model lp64";
    assert!(accepted.stdout.starts_with(says), "{}", accepted.stdout);
    // What it rests on is said again.
    let assumed = folder.ouro(&["verify", &of("clear")]);
    assert!(assumed.stdout.contains("assumed: the write on line 16"), "{}", assumed.stdout);
    // A proof that hides an assumption, is about another loop or proves nothing is none.
    let text = fs::read_to_string(folder.path(&of("clear"))).expect("a certificate");
    let changed = |what: &dyn Fn(&mut Value)| {
        let mut certificate: Value = serde_json::from_str(&text).expect(&text);
        what(&mut certificate);
        folder.write("changed.json", certificate.to_string());
        folder.ouro(&["verify", "changed.json"])
    };
    let elsewhere = changed(&|one| one["line"] = 7.into());
    assert_eq!(elsewhere.code, Some(2), "{}", elsewhere.stdout);
    assert!(
        elsewhere.stderr.contains("on line 7, but the loop is on line"),
        "{}",
        elsewhere.stderr
    );
    let hidden = changed(&|one| one["proof"]["assumed"] = serde_json::json!([]));
    assert_eq!(hidden.code, Some(2), "{}", hidden.stdout);
    assert!(
        hidden.stderr.contains("other assumptions than the certificate lists"),
        "{}",
        hidden.stderr
    );
    let trusting = changed(&|one| {
        one["proof"]["trust"] = "nothing".into();
        one["proof"]["assumed"] = serde_json::json!([]);
    });
    assert_eq!(trusting.code, Some(2), "{}", trusting.stdout);
    assert!(trusting.stderr.contains("rejected"), "{}", trusting.stderr);
    let absent = changed(&|one| one["number"] = 7.into());
    assert!(absent.stderr.contains("has no such loop in clear"), "{}", absent.stderr);
    folder.write("src/buffer.c", format!("{}\n", PROJECT[1].1));
    let old = folder.ouro(&["verify", &of("clear")]);
    assert!(old.stderr.contains("the file has changed since"), "{}", old.stderr);
}

/// Whether a file that exists holds a whole JSON value.
fn is_whole(path: &Path) -> bool {
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str::<Value>(&text).is_ok(),
        Err(_) => true,
    }
}

#[test]
fn a_kill_at_any_moment_leaves_nothing_broken() {
    let folder = decided_project();
    let temporary = folder.path("temporary");
    fs::create_dir(&temporary).expect("a folder");
    for trial in 0..50_u64 {
        let arguments =
            ["scan", "src", "--cache", "cache", "--format", "json", "--output", "report.json"];
        let mut scan = folder
            .command(&arguments)
            .env("TMPDIR", &temporary)
            .stderr(Stdio::null())
            .spawn()
            .expect("running ouro");
        // Different moments, from the start to the end of a run.
        std::thread::sleep(Duration::from_millis(trial * trial * 7 % 900));
        scan.kill().expect("ending it");
        scan.wait().expect("waiting");
        assert!(is_whole(&folder.path("report.json")), "trial {trial}");
        for entry in fs::read_dir(folder.path("cache")).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "json") {
                assert!(is_whole(&path), "trial {trial}: {}", path.display());
            }
        }
    }
    let outcome = scan(&folder, &["--format", "json"]);
    let fresh = folder.ouro(&["scan", "src", "--no-cache", "--timeout", "10s", "--format", "json"]);
    assert_eq!(verdicts(&findings(&outcome)), verdicts(&findings(&fresh)));
}
