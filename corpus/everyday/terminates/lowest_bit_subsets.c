// Ends: the submask counts down from the mask to zero, and lowest bits are removed one by one.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int bit_index(unsigned bit)
{
    int i = 0;
    while ((bit >> i) != 1)
        i++;
    return i;
}

static void print_set(unsigned set)
{
    while (set != 0) {
        unsigned low = set & -set;
        printf("%d ", bit_index(low));
        set ^= low;
    }
    putchar('\n');
}

int main(void)
{
    unsigned mask = __VERIFIER_nondet_uchar();
    for (unsigned sub = mask; sub != 0; sub = (sub - 1) & mask)
        print_set(sub);
    return 0;
}
