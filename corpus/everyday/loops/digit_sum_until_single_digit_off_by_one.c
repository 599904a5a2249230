// Endless for 9: the loop wants a sum below nine, and nine is its own digit sum.
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned digit_sum(unsigned n)
{
    unsigned s = 0;
    for (; n != 0; n /= 10)
        s += n % 10;
    return s;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    while (n >= 9)
        n = digit_sum(n);
    return (int)n;
}
