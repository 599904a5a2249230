/* Loops after LOOPER's cases; the first argument chooses one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
static struct node *ring(int n) {
    struct node *first = malloc(sizeof *first), *last = first; first->data = 0;
    for (int i = 1; i < n; i++) { last->next = malloc(sizeof *last); last = last->next; last->data = i; }
    last->next = first; return first;
}
/* After LOOPER's figure 1, whose counter is in the condition and has no bounds: here it is unsigned and decides nothing,
   and in the next one it decides and never can. The figure itself is in corpus/papers. */
static int bounded(int x, unsigned y) { while (x != 3) { x = (x * x + 2) % 10; y++; } return x + y; }
static int counter_guard(int x, unsigned long y) { while (x != 3 && (y | 1) > 0) { x = (x * x + 2) % 10; y += 2; } return x; }
static int find(struct node *p, int x) { int index = 0; while (p) { if (p->data == x) return index; index++; p = p->next; } return -1; }
struct match { int start, end; struct match *next; };
/* Some work each time, so that memory lasts. */
static void work(int n) { for (volatile int i = 0; i < n; i++) { } }
static struct match *search(const char *text, const char *pattern) {
    struct match *all = 0; size_t offset = 0, n = strlen(text), m = strlen(pattern);
    while (offset <= n) { const char *f = strstr(text + offset, pattern); if (!f) break;
        struct match *r = malloc(sizeof *r); r->start = f - text; r->end = r->start + m; r->next = all; all = r; offset = r->end; work(1000); }
    return all;
}
static int search_static(const char *text, const char *pattern) {
    static struct match results[8]; unsigned count = 0; size_t offset = 0, n = strlen(text), m = strlen(pattern);
    while (offset <= n) { const char *f = strstr(text + offset, pattern); if (!f) break;
        struct match *r = &results[count++ % 8]; r->start = f - text; r->end = r->start + m; offset = r->end; }
    return count;
}
struct reader { const char *data; size_t at, size; int eof; };
static const char *next_item(struct reader *r) { if (r->at >= r->size) { r->eof = 1; return 0; } return r->data + r->at++; }
static int read_item(struct reader *r) { const char *item = 0; while (item == 0) item = next_item(r); return *item; }
enum { LOAD, NEXT, TEST, JUMP, FOUND, END };
static int interpret(const int *code, struct node *head, int x) {
    struct node *p = 0; int pc = 0; unsigned long steps = 0;
    for (;;) { steps++; switch (code[pc]) { case LOAD: p = head; pc++; break; case NEXT: p = p->next; pc++; break;
        case TEST: pc = p == 0 ? code[pc + 2] : p->data == x ? code[pc + 1] : pc + 3; break; case JUMP: pc = code[pc + 1]; break;
        case FOUND: return 1; case END: return 0; } }
}
static int nested(volatile int *go) { unsigned total = 0; while (*go) { for (int i = 0; i < 10; i++) total += i; } return total; }
static int nested_counter(int limit) { unsigned total = 0; int i = 0; while (i < limit) { for (int j = 0; j < 20; j++) total += j * i; if (i == 5) i = 0; i++; } return total; }
__attribute__((noinline)) static int recurse(int a) { volatile int x = a; work(8000); return recurse(x + 1) + x; }
static int strloop(void) { static char a[300]; memset(a, 'x', 299); unsigned long n = 0; while (strlen(a) != 5) n++; return n; }
static int flag(void) { static volatile int stop; while (!stop) { } return 0; }
static int step2(int i) { while (i != 10) i += 2; return i; }
static int down(unsigned i) { unsigned n = 0; while (i >= 0u) { i--; n += 3; } return n; }
static int fp(double x) { unsigned long n = 0; while (x < 1e9) { x = x * 0.5 + 1; n++; } return n; }
static int collatzish(unsigned x) { unsigned long n = 0; while (x != 0) { if (x & 1) x = 3 * x + 1; else x >>= 1; if (x == 0) break; n++; } return n; }
int main(int argc, char **argv) {
    int c = atoi(argv[1]); volatile int go = 1, seed = 8;
    static const int program[] = { LOAD, TEST, 7, 8, NEXT, JUMP, 1, FOUND, END };
    struct reader r = { "abc", 3, 3, 0 };
    switch (c) {
    case 0: return bounded(seed, 52); case 1: return counter_guard(seed, 52); case 2: return find(ring(3), 77);
    case 3: return search("hello", "") != 0; case 4: return search_static("hello", ""); case 5: return read_item(&r);
    case 6: return interpret(program, ring(5), 77); case 7: return nested(&go); case 8: return nested_counter(seed + 100);
    case 9: return recurse(1); case 10: return strloop(); case 11: return flag(); case 12: return step2(seed - 7);
    case 13: return down(seed); case 14: return fp(seed); case 15: return collatzish(seed - 1); }
}
