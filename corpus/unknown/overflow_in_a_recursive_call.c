// The bound grows as fast as the counter, in a call that goes round itself: only its overflow ends the loop.
extern int __VERIFIER_nondet_int(void);

static int after(int depth, int bound)
{
    if (depth > 0)
        return after(depth - 1, bound);
    return bound + 1;
}

int main(void)
{
    int i = 0, bound = 1;
    while (i < bound) {
        i++;
        bound = after(__VERIFIER_nondet_int(), bound);
    }
    return 0;
}
