// Unsigned counters in variables, a structure and an array wrap; no state comes back in time.
#include <stdio.h>
struct pair { unsigned a; unsigned long b; char c; };
static struct pair p;
static unsigned hist[4];
int main(void) {
  for (unsigned i = 0; i >= 0; i++) {
    p.a += i;
    p.b += p.a;
    p.c++;
    hist[i & 3]++;
    printf("%u %lu\n", p.a, p.b);
    if (p.b == 12345 && p.a == 3) p.c = 1;
  }
  return p.c + (int)hist[1];
}
