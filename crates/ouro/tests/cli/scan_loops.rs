//! Loops on their own, of which `scan` may assume things: what the code refutes, what it does not, what integers do.

use std::fs;

use serde_json::Value;

use crate::Folder;
use crate::scan::{findings, scan};

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
void some_part(struct list *s, int k) { for (int i = 0; i < s->parts[k].n; i++) s->parts[i & 7].n += 9; }
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
    ["the loops inside it terminate", "form no cycle", "although it is passed the address"];

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
    let linked = |one: &&Value| one["assumed"].to_string().contains("form no cycle");
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
struct head { struct head *next; };
struct item { int a; long pad; struct head list; };
struct wide { long n[2]; struct wide *to[3]; };
#define ITEM(p) ((struct item *)((char *)(p) - __builtin_offsetof(struct item, list)))
#define LINK(a, b) do { (a)->next = (b); } while (0)
static struct node *cursor;
static struct head *fresh(void) { struct head *n = malloc(sizeof(struct item)); if (!n) exit(1); return n; }
static void head_add(struct head *n, struct head *at) { n->next = at->next; at->next = n; }
static void tie(struct node **at) { struct node *e = *at; e->next = e; }
static void tie_cursor(void) { cursor->next = cursor; }
static void written(char *to, struct node *h) { sprintf(to, "%p", (void *)h); }
static void deep(struct node *a, int d) { if (d > 0) deep(a, d - 1); else a->next = a; }
static void apply(struct node *a, void (*f)(struct node *)) { f(a); }
static void swap(struct node *a, struct node *b) { struct node *t = a->next; a->next = b->next; b->next = t; }
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
void falls_below(char *s, char *e) { while (e >= s) e--; }
void falls_past(int *s, int *e) { while (e > s) e -= 2; }
void room_for_nothing(FILE *f) { char b[1]; while (fgets(b, sizeof b, f)) ; }
int jumps_over(void) { int a[4]; int n = 0; for (int *p = a; p != a + 3; p += 2) n++; return n; }
int starts_behind(void) { char a[4]; int n = 0; for (char *p = a + 1; p != a; p++) n++; return n; }
int never_below(void) { int a[4]; int n = 0; for (int *p = a; p >= a; p++) n++; return n; }
int keep(void) { return two[0].n; }
void by_place(struct node **at) { while (*at) { struct node *e = *at; e->next = e; at = &e->next; } }
void by_place_too(struct node **at) { while (*at) { tie(at); at = &(*at)->next; } }
void by_place_copied(struct node **at) { for (; *at; at = &(*at)->next) { struct node *e = *at; memcpy(&e->next, &e, sizeof e); } }
void around(struct item *h) { for (struct item *p = h; p; p = ITEM(p->list.next)) { struct head *l = p->list.next; l->next = &p->list; } }
void around_helped(struct item *h) { for (struct item *p = h; p; p = ITEM(p->list.next)) head_add(fresh(), p->list.next); }
void text(struct node *h) { for (struct node *p = h; p; p = p->next) sprintf((char *)p, "%p", (void *)h); }
void text_helped(struct node *h) { for (struct node *p = h; p; p = p->next) written((char *)p, h); }
void by_macro(struct node *h) { for (struct node *p = h; p; p = p->next) LINK(p, h); }
void recursive(struct node *h) { for (struct node *p = h; p; p = p->next) deep(p, 3); }
void applied(struct node *h) { for (struct node *p = h; p; p = p->next) apply(p, itself); }
void swapped(struct node *h, struct node *q) { for (struct node *p = h; p; p = p->next) swap(p, q); }
void kept_in_static(struct node *h) { for (struct node *p = h; p; p = p->next) { cursor = p; tie_cursor(); } }
void some_member(struct wide *h, int k) { for (struct wide *p = h; p; p = p->to[1]) p->to[k] = p; }
void around_its_member(struct wide *h, struct wide *q) { for (struct wide *p = h; p; p = p->to[1]) memcpy(&p->to, &q->to, sizeof p->to); }
void turned(struct node *p) { while (p) { struct node *q = p->next; q->next = p; p = q; } }
void by_goto(struct node *p) { again: if (p) { p->next = p; p = p->next; goto again; } }
struct queue { struct node *first; struct node **last; };
static void append(struct queue *q, struct node *n) { *q->last = n; }
void at_its_end(struct queue *q) { for (struct node *p = q->first; p; p = p->next) *q->last = q->first; }
void at_its_end_before(struct queue *q) { *q->last = q->first; for (struct node *p = q->first; p; p = p->next) ; }
void at_its_end_helped(struct node *h, struct queue *q) { q->last = &h->next; append(q, h); for (struct node *p = h; p; p = p->next) ; }
struct port { FILE *in; int fd; };
static void emit(int c, FILE *f) { fputc(c, f); }
static void reply(struct port *p) { fputs("x", p->in); }
void writes(FILE *f) { int c; while ((c = getc(f)) != EOF) { fputc(c, f); fputc(c, f); } }
void writes_helped(FILE *f) { int c; while ((c = getc(f)) != EOF) emit(c, f); }
void writes_found(struct port *p) { while (getc(p->in) != EOF) reply(p); }
void writes_number(struct port *p) { char b[1]; while (read(p->fd, b, 1) > 0) write(p->fd, b, 1); }
"#;

/// A device without an end, which the loop itself does not name.
const ENDLESS_DEVICE: &str = r#"
#include <stdio.h>
static const char *const name = "/dev/zero";
static FILE *opened(void) { return fopen(name, "r"); }
void endless_device(void) { FILE *f = opened(); if (!f) return; while (getc(f) != EOF) ; }
"#;

#[test]
fn what_the_code_refutes_is_not_assumed() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/refuted.c", REFUTED);
    folder.write("src/endless.c", ENDLESS_DEVICE);
    let outcome =
        folder.ouro(&["scan", "src", "--no-cache", "--format", "json", "--timeout", "500ms"]);
    let all = findings(&outcome);
    // A helper with a loop of its own, and one that calls itself.
    let hostile = |one: &&Value| one["function"] != "bytes" && one["function"] != "deep";
    assert_eq!(all.iter().filter(hostile).count(), 68, "{}", outcome.stderr);
    for finding in all.iter().filter(hostile) {
        assert_ne!(finding["verdict"], "terminates", "{finding}");
    }
}

/// Loops whose bound a write changes by another way to the same object, which the code itself makes: through memory, in
/// a helper, by a copy. None may be assumed to leave the bound alone.
const ALIASED: &str = r#"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct list { int n; int cap; long k; struct list *self; int a[8]; };
union word { struct list *p; uintptr_t w; };
static struct list *all, one, *table[4];
static struct list *same(struct list *p) { return p; }
static struct list *whole(void) { return all; }
static void keep(struct list *p) { all = p; }
static void keep_deep(struct list *p) { keep(p); }
static void own(struct list *p, struct list *q) { p->self = q; }
static void grow(void) { all->n++; }
static void grow_deep(void) { grow(); }
static void grow_own(struct list *p) { p->self->n++; }
static int *place(struct list *p) { return &p->n; }
static void grow_number(uintptr_t w) { ((struct list *)w)->n++; }
static int compare(const void *a, const void *b) { all->n++; return 0; }
static void (*hook)(void) = grow;
void stored(struct list *s) { all = s; for (int i = 0; i < s->n; i++) grow(); }
void stored_deep(struct list *s) { all = s; for (int i = 0; i < s->n; i++) grow_deep(); }
void stored_helped(struct list *s) { keep(s); for (int i = 0; i < s->n; i++) grow(); }
void stored_helped_deep(struct list *s) { keep_deep(s); for (int i = 0; i < s->n; i++) all->n++; }
void stored_by_place(struct list *s) { struct list **at = &all; *at = s; for (int i = 0; i < s->n; i++) grow(); }
void hooked(struct list *s) { all = s; for (int i = 0; i < s->n; i++) hook(); }
void member(struct list *s) { s->self = s; for (int i = 0; i < s->n; i++) s->self->n++; }
void member_helped(struct list *s) { own(s, s); for (int i = 0; i < s->n; i++) grow_own(s); }
void returned(struct list *s) { struct list *t = same(s); for (int i = 0; i < s->n; i++) t->n++; }
void number(struct list *s) { struct list *t = (struct list *)(uintptr_t)s; for (int i = 0; i < s->n; i++) t->n++; }
void number_passed(struct list *s) { for (int i = 0; i < s->n; i++) grow_number((uintptr_t)s); }
void of_union(struct list *s) { union word x; x.w = (uintptr_t)s; for (int i = 0; i < s->n; i++) x.p->n++; }
void in_array(struct list *s) { struct list *v[2] = { s, s }; for (int i = 0; i < s->n; i++) v[i & 1]->n++; }
void in_structure(struct list *s) { struct { struct list *p; } w = { s }; for (int i = 0; i < s->n; i++) w.p->n++; }
void in_copy(struct list *s) { struct list t = *s; t.self = s; struct list u = t; for (int i = 0; i < s->n; i++) u.self->n++; }
void copied(struct list *s) { struct list *t; memcpy(&t, &s, sizeof s); for (int i = 0; i < s->n; i++) t->n++; }
void watched(struct list *s) { struct list *volatile t = s; for (int i = 0; i < s->n; i++) t->n++; }
void by_place(struct list *s) { int *p = place(s); for (int i = 0; i < s->n; i++) ++*p; }
void by_place_again(struct list *s) { for (int i = 0; i < s->n; i++) ++*place(s); }
void compared(struct list *s, struct list *t) { if (t != s) return; for (int i = 0; i < s->n; i++) t->n++; }
void compared_member(struct list *s) { struct list *t = s->self; if (t != s) return; for (int i = 0; i < s->n; i++) t->n++; }
void of_static(void) { all = &one; for (int i = 0; i < one.n; i++) grow(); }
void found(void) { for (int i = 0; i < all->n; i++) whole()->n++; }
void found_before(void) { struct list *s = all; for (int i = 0; i < s->n; i++) all->n++; }
void of_table(int k) { struct list *s = table[k]; for (int i = 0; i < s->n; i++) table[k]->n++; }
void of_table_twice(int k, int j) { if (j != k) return; for (int i = 0; i < table[k]->n; i++) table[j]->n++; }
void sorted(struct list *s) { all = s; int v[2] = { 1, 2 }; for (int i = 0; i < s->n; i++) qsort(v, 2, 4, compare); }
"#;

#[test]
fn a_write_by_another_way_to_the_same_object_is_not_assumed_away() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/aliased.c", ALIASED);
    let outcome =
        folder.ouro(&["scan", "src", "--no-cache", "--format", "json", "--timeout", "1s"]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 27, "{}", outcome.stderr);
    for finding in &all {
        assert_ne!(finding["verdict"], "terminates", "{finding}");
    }
}

/// Loops that write through an address kept in an object, which the file sets to a place in the object itself.
const OWN_PLACES: &str = r#"
#include <string.h>
struct list { int z; int n; int *p; };
struct around { long a, b; struct list in; };
static struct list *all, *table[4];
static void bump(struct list *l, int v) { *l->p = v; }
static void bump_deep(struct list *l, int v) { bump(l, v); }
static int *number(struct list *l) { return &l->n; }
static void init_both(struct list *l, struct list *m) { l->p = &m->n; }
void begin(struct list *l, int k) { MADE }
void direct(struct list *l) { for (int i = 0; i < l->n; i++) *l->p = i + 5; }
void held(struct list *l) { int *q = l->p; for (int i = 0; i < l->n; i++) *q = i + 5; }
void helped(struct list *l) { for (int i = 0; i < l->n; i++) bump(l, i + 5); }
void helped_deep(struct list *l) { for (int i = 0; i < l->n; i++) bump_deep(l, i + 5); }
void nested(struct around *w) { for (int i = 0; i < w->in.n; i++) *w->in.p = i + 5; }
void nested_helped(struct around *w) { for (int i = 0; i < w->in.n; i++) bump(&w->in, i + 5); }
void nested_deep(struct around *w) { for (int i = 0; i < w->in.n; i++) bump_deep(&w->in, i + 5); }
void either(struct around *w, struct list *l, int k) { for (int i = 0; i < l->n; i++) bump(k ? &w->in : l, i + 5); }
void element(struct list *l, int k) { for (int i = 0; i < l[k].n; i++) *l[k].p = i + 5; }
void element_helped(struct list *l, int k) { for (int i = 0; i < l[k].n; i++) bump(&l[k], i + 5); }
void global(void) { for (int i = 0; i < all->n; i++) *all->p = i + 5; }
void of_table(int k) { for (int i = 0; i < table[k]->n; i++) *table[k]->p = i + 5; }
void copied(struct list *l) { for (int i = 0; i < l->n; i++) { int v = i + 5; memcpy(l->p, &v, sizeof v); } }
"#;

/// Arrays beside lists that keep addresses of themselves, which the arrays do not.
const NO_OWN_PLACES: &str = r#"
struct link { struct link *next, *prev; };
struct array { int n; int *a; };
struct room { int room; int n; int *a; };
void init(struct link *l) { l->next = l; l->prev = l; }
void clears(struct array *v) { for (int i = 0; i < v->n; i++) v->a[i] = 0; }
void clears_too(struct room *v) { for (int i = 0; i < v->n; i++) v->a[i] = 0; }
"#;

#[test]
fn an_address_that_an_object_keeps_of_itself_leads_into_it() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    let made =
        ["l->p = &l->n;", "l->p = number(l);", "init_both(l, l);", "table[k]->p = &table[k]->n;"];
    for (number, made) in made.iter().enumerate() {
        folder.write(&format!("src/own{number}.c"), OWN_PLACES.replace("MADE", made));
    }
    folder.write("src/apart.c", NO_OWN_PLACES);
    let outcome =
        folder.ouro(&["scan", "src", "--no-cache", "--format", "json", "--timeout", "1s"]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 4 * 13 + 2, "{}", outcome.stderr);
    for finding in &all {
        let is_apart = finding["function"].as_str().is_some_and(|one| one.starts_with("clears"));
        assert_eq!(finding["verdict"] == "terminates", is_apart, "{finding}");
    }
}

/// Loops with two objects of one kind, which nothing in the code makes the same one.
const APART: &str = r#"
#include <stdlib.h>
struct list { int n; int cap; int *a; struct list *other; };
static struct list *made(void) { struct list *p = calloc(1, sizeof *p); if (!p) exit(1); return p; }
static void append(struct list *l, int x) { l->a[l->n] = x; l->n++; }
static int length(const struct list *l) { return l->n; }
void passed(struct list *to, struct list *from) { for (int i = 0; i < from->n; i++) to->n++; }
void helped(struct list *to, struct list *from) { for (int i = 0; i < from->n; i++) append(to, from->a[i]); }
void both(struct list *to, struct list *from) { length(to); length(from); for (int i = 0; i < from->n; i++) append(to, i); }
void fresh(struct list *from) { struct list *to = made(); to->other = made(); for (int i = 0; i < from->n; i++) to->n++; }
void elements(struct list *l) { for (int i = 0; i < l->n; i++) l->a[i] = 0; }
"#;

#[test]
fn objects_that_nothing_makes_the_same_are_assumed_apart() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/apart.c", APART);
    let outcome = scan(&folder, &["--format", "json"]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 5, "{}", outcome.stderr);
    for finding in &all {
        assert_eq!(finding["verdict"], "terminates", "{finding}");
        assert!(finding["assumed"].to_string().contains("does not change"), "{finding}");
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
static volatile int status;
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
int lines(FILE *f, char *b, int room) { int n = 0; while (fgets(b, room, f)) n++; return n; }
void reaches(char *p, char *last) { while (p <= last) p++; }
void finds(struct node **at, int k) { while (*at) { if ((*at)->n == k) return; at = &(*at)->next; } }
int plain(struct list *l) { int n = 0; for (int i = 0; i < l->sum; i++) n ^= i; return n; }
void tells(struct node *h) { for (struct node *p = h; p; p = p->next) status = p->n; }
"#;

#[test]
fn what_the_code_does_not_refute_is_assumed_and_named() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/fine.c", NOT_REFUTED);
    let outcome = scan(&folder, &["--format", "json"]);
    let all = findings(&outcome);
    assert_eq!(all.len(), 16, "{}", outcome.stderr);
    for finding in &all {
        assert_eq!(finding["verdict"], "terminates", "{finding}");
        let assumed = finding["assumed"].as_array().expect("a list");
        let ends = assumed.iter().filter_map(Value::as_str);
        let ends: Vec<&str> = ends.filter(|one| !one.starts_with("volatile")).collect();
        // That something volatile is in the file matters to those alone that read it.
        let watches = finding["function"] == "watches";
        assert_eq!(assumed.len() > ends.len(), watches, "{finding}");
        match finding["function"].as_str().unwrap_or_default() {
            "nth" | "below" | "plain" => assert!(ends.is_empty(), "{finding}"),
            "letters" | "parts" => assert!(ends[0].ends_with("is finite"), "{finding}"),
            "lines" => assert!(ends[0].ends_with("at least one character"), "{finding}"),
            // With the last of all addresses it does not end.
            "reaches" => assert!(ends[0].ends_with("point into objects"), "{finding}"),
            "watches" => assert_eq!((ends.len(), assumed.len()), (0, 1), "{finding}"),
            // Code that is not here is named.
            "visits" => assert!(ends[0].ends_with("nor does the call on line 19"), "{finding}"),
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
            "list" | "released" => "form no cycle",
            "handed" => "although it is passed the address",
            "lines" | "letters" => "is finite",
            // With a negative `n` it is the end of the object that ends it, and that may be far away.
            "indices" => "no signed integer overflows",
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

/// Loops whose end by C's rules rests on signed integers that do not overflow, and others that do not.
const INTEGERS: &str = r#"
void twos(int n) { for (int i = 0; i < n; i += 2) ; }
void doubles(int n) { int i = 1; while (i < n) i *= 2; }
void turns(int x) { while (x < 0) x = -x; }
void width(unsigned max) { int k = 0; while ((int)max > ((1 << k) - 1)) k += 1; }
void up(int n) { for (int i = 0; i < n; i++) ; }
void down(int n) { for (int i = n; i > 0; i -= 3) ; }
void bytes(const char *s) { int n = 0; while (*s++) n += 100; }
int digits(int n) { int d = 0; do { n /= 10; d++; } while (n); return d; }
int search(const int *a, int n, int k) { int lo = 0, hi = n; while (lo < hi) { int m = lo + (hi - lo) / 2; if (a[m] < k) lo = m + 1; else hi = m; } return lo; }
"#;

#[test]
fn what_a_proof_takes_for_granted_of_integers_is_named() {
    let folder = Folder::with(&[]);
    fs::create_dir(folder.path("src")).expect("a folder");
    folder.write("src/integers.c", INTEGERS);
    let outcome = scan(&folder, &["--format", "json", "--certificates", "proofs"]);
    for finding in findings(&outcome) {
        let named = finding["assumed"].to_string().contains("no signed integer overflows on line");
        let proved = finding["verdict"] == "terminates";
        match finding["function"].as_str().unwrap_or_default() {
            "twos" | "doubles" | "turns" | "width" => assert!(named || !proved, "{finding}"),
            // There `hi - lo` overflows in states that nobody makes.
            "search" => {}
            _ => assert!(proved && finding["assumed"] == serde_json::json!([]), "{finding}"),
        }
    }
    // A certificate that keeps it to itself is refused.
    let path = folder.path("proofs/integers-c-turns-0.json");
    let Ok(text) = fs::read_to_string(&path) else { return };
    let accepted = folder.ouro(&["verify", "proofs/integers-c-turns-0.json"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.stderr);
    assert!(accepted.stdout.contains("assumed: no signed integer"), "{}", accepted.stdout);
    let mut value: Value = serde_json::from_str(&text).expect("JSON");
    value["proof"].as_object_mut().expect("a proof").remove("integers");
    fs::write(&path, value.to_string()).expect("a file");
    let refused = folder.ouro(&["verify", "proofs/integers-c-turns-0.json"]);
    assert_ne!(refused.code, Some(0), "{}", refused.stdout);
}
