extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    long s = 0;
    while (s <= 5000000000L && x > 0) {
        s = x;
        x++;
    }
    return 0;
}
