// Ends: the cells of a month are printed one after the other up to its last day.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static void print_month(int first_weekday, int days)
{
    int col = 0, day = 1;
    puts("Mo Tu We Th Fr Sa Su");
    for (; col < first_weekday; col++)
        printf("   ");
    while (day <= days) {
        printf("%2d", day++);
        col = (col + 1) % 7;
        putchar(col == 0 ? '\n' : ' ');
    }
    if (col)
        putchar('\n');
}

int main(void)
{
    int w = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    w = w < 0 ? 0 : w % 7;
    if (n < 28 || n > 31)
        n = 30;
    print_month(w, n);
    return 0;
}
