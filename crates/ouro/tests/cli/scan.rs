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

fn scan(folder: &Folder, more: &[&str]) -> Outcome {
    let limit: &[&str] = if more.contains(&"--timeout") { &[] } else { &["--timeout", "10s"] };
    folder.ouro(&[&["scan", "src", "--cache", "cache"], limit, more].concat())
}

fn findings(outcome: &Outcome) -> Vec<Value> {
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
    assert!(one("sum")["excepted"].as_str().expect("an exception").starts_with("nothing in"));
    for finding in &all {
        let proved = finding["verdict"] != "unknown";
        assert_eq!(finding["certificate"]["status"] == "accepted", proved, "{finding}");
    }
}

#[test]
fn the_text_ends_with_a_table_and_a_sum() {
    let folder = project();
    let outcome = scan(&folder, &["--deny", "unknown"]);
    assert_eq!(outcome.code, Some(1), "steps() has no exception");
    assert!(outcome.stdout.contains("list.c"), "{}", outcome.stdout);
    let last = outcome.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("8 loops: 5 proved to end (62 %)"), "{last}");
    assert!(last.contains("1 can run forever; 1 excepted; 1 unknown"), "{last}");
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
fn exceptions_without_a_use_are_reported() {
    let source = "int f(int n) {\n  // ouro: terminates because n gets smaller\n\
                  \x20 while (n > 0) n--;\n  return n;\n}\n\
                  // ouro: terminates because of nothing\nint x;\n";
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/f.c", source);
    let outcome = scan(&folder, &[]);
    assert!(outcome.stdout.contains("f.c:2: the exception is not needed"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("f.c:6: the exception has no loop"), "{}", outcome.stdout);
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
    assert!(outcome.stdout.contains("error: f.c was left out:"), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("0 loops; 1 file was left out\n"), "{}", outcome.stdout);
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
    assert!(reason.contains("the time was over while looking"), "{reason}");
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
    assert!(text.stdout.ends_with("0 unknown; 1 file was left out\n"), "{}", text.stdout);
    let sarif = scan(&folder, &["--format", "sarif"]);
    let log: Value = serde_json::from_str(&sarif.stdout).expect(&sarif.stdout);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = invocation["toolExecutionNotifications"][0].to_string();
    assert!(said.contains("bad.c was left out") && said.contains("config.h"), "{said}");
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

/// Loops that need not end, each in a function of its own. None may be called proved without an assumption.
const ENDLESS: &str = r#"
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int n; unsigned char b[4]; struct node *other; };
struct list { int count; struct node *parts; };
extern int unknown(int);
extern void change(int *);
extern void take(struct node *);
extern void poll(void);
extern char *next(char *);
int limit;
static void grow(void) { limit++; }
static void hidden(void) { __asm__ volatile("incl limit"); limit++; }
static void hidden_too(int *p) { __asm__ volatile("incl (%0)" : : "r"(p)); ++*p; }
void walk(struct node *p) { while (p) p = p->next; }
void moves_its_bound(struct node *p) { for (int i = 0; i < p->n; i++) p->n++; }
void bytes(struct node *p) { for (int i = 0; i < p->n; i++) { ((unsigned char *)&p->n)[1]++; } }
void copies(struct node *p, struct node *q) { for (int i = 0; i < p->n; i++) { *p = *q; q->n++; } }
void calls(int *n) { for (int i = 0; i < *n; i++) change(n); }
void asks(int n) { while (n != 0) n = unknown(n); }
void grows(void) { for (int i = 0; i < limit; i++) grow(); }
void waits(void) { while (limit) poll(); }
void local(void) { int n = 3; for (int i = 0; i < n; i++) change(&n); }
void odd(unsigned i) { for (i = 1; i != 0; i += 2) ; }
void narrow(void) { signed char c = 0; do c++; while (c != 200); }
void sentinel(char *p) { while ((p = next(p)) == (char *)-1) ; }
void above(char *p) { while (p < (char *)-1) p = next(p); }
void inner(int n) { while (n > 0) { for (;;) { if (unknown(n)) break; } if (unknown(2)) n--; } }
void zero(int n, int step) { while (n > 0) n -= step; }
void twice(int n) { int i = 0; if (n) goto middle; while (i < 10) { i++; middle: i--; if (unknown(i)) i = 5; } }
void jumps(jmp_buf b) { int i = 0; while (i < 10) { if (setjmp(b)) i = 0; i++; if (unknown(i)) longjmp(b, 1); } }
void through(int *p) { int **q = &p; for (int i = 0; i < **q; i++) { ++**q; } }
void pointer(int (*f)(void)) { while (limit > 0) { limit--; limit += f(); } }
void state(int n) { int s = 0; while (s != 3) { switch (s) { case 0: s = 1; break; case 1: s = n ? 2 : 3; break; case 2: s = 0; break; } } }
void flip(int a) { while (a != 0) { if (a > 0) a = -a; else a = -a; } }
void refill(unsigned n) { while (n-- > 0) if (unknown(1)) n += 2; }
void back(const char *s) { const char *p = s; while (*p) { p++; if (unknown(*p)) p = s; } }
static void asm_inside(int *n) { __asm__ volatile("incl %0" : "+m"(*n)); }
void assembly_inside(int n) { while (n > 0) { n--; asm_inside(&n); } }
double real(double x) { while (x > 0) x = x / 2 + 1; return x; }
void assembly(void) { while (limit) hidden(); }
void assembly_too(int *n) { for (int i = 0; i < *n; i++) hidden_too(n); }
void error(char *s) { int *e = &errno; while (*e == 0) strtol(s, 0, 10); }
void error_too(char *s) { int *e = &errno; for (int i = 0; i < *e; i++) { strtol(s, 0, 10); i = 0; } }
void copied(struct node *p) { for (int i = 0; i < p->n; i++) { struct node *q = p; q->n++; } }
void copied_too(struct node *p) { for (int i = 0; i < p->n; i++) { struct node *q = p; take(q); } }
void chosen(struct node *p, struct node *r) { for (int i = 0; i < p->n; i++) { struct node *q = limit ? p : r; q->n++; } }
void shared(int a, int b) { while (a > 0 || b > 0) { if (a > 0) { a--; b++; } else { b--; a++; } } }
void exits(int a, int b) { for (;;) { if (unknown(a)) { if (a-- == 0) break; b++; } else { if (b-- == 0) break; a++; } } }
void stuck(struct node *p) { while (p) { struct node *q = p->next; if (q->n) break; } }
void stale(struct node *p, int c) { struct node *q = p; while (p) { if (p->n == c) q = p->next; p = q; } }
void again(struct node *p) { struct node *first = p; while (p) { p = p->next; if (p && p->n) p = first; } }
void appends(struct node *p, struct node *q) { while (p) { p->next = q; p = p->next; } }
void inserts(struct node *p) { while (p) { struct node *q = malloc(sizeof *q); q->next = p->next; p->next = q; p = p->next; } }
void repeats(struct node *p) { while (p) { struct node *q = p->next; while (p->n) p = q; p = q; } }
void swaps(struct node *p, struct node *q) { while (p) { struct node *r = p; p = q; q = r; } }
void carries(struct node *p) { struct node *q = p->next, *r = q; while (p) { r = q; q = p; p = r; } }
void bits(unsigned n) { while (n) n |= n - 1; }
void same_part(struct list *s, int k) { for (int i = 0; i < s->parts[k].n; i++) { int m = k; s->parts[m].n++; } }
void some_part(struct list *s, int k) { for (int i = 0; i < s->parts[k].n; i++) s->parts[i].n++; }
void first_part(struct list *s, int k) { for (int i = 0; i < s->parts[0].n; i++) s->parts[k].n++; }
void own_parts(int k) { struct node a[4] = {{0, 1}}; for (int i = 0; i < a[k].n; i++) { int m = k; a[m].n++; } }
void puts_back(FILE *f) { int c; while ((c = getc(f)) != EOF) ungetc(c, f); }
void goes_back(FILE *f) { char b[9]; while (fgets(b, 9, f)) rewind(f); }
void ignores(FILE *f) { int n = 0; while (n != 5) { if (getc(f) == 7) n = 5; } }
void masks(unsigned n, unsigned m) { while (n & m) n ^= m; }
void wraps(unsigned char *p, unsigned n) { unsigned char i; for (i = 0; i < n; i++) p[i] = 0; }
void ends_of_types(unsigned n) { for (unsigned i = 0; i <= n; i++) ; }
"#;

/// What the finding about an endless loop may rest on: that is then not true of the run that stays in it.
const FALSE_OF_THEM: [&str; 3] =
    ["the loops inside it end", "do not lead back", "though it is handed the address"];

#[test]
fn loops_that_need_not_end_are_never_proved() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/endless.c", ENDLESS);
    let outcome = folder.ouro(&["scan", "src", "--format", "json", "--timeout", "1s"]);
    let all = findings(&outcome);
    let names: Vec<&str> = all.iter().filter_map(|one| one["function"].as_str()).collect();
    assert!(names.len() >= 50, "{names:?}{}", outcome.stderr);
    for finding in &all {
        let assumed = finding["assumed"].as_array().expect("a list");
        let is_false = |one: &str| FALSE_OF_THEM.iter().any(|text| one.contains(text));
        let cautious = assumed.iter().filter_map(Value::as_str).any(is_false);
        let proved = finding["verdict"] == "terminates";
        assert!(!proved || cautious, "this loop need not end: {finding}");
    }
    // Only of one that does nothing but follow links is that assumed.
    let linked = |one: &&Value| one["assumed"].to_string().contains("do not lead back");
    let linked: Vec<&str> =
        all.iter().filter(linked).filter_map(|one| one["function"].as_str()).collect();
    assert!(linked.is_empty() || linked == ["walk"], "{linked:?}");
}

/// Loops of which something might be assumed that the code itself refutes: somewhere in the loop, in what it calls or
/// just before it, links are changed or closed, or the input is gone back in. All of them can run forever, but for those
/// that overwrite links with rubbish.
const REFUTED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node { int n; struct node *next; unsigned char b[8]; struct node *other; };
union mark { struct marked *link; unsigned bit : 1; unsigned long word; };
struct marked { int n; union mark u; };
static void link_to(struct node *a, struct node *b) { a->next = b; }
static void itself(struct node *a) { link_to(a, a); }
static void set(struct node **at, struct node *to) { *at = to; }
static struct node **place(struct node *a) { return &a->next; }
static void moved(struct node *a, const struct node *b) { memmove(a, b, sizeof *a); }
static void exchanged(struct node *a, struct node *b) { __atomic_exchange_n(&a->next, b, __ATOMIC_SEQ_CST); }
static void bytes(void *to, const void *from, unsigned n) { char *d = to; const char *s = from; while (n > 0) { *d++ = *s++; n--; } }
static void insert(struct node *a) { struct node *b = malloc(sizeof *b); if (!b) exit(1); b->next = a->next; a->next = b; }
static void close_ring(struct node *first, struct node *last) { last->next = first; }
static void (*hook)(struct node *, struct node *) = link_to;
static void back(int c, FILE *f) { ungetc(c, f); }
static void home(FILE *f) { rewind(f); }
static void deep_home(FILE *f) { home(f); }
static void seek(FILE *f) { fseek(f, 0L, SEEK_SET); }
static void forget(FILE *f) { clearerr(f); }
static void start(int fd) { lseek(fd, 0, SEEK_SET); }
static int (*put)(int, FILE *) = ungetc;
static struct node ring = { 1, &ring };
static struct node two[2] = { { 1, &two[1] }, { 2, &two[0] } };
void copy(struct node *h, struct node *q) { for (struct node *p = h; p; p = p->next) *p = *q; }
void copy_memory(struct node *h, struct node *q) { for (struct node *p = h; p; p = p->next) memcpy(p, q, sizeof *p); }
void copy_some(struct node *h, struct node *q, unsigned long n) { for (struct node *p = h; p; p = p->next) memcpy(p, q, n); }
void copy_moved(struct node *h, struct node *q) { for (struct node *p = h; p; p = p->next) moved(p, q); }
void copy_bytes(struct node *h, struct node *q) { for (struct node *p = h; p; p = p->next) bytes(p, q, sizeof *p); }
void rubbish(struct node *h) { for (struct node *p = h; p; p = p->next) memset(p, 1, sizeof *p); }
void number(struct node *h) { for (struct node *p = h; p; p = p->next) *(unsigned long *)&p->next = (unsigned long)p; }
void atomic(struct node *h) { for (struct node *p = h; p; p = p->next) __atomic_store_n(&p->next, p, __ATOMIC_SEQ_CST); }
void atomic_too(struct node *h) { for (struct node *p = h; p; p = p->next) exchanged(p, h); }
void bit(struct marked *h) { for (struct marked *p = h; p; p = p->u.link) p->u.bit = 0; }
void word(struct marked *h) { for (struct marked *p = h; p; p = p->u.link) p->u.word = (unsigned long)p; }
void helper(struct node *h) { for (struct node *p = h; p; p = p->next) link_to(p, p); }
void helpers(struct node *h) { for (struct node *p = h; p; p = p->next) itself(p); }
void hooked(struct node *h) { for (struct node *p = h; p; p = p->next) hook(p, p); }
void by_address(struct node *h) { for (struct node *p = h; p; p = p->next) set(&p->next, p); }
void by_pointer(struct node *h) { for (struct node *p = h; p; p = p->next) { struct node **at = &p->next; *at = p; } }
void by_result(struct node *h) { for (struct node *p = h; p; p = p->next) *place(p) = p; }
void from_file(struct node *h, FILE *f) { for (struct node *p = h; p; p = p->next) fread(p, sizeof *p, 1, f); }
void behind(struct node *h) { for (struct node *p = h; p; p = p->next) insert(p); }
void closed_before(struct node *h) { h->next = h; for (struct node *p = h; p; p = p->next) ; }
void closed_by_helper(struct node *h) { link_to(h, h); for (struct node *p = h; p; p = p->next) ; }
void closed_at_its_end(struct node *h, struct node *l) { close_ring(h, l); for (struct node *p = h; p; p = p->next) ; }
int closed_here(void) { struct node a, b; a.next = &b; b.next = &a; int n = 0; for (struct node *p = &a; p; p = p->next) n++; return n; }
int closed_static(void) { int n = 0; for (struct node *p = &ring; p; p = p->next) n++; return n; }
void puts_back(FILE *f) { int c; while ((c = getc(f)) != EOF) back(c, f); }
void puts_back_by_pointer(FILE *f) { int c; while ((c = getc(f)) != EOF) put(c, f); }
void goes_home(FILE *f) { char b[9]; while (fgets(b, 9, f)) home(f); }
void goes_home_deep(FILE *f) { char b[9]; while (fgets(b, 9, f)) deep_home(f); }
void seeks(FILE *f) { char b[9]; while (fread(b, 1, 9, f) > 0) seek(f); }
void forgets(FILE *f) { while (getc(f) != EOF) forget(f); }
void starts(int fd) { char b[9]; while (read(fd, b, 9) > 0) start(fd); }
void errors(int fd) { char b[1]; while (read(fd, b, 1) != 0) ; }
void errors_too(int fd) { char b[8]; long n; while ((n = read(fd, b, 8))) { if (n < 0) continue; b[0] = 0; } }
void errors_at_its_foot(int fd) { char b[8]; do b[0] = 0; while (read(fd, b, 8) != 0); }
void beyond_the_end(FILE *f) { while (getc(f) != 'x') ; }
void runs_on(char *p, char *end) { while (p != end) p++; }
void runs_to_null(char *p) { while (p) p += 4; }
void runs_up(char *p) { while (p > (char *)0) p++; }
int jumps_over(void) { int a[4]; int n = 0; for (int *p = a; p != a + 3; p += 2) n++; return n; }
int starts_behind(void) { char a[4]; int n = 0; for (char *p = a + 1; p != a; p++) n++; return n; }
int never_below(void) { int a[4]; int n = 0; for (int *p = a; p >= a; p++) n++; return n; }
int keep(void) { return two[0].n; }
"#;

#[test]
fn what_the_code_refutes_is_not_assumed() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/refuted.c", REFUTED);
    let outcome =
        folder.ouro(&["scan", "src", "--no-cache", "--format", "json", "--timeout", "500ms"]);
    let all = findings(&outcome);
    let hostile = |one: &&Value| one["function"] != "bytes";
    assert_eq!(all.iter().filter(hostile).count(), 41, "{}", outcome.stderr);
    for finding in all.iter().filter(hostile) {
        assert_ne!(finding["verdict"], "terminates", "{finding}");
    }
}

/// The same with code that refutes nothing.
const NOT_REFUTED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct node { int n; struct node *next; unsigned char b[8]; struct node *other; };
struct list { struct node *first; long count; int sum; };
extern void visit(struct node *);
static long total;
static int value(const struct node *p) { return p->n; }
static void clear(struct node *p) { p->n = 0; p->other = 0; p->b[3] = 1; }
struct node *nth(struct node *c, int which) { while (c && which > 0) { c = c->next; which--; } return c; }
void sums(struct list *l) { for (struct node *p = l->first; p; p = p->next) { l->count++; l->sum += value(p); total += p->n; } }
void clears(struct node *h) { for (struct node *p = h; p; p = p->next) clear(p); }
void cuts(struct node *h) { for (struct node *p = h; p; ) { struct node *q = p->next; p->next = 0; p = q; } }
void frees(struct node *p) { while (p) { struct node *q = p->next; free(p); p = q; } }
void prints(struct node *h) { char line[32]; for (struct node *p = h; p; p = p->next) { snprintf(line, 32, "%d", p->n); puts(line); } }
void visits(struct node *h) { for (struct node *p = h; p; p = p->next) visit(p); }
void below(char *p, char *end, int k) { while (p < end) { if (value(0) == k) *p = 0; p++; } }
void watches(void) { static volatile int limit; for (int i = 0; i < limit; i++) ; }
int letters(FILE *f) { int c, n = 0; while ((c = getc(f)) != EOF) n += c == 'a'; return n; }
int parts(int fd) { char b[8]; int n = 0; while (read(fd, b, 8) > 0) n++; return n; }
"#;

#[test]
fn what_the_code_does_not_refute_is_assumed_and_named() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/fine.c", NOT_REFUTED);
    let outcome = scan(&folder, &["--format", "json"]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 11, "{}", outcome.stderr);
    for finding in &all {
        assert_eq!(finding["verdict"], "terminates", "{finding}");
        let assumed = finding["assumed"].as_array().expect("a list");
        let ends = assumed.iter().filter_map(Value::as_str);
        let ends: Vec<&str> = ends.filter(|one| !one.starts_with("volatile")).collect();
        match finding["function"].as_str().unwrap_or_default() {
            "nth" | "below" => assert!(ends.is_empty(), "{finding}"),
            "letters" | "parts" => assert!(ends[0].ends_with("comes to an end"), "{finding}"),
            "watches" => assert_eq!((ends.len(), assumed.len()), (0, 1), "{finding}"),
            // Code that is not here is named.
            "visits" => assert!(ends[0].ends_with("nor does the call in line 18"), "{finding}"),
            _ => assert!(ends.len() == 1 && ends[0].ends_with("does not change them"), "{finding}"),
        }
    }
}

/// Loops that end, each in a function of its own.
const ENDING: &str = r#"
#include <stdio.h>
struct node { struct node *next; int n; };
extern void other(struct node *);
extern int numbers[];
void string(const char *s) { while (*s) s++; }
void until(char *p, char *end) { while (p != end) *p++ = 0; }
void steps(int *p, int *end, int wide) { while (p < end) { *p = 0; if (wide) p += 2; else p++; } }
void down(unsigned n) { do n--; while (n != 0); }
void bits(unsigned n) { while (n) n &= n - 1; }
void halves(unsigned mask, unsigned bit) { while (mask & bit) bit >>= 1; }
void members(struct node *s, int *p) { for (int i = 0; i < s->n; i++) *p = 0; }
void indices(char *p, int n) { for (int i = 0; i != n; i++) p[i] = 0; }
void nested(int n, int m) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ; }
void busy(int n, int a, int b) { while (n > 0) { if (a > b) a -= b; else b -= a; if (a == 3) b++; n--; } }
void parts(struct node *s, int k) { for (int i = 0; i < s[k].n; i++) ; }
void handed(struct node *s) { for (int i = 0; i < s->n; i++) other(s); }
int lines(FILE *f) { char b[9]; int n = 0; while (fgets(b, 9, f)) n++; return n; }
int letters(FILE *f) { int c, n = 0; while ((c = getc(f)) != EOF) n++; return n; }
int table(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += numbers[i]; return sum; }
void list(struct node *p) { while (p) p = p->next; }
void released(struct node *p) { while (p) { struct node *q = p->next; p->n = 0; p = q; } }
"#;

#[test]
fn loops_that_end_for_one_reason_are_proved() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/ending.c", ENDING);
    let outcome = scan(&folder, &["--format", "json"]);
    let all = findings(&outcome);
    for finding in &all {
        assert_eq!(finding["verdict"], "terminates", "{finding}");
        let assumed = finding["assumed"].as_array().expect("a list");
        let function = finding["function"].as_str().unwrap_or_default();
        let expected = match function {
            "members" => "does not change what",
            "list" | "released" => "do not lead back",
            "handed" => "though it is handed the address",
            "lines" | "letters" => "comes to an end",
            _ => {
                assert!(assumed.is_empty(), "{finding}");
                continue;
            }
        };
        assert_eq!(assumed.len(), 1, "{finding}");
        assert!(assumed[0].as_str().is_some_and(|one| one.contains(expected)), "{finding}");
    }
    assert_eq!(all.len(), 18, "{}", outcome.stdout);
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
    assert!(assumed.stdout.contains("assumed: the write in line 16"), "{}", assumed.stdout);
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
    assert!(elsewhere.stderr.contains("in line 7, and it is in line"), "{}", elsewhere.stderr);
    let hidden = changed(&|one| one["proof"]["assumed"] = serde_json::json!([]));
    assert_eq!(hidden.code, Some(2), "{}", hidden.stdout);
    assert!(hidden.stderr.contains("other assumptions than it says"), "{}", hidden.stderr);
    let trusting = changed(&|one| {
        one["proof"]["trust"] = "nothing".into();
        one["proof"]["assumed"] = serde_json::json!([]);
    });
    assert_eq!(trusting.code, Some(2), "{}", trusting.stdout);
    assert!(trusting.stderr.contains("not accepted"), "{}", trusting.stderr);
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
