// Endless once the buffer was filled to its end: the tail becomes 8, which the wrapped head never is.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define CAP 8

static int data[CAP];
static int head, tail;

static void put(int v)
{
    if (tail == CAP)
        return;
    data[tail] = v;
    tail = tail + 1;
}

static int get(void)
{
    int v = data[head];
    head = (head + 1) % CAP;
    return v;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 20; i++)
        put(__VERIFIER_nondet_int());
    while (head != tail)
        printf("%d\n", get());
    return 0;
}
