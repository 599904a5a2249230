// Ends: the remainders r form a falling sequence of naturals.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static long inverse(long a, long m)
{
    long r0 = m, r1 = a % m;
    long t0 = 0, t1 = 1;
    while (r1 > 0) {
        long q = r0 / r1;
        long r2 = r0 - q * r1;
        long t2 = t0 - q * t1;
        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
    }
    if (r0 != 1)
        return -1;
    return t0 < 0 ? t0 + m : t0;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    if (a < 0 || m < 2 || m > 1000000)
        return 1;
    long inv = inverse(a, m);
    if (inv < 0)
        puts("no inverse");
    else
        printf("%ld\n", inv);
    return 0;
}
