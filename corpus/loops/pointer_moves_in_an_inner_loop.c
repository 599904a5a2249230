/* The pointer is read in each iteration of the outer loop, but the inner one moves it without looking. */
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char text[10] = {0};
    char *at = text;
    int rounds = 5;
    while (1) {
        if (*at == 'x')
            return 0;
        while (__VERIFIER_nondet_int())
            at = at + 1;
        if (rounds-- <= 0)
            return 0;
    }
}
