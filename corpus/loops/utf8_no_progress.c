/* A wrong byte has length 0. */
extern unsigned char __VERIFIER_nondet_uchar(void);
static int length(unsigned char c)
{
    if (c < 0x80)
        return 1;
    if ((c & 0xe0) == 0xc0)
        return 2;
    return 0;
}
int main(void)
{
    unsigned char s[8];
    int i = 0;
    for (int k = 0; k < 8; k++)
        s[k] = __VERIFIER_nondet_uchar();
    while (i < 8)
        i += length(s[i]);
    return i;
}
