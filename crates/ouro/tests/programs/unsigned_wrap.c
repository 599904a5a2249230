// Arithmetic that wraps: hashes, checksums, random numbers, modular inverses.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t crc(const void *data, size_t n) {
    uint32_t crc = ~0u;
    for (const uint8_t *p = data; n--; p++) {
        crc ^= *p;
        for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    }
    return ~crc;
}

static uint64_t fnv(const char *s) {
    uint64_t hash = 14695981039346656037u;
    while (*s) hash = (hash ^ (uint8_t)*s++) * 1099511628211u;
    return hash;
}

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint16_t adler(const char *s) {
    uint16_t a = 1, b = 0;
    for (; *s; s++) a = (uint16_t)(a + *s) % 251, b = (uint16_t)(a + b) % 251;
    return (uint16_t)(b << 8 | a);
}

static uint8_t inverse(uint8_t x) {
    uint8_t y = x;
    for (int i = 0; i < 4; i++) y *= (uint8_t)(2 - x * y);
    return y;
}

int main(void) {
    const char *text = "The quick brown fox";
    printf("%08x %016llx %04x\n", crc(text, strlen(text)), (unsigned long long)fnv(text), adler(text));
    uint64_t state = 42;
    for (int i = 0; i < 4; i++) printf("%llu ", (unsigned long long)splitmix(&state));
    printf("\n");
    for (int i = 1; i < 256; i += 50) printf("%d ", (uint8_t)(inverse((uint8_t)i) * i));
    uint8_t small = 250;
    for (int i = 0; i < 10; i++) small++;
    uint16_t medium = 5;
    medium -= 10;
    printf("%u %u %u\n", small, medium, 0u - 1);
    printf("%d\n", (int8_t)(uint8_t)200);
    unsigned long sum = 0;
    for (unsigned i = 4294967290u; i != 5; i++) sum += i;
    printf("%d\n", (int)(sum & 0xffff));
    return 0;
}
