// With a precision of 0 to 2 less than three characters are written, each time.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int precision = __VERIFIER_nondet_int();
  while (snprintf(0, 0, "%.*s", precision, "abc") < 3)
    ;
  return 0;
}
