// Error numbers are kept in pointers, as in the Linux kernel: they are the last numbers there are, and no object
// lies there, nor among the first. So neither loop is entered, wherever objects lie.
#include <stdlib.h>

static int is_error(const void *pointer) { return (unsigned long)pointer > (unsigned long)-4096; }

int main(void) {
    int here;
    void *there = malloc(10);
    if (!there)
        return 1;
    while (is_error(there) || is_error(&here))
        ;
    while ((unsigned long)&here < 64 || (unsigned long)there <= 64)
        ;
    free(there);
    return 0;
}
