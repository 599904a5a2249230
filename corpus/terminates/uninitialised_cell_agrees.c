#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    if (*p == *p)
        return 0;
    for (;;)
        ;
}
