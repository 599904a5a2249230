/* The same as with int, in 64 bits; the loop is in a function. */
extern long read_number(void);

static long steps(long from, long to)
{
    long count = 0;
    for (long i = from; i <= to; i++)
        count ^= i;
    return count;
}

int main(void)
{
    return steps(1, read_number()) == 0;
}
