static int odd(unsigned n);

static int even(unsigned n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(unsigned n)
{
    return even(n + 1);
}

int main(void)
{
    return even(4);
}
