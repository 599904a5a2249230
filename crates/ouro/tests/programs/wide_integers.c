// only: lp64
// __int128: arithmetic, shifts, comparisons, conversions.
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;

static void show(uwide x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }

static uwide power(uwide base, unsigned exponent) {
    uwide result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) result *= base;
    return result;
}

struct pair {
    char c;
    wide w;
};

static struct pair swapped(struct pair p) {
    p.w = -p.w;
    p.c++;
    return p;
}

int main(void) {
    uwide big = power(3, 80);
    show(big);
    show(big * big);
    show(big / 1000000007u);
    show(big % 1000000007u);
    show(big << 7);
    show(big >> 77);
    show(~big + 1);
    wide negative = -(wide)(big >> 2);
    show((uwide)(negative >> 40));
    show((uwide)(negative / 12345));
    show((uwide)(negative % 12345));
    printf("%d %d %d\n", negative < 0, (uwide)negative < big, negative == -1);
    printf("%.0f %lld\n", (double)big, (long long)(wide)-1e15);
    struct pair p = swapped((struct pair){'a', (wide)1 << 100});
    show((uwide)p.w);
    printf("%c %zu\n", p.c, sizeof p);
    wide table[3] = {1, -1, (wide)1 << 126};
    for (int i = 0; i < 3; i++) show((uwide)(table[i] ^ negative));
    return 0;
}
