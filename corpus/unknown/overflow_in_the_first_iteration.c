// The first iteration overflows for every x but 0, and nothing else ends the loop.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x > 0)
        x += 2147483647;
    return 0;
}
