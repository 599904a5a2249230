// It is called with a positive number, which gets smaller by one.
#include <stdio.h>
void hanoi(int n, char a, char b, char c) { if (n == 1) { printf("%c -> %c\n", a, c); return; } hanoi(n - 1, a, c, b); printf("%c -> %c\n", a, c); hanoi(n - 1, b, a, c); }
int main(void) { hanoi(20, 'A', 'B', 'C'); return 0; }
