// Bit-fields that no access of up to 128 bits tells apart: clang reads them as one wide integer.
#include <stdio.h>
#include <string.h>

#pragma pack(push)
#pragma pack(1)
struct run {
    const signed f0 : 26;
    unsigned f1 : 29;
    signed f2 : 30;
    const volatile unsigned f3 : 25;
    signed f4 : 31;
    unsigned f5 : 10;
    signed f6 : 27;
    unsigned f7 : 13;
    signed f8 : 9;
};
#pragma pack(pop)

static void print(const struct run *r) {
    printf("%d %u %d %u %d %u %d %u %d\n", r->f0, r->f1, r->f2, r->f3, r->f4, r->f5, r->f6, r->f7,
           r->f8);
}

int main(void) {
    struct run r = {-1000, 0x1abcdef1, -300000000, 0x1f0f0f0, 1000000000, 777, -67108864, 8191, -256};
    print(&r);
    r.f1 = r.f5;
    r.f2++;
    r.f4 = -r.f4;
    r.f5 -= 778;
    r.f6 /= 3;
    r.f7 = r.f8;
    r.f8 ^= 0x55;
    print(&r);
    unsigned char bytes[sizeof r];
    memcpy(bytes, &r, sizeof r);
    for (unsigned i = 0; i < sizeof r; i++) printf("%02x", bytes[i]);
    printf(" %zu\n", sizeof r);
    return 0;
}
