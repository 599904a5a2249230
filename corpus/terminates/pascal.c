/* One row of Pascal's triangle after the other. */
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned row[33] = { 1 };
    unsigned n = __VERIFIER_nondet_uint() % 33;
    for (unsigned i = 1; i <= n; i++)
        for (unsigned j = i; j > 0; j--)
            row[j] += row[j - 1];
    return row[n / 2] == 6;
}
