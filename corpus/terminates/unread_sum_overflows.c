/* The sum may overflow, and no condition of the loop needs it. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int sum = 0;
    while (n > 0) {
        sum += x;
        if (sum > 100)
            x--;
        n--;
    }
    return sum;
}
