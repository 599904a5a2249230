/* A small interpreter without jumps back: pc only grows. */
extern unsigned char __VERIFIER_nondet_uchar(void);
enum { HALT, PUSH, ADD, SKIP, PRINT };
int main(void)
{
    unsigned char code[32];
    int stack[16], sp = 0;
    unsigned pc = 0;
    for (int i = 0; i < 32; i++)
        code[i] = __VERIFIER_nondet_uchar();
    while (pc < 32) {
        switch (code[pc++]) {
        case HALT:
            return 0;
        case PUSH:
            if (pc >= 32 || sp >= 16)
                return 1;
            stack[sp++] = code[pc++];
            break;
        case ADD:
            if (sp < 2)
                return 1;
            sp--;
            stack[sp - 1] = (stack[sp - 1] + stack[sp]) & 0xff;
            break;
        case SKIP:
            if (pc >= 32)
                return 1;
            pc += code[pc] + 1;
            break;
        case PRINT:
            break;
        default:
            return 2;
        }
    }
    return sp;
}
