/* The flag is never cleared, wherever in the array it is. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int flags[100] = { 0 };
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 100)
        return 0;
    flags[i] = 1;
    int turns = 0;
    while (flags[i])
        turns = 1 - turns;
    return turns;
}
