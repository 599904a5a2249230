// Arrays of arrays, and of structures of arrays.
#include <stdio.h>

static int cube[3][4][5];
struct row {
    short cells[4];
    struct {
        char name[6];
        int counts[2][2];
    } more[2];
};

static int sum(int rows, int columns, int table[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) total += table[i][j];
    return total;
}

static int trace(int (*square)[3]) { return square[0][0] + square[1][1] + square[2][2]; }

int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) cube[i][j][k] = 100 * i + 10 * j + k;
    printf("%d %d %d\n", cube[2][3][4], *(**(cube + 1) + 7), (*cube)[2][3]);
    printf("%zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0]);
    int (*plane)[4][5] = cube + 1;
    int (*line)[5] = plane[0] + 2;
    int *cell = line[1] + 3;
    printf("%d %td %td\n", *cell, cell - &cube[0][0][0], plane - cube);
    struct row rows[3] = {[1] = {.cells = {1, 2, 3, 4}, .more[1] = {"abcde", {{1, 2}, {3, 4}}}}};
    rows[2] = rows[1];
    rows[2].more[0] = rows[1].more[1];
    rows[2].more[0].counts[1][0] += 40;
    printf("%d %s %d %d\n", rows[2].cells[3], rows[2].more[0].name, rows[2].more[0].counts[1][0],
           rows[1].more[1].counts[1][0]);
    int table[2][3] = {{1, 2, 3}, {4, 5}};
    int square[3][3] = {{1}, {0, 2}, {0, 0, 3}};
    printf("%d %d\n", sum(2, 3, table), trace(square));
    char names[][8] = {"one", "two", "three"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) printf("%s ", names[i]);
    const char *words[] = {"x", "yy", [4] = "zzz"};
    printf("%zu %s %d\n", sizeof words / sizeof *words, words[4], words[3] == NULL);
    int a[5] = {5, 4, 3, 2, 1};
    printf("%d %d %d\n", 2[a], *(a + 4), (&a[4])[-3]);
    return 0;
}
