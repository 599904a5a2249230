/* A shift by 32 or more is undefined; x86 takes the count modulo 32 and goes on to the loop. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int s = __VERIFIER_nondet_int();
    unsigned x = 1u << s;
    while (s >= 32)
        ;
    return x == 0;
}
