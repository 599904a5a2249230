// Endless for a program whose jump leads back to itself, e.g. the bytes 2 0: there is no limit of steps.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LEN 16

static unsigned run(const unsigned char *code)
{
    unsigned acc = 0;
    int pc = 0;
    while (pc < LEN - 1) {
        switch (code[pc++]) {
        case 0:
            return acc;
        case 1:
            acc += code[pc++];
            break;
        case 2:
            pc = code[pc];
            break;
        case 3:
            pc += acc ? 1 : 3;
            break;
        default:
            break;
        }
    }
    return acc;
}

int main(void)
{
    unsigned char code[LEN];
    for (int i = 0; i < LEN; i++)
        code[i] = __VERIFIER_nondet_uchar();
    printf("%u\n", run(code));
    return 0;
}
