//! Proofs by parts: what they prove, what they must not, and which certificates are refused.

use serde_json::{Value, json};

use super::Folder;

/// Each loop ends whatever happened before it.
const MANY: &str = "\
extern int __VERIFIER_nondet_int(void);
static int table[64];
static void fill(int n) {
  for (int i = 0; i < n; i++)
    table[i & 63] = i;
}
static unsigned ones(unsigned x) {
  unsigned count = 0;
  while (x) {
    x &= x - 1;
    count++;
  }
  return count;
}
static void sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[i]) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
      }
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  fill(n);
  sort(table, 64);
  return (int)ones((unsigned)n);
}
";

/// Nothing in it goes round; what the branches compare nobody wants to solve.
const FLOATS: &str = "\
extern double __VERIFIER_nondet_double(void);
extern double sin(double);
int main(void) {
  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
  double z = x * y / (x - y) + sin(x * x);
  if (z * z * z - x / y > y * x * z && sin(z) * z < x * y * 0.333) {
    double w = z / (x * x + y * y);
    return w * w * w + x * w == 7.3 ? 1 : 2;
  }
  return 0;
}
";

/// An index without a sign wraps around only where no further character is read.
const UNSIGNED_INDEX: &str = "\
#include <string.h>
static size_t length(const char *text) {
  size_t i = 0;
  while (text[i] != 0)
    i++;
  return i;
}
int main(int argc, char **argv) {
  return argc > 0 && length(argv[0]) != strlen(argv[0]);
}
";

/// Functions through pointers of a table.
const TABLE: &str = "\
extern int __VERIFIER_nondet_int(void);
static int up(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s ^= i;
  return s;
}
static int down(int n) {
  while (n > 0)
    n--;
  return n;
}
static int (*const ops[2])(int) = {up, down};
int main(void) {
  int k = __VERIFIER_nondet_int();
  return ops[k & 1](k);
}
";

/// What ends a program only under conditions that are not met, or in a way that parts do not see.
const HOSTILE: [(&str, &str); 27] = [
    (
        "a step that may be zero",
        "extern int __VERIFIER_nondet_int(void);
static int f(int n, int step) { int i = 0; while (i < n) i += step; return i; }
int main(void) { return f(10, __VERIFIER_nondet_int() ? 1 : 0); }",
    ),
    (
        "functions that call each other",
        "extern int __VERIFIER_nondet_int(void);
int g(int x);
int f(int x) { return x ? g(x) : 0; }
int g(int x) { return f(x); }
int main(void) { return f(__VERIFIER_nondet_int()); }",
    ),
    (
        "main calls itself",
        "int main(int argc, char **argv) { return argc > 1 ? main(argc, argv) : 0; }",
    ),
    (
        "recursion through a pointer",
        "static void f(void);
static void (*p)(void) = f;
static void f(void) { p(); }
int main(void) { f(); return 0; }",
    ),
    (
        "a loop in a comparison that the library calls",
        "#include <stdlib.h>
static int order(const void *a, const void *b) {
  while (*(const int *)a == 3) ;
  return *(const int *)a - *(const int *)b;
}
int main(void) { int v[2] = {3, 4}; qsort(v, 2, sizeof v[0], order); return v[0]; }",
    ),
    (
        "a loop that is entered in the middle",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 0;
  if (x) goto b;
a: y++;
  if (y > 10 && x == 2) return 0;
b: y--;
  if (x != 5) goto a;
  return 0;
}",
    ),
    (
        "jumps to labels that are computed",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
  void *t[] = {&&a, &&b};
  int x = __VERIFIER_nondet_int() & 1;
a: goto *t[x];
b: return 0;
}",
    ),
    (
        "longjmp back",
        "#include <setjmp.h>
static jmp_buf j;
int main(void) { volatile int n = 0; setjmp(j); if (n < 10) longjmp(j, 1); return 0; }",
    ),
    (
        "a loop at exit",
        "#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g;
static void h(void) { while (g) ; }
int main(void) { atexit(h); g = __VERIFIER_nondet_int(); return 0; }",
    ),
    (
        "a handler that registers itself",
        "#include <stdlib.h>
static void h(void) { atexit(h); }
int main(void) { atexit(h); return 0; }",
    ),
    (
        "a counter that is set back through its address",
        "static unsigned n = 3;
static void reset(unsigned *p) { *p = 0; }
int main(void) { unsigned i; for (i = 0; i < n; i++) if (i == 1) reset(&i); return 0; }",
    ),
    (
        "a counter that is set back through a pointer kept elsewhere",
        "static unsigned *where;
static void reset(void) { *where = 0; }
int main(void) { unsigned i; where = &i; for (i = 0; i < 3; i++) reset(); return 0; }",
    ),
    (
        "a counter that output stores into",
        "#include <stdio.h>
int main(void) { for (int i = 0; i < 10; i++) if (i == 5) printf(\"%n\", &i); return 0; }",
    ),
    (
        "threads",
        "#include <pthread.h>
static int n = 1;
static void *t(void *p) { while (n) ; return p; }
int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); pthread_join(h, 0); return 0; }",
    ),
    (
        "a signal handler",
        "#include <signal.h>
static volatile sig_atomic_t n = 10;
static void h(int s) { (void)s; n = n + 1; }
int main(void) { signal(SIGALRM, h); for (int i = 0; i < n; i++) ; return 0; }",
    ),
    (
        "a pointer into an array of the frame",
        "struct row { int left, done; };
int main(void) {
  struct row a[2] = {{5, 0}, {5, 0}};
  for (int i = 0; i < 2; i++) {
    struct row *r = &a[i];
    while (a[i].left > 0) { a[i].left--; r->left = 5; }
  }
  return 0;
}",
    ),
    (
        "a pointer into the frame that is handed on",
        "static void set(int *p) { *p = 9; }
int main(void) { struct { int a, n; } s = {0, 9}; int *x = &s.n; while (s.n > 0) { s.n--; set(x); } return 0; }",
    ),
    (
        "an address of many steps",
        "int main(void) {
  int a[2][2][2][2][2][2][2][2], z = 0;
  ((int *)a)[1] = 9;
  while (((int *)a)[1] > 0) { ((int *)a)[1]--; a[z][z][z][z][z][z][z][z + 1] = 9; }
  return 0;
}",
    ),
    (
        "a number that was made a pointer and moves before the loop",
        "int main(void) {
  char *p = (char *)-100L, *q = p + 1;
  int n = 1;
  while (n) if (q == 0) n = 0;
  return 0;
}",
    ),
    (
        "a loop before the access that a step leads to",
        "int main(void) {
  char *p = (char *)-50L, b[4];
  int n = 1;
  while (n) {
    p = p + 1;
    while (n) if (p == b) n = 0;
    *p = 0;
  }
  return 0;
}",
    ),
    ("inline assembly", "int main(void) { __asm__ volatile(\"1: jmp 1b\"); return 0; }"),
    ("a function from outside", "extern int (*hook)(int);\nint main(void) { return hook(3); }"),
    (
        "a function that another one returns",
        "typedef int (*fn)(int);
extern fn lookup(int);
int main(void) { return lookup(3)(3); }",
    ),
    (
        "a list that is a ring",
        "struct n { struct n *next; };
int main(void) { struct n a, b; a.next = &b; b.next = &a; for (struct n *p = &a; p; p = p->next) ; return 0; }",
    ),
    (
        "a loop within that does not end",
        "extern int __VERIFIER_nondet_int(void);
int main(void) {
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 3; j++)
      if (__VERIFIER_nondet_int()) j = 0;
  return 0;
}",
    ),
    ("errno that a call sets", "#include <errno.h>
#include <unistd.h>
int main(void) { errno = 1; while (errno) { char c; if (read(0, &c, 1) > 0) errno = 2; } return 0; }"),
    (
        "a handler's list of the library",
        "#include <stdlib.h>
static void h(void) { quick_exit(0); }
int main(void) { at_quick_exit(h); for (int i = 0; i < 3; i++) quick_exit(1); return 0; }",
    ),
];

/// What only a signed overflow ends, seen in the loop or not.
const OVERFLOWS: [&str; 5] = [
    "int main(void) { int i = 1; while (i > 0) i++; return 0; }",
    "static int n;
static void bump(void) { n++; }
int main(void) { int i = 0; n = 1; while (i < n) { i++; bump(); } return 0; }",
    "static int next(int k) { return k + 1; }
int main(void) { int i = 0, n = 1; while (i < n) { i++; n = next(n); } return 0; }",
    "int main(void) { int i = 0, n = 1; while (i < n) { i++; for (int j = 0; j < 1; j++) n++; } return 0; }",
    "extern int __VERIFIER_nondet_int(void);
static int a[10];
int main(void) {
  int i = 0, k = __VERIFIER_nondet_int() & 7;
  a[k] = 1;
  while (i < a[k]) { i++; a[k]++; }
  return 0;
}",
];

/// The answer of proofs by parts to a program, in so many seconds.
pub(crate) fn verdict(source: &str, ints: &str, time: &str) -> String {
    let folder = Folder::with(&[("a.c", source)]);
    let asked = ["check", "a.c", "--engine", "parts", "--ints", ints, "--timeout", time];
    let outcome = folder.ouro(&asked);
    outcome.stdout.lines().next().unwrap_or(&outcome.stderr).to_owned()
}

#[test]
fn programs_that_end_part_by_part() {
    for (file, source) in [("many.c", MANY), ("floats.c", FLOATS), ("table.c", TABLE)] {
        for ints in ["c", "wrap"] {
            certified(file, source, ints);
        }
    }
    certified("index.c", UNSIGNED_INDEX, "c");
    // Without loops, what integers are does not matter.
    certified("floats.c", FLOATS, "unbounded");
}

#[test]
fn programs_that_do_not() {
    let mut wrong = Vec::new();
    for (what, source) in HOSTILE {
        for ints in ["c", "wrap"] {
            let said = verdict(source, ints, "2s");
            if !said.starts_with("unknown") {
                wrong.push(format!("{what} (--ints {ints}): {said}"));
            }
        }
    }
    for source in OVERFLOWS {
        let said = verdict(source, "c", "2s");
        if !said.starts_with("unknown") {
            wrong.push(format!("{source}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn specifications_are_not_asked_by_parts() {
    let folder = Folder::with(&[("a.c", MANY), ("live.slic", "state {}\n")]);
    let asked = ["check", "a.c", "--spec", "live.slic", "--engine", "parts", "--timeout", "4s"];
    let outcome = folder.ouro(&asked);
    assert!(outcome.stdout.starts_with("unknown"), "{}{}", outcome.stdout, outcome.stderr);
}

#[test]
fn lines_of_signed_integers_are_named() {
    let source = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i <= n; i++)
    ;
  return 0;
}
";
    let folder = Folder::with(&[("a.c", source)]);
    let outcome = folder.ouro(&["check", "a.c", "--engine", "parts", "--ints", "c"]);
    assert!(outcome.stdout.starts_with("terminates"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("a.c:4"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("signed integer overflow"), "{}", outcome.stdout);
}

/// A folder with a certificate that is accepted.
pub(crate) fn certified(file: &str, source: &str, ints: &str) -> (Folder, Value) {
    let folder = Folder::with(&[(file, source)]);
    let asked = ["check", file, "--engine", "parts", "--ints", ints, "--certificate", "proof.json"];
    let outcome = folder.ouro(&asked);
    assert_eq!(outcome.code, Some(0), "{file} {ints}: {}{}", outcome.stdout, outcome.stderr);
    let accepted = folder.ouro(&["verify", "proof.json"]);
    assert!(accepted.stdout.starts_with("accepted: terminates\n"), "{}", accepted.stderr);
    let original: Value = serde_json::from_str(&folder.read("proof.json")).expect("JSON");
    (folder, original)
}

/// The parts of a certificate.
pub(crate) fn parts(certificate: &mut Value) -> &mut Vec<Value> {
    certificate["evidence"]["partwise"]["parts"].as_array_mut().expect("parts")
}

pub(crate) type Tamper = fn(&mut Value);

#[test]
fn tampered_parts() {
    let (folder, original) = certified("many.c", MANY, "c");
    let all: [(&str, &str, Tamper); 13] = [
        ("a part fewer", "no part is about the loop", |c| drop(parts(c).remove(0))),
        ("no parts", "no part is about the loop", |c| parts(c).clear()),
        ("another head", "no part is about the loop", |c| parts(c)[0]["head"] = 999.into()),
        ("another function", "no part is about the loop", |c| {
            parts(c)[0]["function"] = 999.into();
        }),
        ("a part twice", "two of its parts", |c| {
            let first = parts(c)[0].clone();
            parts(c).push(first);
        }),
        ("rankings of other loops", "", |c| {
            let rankings: Vec<Value> = parts(c).iter().map(|one| one["ranking"].clone()).collect();
            let count = rankings.len();
            for (number, one) in parts(c).iter_mut().enumerate() {
                one["ranking"] = rankings[(number + 1) % count].clone();
            }
        }),
        ("no ranking", "the ranking function does not get smaller", |c| {
            parts(c)[0]["ranking"]["heads"][0]["ranking"] = json!([]);
        }),
        ("no head", "", |c| parts(c)[0]["ranking"]["heads"] = json!([])),
        ("a view that is not there", "has no such view", |c| {
            parts(c)[0]["view"] = json!({"sight": 99});
        }),
        ("an invariant that never holds", "", |c| {
            parts(c)[0]["ranking"]["heads"][0]["invariant"] = "false".into();
        }),
        ("a part about nothing", "there is no such loop", |c| {
            let mut more = parts(c)[0].clone();
            more["head"] = 998.into();
            parts(c).push(more);
        }),
        ("another verdict", "invalid certificate", |c| c["verdict"] = "loops".into()),
        ("loops inside that are cut", "", |c| {
            // Each of the two loops of `sort` needs the other one, unless it has a part of its own.
            for one in parts(c).iter_mut() {
                one["cuts"] = true.into();
            }
            let inner = parts(c).iter().position(|one| one["place"]["line"] == 17);
            if let Some(inner) = inner {
                parts(c).remove(inner);
            }
        }),
    ];
    refuse_tampered(&folder, &original, &all);
}

/// Tampers with a certificate in each of these ways; each must be refused in these words.
pub(crate) fn refuse_tampered(folder: &Folder, original: &Value, all: &[(&str, &str, Tamper)]) {
    let mut wrong = Vec::new();
    for (what, why, tamper) in all {
        let mut tampered = original.clone();
        tamper(&mut tampered);
        assert_ne!(&tampered, original, "{what} changes nothing");
        folder.write("proof.json", tampered.to_string());
        let outcome = folder.ouro(&["verify", "proof.json"]);
        let said = outcome.stderr.trim_end();
        if outcome.code != Some(2) || !outcome.stdout.is_empty() || !said.contains(why) {
            wrong.push(format!("{what}: {:?} {}{said}", outcome.code, outcome.stdout));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
