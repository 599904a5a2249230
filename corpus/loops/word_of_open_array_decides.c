extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void)
{
    unsigned char bytes[64];
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0;
    while (i < n) {
        bytes[__VERIFIER_nondet_uchar() % 64] = __VERIFIER_nondet_uchar();
        bytes[0] = 1;
        if (*(unsigned *)bytes <= 300)
            i++;
    }
    return 0;
}
