// Unions: the same bytes under several types.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
    uint8_t bytes[8];
    uint16_t shorts[4];
    uint32_t words[2];
    uint64_t whole;
    float singles[2];
    double real;
};

struct tagged {
    enum { INTEGER, REAL, TEXT } kind;
    union {
        long i;
        double r;
        const char *s;
    };
};

static void print(struct tagged t) {
    switch (t.kind) {
    case INTEGER: printf("%ld\n", t.i); break;
    case REAL: printf("%g\n", t.r); break;
    case TEXT: printf("%s\n", t.s); break;
    }
}

int main(void) {
    union number n = {.real = 1.0};
    printf("%016llx %08x %04x %02x\n", (unsigned long long)n.whole, n.words[1], n.shorts[3], n.bytes[6]);
    n.singles[0] = -2.5f;
    printf("%08x %g\n", n.words[0], n.singles[0]);
    n.bytes[7] ^= 0x80;
    printf("%g\n", n.real);
    n.whole = 0x0102030405060708;
    for (int i = 0; i < 8; i++) printf("%d ", n.bytes[i]);
    n.shorts[1] = 0xffff;
    printf("%016llx\n", (unsigned long long)n.whole);
    struct tagged all[] = {{INTEGER, {.i = -5}}, {REAL, {.r = 2.25}}, {TEXT, {.s = "text"}}};
    for (int i = 0; i < 3; i++) print(all[i]);
    all[0] = all[2];
    print(all[0]);
    union { char c; int i; } small = {0};
    small.c = 'x';
    printf("%d\n", small.i);
    float f = 3.14f;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    printf("%08x\n", bits);
    bits++;
    memcpy(&f, &bits, sizeof f);
    printf("%.9g\n", f);
    return 0;
}
