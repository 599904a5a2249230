/* Some inputs overflow, others do not: the loop itself ends after three iterations. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += __VERIFIER_nondet_int();
    return sum > 0;
}
