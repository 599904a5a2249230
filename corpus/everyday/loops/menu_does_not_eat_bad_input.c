// Endless for the input "x": scanf leaves the letter in the stream and fails again every time.
#include <stdio.h>

static int ask(const char *question, int low, int high)
{
    int v = low - 1;
    while (v < low || v > high) {
        printf("%s [%d-%d] ", question, low, high);
        if (scanf("%d", &v) != 1)
            puts("a number, please");
    }
    return v;
}

int main(void)
{
    int size = ask("size", 1, 3);
    int colour = ask("colour", 1, 5);
    printf("%d/%d\n", size, colour);
    return 0;
}
