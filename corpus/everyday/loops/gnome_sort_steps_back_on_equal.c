// Endless for two equal neighbours: they are swapped and the position goes back and forth.
extern int __VERIFIER_nondet_int(void);

static void gnome_sort(int *a, int n)
{
    int pos = 0;
    while (pos < n) {
        if (pos == 0 || a[pos] > a[pos - 1]) {
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
    int a[6];
    for (int i = 0; i < 6; i++)
        a[i] = __VERIFIER_nondet_int();
    gnome_sort(a, 6);
    return 0;
}
