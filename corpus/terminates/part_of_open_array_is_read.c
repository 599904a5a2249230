/* What is written at an unknown place may be any of its bytes; one of them is then known again. */
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char bytes[64];
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        bytes[__VERIFIER_nondet_uchar() % 64] = __VERIFIER_nondet_uchar();
        bytes[0] = 1;
        unsigned word = *(unsigned *)bytes;
        if (word > 300)
            i++;
        if (i == 0xffffffffu)
            break;
    }
    return 0;
}
