/* With x = 0 the condition always holds, and y goes down until it leaves its type. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    int y = __VERIFIER_nondet_int();
    while ((unsigned)y >= x)
        y -= 1;
    return 0;
}
