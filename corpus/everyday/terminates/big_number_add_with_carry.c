// Ends: the digit index rises to both lengths, and the carry can add one digit more only.
#include <stdint.h>
#include <stdio.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define LIMBS 16

struct big {
    int n;
    uint32_t limb[LIMBS + 1];
};

static void arbitrary(struct big *b)
{
    b->n = (int)(__VERIFIER_nondet_uint() % (LIMBS + 1));
    for (int i = 0; i < b->n; i++)
        b->limb[i] = __VERIFIER_nondet_uint();
}

static void normalise(struct big *b)
{
    while (b->n > 0 && b->limb[b->n - 1] == 0)
        b->n--;
}

static void add(const struct big *a, const struct big *b, struct big *sum)
{
    uint64_t carry = 0;
    int i = 0;
    while (i < a->n || i < b->n || carry) {
        if (i < a->n)
            carry += a->limb[i];
        if (i < b->n)
            carry += b->limb[i];
        sum->limb[i++] = (uint32_t)carry;
        carry >>= 32;
    }
    sum->n = i;
}

int main(void)
{
    struct big a, b, c;
    arbitrary(&a);
    arbitrary(&b);
    add(&a, &b, &c);
    normalise(&c);
    printf("%d limbs\n", c.n);
    return 0;
}
