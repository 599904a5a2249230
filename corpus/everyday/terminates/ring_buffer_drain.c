// Ends: the producer runs a fixed number of times and the drain lowers the fill count by one each time.
#include <stdbool.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

#define CAP 8

struct ring {
    int data[CAP];
    unsigned head, count;
};

static bool push(struct ring *r, int v)
{
    if (r->count == CAP)
        return false;
    r->data[(r->head + r->count) % CAP] = v;
    r->count++;
    return true;
}

static bool pop(struct ring *r, int *v)
{
    if (r->count == 0)
        return false;
    *v = r->data[r->head];
    r->head = (r->head + 1) % CAP;
    r->count--;
    return true;
}

int main(void)
{
    struct ring r = { .head = 0, .count = 0 };
    int dropped = 0, v;
    for (int i = 0; i < 30; i++) {
        if (!push(&r, __VERIFIER_nondet_int()))
            dropped++;
        if (__VERIFIER_nondet_int() % 3 == 0)
            pop(&r, &v);
    }
    while (pop(&r, &v))
        printf("%d\n", v);
    printf("%d dropped\n", dropped);
    return 0;
}
