/* A mathematical integer has no bytes. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    union {
        int whole;
        char bytes[4];
    } u;
    u.whole = __VERIFIER_nondet_int();
    while (u.bytes[0] == 1)
        ;
    return 0;
}
