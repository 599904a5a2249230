/* A callback may stop the walk. */
extern int __VERIFIER_nondet_int(void);
static int stop_at_negative(int x) { return x < 0; }
static int walk(const int *a, int n, int (*visit)(int))
{
    for (int i = 0; i < n; i++)
        if (visit(a[i]))
            return i;
    return -1;
}
int main(void)
{
    int a[25];
    for (int i = 0; i < 25; i++)
        a[i] = __VERIFIER_nondet_int();
    return walk(a, 25, stop_at_negative);
}
