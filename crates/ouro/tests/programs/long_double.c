// long double, the x87's 80 bits: arithmetic, conversions, in structures and arguments.
#include <stdio.h>

struct mixed {
    char c;
    long double value;
    short s;
};

static long double power(long double x, int n) { return n ? x * power(x, n - 1) : 1; }

static struct mixed scaled(struct mixed m, long double by) {
    m.value *= by;
    m.s++;
    return m;
}

int main(void) {
    long double third = 1.0L / 3;
    printf("%.20Lf %.17g %.9g\n", third, (double)third, (float)third);
    printf("%.18Lg\n", power(1.1L, 50));
    printf("%Lg %d\n", power(10, 4000), power(10, 4000) > 1e308L);
    long long big = 9223372036854775807;
    volatile double rounded = big;
    printf("%lld %d\n", (long long)(long double)big, (long double)big == rounded);
    printf("%llu\n", (unsigned long long)18446744073709551615.0L);
    printf("%d %d\n", (int)-2.9L, third * 3 == 1);
    struct mixed m = scaled((struct mixed){'x', 2.5L, 7}, 4);
    printf("%c %.1Lf %d\n", m.c, m.value, m.s);
    long double table[3] = {1, 2, 3}, sum = 0;
    for (int i = 0; i < 3; i++) sum += table[i] / (i + 2);
    printf("%.15Lf\n", sum);
    printf("%.3Le %LG\n", 123456.789L, 1e-10L);
    return 0;
}
