// _Generic, _Static_assert, _Alignas, _Noreturn, inline functions, typeof, statement expressions.
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#define KIND(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned", long: "long", float: "float", \
    double: "double", char *: "text", const char *: "constant text", default: "other")
#define LARGER(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })

_Static_assert(sizeof(long long) == 8, "long long has 64 bits");

static inline int square(int x) { return x * x; }
inline int external(int x);
inline int external(int x) { return x + 1; }
extern inline int external(int x);

_Noreturn static void leave(int code) {
    printf("leave %d\n", code);
    exit(code);
}

static int shadow = 1;

int main(void) {
    char c = 'c';
    printf("%s %s %s %s %s %s\n", KIND(1), KIND(c), KIND(1.0f), KIND("x"), KIND((const char *)0), KIND(1ll));
    printf("%s %s\n", KIND(c + c), KIND(1 ? 1 : 2u));
    int i = 3;
    printf("%d %g %d\n", LARGER(i++, 2), LARGER(1.5, 1), i);
    alignas(32) char buffer[40];
    printf("%zu %zu %zu\n", alignof(double[2]) % 4, sizeof buffer, (size_t)buffer % 32);
    printf("%d %d\n", square(square(3)), external(5));
    int outer = shadow;
    {
        int shadow = 2;
        outer += shadow;
        for (int shadow = 10; shadow < 12; shadow++) outer += shadow;
    }
    printf("%d\n", outer + shadow);
    printf("%s %d\n", __func__, __LINE__ > 10);
    const char *raw = "a\tb\x41\101\u00e9" "joined";
    printf("%s\n", raw);
    int binary = 0b1011, separated = 1000000;
    printf("%d %d %d\n", binary, separated, '\n');
    if (i) leave(3);
    return 0;
}
