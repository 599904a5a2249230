// Formatted output: flags, widths, precisions, lengths, and what is stored and returned.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static void integers(void) {
  static const int values[] = {0, 1, -1, 42, -12345, 2147483647, -2147483647 - 1};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    int v = values[i];
    printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%.0d\n", v, v, v, v, v, v, v, v, v, v);
    printf("%u|%x|%#x|%X|%#X|%o|%#o|%#8x|%-#8x|%#08x\n", v, v, v, v, v, v, v, v, v, v);
    printf("%hhd|%hd|%ld|%lld|%jd|%zd|%td|%hhu|%hu\n", v, v, (long)v, (long long)v, (intmax_t)v,
           (ptrdiff_t)v, (ptrdiff_t)v, v, v);
    printf("%*d|%-*d|%*d|%.*d|%*.*d\n", 7, v, 7, v, -7, v, -1, v, 9, 4, v);
  }
}

static void text(void) {
  char unterminated[3] = {'x', 'y', 'z'};
  printf("%s|%10s|%-10s|%.2s|%10.2s|%.0s|%.10s\n", "abc", "abc", "abc", "abc", "abc", "abc", "abc");
  printf("%.3s|%.*s|%.*s|%*s\n", unterminated, 2, unterminated, -1, "all", -6, "left");
  printf("%c|%3c|%-3c|%%|%5%\n", 'a', 'b', 'c');
  char zero[8];
  int length = snprintf(zero, sizeof zero, "a%cb", 0);
  printf("%d %d %d %d\n", length, zero[0], zero[1], zero[2]);
}

static void reals(void) {
  static const double values[] = {0, -0.0, 1, -2.5, 1e10, 1.0 / 3, 1e-7, 123456789.125, 1e300};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double v = values[i];
    printf("%f|%.0f|%#.0f|%e|%g|%G|%a|%10.3f|%-12.2e|%+g|% g|%012.4f\n", v, v, v, v, v, v, v, v, v, v,
           v, v);
    printf("%Lf|%Lg|%.*f|%*.*e\n", (long double)v, (long double)v, 3, v, 15, 2, v);
  }
}

static void stored(void) {
  signed char bytes[2] = {7, 7};
  short shorts[2] = {7, 7};
  int ints[2] = {7, 7};
  long longs[2] = {7, 7};
  long long long_longs[2] = {7, 7};
  char buffer[8];
  int length = snprintf(buffer, sizeof buffer, "a%hhnbc%hnde%nf%lng%llnhijkl", bytes, shorts, ints,
                        longs, long_longs);
  printf("%d %s %d %d %d %d %d %d %ld %ld %lld %lld\n", length, buffer, bytes[0], bytes[1], shorts[0],
         shorts[1], ints[0], ints[1], longs[0], longs[1], long_longs[0], long_longs[1]);
  length = snprintf(0, 0, "%300d%hhn", 1, bytes);
  printf("%d %d %d\n", length, bytes[0], bytes[1]);
  printf("%d\n", snprintf(0, 0, "%2000000d|%.3000000d", 1, 1));
  printf("%d\n", snprintf(buffer, 0, "%p", (void *)0));
  printf("%d %d\n", sprintf(buffer, "%s", "1234567"), snprintf(buffer, 3, "%d", 12345));
  puts(buffer);
}

int main(void) {
  integers();
  text();
  reals();
  stored();
  return printf("x\n") + puts("y") + putchar('\n') + fputs("z\n", stdout) + (int)fwrite("q\n", 1, 2, stdout) +
         fflush(stdout);
}
