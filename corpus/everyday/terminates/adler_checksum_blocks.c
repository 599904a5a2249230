// Ends: a block is never empty, so the rest of the buffer shrinks every time.
#include <stdio.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned long adler(const unsigned char *p, size_t len)
{
    unsigned long a = 1, b = 0;
    while (len > 0) {
        size_t block = len < 64 ? len : 64;
        len -= block;
        do {
            a += *p++;
            b += a;
        } while (--block);
        a %= 65521;
        b %= 65521;
    }
    return b << 16 | a;
}

int main(void)
{
    size_t n = __VERIFIER_nondet_uint() % 1000;
    unsigned char *buf = malloc(n + 1);
    if (buf == NULL)
        return 1;
    for (size_t i = 0; i < n; i++)
        buf[i] = __VERIFIER_nondet_uchar();
    printf("%08lx\n", adler(buf, n));
    free(buf);
    return 0;
}
