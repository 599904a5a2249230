// Endless for an array in which two neighbours are equal or in order: the shift loop steps only when it moves.
extern int __VERIFIER_nondet_int(void);

static void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int j = i;
        while (j > 0) {
            if (a[j - 1] > a[j]) {
                int t = a[j];
                a[j] = a[j - 1];
                a[j - 1] = t;
                j--;
            }
        }
    }
}

int main(void)
{
    int a[20];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20)
        return 1;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    insertion_sort(a, n);
    return 0;
}
