// qsort and bsearch with several comparisons, and sorts written by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

struct entry { char name[8]; int age; };
static int by_age(const void *a, const void *b) {
    return ((const struct entry *)a)->age - ((const struct entry *)b)->age;
}

static void merge_sort(int *a, int n, int *space) {
    if (n < 2) return;
    int half = n / 2, i = 0, j = half, k = 0;
    merge_sort(a, half, space);
    merge_sort(a + half, n - half, space);
    while (i < half && j < n) space[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < half) space[k++] = a[i++];
    while (j < n) space[k++] = a[j++];
    memcpy(a, space, n * sizeof *a);
}

int main(void) {
    enum { N = 60 };
    int a[N], b[N], space[N];
    unsigned seed = 7;
    for (int i = 0; i < N; i++) a[i] = b[i] = (int)((seed = seed * 1664525u + 1013904223u) >> 20) - 2000;
    qsort(a, N, sizeof *a, ascending);
    merge_sort(b, N, space);
    printf("%d %d %d\n", memcmp(a, b, sizeof a), a[0], a[N / 2]);
    int key = a[13], missing = 5000;
    int *found = bsearch(&key, a, N, sizeof *a, ascending);
    printf("%d %d\n", *found, bsearch(&missing, a, N, sizeof *a, ascending) == NULL);
    const char *words[] = {"pear", "apple", "fig", "banana", "cherry"};
    qsort(words, 5, sizeof *words, by_text);
    for (int i = 0; i < 5; i++) printf("%s ", words[i]);
    struct entry people[] = {{"Ann", 40}, {"Bob", 25}, {"Cy", 33}};
    qsort(people, 3, sizeof *people, by_age);
    for (int i = 0; i < 3; i++) printf("%s%d ", people[i].name, people[i].age);
    qsort(a, 0, sizeof *a, ascending);
    printf("\n");
    return 0;
}
