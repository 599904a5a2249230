/* The Fibonacci numbers below a limit. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int limit = __VERIFIER_nondet_int();
    long a = 0, b = 1;
    while (a < limit) {
        long t = a + b;
        a = b;
        b = t;
    }
    return a == 13;
}
