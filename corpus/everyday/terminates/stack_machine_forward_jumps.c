// Ends: the program counter rises with every instruction, because jumps only add to it.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define LEN 24
#define DEPTH 8

static int exec(const unsigned char *code)
{
    unsigned stack[DEPTH];
    int sp = 0, pc = 0;
    while (pc < LEN) {
        switch (code[pc++] & 7) {
        case 0:
            return sp > 0 ? (int)(stack[sp - 1] & 255) : 0;
        case 1:
            if (sp == DEPTH || pc >= LEN)
                return -1;
            stack[sp++] = code[pc++];
            break;
        case 2:
            if (sp < 2)
                return -1;
            sp--;
            stack[sp - 1] += stack[sp];
            break;
        case 3:
            if (sp < 1 || pc >= LEN)
                return -1;
            if (stack[--sp] == 0)
                pc += code[pc];
            break;
        case 4:
            if (sp < 1 || sp == DEPTH)
                return -1;
            stack[sp] = stack[sp - 1];
            sp++;
            break;
        default:
            break;
        }
    }
    return -2;
}

int main(void)
{
    unsigned char c[LEN];
    for (int i = 0; i < LEN; i++)
        c[i] = __VERIFIER_nondet_uchar();
    printf("%d\n", exec(c));
    return 0;
}
