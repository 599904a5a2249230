// An object: freed, unless the input is 1 (forgotten).
#include <stdlib.h>

extern int input(void);

int main(void) {
    int *object = malloc(sizeof *object);
    if (object == NULL) return 1;
    if (input() == 1) return 0;
    free(object);
    return 0;
}
