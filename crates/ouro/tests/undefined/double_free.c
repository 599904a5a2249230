#include <stdlib.h>
int main(void) {
    void *p = malloc(1), *q = p;
    free(p);
    free(q); // undefined: free of memory that was already freed
    return 0;
}
