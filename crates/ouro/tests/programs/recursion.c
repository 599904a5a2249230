// Recursion: deep, mutual, through pointers, with structures and arrays in every frame.
#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static int moves;
static void hanoi(int n, char from, char to, char by) {
    if (!n) return;
    hanoi(n - 1, from, by, to);
    moves++;
    hanoi(n - 1, by, to, from);
}

static int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n) return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

static int permutations(char *text, int at, int print) {
    if (!text[at]) {
        if (print) printf("%s ", text);
        return 1;
    }
    int count = 0;
    for (int i = at; text[i]; i++) {
        char c = text[at];
        text[at] = text[i], text[i] = c;
        count += permutations(text, at + 1, print);
        c = text[at];
        text[at] = text[i], text[i] = c;
    }
    return count;
}

struct frame {
    int depth;
    struct frame *up;
    int local[4];
};

static int chain(struct frame *up, int depth) {
    struct frame here = {depth, up, {depth, depth * 2, depth * 3}};
    if (depth == 50) {
        int sum = 0;
        for (struct frame *f = &here; f; f = f->up) sum += f->local[f->depth % 4];
        return sum;
    }
    return chain(&here, depth + 1) + here.local[1];
}

int main(void) {
    printf("%d %d\n", is_even(1000), is_odd(777));
    printf("%d\n", ackermann(2, 9));
    hanoi(10, 'a', 'b', 'c');
    printf("%d %d\n", moves, queens(6, 0, 0, 0, 0));
    char text[] = "abc";
    printf("%d\n", permutations(text, 0, 1));
    printf("%d\n", chain(NULL, 0));
    return 0;
}
