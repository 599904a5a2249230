// Ends: every element is marked when it is moved, and a cycle stops at a marked one.
#include <stdbool.h>
#include <stdio.h>

#define ROWS 4
#define COLS 7
#define SIZE (ROWS * COLS)

extern int __VERIFIER_nondet_int(void);

static int m[SIZE];
static bool moved[SIZE];

static int target(int i)
{
    return i % COLS * ROWS + i / COLS;
}

static void follow(int start)
{
    int i = start;
    int carried = m[start];
    while (!moved[i]) {
        int to = target(i);
        int t = m[to];
        m[to] = carried;
        carried = t;
        moved[i] = true;
        i = to;
    }
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        m[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < SIZE; i++)
        follow(i);
    printf("%d %d\n", m[0], m[SIZE - 1]);
    return 0;
}
