// Every integer type: its size, its limits, and what conversions between them keep.
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(type, value) \
    do { \
        type x = (type)(value); \
        printf("%s %zu: %lld %llu\n", #type, sizeof(type), (long long)x, (unsigned long long)x); \
    } while (0)

#define ALL(value) \
    SHOW(_Bool, value); SHOW(char, value); SHOW(signed char, value); SHOW(unsigned char, value); \
    SHOW(short, value); SHOW(unsigned short, value); SHOW(int, value); SHOW(unsigned, value); \
    SHOW(long, value); SHOW(unsigned long, value); SHOW(long long, value); \
    SHOW(unsigned long long, value); SHOW(size_t, value); SHOW(ptrdiff_t, value); \
    SHOW(int8_t, value); SHOW(uint16_t, value); SHOW(int_fast16_t, value); SHOW(intmax_t, value)

int main(void) {
    ALL(0);
    ALL(-1);
    ALL(200);
    ALL(-32769);
    ALL(0x123456789abcdef0);
    ALL(0x8000000000000000u);
    printf("%d %d %d %d\n", CHAR_MIN, CHAR_MAX, SCHAR_MIN, UCHAR_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    bool b = 256, c = 0.5, d = (void *)0, e = &b;
    printf("%d %d %d %d\n", b, c, d, e);
    b = true;
    b += 5;
    printf("%d %d\n", b, b + b);
    char plain = (char)0x80;
    printf("%d %d\n", plain < 0, plain >> 7);
    return 0;
}
