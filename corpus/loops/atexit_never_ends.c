#include <stdlib.h>

static void handler(void)
{
    for (;;)
        ;
}

int main(void)
{
    atexit(handler);
    return 0;
}
