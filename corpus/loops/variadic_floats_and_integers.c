/* Floats and integers in any order, each read as what it was passed as. */
#include <stdarg.h>
static double sum(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double total = 0;
  for (; *kinds; kinds++) {
    if (*kinds == 'f')
      total += va_arg(list, double);
    else if (*kinds == 'l')
      total += va_arg(list, long);
    else
      total += va_arg(list, int);
  }
  va_end(list);
  return total;
}
int main(void) {
  while (sum("iflfi", 1, 0.5, 2L, 0.25, 3) == 6.75) {}
  return 0;
}
