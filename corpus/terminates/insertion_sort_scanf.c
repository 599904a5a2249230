/* Reads up to a hundred numbers and sorts them by insertion. */
#include <stdio.h>

#define MAX 100

int main(void)
{
    int a[MAX];
    int n = 0;

    while (n < MAX && scanf("%d", &a[n]) == 1)
        n++;

    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }

    for (int i = 0; i < n; i++)
        printf("%d\n", a[i]);
    return 0;
}
