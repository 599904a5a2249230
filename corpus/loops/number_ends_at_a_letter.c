#include <stdlib.h>

int main(void) {
  char *end;
  double number = strtod("1.5abc", &end);
  while (*end == 'a' && number == 1.5)
    ;
  return 0;
}
