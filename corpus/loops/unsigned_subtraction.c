extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned step = 3;
    unsigned char i = 10;
    while (i != 0)
        i -= step & 0xfe;
    i = 1;
    while (i != 0)
        i += 2;
    return 0;
}
