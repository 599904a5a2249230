#include <stdlib.h>
int main(void) {
    int local;
    free(&local); // undefined: free of local, which is not on the heap
    return 0;
}
