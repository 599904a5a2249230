extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int next[] = {0, 0, 1, 2};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    while (next[i])
        i = next[i];
    return 0;
}
