#include <stdlib.h>
int main(void) {
    int *p = calloc(10, sizeof *p);
    int sum = 0;
    for (int i = 0; i <= 10; i++)
        sum += p[i]; // undefined: read of 4 bytes at offset 40 of allocated memory, which has 40
    free(p);
    return sum;
}
