// Endless if a run has the length zero: the start of the next run is the start of this one.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

#define WIDTH 64

static void draw_run(unsigned char colour, int from, int to)
{
    for (int x = from; x < to && x < WIDTH; x++)
        putchar(colour & 1 ? '#' : '.');
}

static int draw_row(unsigned char run)
{
    int x = 0;
    unsigned char colour = 0;
    while (x < WIDTH) {
        draw_run(colour, x, x + run);
        x += run;
        colour++;
    }
    return x;
}

int main(void)
{
    for (int row = 0; row < 4; row++) {
        draw_row(__VERIFIER_nondet_uchar());
        putchar('\n');
    }
    return 0;
}
