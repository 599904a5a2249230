extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uchar() & 7;
    unsigned b = __VERIFIER_nondet_uchar() & 7;
    while (b != 0) {
        unsigned r = a % b;
        a = b;
        b = r;
    }
    return a;
}
