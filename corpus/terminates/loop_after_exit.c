#include <stdlib.h>

int main(void)
{
    exit(0);
    for (;;)
        ;
}
