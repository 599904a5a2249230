// Endless for an empty argument, as in: prog "" -- it is skipped without going on to the next one.
#include <stdio.h>
#include <string.h>

static int is_flag(const char *a)
{
    return a[0] == '-' && a[1] != '\0';
}

int main(int argc, char **argv)
{
    int i = 1, flags = 0;
    while (i < argc) {
        if (strlen(argv[i]) == 0)
            continue;
        if (is_flag(argv[i]) && flags < 1000)
            flags++;
        else
            printf("file %s\n", argv[i]);
        i++;
    }
    printf("%d flags\n", flags);
    return 0;
}
