/* A table of functions, and one of them for each element. */
extern unsigned __VERIFIER_nondet_uint(void);
typedef int (*step)(int);
static int inc(int x) { return x + 1; }
static int dbl(int x) { return x > 1000 ? x : 2 * x; }
static int neg(int x) { return -x; }
static const step steps[] = { inc, dbl, neg };
int main(void)
{
    int x = 1;
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n && i < 1000; i++)
        x = steps[__VERIFIER_nondet_uint() % 3](x) % 10000;
    return x;
}
