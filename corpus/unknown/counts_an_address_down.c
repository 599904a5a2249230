#include <stdint.h>

static _Alignas(16) char x[16];

/* It comes to zero wherever x lies, and that takes as long as x lies high. */
int main(void)
{
    uintptr_t address = (uintptr_t)x;
    while (address != 0)
        address -= 16;
    return 0;
}
