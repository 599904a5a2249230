// Ends: the last position looked at goes down with every round, with or without swaps.
#include <stdio.h>
#include <stdlib.h>

static void bubble_sort(long *v, int n)
{
    int again;
    do {
        again = 0;
        for (int i = 1; i < n; i++) {
            if (v[i - 1] > v[i]) {
                long t = v[i];
                v[i] = v[i - 1];
                v[i - 1] = t;
                again = 1;
            }
        }
        n--;
    } while (again && n > 1);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    long *v = malloc((size_t)argc * sizeof *v);
    if (!v) {
        perror("malloc");
        return 1;
    }
    for (int i = 1; i < argc; i++)
        v[i - 1] = strtol(argv[i], NULL, 10);
    bubble_sort(v, argc - 1);
    for (int i = 0; i < argc - 1; i++)
        printf("%ld\n", v[i]);
    free(v);
    return 0;
}
