// The next element is behind the last one; a remainder or the number of kinds gets smaller.
#include <stdio.h>
static int pick[10];
static void choose(int start, int k, int n, int r) { if (k == r) { puts("x"); return; } for (int i = start; i < n; i++) { pick[k] = i; choose(i + 1, k + 1, n, r); } }
static int coins(const int *c, int m, int n) { if (n == 0) return 1; if (n < 0 || m <= 0) return 0; return coins(c, m - 1, n) + coins(c, m, n - c[m - 1]); }
static int knap(int n, int w) { if (n == 0 || w <= 0) return 0; int a = knap(n - 1, w); int b = knap(n - 1, w - n); return a > b ? a : b; }
int main(void) { choose(0, 0, 6, 3); return knap(10, 30); }
