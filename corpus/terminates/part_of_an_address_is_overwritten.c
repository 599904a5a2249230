#include <stdlib.h>

union slot {
    void *address;
    char letters[sizeof(void *)];
};

/* One byte of the address is overwritten, and the others are never looked at. */
int main(void)
{
    union slot slot;
    slot.address = malloc(8);
    slot.letters[1] = 'a';
    while (slot.letters[1] != 'e')
        slot.letters[1]++;
    return 0;
}
