// Jumps, switches, calls of every kind, the stack, and what runs before and after main.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int sum(int n, ...) {
  va_list a, b;
  int s = 0;
  va_start(a, n);
  va_copy(b, a);
  for (int i = 0; i < n; i++) s += va_arg(a, int);
  for (int i = 0; i < n; i++) s += va_arg(b, int) * 10;
  va_end(a);
  va_end(b);
  return s;
}

static double mixed(const char *kinds, ...) {
  va_list a;
  double r = 0;
  va_start(a, kinds);
  for (; *kinds; kinds++) switch (*kinds) {
      case 'd': r += va_arg(a, double); break;
      case 'i': r += va_arg(a, int); break;
      case 'l': r += va_arg(a, long long); break;
      case 'L': r += va_arg(a, long double); break;
      case 's': r += va_arg(a, char *)[0]; break;
    }
  va_end(a);
  return r;
}

static int through_table(int n) {
  static void *table[] = {&&a, &&b, &&c};
  int r = 0;
  goto *table[n];
a:
  r += 1;
b:
  r += 10;
c:
  r += 100;
  return r;
}

static int interpret(const char *code) {
  void *labels[] = {&&end, &&increment, &&twice};
  int r = 0;
  goto *labels[(int)*code++];
increment:
  r++;
  goto *labels[(int)*code++];
twice:
  r *= 2;
  goto *labels[(int)*code++];
end:
  return r;
}

static int cases(int x) {
  switch (x) {
    case -1: return 5;
    case 1:
    case 2: return 7;
    case 100000: return 9;
    case 10 ... 20: return x;
    default: return 0;
  }
}

static int long_cases(long long x) {
  switch (x) {
    case 0x100000000LL: return 1;
    case -5: return 2;
  }
  return 3;
}

static int odd(int n);
static int even(int n) { return n ? odd(n - 1) : 1; }
static int odd(int n) { return n ? even(n - 1) : 0; }

static int variable_length(int n) {
  int s = 0;
  for (int k = 1; k < n; k++) {
    int a[k];
    for (int i = 0; i < k; i++) a[i] = i;
    s += a[k - 1] + (int)sizeof a;
  }
  return s;
}

int old_style(a, b) int a; char b; { return a + b; }

static void last(void) { printf("last\n"); }
static void before_last(void) { printf("before last\n"); }
__attribute__((constructor)) static void second(void) { printf("second\n"); }
__attribute__((constructor(101))) static void first(void) { printf("first\n"); }
__attribute__((destructor)) static void very_last(void) { printf("very last\n"); }

int main(void) {
  atexit(last);
  atexit(before_last);
  printf("%d %f\n", sum(4, 1, 2, 3, 4), mixed("dilLsd", 1.5, 2, 3LL, 4.5L, "A", 0.25));
  printf("%d %d %d %d\n", through_table(0), through_table(1), through_table(2),
         interpret("\1\1\2\2\1"));
  printf("%d %d %d %d %d %d %d\n", cases(-1), cases(2), cases(100000), cases(15), cases(3),
         long_cases(0x100000000LL), long_cases(-5));
  printf("%d %d %d\n", even(7), variable_length(6), old_style(1, 'b'));
  int i = 0;
  do {
    if (i == 3) continue;
    if (i > 6) break;
  } while (++i < 10);
  int x = 5;
  int y = x > 3 && (x < 4 || x == 5) ? x++ : x--;
  printf("%d %d %d %d\n", i, x, y, ({ int q = 3; q * 2; }));
  char *p = __builtin_alloca(10);
  for (int k = 0; k < 9; k++) p[k] = '0' + k;
  p[9] = 0;
  volatile int twice = 3;
  twice += twice;
  printf("%s %d\n", p, twice);
  int *heap = malloc(10 * sizeof *heap);
  for (int k = 0; k < 10; k++) heap[k] = k * k;
  heap = realloc(heap, 80);
  printf("%d\n", heap[9]);
  free(heap);
  exit(3);
}
