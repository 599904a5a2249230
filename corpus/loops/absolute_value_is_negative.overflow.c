/* abs(INT_MIN) is INT_MIN with integers that wrap around. */
#include <stdlib.h>

extern int read_number(void);

int main(void)
{
    int x = read_number();
    while (abs(x) < 0)
        ;
    return 0;
}
