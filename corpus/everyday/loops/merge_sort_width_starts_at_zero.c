// Endless with at least one argument: a width of zero stays zero when doubled.
#include <stdio.h>
#include <stdlib.h>

static void blocks(int n)
{
    for (int width = 0; width < n; width *= 2) {
        int pieces = 0;
        for (int i = 0; i < n; i += 2 * width + 1)
            pieces++;
        if (pieces == 0)
            break;
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    blocks(argc > 1 ? argc - 1 : 0);
    puts("sorted");
    return EXIT_SUCCESS;
}
