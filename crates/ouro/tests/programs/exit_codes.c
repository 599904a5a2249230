// The exit status is the low byte of what main returns.
#include <stdio.h>
#include <stdlib.h>

static int status(int x) {
    if (x > 3) _Exit(x * 100);
    return status(x + 1);
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("before\n");
    fprintf(stderr, "to the other stream\n");
    return status(0);
}
