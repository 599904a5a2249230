// What gcc -O0 -fwrapv computes with integers that leave their range, and with shifts by too much.
// Counts and operands come from memory that the compiler does not look through.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int ints[] = {0, 1, -1, 5, -5, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257,
                              -31, -32, -33, -64, 46341, -46341, 65536, 1073741824, -1073741824,
                              INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1};
#define COUNT (int)(sizeof ints / sizeof *ints)

static volatile long long longs[] = {0, 1, -1, 63, 64, 65, -64, 3037000500LL, 4294967296LL,
                                     LLONG_MAX, LLONG_MIN, LLONG_MIN + 1};
#define LONG_COUNT (int)(sizeof longs / sizeof *longs)

static void pairs(void)
{
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++) {
            int a = ints[i], b = ints[j];
            printf("%d %d: %d %d %d ", a, b, a + b, a - b, a * b);
            printf("%d %d %u ", a << b, a >> b, (unsigned)a >> b);
            printf("%d %d ", (short)a << b, (signed char)a >> b);
            if (b != 0 && !(a == INT_MIN && b == -1))
                printf("%d %d", a / b, a % b);
            printf("\n");
        }
}

static void long_pairs(void)
{
    for (int i = 0; i < LONG_COUNT; i++)
        for (int j = 0; j < LONG_COUNT; j++) {
            long long a = longs[i], b = longs[j];
            printf("%lld %lld: %lld %lld %lld ", a, b, a + b, a - b, a * b);
            printf("%lld %lld %llu ", a << b, a >> b, (unsigned long long)a >> b);
            printf("%d\n", ints[4] << b);
        }
}

static void steps(void)
{
    int i = ints[COUNT - 4];
    long l = LONG_MAX;
    long long ll = longs[LONG_COUNT - 3];
    short s = SHRT_MAX;
    signed char c = SCHAR_MIN;
    i++, l++, ll++, s++, c--;
    printf("%d %ld %lld %d %d\n", i, l, ll, s, c);
    i--, --l, ll -= 2, s -= 3, c += 2;
    printf("%d %ld %lld %d %d\n", i, l, ll, s, c);
    s <<= ints[7], c >>= ints[12];
    printf("%d %d\n", s, c);
    struct { int low : 5; int high : 27; } fields = {15, 67108863};
    fields.low++, fields.high++;
    printf("%d %d %d\n", fields.low, fields.high, fields.low << ints[7]);
}

/* Shifts by numbers that are in the text; at -O0 they are made as they stand. */
static void constants(int x, unsigned u, long long l)
{
    printf("%d %d %d %u %lld %lld\n", x << 32, x >> 33, x << -1, u >> 35, l << 65, l >> 127);
}

static void least(void)
{
    int i = ints[COUNT - 2];
    long l = LONG_MIN;
    long long ll = longs[LONG_COUNT - 2];
    printf("%d %ld %lld\n", -i, -l, -ll);
    printf("%d %ld %lld\n", abs(i), labs(l), llabs(ll));
    printf("%d %d %lld %lld\n", i / -1, i % -1, ll / -1, ll % -1);
}

int main(void)
{
    pairs();
    long_pairs();
    steps();
    constants(5, 77, -500);
    constants(INT_MIN, UINT_MAX, LLONG_MIN);
    least();
    return 0;
}
