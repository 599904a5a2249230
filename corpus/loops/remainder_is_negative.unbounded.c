/* The remainder of a negative odd number by 2 is -1. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x % 2 == -1)
        ;
    return 0;
}
