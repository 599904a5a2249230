/* By steps of two from both sides: an odd number never meets zero. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    while (x != 0) {
        if (x > 0)
            x = x - 2;
        else
            x = x + 2;
    }
    return 0;
}
