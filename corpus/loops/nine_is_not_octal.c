// %o fails at the 9 and leaves it, every time.
#include <stdio.h>

int main(void) {
  unsigned number = 0;
  if (scanf("%o", &number) == 0 && getchar() == '9')
    for (;;)
      ;
  return 0;
}
