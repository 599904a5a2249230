/* Binary search over indices of a table too large to hold in memory: the caller answers
 * "is the wanted entry before, at or after this one?".
 *
 * The midpoint is computed as (low + high) / 2. With unsigned indices the sum wraps around,
 * and the search can come back to where it was. */
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

static int compare_with_entry(unsigned index)
{
    (void)index;
    return __VERIFIER_nondet_int();
}

static unsigned search(unsigned low, unsigned high)
{
    while (low < high) {
        unsigned middle = (low + high) / 2;
        int order = compare_with_entry(middle);
        if (order > 0)
            low = middle + 1;
        else if (order < 0)
            high = middle;
        else
            return middle;
    }
    return low;
}

int main(void)
{
    unsigned low = __VERIFIER_nondet_uint();
    unsigned high = __VERIFIER_nondet_uint();
    return search(low, high) == high;
}
