/* A bounded copy of a string. */
extern char __VERIFIER_nondet_char(void);
int main(void)
{
    char src[32], dst[32];
    for (int i = 0; i < 31; i++)
        src[i] = __VERIFIER_nondet_char();
    src[31] = 0;
    char *d = dst;
    const char *s = src;
    while ((*d++ = *s++))
        ;
    return 0;
}
