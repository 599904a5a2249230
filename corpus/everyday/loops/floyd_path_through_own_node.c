// Endless for the start 0: the successor table leads back from 2 to 0 and the goal is never met.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define V 6

static const int next[V] = {1, 2, 0, 4, 5, 5};

static int hops(int from, int to)
{
    int n = 0;
    while (from != to) {
        from = next[from];
        if (n < V)
            n++;
    }
    return n;
}

int main(void)
{
    int from = __VERIFIER_nondet_int();
    if (from < 0 || from >= V)
        return 1;
    printf("%d\n", hops(from, V - 1));
    return 0;
}
