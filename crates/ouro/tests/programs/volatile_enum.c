// volatile objects, const, enumerations of several sizes, restrict, register.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, MINUS = -3, AGAIN };
enum big { LARGE = 0x7fffffff };
enum huge { HUGE = 0x100000000 };
typedef enum { OFF, ON } toggle;

static volatile int shared = 1;
static const volatile unsigned device = 0xf0;
static volatile struct { char a; volatile long b; } parts = {1, 2};

static int add(const int *restrict a, int *restrict b, int n) {
    register int sum = 0;
    for (int i = 0; i < n; i++) sum += b[i] += a[i];
    return sum;
}

int main(void) {
    enum colour c = BLUE;
    printf("%d %d %d %zu\n", c, MINUS, AGAIN, sizeof(enum colour));
    c = MINUS;
    printf("%d %d\n", c < RED, (int)(c + 10));
    printf("%zu %zu %d\n", sizeof LARGE, sizeof HUGE, HUGE > LARGE);
    toggle t = ON;
    t = !t;
    printf("%d\n", t);
    shared = shared + shared;
    shared++;
    volatile int *p = &shared;
    *p *= 2;
    printf("%d %u\n", shared, device >> 4);
    parts.a += 2;
    parts.b <<= parts.a;
    printf("%d %ld\n", parts.a, parts.b);
    volatile double d = 0.1;
    d += d;
    printf("%.17g\n", d);
    int a[3] = {1, 2, 3}, b[3] = {10, 20, 30};
    printf("%d", add(a, b, 3));
    printf(" %d\n", b[2]);
    for (volatile char i = 0; i < 3; i++) printf("%d ", i);
    volatile int array[4] = {0};
    for (int i = 0; i < 4; i++) array[i] = i ? array[i - 1] + i : 1;
    printf("%d\n", array[3]);
    return 0;
}
