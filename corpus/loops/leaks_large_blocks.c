// Nobody has a pointer to the blocks of earlier iterations, so the state comes back; that the machine which follows
// the run has room for so many blocks only is no reason to end. Allocation succeeds: SV-COMP's functions are used.
extern void *malloc(unsigned long);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int() & 3;
    while (1) {
        int *p = malloc(1000000);
        *p = n;
        if (n > 3)
            n = 0;
        n++;
    }
}
