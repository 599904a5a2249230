/* What a char becomes that does not fit depends on the compiler. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    char c = x;
    while (c != x)
        ;
    return 0;
}
