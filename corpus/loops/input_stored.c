extern int __VERIFIER_nondet_int(void);
int last;

int main(void)
{
    while (last >= 0)
        last = __VERIFIER_nondet_int();
    return last;
}
