// Shifts of every width, and bit tricks that use them.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

static int bits(uint64_t x) {
    int count = 0;
    for (; x; x &= x - 1) count++;
    return count;
}

static uint32_t reversed(uint32_t x) {
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(x);
}

int main(void) {
    for (int n = 0; n < 32; n += 5) {
        printf("%u %d %u %u\n", 1u << n, -1000000 >> n, 0xf0f0f0f0 >> n, rotate(0x80000001, n));
    }
    for (int n = 0; n < 64; n += 9) {
        printf("%llu %lld\n", 1ull << n, (long long)0x8000000000000001 >> n);
    }
    int8_t s = -100;
    uint8_t u = 200;
    printf("%d %d %d %d\n", s >> 3, u >> 3, s << 1, u << 1);
    printf("%d %d %d\n", bits(0), bits(~0ull), bits(0x123456789));
    printf("%x %x\n", reversed(1), reversed(0x12345678));
    printf("%d %d %d\n", __builtin_popcount(0xff0), __builtin_clz(1), __builtin_ctz(0x100));
    printf("%d %d %d\n", __builtin_popcountll(~0ull), __builtin_clzll(1), __builtin_ctzll(1ull << 40));
    printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffs(48), __builtin_parity(7));
    printf("%x %llx\n", __builtin_bswap16(0x1234), (unsigned long long)__builtin_bswap64(1));
    unsigned x = 3;
    x <<= x;
    x |= x >> 1;
    x ^= x << 2;
    x &= ~1u;
    printf("%u\n", x);
    return (int)(x & 0x7f);
}
