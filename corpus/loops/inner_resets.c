/* The inner loop uses the counter of the outer one. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int i, n = 10, sum = 0;
    for (i = 0; i < n; i++)
        for (i = 0; i < 5; i++)
            sum ^= i;
    return sum;
}
