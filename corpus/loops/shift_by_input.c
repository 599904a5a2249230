/* A shift by 0 takes nothing away. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint() % 8;
    while (x)
        x >>= by;
    return 0;
}
