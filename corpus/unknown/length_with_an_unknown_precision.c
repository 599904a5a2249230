// With a precision of 0 to 2 the loop never ends; which it is, depends on a number that is not looked into.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int precision = __VERIFIER_nondet_int();
  while (snprintf(0, 0, "%.*s", precision, "abc") < 3)
    ;
  return 0;
}
