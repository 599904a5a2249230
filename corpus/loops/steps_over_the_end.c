// With step = 2^31 and any larger n, i is 0 and 2^31 in turns; the counter beside it hides nothing.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), step = __VERIFIER_nondet_uint(), total = 0;
    if (step == 0) return 1;
    for (unsigned i = 0; i < n; i += step) total++;
    return total % 100;
}
