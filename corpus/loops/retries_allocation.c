#include <stdlib.h>

int main(void)
{
    void *p;
    do
        p = malloc(8);
    while (!p);
    free(p);
    return 0;
}
