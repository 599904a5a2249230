#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = malloc(5);
    strcpy(text, "hello"); // undefined: write of 6 bytes at offset 0 of allocated memory, which has 5
    free(text);
    return 0;
}
