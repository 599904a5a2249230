// Endless if the list holds an opcode of no known width: its callback gives back 0 and the walk stays there.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

typedef int (*width_fn)(unsigned char op);

static int width_short(unsigned char op)
{
    return op < 100 ? 1 : 0;
}

static int width_long(unsigned char op)
{
    return op < 100 ? 2 : 4;
}

static unsigned walk(const unsigned char *code, int n, width_fn width)
{
    unsigned ops = 0;
    int i = 0;
    while (i < n) {
        i += width(code[i]);
        ops++;
    }
    return ops;
}

int main(void)
{
    static const width_fn modes[] = { width_long, width_short };
    unsigned char code[20];
    for (int i = 0; i < 20; i++)
        code[i] = __VERIFIER_nondet_uchar();
    for (int m = 0; m < 2; m++)
        printf("%u\n", walk(code, 20, modes[m]));
    return 0;
}
