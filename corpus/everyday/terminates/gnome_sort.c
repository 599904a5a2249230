// Ends: a step back removes an inversion, and between such steps the position rises.
extern int __VERIFIER_nondet_int(void);

static void gnome_sort(int *a, int n)
{
    int pos = 0;
    while (pos < n) {
        if (pos == 0 || a[pos] >= a[pos - 1]) {
            pos++;
        } else {
            int t = a[pos];
            a[pos] = a[pos - 1];
            a[pos - 1] = t;
            pos--;
        }
    }
}

int main(void)
{
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = __VERIFIER_nondet_int();
    gnome_sort(a, 10);
    return a[0];
}
