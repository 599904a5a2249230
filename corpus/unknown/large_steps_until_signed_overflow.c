/* Two iterations at most, and then i leaves its type: nothing else ends the loop. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 1000000000)
        return 0;
    while (i > 0)
        i += 500000000;
    return 0;
}
