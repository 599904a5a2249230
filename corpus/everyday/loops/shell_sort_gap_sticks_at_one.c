// Endless for every input: the gap is kept at one by the rounding up and never gets to zero.
extern int __VERIFIER_nondet_int(void);

#define N 32

static int a[N];

static void pass(int gap)
{
    for (int i = gap; i < N; i++) {
        int x = a[i], j = i;
        for (; j >= gap && a[j - gap] > x; j -= gap)
            a[j] = a[j - gap];
        a[j] = x;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int gap = N / 2; gap > 0; gap = (gap + 1) / 2)
        pass(gap);
    return a[0];
}
