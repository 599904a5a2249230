// Ends: the wanted key is put behind the last element, so the search stops there at the latest.
#include <stdio.h>

#define COUNT 12

extern int __VERIFIER_nondet_int(void);

static int find(int *a, int n, int key)
{
    a[n] = key;
    int i = 0;
    while (a[i] != key)
        i++;
    return i < n ? i : -1;
}

int main(void)
{
    int a[COUNT + 1];
    for (int i = 0; i < COUNT; i++)
        a[i] = __VERIFIER_nondet_int();
    int where = find(a, COUNT, __VERIFIER_nondet_int());
    if (where < 0)
        puts("absent");
    else
        printf("at %d\n", where);
    return 0;
}
