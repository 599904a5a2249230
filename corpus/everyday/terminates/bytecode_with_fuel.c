// Ends: every instruction costs one unit of fuel, even when jumps go backwards.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

enum { HALT, INC, DEC, JNZ, SWAP, CODE_SIZE = 32 };

static int run(const unsigned char *code, int fuel)
{
    unsigned a = 0, b = 0, t;
    int pc = 0;
    while (fuel-- > 0) {
        if (pc < 0 || pc >= CODE_SIZE - 1)
            return -1;
        switch (code[pc++]) {
        case HALT:
            return (int)(a & 0x7fff);
        case INC:
            a++;
            break;
        case DEC:
            a--;
            break;
        case JNZ:
            pc = a ? code[pc] : pc + 1;
            break;
        case SWAP:
            t = a;
            a = b;
            b = t;
            break;
        default:
            return -2;
        }
    }
    return -3;
}

int main(void)
{
    unsigned char code[CODE_SIZE];
    for (int i = 0; i < CODE_SIZE; i++)
        code[i] = __VERIFIER_nondet_uchar() % 6;
    printf("%d\n", run(code, 1000));
    return 0;
}
