// Of the functions that are declared never to return, only SV-COMP's do. What `panic` does instead is
// not known; the loop after it is not reached.
extern int __VERIFIER_nondet_int(void) __attribute__((noreturn));
extern void panic(void) __attribute__((noreturn));

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        panic();
        for (;;)
            ;
    }
    return 0;
}
