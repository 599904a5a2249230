// Ends: a wrong choice costs one of three tries and a right one leaves the menu.
#include <stdio.h>

static int read_choice(int low, int high)
{
    int tries = 3;
    while (tries > 0) {
        int v, c, skipped = 0;
        printf("choose %d..%d: ", low, high);
        int got = scanf("%d", &v);
        if (got == EOF)
            return -1;
        if (got == 1 && v >= low && v <= high)
            return v;
        while (skipped++ < 80 && (c = getchar()) != '\n' && c != EOF)
            ;
        tries--;
    }
    return -1;
}

int main(void)
{
    switch (read_choice(1, 3)) {
    case 1: puts("tea"); break;
    case 2: puts("coffee"); break;
    case 3: puts("water"); break;
    default: puts("nothing then"); return 1;
    }
    return 0;
}
