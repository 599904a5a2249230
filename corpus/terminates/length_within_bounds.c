// The width is not known, but the text is at least as long as its characters.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int width = __VERIFIER_nondet_int();
  int length = snprintf(0, 0, "%*d", width, 12345);
  while (length >= 0 && length < 5)
    ;
  return 0;
}
