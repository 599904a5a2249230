// Endless for 3000000000: the doubled power wraps to zero and stays below n.
#include <stdint.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

static uint32_t round_up(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

int main(void)
{
    uint32_t wanted = __VERIFIER_nondet_uint();
    uint32_t slots = round_up(wanted);
    void *table = calloc(slots & 0xffff, 4);
    if (table == NULL)
        return 1;
    free(table);
    return 0;
}
