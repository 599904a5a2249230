//! Recursions in proofs by parts: what is proved, what must not be, and which certificates are refused.

use serde_json::{Value, json};

use super::parts::{Tamper, certified, parts, refuse_tampered, verdict};

/// Two recursions: one that ends for any argument, and one for those that its caller passes. The loop between two calls
/// needs no part of its own.
const TWO: &str = "\
static int moves, pick[8];
static void hanoi(int n) {
  if (n == 0) return;
  hanoi(n - 1);
  moves++;
  hanoi(n - 1);
}
static void choose(int k, int n) {
  if (k >= n) return;
  for (int i = 0; i < 3; i++) {
    pick[k & 7] = i;
    choose(k + 1, n);
  }
}
int main(int argc, char **argv) {
  hanoi(argc > 0 ? argc : 0);
  choose(0, 6);
  return moves;
}
";

/// Functions that call each other, and read a string to its end.
const MUTUAL: &str = "\
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static unsigned length(const char *s) { return *s ? 1 + length(s + 1) : 0; }
int main(int argc, char **argv) {
  unsigned n = 0;
  for (int i = 1; i < argc; i++)
    n += length(argv[i]);
  return even(n);
}
";

/// How far a range is divided is known from what is called.
const DIVIDED: &str = "\
extern int __VERIFIER_nondet_int(void);
static int middle(int lo, int hi) { return lo + (hi - lo) / 2; }
static long sum(const int *a, int lo, int hi) {
  if (lo > hi) return 0;
  int m = middle(lo, hi);
  return sum(a, lo, m - 1) + a[m] + sum(a, m + 1, hi);
}
int main(void) {
  int a[20], n = __VERIFIER_nondet_int();
  if (n < 0 || n > 20) return 1;
  for (int i = 0; i < n; i++)
    a[i] = __VERIFIER_nondet_int();
  return sum(a, 0, n - 1) > 100;
}
";

/// Recursions that never end for some input, or of which parts must not say that they do.
const HOSTILE: [(&str, &str); 15] = [
    (
        "a static pointer that nobody reads",
        "static char text[10]; static char *at = text;
int main(void) { while (at >= text) at++; return 0; }",
    ),
    (
        "a call in a loop that gets the same argument once",
        "static void f(int n) { for (int i = 0; i < 3; i++) { if (n > 0) f(n - 1); if (i == 2 && n == 5) f(n); } }
int main(void) { f(7); return 0; }",
    ),
    (
        "up and down through a table of functions",
        "typedef int (*fn)(int);
static int up(int n); static int down(int n);
static fn table[2] = {up, down};
static int up(int n) { return n < 100 ? table[1](n + 1) : 0; }
static int down(int n) { return n > 0 ? table[0](n - 1) : 0; }
int main(void) { return up(3); }",
    ),
    (
        "an argument that passes the end and wraps",
        "static unsigned f(unsigned n) { return n == 1 ? 0 : f(n - 2); }
int main(void) { return (int)f(4); }",
    ),
    (
        "a count that a called function sets back",
        "static unsigned left = 10;
static void refill(void) { left = 10; }
static void f(void) { if (left == 0) return; left--; if (left == 3) refill(); f(); }
int main(void) { f(); return 0; }",
    ),
    (
        "a count that the recursion itself sets back",
        "static unsigned left = 10; static int deep;
static void f(void) { if (left == 0) return; left--; if (!deep) { deep = 1; f(); deep = 0; left = 10; } f(); }
int main(void) { f(); return 0; }",
    ),
    (
        "a comparison that sorts",
        "#include <stdlib.h>
static int v[4] = {3, 1, 2, 0};
static int order(const void *a, const void *b) {
  int w[2] = {1, 0};
  if (*(const int *)a == 0) qsort(w, 2, sizeof w[0], order);
  return *(const int *)a - *(const int *)b;
}
int main(void) { qsort(v, 4, sizeof v[0], order); return v[0]; }",
    ),
    (
        "longjmp out of a recursion",
        "#include <setjmp.h>
static jmp_buf j; static int k;
static void f(int n) { if (n == 0) longjmp(j, 1); f(n - 1); }
int main(void) { setjmp(j); f(3); return k; }",
    ),
    (
        "a static variable",
        "static int f(int n) { static int c; c++; if (c % 7 == 0) n = 10; if (n <= 0) return 0; return f(n - 1); }
int main(void) { return f(20); }",
    ),
    (
        "what the recursion returns is passed to it",
        "static int f(int n) { if (n <= 0) return 5; int k = f(n - 1); return f(k); }
int main(void) { return f(1); }",
    ),
    (
        "a half that does not get smaller",
        "static int f(int lo, int hi) { if (lo >= hi) return 0; int mid = (lo + hi) / 2; return f(lo, mid) + f(mid, hi); }
int main(void) { return f(0, 10); }",
    ),
    (
        "a local variable that is set through its address",
        "static void set(int *p) { *p = 3; }
static int f(int n) { if (n <= 0) return 0; int m = n - 1; set(&m); return f(m); }
int main(void) { return f(9); }",
    ),
    (
        "a pointer that nobody reads",
        "static int f(int argc, char **argv) { return argc <= 1 ? 0 : f(argc, argv + 1); }
int main(int argc, char **argv) { return f(argc, argv); }",
    ),
    (
        "a step of zero from one of several callers",
        "extern int __VERIFIER_nondet_int(void);
static int scan(int i, int n, int step) { while (i < n) i += step; return i; }
static int mid(int s) { return scan(0, 9, s); }
static int mid2(int s) { if (s > 2) return mid(1); return mid(s); }
int main(void) { return mid(3) + mid2(__VERIFIER_nondet_int() & 3); }",
    ),
    (
        "a step that the loop around takes to zero",
        "int main(void) {
  int step = 1, n = 10;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i += step) ;
    step--;
  }
  return 0;
}",
    ),
];

/// Recursions that only a signed overflow ends.
const OVERFLOWS: [&str; 2] = [
    "static int f(int n) { return n <= 0 ? 0 : f(n + 1); }
int main(void) { return f(1); }",
    "static int f(int n, int d) { if (n == 0) return 0; return f(n - d, d); }
int main(void) { return f(10, 3); }",
];

#[test]
fn recursions_that_end() {
    for (file, source) in [("mutual.c", MUTUAL), ("divided.c", DIVIDED)] {
        certified(file, source, "c");
    }
}

#[test]
fn recursions_that_do_not() {
    let overflows = OVERFLOWS.map(|source| ("an overflow", source));
    let mut wrong = Vec::new();
    for (what, source) in HOSTILE.into_iter().chain(overflows) {
        let said = verdict(source, "c", "2s");
        if !said.starts_with("unknown") {
            wrong.push(format!("{what}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The part about the recursion of `hanoi`.
fn hanoi(certificate: &mut Value) -> &mut Value {
    let is_hanoi = |one: &&mut Value| one["place"]["function"] == "hanoi";
    parts(certificate).iter_mut().find(is_hanoi).expect("a part about hanoi")
}

/// The part about the recursion of `choose`.
fn choose(certificate: &mut Value) -> &mut Value {
    let is_choose =
        |one: &&mut Value| one["place"]["function"] == "choose" && one["head"].is_null();
    parts(certificate).iter_mut().find(is_choose).expect("a part about choose")
}

#[test]
fn tampered_recursions() {
    let (folder, mut original) = certified("two.c", TWO, "c");
    assert!(hanoi(&mut original)["head"].is_null(), "it is a recursion");
    assert_ne!(hanoi(&mut original)["scope"]["callers"], json!(0), "hanoi needs its caller");
    let all: [(&str, &str, Tamper); 10] = [
        ("no part about a recursion", "no part is about the recursion of hanoi", |c| {
            parts(c).retain(|one| one["place"]["function"] != "hanoi");
        }),
        ("a loop in place of a recursion", "no part is about the recursion of hanoi", |c| {
            hanoi(c)["head"] = 0.into();
        }),
        ("another function", "no part is about the recursion of hanoi", |c| {
            hanoi(c)["function"] = 999.into();
        }),
        ("a function that does not call itself", "there is no such loop or recursion", |c| {
            let mut more = hanoi(c).clone();
            more["function"] = 998.into();
            parts(c).push(more);
        }),
        ("any argument", "", |c| {
            drop(hanoi(c).as_object_mut().expect("a part").remove("scope"));
        }),
        ("no ranking", "", |c| {
            hanoi(c)["ranking"]["heads"][0]["ranking"] = json!([]);
        }),
        ("no heads", "", |c| hanoi(c)["ranking"]["heads"] = json!([])),
        ("the ranking of another recursion", "", |c| {
            let other = choose(c)["ranking"].clone();
            hanoi(c)["ranking"] = other;
        }),
        ("a recursion twice", "two of its parts", |c| {
            let again = choose(c).clone();
            parts(c).push(again);
        }),
        ("a scope that is not there", "this is not a certificate", |c| {
            hanoi(c)["scope"]["everything"] = true.into();
        }),
    ];
    refuse_tampered(&folder, &original, &all);
}
