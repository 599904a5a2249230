#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = 1;
    free(p);
    int *q = malloc(sizeof *q);
    if (!q)
        return 1;
    *q = 0;
    while (*q)
        ;
    return 0;
}
