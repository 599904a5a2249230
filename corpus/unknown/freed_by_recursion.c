#include <stdint.h>
#include <stdlib.h>

/* A call that is not followed may have freed it, and then the next object may lie there. */
static void release(int depth, char *p)
{
    if (depth > 0)
        release(depth - 1, p);
    else
        free(p);
}

int main(void)
{
    char *p = malloc(16);
    uintptr_t old = (uintptr_t)p;
    release(3, p);
    char *q = malloc(16);
    while (q && (uintptr_t)q == old)
        ;
    return 0;
}
