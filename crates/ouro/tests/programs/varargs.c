// Variadic functions: every type that can be passed, copied lists, lists passed on.
#include <stdarg.h>
#include <stdio.h>

static double total(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    double sum = 0;
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': sum += va_arg(list, int); break;
        case 'u': sum += va_arg(list, unsigned); break;
        case 'l': sum += va_arg(list, long); break;
        case 'L': sum += va_arg(list, long long); break;
        case 'd': sum += va_arg(list, double); break;
        case 'D': sum += (double)va_arg(list, long double); break;
        case 'p': sum += *va_arg(list, int *); break;
        case 's': sum += va_arg(list, const char *)[0]; break;
        }
    va_end(list);
    return sum;
}

static int count(va_list list) {
    int n = 0;
    while (va_arg(list, int) >= 0) n++;
    return n;
}

static int twice(int first, ...) {
    va_list list, copy;
    va_start(list, first);
    va_copy(copy, list);
    int a = count(list), b = count(copy);
    va_end(copy);
    va_end(list);
    return first + a * 10 + b * 100;
}

static void report(const char *format, ...) {
    char text[64];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    printf("[%s] %d\n", text, n);
}

static int (*pointer)(int, ...) = twice;

int main(void) {
    int x = 5;
    printf("%g\n", total(""));
    printf("%g\n", total("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8));
    printf("%g\n", total("dddddddddd", .1, .2, .3, .4, .5, .6, .7, .8, .9, 1.0));
    printf("%g\n", total("idLpsuDl", -1, 2.5, 1ll << 40, &x, "A", 7u, 0.25L, 9l));
    printf("%g\n", total("iLiLid", 1, 2ll, 3, 4ll, 5, 6.0));
    char c = 'a';
    short s = -3;
    float f = 1.5f;
    printf("%g\n", total("iid", c, s, f));
    printf("%d %d\n", twice(1, 2, 3, 4, -1), pointer(2, -1));
    report("%d %s %.2f %c", 1, "two", 3.0, '4');
    report("%*d|%-*d|%.*f", 5, 42, 5, 42, 1, 2.345);
    return 0;
}
