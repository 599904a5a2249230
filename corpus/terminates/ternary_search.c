/* The maximum of a unimodal function: the range loses a third. */
extern int value(int x);
int main(void)
{
    int lo = 0, hi = 10000;
    while (hi - lo > 2) {
        int m1 = lo + (hi - lo) / 3;
        int m2 = hi - (hi - lo) / 3;
        if (value(m1) < value(m2))
            lo = m1;
        else
            hi = m2;
    }
    return lo;
}
