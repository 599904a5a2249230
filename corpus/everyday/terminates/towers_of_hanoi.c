// Ends: both calls move one disk less.
#include <stdio.h>
#include <stdlib.h>

static unsigned long moves;

static void hanoi(int disks, char from, char to, char via)
{
    if (disks <= 0)
        return;
    hanoi(disks - 1, from, via, to);
    printf("%c -> %c\n", from, to);
    moves++;
    hanoi(disks - 1, via, to, from);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    if (n > 14)
        n = 14;
    hanoi(n, 'A', 'C', 'B');
    printf("%lu moves\n", moves);
    return 0;
}
