extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int next[4] = {1, 2, 3, 4};
    unsigned i = __VERIFIER_nondet_uchar();
    while (i < 4)
        i = next[i];
    return 0;
}
