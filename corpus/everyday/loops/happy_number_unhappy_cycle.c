// Endless for 4: unhappy numbers run round the cycle 4, 16, 37, 58, 89, 145, 42, 20.
extern unsigned int __VERIFIER_nondet_uint(void);

static unsigned square_digits(unsigned n)
{
    unsigned s = 0;
    while (n) {
        s += (n % 10) * (n % 10);
        n /= 10;
    }
    return s;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int rounds = 0;
    if (n == 0)
        return 1;
    while (n != 1) {
        n = square_digits(n);
        if (rounds < 100)
            rounds++;
    }
    return rounds;
}
