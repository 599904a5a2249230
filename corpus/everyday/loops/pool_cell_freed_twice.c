// Endless if the same cell is given back twice: it becomes its own successor in the free list.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define CELLS 10
#define NIL (-1)

static int next[CELLS];
static int first_free = NIL;

static void give_back(int cell)
{
    next[cell] = first_free;
    first_free = cell;
}

static unsigned count_free(void)
{
    unsigned n = 0;
    int c = first_free;
    while (c != NIL) {
        n++;
        c = next[c];
    }
    return n;
}

int main(void)
{
    for (int i = 0; i < 4; i++)
        give_back((int)(__VERIFIER_nondet_uint() % CELLS));
    printf("%u cells free\n", count_free());
    return 0;
}
