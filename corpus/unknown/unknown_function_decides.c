#include <math.h>

int main(void)
{
    while (sin(1.0) > 0.5)
        ;
    return 0;
}
