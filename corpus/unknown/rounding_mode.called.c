/* Where a function may be called at any time, somebody may have chosen another rounding mode before. */
#include <fenv.h>

void called(void)
{
    while (fegetround() != FE_TONEAREST)
        ;
}

int main(void)
{
    called();
    return 0;
}
