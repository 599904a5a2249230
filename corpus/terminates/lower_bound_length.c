/* The same with a first place and a length. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
    unsigned first = 0, len = __VERIFIER_nondet_uint();
    while (len > 0) {
        unsigned half = len >> 1;
        if (__VERIFIER_nondet_int()) {
            first += half + 1;
            len -= half + 1;
        } else {
            len = half;
        }
    }
    return first == 1;
}
