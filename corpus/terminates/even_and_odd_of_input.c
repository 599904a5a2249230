// Each of the two passes a smaller number to the other.
#include <stdio.h>
#include <stdlib.h>
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(int argc, char **argv) { unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], 0, 10) : 7; printf("%d\n", even(n)); return 0; }
