// Ends: rows advance by sixteen over a buffer of known size.
#include <ctype.h>
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void dump(const unsigned char *p, size_t n)
{
    size_t off, i;
    for (off = 0; off < n; off += 16) {
        printf("%08zx ", off);
        for (i = 0; i < 16; i++) {
            if (off + i < n)
                printf(" %02x", p[off + i]);
            else
                printf("   ");
        }
        printf("  |");
        for (i = off; i < n && i < off + 16; i++)
            putchar(isprint(p[i]) ? p[i] : '.');
        printf("|\n");
    }
}

int main(void)
{
    unsigned char data[200];
    unsigned n = __VERIFIER_nondet_uint();
    if (n > sizeof data)
        n = sizeof data;
    for (unsigned i = 0; i < n; i++)
        data[i] = __VERIFIER_nondet_uchar();
    dump(data, n);
    return 0;
}
