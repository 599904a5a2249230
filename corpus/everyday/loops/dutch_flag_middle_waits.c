// Endless as soon as a 1 is met: the middle index does not pass it.
extern unsigned char __VERIFIER_nondet_uchar(void);

#define N 8

static void exchange(unsigned char *a, int i, int j)
{
    unsigned char t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void sort_colours(unsigned char *a, int n)
{
    int lo = 0, mid = 0, hi = n - 1;
    while (mid <= hi) {
        switch (a[mid]) {
        case 0:
            exchange(a, lo++, mid++);
            break;
        case 1:
            break;
        default:
            exchange(a, mid, hi--);
            break;
        }
    }
}

int main(void)
{
    unsigned char a[N];
    for (int i = 0; i < N; i++)
        a[i] = __VERIFIER_nondet_uchar() % 3;
    sort_colours(a, N);
    return a[0];
}
