// Pointers: arithmetic, differences, comparisons, pointers to pointers, casts to integers and back.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key;
    struct item *next;
    char tail[3];
};

static void swap(int **a, int **b) {
    int *t = *a;
    *a = *b;
    *b = t;
}

static size_t length(const char *s) {
    const char *p = s;
    while (*p++) {}
    return p - s - 1;
}

int main(void) {
    int a[10];
    for (int *p = a; p != a + 10; p++) *p = (int)(p - a) * 3;
    int *first = a + 1, *last = &a[9];
    printf("%d %td %d %d\n", *first, last - first, first < last, last <= first);
    swap(&first, &last);
    printf("%d %td\n", *first, last - first);
    for (int *p = a + 10; p-- > a;) printf("%d ", *p);
    printf("\n%zu\n", length("twelve chars"));
    struct item items[4];
    for (int i = 0; i < 4; i++) items[i] = (struct item){i * i, i < 3 ? &items[i + 1] : NULL, "ab"};
    int sum = 0;
    for (struct item *i = items; i; i = i->next) sum += i->key;
    printf("%d %td\n", sum, &items[3] - items);
    uintptr_t number = (uintptr_t)&a[2];
    number += 3 * sizeof(int);
    printf("%d\n", *(int *)number);
    printf("%d\n", (number & 3) == 0);
    char *bytes = (char *)a;
    printf("%d\n", *(int *)(bytes + 4 * sizeof(int)));
    intptr_t distance = (intptr_t)&a[7] - (intptr_t)&a[2];
    printf("%d\n", (int)distance);
    void *any = &items[2];
    printf("%d\n", ((struct item *)any)->key);
    int **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) {
        rows[i] = malloc((i + 1) * sizeof **rows);
        for (int j = 0; j <= i; j++) rows[i][j] = i * 10 + j;
    }
    int **copy = malloc(3 * sizeof *copy);
    memcpy(copy, rows, 3 * sizeof *copy);
    printf("%d %d %d\n", copy[2][1], copy[1] == rows[1], *copy[0]);
    for (int i = 0; i < 3; i++) free(copy[i]);
    free(rows);
    free(copy);
    int *null = NULL;
    printf("%d %d %d\n", null == 0, !null, null ? 1 : 2);
    int ***deep, **middle = &first;
    deep = &middle;
    ***deep = 99;
    printf("%d\n", a[9]);
    *(*deep[0] - 1) = 55;
    printf("%d\n", a[8]);
    return 0;
}
