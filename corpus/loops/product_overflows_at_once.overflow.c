// Every x that is multiplied overflows in the first iteration. Odd factors never lead to 0 where integers wrap around.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 6)
        return 0;
    while (x)
        x *= 0x40000001;
    return 0;
}
