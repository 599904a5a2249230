#include <stdlib.h>

union slot {
    void *address;
    unsigned char letters[sizeof(void *)];
};

/* How long it takes, or whether it ends, depends on where the memory lies. */
int main(void)
{
    union slot slot;
    slot.address = malloc(8);
    if (slot.address == NULL)
        return 0;
    slot.letters[1] = 0;
    while (slot.letters[2] != 7)
        slot.letters[2] += 2;
    return 0;
}
