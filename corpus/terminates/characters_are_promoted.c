/* c + 1 is an int and never overflows; the char that it becomes again is at most 100. */
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    signed char c = __VERIFIER_nondet_char();
    int turns = 0;
    while (c < 100) {
        c = c + 1;
        turns++;
    }
    return turns;
}
