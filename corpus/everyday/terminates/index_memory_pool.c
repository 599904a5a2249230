// Ends: the free list links every cell to the next higher index, and it is rebuilt before it is counted.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define CELLS 20
#define NIL (-1)

struct pool {
    int next[CELLS];
    int used[CELLS];
    int free;
};

static void rebuild(struct pool *p)
{
    p->free = NIL;
    for (int i = CELLS - 1; i >= 0; i--)
        if (!p->used[i]) {
            p->next[i] = p->free;
            p->free = i;
        }
}

static int take(struct pool *p)
{
    int i = p->free;
    if (i != NIL) {
        p->free = p->next[i];
        p->used[i] = 1;
    }
    return i;
}

static int count_free(const struct pool *p)
{
    int n = 0;
    for (int i = p->free; i != NIL; i = p->next[i])
        n++;
    return n;
}

int main(void)
{
    struct pool p = { .used = {0} };
    rebuild(&p);
    for (int k = 0; k < 15; k++)
        take(&p);
    for (int i = 0; i < CELLS; i++)
        if (__VERIFIER_nondet_int() == 0)
            p.used[i] = 0;
    rebuild(&p);
    printf("%d free\n", count_free(&p));
    return 0;
}
