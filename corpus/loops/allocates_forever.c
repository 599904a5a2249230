#include <stdlib.h>

int main(void)
{
    for (;;) {
        char *p = malloc(16);
        if (p)
            p[0] = 1;
    }
}
