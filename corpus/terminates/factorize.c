/* Prime factors: n is divided or d grows. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned d = 2, count = 0;
    if (n < 2)
        return 0;
    while (n > 1 && d < 1000) {
        if (n % d == 0) {
            n /= d;
            count++;
        } else {
            d++;
        }
    }
    return count;
}
