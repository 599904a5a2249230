// "inf5": the number ends before the digit.
#include <stdio.h>

int main(void) {
  double number;
  if (scanf("%lf", &number) == 1 && number - number != 0 && getchar() == '5')
    for (;;)
      ;
  return 0;
}
