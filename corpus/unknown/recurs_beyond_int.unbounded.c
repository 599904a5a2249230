/* Loops for integers that no int holds: there is no input to show it with. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 2147483647)
        ;
    return 0;
}
