#include <stdlib.h>
int main(void) {
    char *p = malloc(8);
    free(p + 3); // undefined: free of an address 3 bytes into its object
    return 0;
}
