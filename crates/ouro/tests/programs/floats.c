// float and double: arithmetic, rounding, conversions, comparisons, special values.
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void bits(double x) {
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    printf("%016llx\n", (unsigned long long)b);
}

static double root(double x) {
    double guess = x / 2;
    for (int i = 0; i < 20; i++) guess = (guess + x / guess) / 2;
    return guess;
}

int main(void) {
    bits(0.1 + 0.2);
    bits(1.0 / 3);
    bits((float)0.1);
    bits(-0.0);
    bits(1e308 * 10);
    bits(5e-324 / 2);
    bits(root(2));
    float f = 16777216.0f;
    f += 1.0f;
    printf("%.1f %.9g %.17g\n", f, 0.1f, 0.1);
    printf("%d %d %d\n", (int)3.99, (int)-3.99, (int)1e9f);
    printf("%u %llu %lld\n", (unsigned)4e9, (unsigned long long)1.8e19, (long long)-9e18);
    printf("%.1f %.1f %.1f\n", (double)UINT64_MAX, (double)INT64_MIN, (double)(float)123456789);
    printf("%.1f %.1f\n", (float)9007199254740993ll, (double)9007199254740993ll);
    double inf = INFINITY, nan = NAN;
    printf("%d %d %d %d\n", inf > DBL_MAX, nan == nan, nan < 1, !(nan >= 1));
    printf("%d %d %d\n", -0.0 == 0.0, isnan(nan), isinf(-inf));
    printf("%f %F %e\n", inf, -inf, inf);
    printf("%g %g %g %g\n", fabs(-2.5), floor(-2.5), ceil(-2.5), trunc(-2.5));
    printf("%g %g %g %g\n", round(2.5), round(-2.5), rint(2.5), rint(3.5));
    printf("%g %g %g\n", sqrt(2.25), fmod(10.5, 3), fmod(-10.5, 3));
    printf("%g %g\n", fmax(1, 2), fmin(nan, 2));
    double sum = 0;
    for (int i = 1; i <= 100; i++) sum += 1.0 / i;
    printf("%.15f\n", sum);
    float single = 0;
    for (int i = 1; i <= 100; i++) single += 1.0f / i;
    printf("%.8f\n", single);
    printf("%d %d\n", 0.1f == 0.1, 0.5f == 0.5);
    printf("%d %d\n", (_Bool)0.1, !0.0);
    int i = 7;
    i /= 2.0;
    i *= 1.5f;
    printf("%d %g\n", i, i / 2 + i / 2.0);
    printf("%.3e %a\n", DBL_MAX, 1.0);
    printf("%d %d\n", FLT_DIG, DBL_MANT_DIG);
    char c = (char)65.7;
    printf("%c %g\n", c, c * 1.5);
    return 0;
}
