// Ends: the gaps 1, 4, 13, ... grow up to a third of n, then shrink to zero.
#include <stdio.h>

enum { CAP = 64 };

static int items[CAP];

static int first_gap(int n)
{
    int h = 1;
    while (h < n / 3)
        h = 3 * h + 1;
    return h;
}

static void sort(int n)
{
    for (int h = first_gap(n); h > 0; h /= 3) {
        for (int i = h; i < n; i++) {
            for (int j = i; j >= h && items[j] < items[j - h]; j -= h) {
                int t = items[j];
                items[j] = items[j - h];
                items[j - h] = t;
            }
        }
    }
}

int main(void)
{
    int n = 0;
    while (n < CAP && scanf("%d", &items[n]) == 1)
        n++;
    sort(n);
    for (int i = 0; i < n; i++)
        printf("%d ", items[i]);
    putchar('\n');
    return 0;
}
