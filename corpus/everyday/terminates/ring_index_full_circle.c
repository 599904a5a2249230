// Ends: the index modulo the size comes back to its start after exactly size steps.
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define SIZE 16u

static int ring[SIZE];

static unsigned advance(unsigned i)
{
    return (i + 1) & (SIZE - 1);
}

static int sum_from(unsigned start)
{
    int sum = 0;
    unsigned i = start;
    do {
        sum += ring[i];
        i = advance(i);
    } while (i != start);
    return sum;
}

int main(void)
{
    for (unsigned i = 0; i < SIZE; i++)
        ring[i] = (int)(i * i);
    printf("%d\n", sum_from(__VERIFIER_nondet_uint() % SIZE));
    return 0;
}
