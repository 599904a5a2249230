/* Equal neighbours are exchanged, and that counts as a change. */
#include <stdio.h>

int main(void)
{
    int a[4], swapped = 1;
    for (int i = 0; i < 4; i++)
        if (scanf("%d", &a[i]) != 1)
            return 1;
    while (swapped) {
        swapped = 0;
        for (int i = 0; i + 1 < 4; i++)
            if (a[i] >= a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swapped = 1;
            }
    }
    printf("%d\n", a[0]);
    return 0;
}
