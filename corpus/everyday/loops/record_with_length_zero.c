// Endless for a record whose length byte is 0: the length counts the header too and the offset does not move.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define SIZE 64u

static unsigned find_record(const unsigned char *buf, unsigned char wanted)
{
    unsigned off = 0;
    while (off + 2 <= SIZE) {
        unsigned char type = buf[off];
        unsigned char len = buf[off + 1];
        if (type == wanted)
            return off;
        off += len;
    }
    return SIZE;
}

int main(void)
{
    unsigned char buf[SIZE];
    for (unsigned i = 0; i < SIZE; i++)
        buf[i] = __VERIFIER_nondet_uchar();
    unsigned at = find_record(buf, 7);
    if (at == SIZE)
        puts("not there");
    else
        printf("at %u\n", at);
    return 0;
}
