/* Unsigned integers wrap around by C's rules: with n == UINT_MAX it never ends. */
extern unsigned read_number(void);

int main(void)
{
    unsigned n = read_number(), all = 0;
    for (unsigned i = 1; i <= n; i++)
        all ^= i;
    return all != 0;
}
