/* Loops that look endless and are not: the second argument is a seed, and bounds are large. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; };
static int bounded(int x, unsigned y, unsigned bound) { while (y < bound) { x = (x * x + 2) % 10; y++; } return x; }
static int until_overflow(int y) { volatile int steps = 0; while (y > 0) { y = (int)((unsigned)y + 1u); steps++; } return steps; }
static int find(struct node *p, int x, unsigned long bound) { unsigned long i = 0; while (p && i != bound) { if (p->data == x) return 1; i++; p = p->next; } return 0; }
static int nested(unsigned long bound) { unsigned total = 0; unsigned long i = 0; while (i * i < bound) { for (int j = 0; j < 10; j++) total += j; i++; } return total; }
static int lcg(unsigned long seed, unsigned long stop) { unsigned long n = 0; while ((seed >> 33) != stop) { seed = seed * 6364136223846793005ul + 1442695040888963407ul; n++; } return n; }
static int shrink(double x) { unsigned long n = 0; while (x > 1.0) { x -= 1e-7; n++; } return n; }
static int text(unsigned long bound) { static char a[64]; unsigned long n = 0; while (strtoul(a, 0, 10) < bound) { n++; snprintf(a, sizeof a, "%lu", n); } return n; }
static int masked(unsigned long i) { while ((i & 0xffffffffful) != 0) i++; return i; }
static void work(void) { for (volatile int i = 0; i < 2000; i++) { } }
static int descend(int n) { volatile int x = n; work(); work(); work(); return n == 0 ? 0 : descend(n - 1) + x; }
static int allocate(unsigned long bound) { unsigned long n = 0; char *last = 0; while (n < bound) { char *p = malloc(16); if (p == last) return 0; last = p; n++; work(); } return n; }
static int chain(int bound) { struct node *last = malloc(sizeof *last); last->data = 0; while (last->data < bound) { struct node *n = malloc(sizeof *n); n->data = last->data + 1; n->next = last; last = n; work(); } return last->data; }
static int scan(unsigned long bound) { static unsigned char a[256]; unsigned long n = 0; for (;;) { unsigned char *p = malloc(8); p[0] = a[n & 255]++; if (p[0] == 255 && n > bound) return n; free(p); n++; } }
int main(int argc, char **argv) {
    int which = atoi(argv[1]); unsigned long seed = argc > 2 ? strtoul(argv[2], 0, 10) : 1;
    struct node a = { 1, 0 }, b = { 2, &a }; a.next = &b;
    switch (which % 12) {
    case 0: return bounded(seed % 10, seed % 1000, 4000000000u - seed);
    case 1: return until_overflow(1 + seed % 1000);
    case 2: return find(&a, 77, 20000000000ul + seed);
    case 3: return nested(1000000000000000000ul + seed);
    case 4: return lcg(seed, seed % 977);
    case 5: return shrink(400.0 + seed);
    case 6: return text(100000000ul + seed);
    case 7: return masked(seed);
    case 8: return descend(60000 + seed % 1000);
    case 9: return allocate(100000000ul + seed);
    case 10: return chain(100000000 + seed);
    case 11: return scan(10000000000ul + seed); }
}
