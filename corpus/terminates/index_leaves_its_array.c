/* Nothing but the end of the array ends the loop, and leaving it is undefined: the report names that. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[8];
    int i = 0;
    for (int k = 0; k < 8; k++)
        a[k] = __VERIFIER_nondet_int() | 1;
    while (a[i] != 0)
        i++;
    return i;
}
