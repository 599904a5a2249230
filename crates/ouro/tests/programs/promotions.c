// Integer promotion and the usual arithmetic conversions, where they surprise.
#include <limits.h>
#include <stdio.h>

int main(void) {
    unsigned char a = 255, b = 1;
    printf("%d %d %d\n", a + b, (unsigned char)(a + b), ~a);
    unsigned short s = 65535;
    printf("%d %u\n", s + 1, (unsigned)s * 2);
    printf("%d %d %d\n", -1 < 1u, -1L < 1u, (short)-1 < (unsigned short)1);
    printf("%d %d\n", sizeof(int) > -1, (int)sizeof(int) > -1);
    printf("%d %d\n", 'a' - 'b', sizeof 'a' == sizeof(int));
    signed char c = -128;
    printf("%d %d %d\n", -c, c >> 1, (unsigned char)c >> 1);
    printf("%d %d\n", (unsigned char)c << 4, c == 0x80);
    unsigned u = 5;
    long long ll = -10;
    printf("%lld %d %llu\n", ll / u, ll < u, (unsigned long long)ll / u);
    printf("%u %u\n", u - 6, -u);
    printf("%d %u\n", -7 / 2, -7 / 2u);
    printf("%d %d %d %d\n", -7 % 3, 7 % -3, -7 / -2, 7 / -2);
    printf("%d\n", (1 ? -1 : 0u) > 0);
    int i = INT_MAX;
    unsigned wrapped = i + 1u;
    printf("%u %d\n", wrapped, (int)wrapped == INT_MIN);
    short narrow = 0;
    narrow += 70000;
    printf("%d\n", narrow);
    a += 300;
    printf("%d\n", a);
    a = 200;
    a *= 2;
    printf("%d\n", a++);
    int k = 0;
    k += 0.9f + 0.2f;
    k = k * 2.5;
    printf("%d\n", k);
    return 0;
}
