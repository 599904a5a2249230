// printf: flags, widths, precisions, lengths, and what they do together.
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    const int values[] = {0, 1, -1, 42, -12345, 2147483647};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        int v = values[i];
        printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d] [%+.0d]\n", v, v, v, v, v, v, v, v, v, v);
        printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%#10x] [%010x] [%-#10x] [%.0x]\n", v, v, v, v, v, v, v, v, v, v);
    }
    printf("[%hhd] [%hd] [%ld] [%lld] [%jd] [%zd] [%td]\n", (signed char)-1, (short)-2, -3L, -4LL,
           (intmax_t)-5, (ptrdiff_t)-6, (ptrdiff_t)-7);
    printf("[%hhu] [%hu] [%lu] [%llu] [%ju] [%zu]\n", (unsigned char)200, (unsigned short)60000, 1000ul,
           ~0ull, (uintmax_t)9, sizeof(char));
    printf("[%" PRId64 "] [%" PRIx32 "]\n", (int64_t)1 << 40, (uint32_t)0xabcdef);
    printf("[%c] [%3c] [%-3c] [%s] [%8s] [%-8s] [%.2s] [%8.2s] [%%]\n", 'a', 'b', 'c', "text", "text", "text", "text", "text");
    printf("[%*d] [%-*d] [%.*d] [%*.*s]\n", 6, 1, 6, 2, 3, 3, 7, 2, "abc");
    printf("[%*d] [%.*s]\n", -6, 5, -1, "whole");
    const double reals[] = {0, 1, -1.5, 3.14159265, 1e10, 1.5e-7, 123456789.125, 0.5, 2.5, 1e100, 99999.95};
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++) {
        double r = reals[i];
        printf("[%f] [%.0f] [%.1f] [%10.2f] [%-10.2f] [%010.2f] [%+f] [% .3f] [%#.0f]\n", r, r, r, r, r, r, r, r, r);
        printf("[%e] [%.0e] [%.3E] [%g] [%G] [%.3g] [%#g] [%.10g] [%15g] [%-15g|]\n", r, r, r, r, r, r, r, r, r, r);
    }
    printf("[%.30f] [%.20e]\n", 0.1, 0.1);
    char counted[9];
    int at = 0, n = snprintf(counted, sizeof counted, "%s%n", "counted", &at);
    printf("%s %d %d\n", counted, n, at);
    printf("[%5s] [%-5s] [%s]\n", "", "", "");
    putchar('x');
    puts("y");
    fputs("fputs\n", stdout);
    fputc('\n', stdout);
    fwrite("raw\n", 1, 4, stdout);
    return 0;
}
