// Order and laziness: comma, ternary, short circuits, side effects, assignments as values.
#include <stdio.h>

static int trace;
static int t(int id, int value) {
    trace = trace * 10 + id;
    return value;
}

int main(void) {
    int r = t(1, 0) && t(2, 1);
    printf("%d %d\n", r, trace);
    trace = 0, r = t(1, 1) || t(2, 0);
    printf("%d %d\n", r, trace);
    trace = 0;
    r = t(1, 1) && (t(2, 0) || t(3, 5)) && !t(4, 0);
    printf("%d %d\n", r, trace);
    trace = 0;
    r = t(1, 0) ? t(2, 10) : t(3, 20);
    printf("%d %d\n", r, trace);
    r = (t(4, 1), t(5, 2), 7);
    printf("%d %d\n", r, trace);
    int a, b, c;
    a = b = c = 5;
    a += b -= c *= 2;
    printf("%d %d %d\n", a, b, c);
    int i = 3;
    int j = i++ + 10;
    int k = --i * 2;
    printf("%d %d %d\n", i, j, k);
    int v[5] = {0};
    i = 0;
    v[i++] = 10;
    v[i] = i + 20;
    v[++i] += 5;
    printf("%d %d %d %d\n", v[0], v[1], v[2], i);
    int *p = v;
    printf("%d", *p++);
    printf(" %d", ++*p);
    printf(" %d\n", *++p);
    printf("%d %d\n", 3 > 2 > 1, 1 == 1 == 1);
    printf("%d %d\n", 1 + 2 << 3 & 0x18 | 1, ~0 ^ 5);
    printf("%d %d %d\n", !5, !!5, -(-5));
    i = 5;
    i = i > 3 ? i < 10 ? 1 : 2 : 3;
    printf("%d\n", i);
    for (i = 0, j = 10; i < j; i++, j--) {}
    printf("%d %d\n", i, j);
    while (i-- > 0 && j++ < 12) {}
    printf("%d %d\n", i, j);
    unsigned u = 0;
    u--;
    printf("%u %d\n", u, u == -1);
    printf("%zu %d\n", sizeof(i++), i);
    r = 5 ?: t(9, 9);
    printf("%d\n", r);
    return !r + 41;
}
