// Output may fail at any time, and whether somebody looks or not, the counter goes down.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int left = __VERIFIER_nondet_int();
  while (left > 0) {
    printf("%d ", left);
    fprintf(stderr, "%d\n", left);
    if (puts("left") < 0)
      return 1;
    left--;
  }
  return ferror(stdout);
}
