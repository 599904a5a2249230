// Bit-fields: signed, unsigned, of several widths, in unions, packed, and without name.
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    int c : 5;
    unsigned : 0;
    unsigned d : 17;
    int e : 15;
    _Bool f : 1;
    unsigned long long g : 40;
    long long h : 33;
};

union view {
    struct {
        unsigned low : 12, middle : 9, high : 11;
    } parts;
    struct {
        int low : 4;
        int rest : 28;
    } other;
    unsigned whole;
};

struct __attribute__((packed)) tight {
    char c;
    unsigned a : 3;
    unsigned b : 30;
    int d : 31;
    unsigned short s : 9;
    long long e : 61;
};

static void print(const struct flags *f) {
    printf("%u %u %d %u %d %d %llu %lld\n", f->a, f->b, f->c, f->d, f->e, f->f,
           (unsigned long long)f->g, (long long)f->h);
}

int main(void) {
    struct flags f;
    memset(&f, 0, sizeof f);
    f.a = 3;
    f.b = 13;
    f.c = 19;
    f.d = 0x3ffff;
    f.e = -20000;
    f.f = 2;
    f.g = 0x123456789abcdef;
    f.h = -4000000000;
    print(&f);
    f.b += 3;
    f.c--;
    f.d ^= 0x155;
    f.e = f.e * 2 & 0x3fff;
    f.h <<= 1;
    f.g = ~f.g;
    print(&f);
    printf("%d %d\n", f.b - 8 < 0, f.d - 0x20000 < 0);
    union view v = {.whole = 0xdeadbeef};
    printf("%x %x %x %d %d\n", v.parts.low, v.parts.middle, v.parts.high, v.other.low, v.other.rest);
    v.parts.middle = 0;
    v.other.low = 7;
    printf("%x\n", v.whole);
    struct tight t;
    memset(&t, 0xff, sizeof t);
    t.b = 0x2aaaaaaa;
    t.d = 12345;
    t.e = -(1ll << 59);
    t.s = 300;
    printf("%zu %d %u %u %d %u %lld\n", sizeof t, t.c, t.a, t.b, t.d, t.s, (long long)t.e);
    unsigned char bytes[sizeof t];
    memcpy(bytes, &t, sizeof t);
    for (unsigned i = 0; i < sizeof t; i++) printf("%02x", bytes[i]);
    printf("\n");
    struct flags copies[2] = {f, {1, 2, 3, 4, 5, 1, 6, 7}};
    copies[0] = copies[1];
    print(copies);
    static const struct flags constant = {.c = -1, .h = -1, .g = 5};
    print(&constant);
    return 0;
}
