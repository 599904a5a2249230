// Endless for an empty field, e.g. "a,,b": a field of no characters is skipped with continue, before its comma is.
#include <stdio.h>
#include <string.h>

static size_t field_length(const char *p)
{
    return strcspn(p, ",\n");
}

static unsigned long total(const char *row)
{
    unsigned long sum = 0;
    while (*row && *row != '\n') {
        size_t n = field_length(row);
        if (n == 0)
            continue;
        sum += n;
        row += n;
        if (*row == ',')
            row++;
    }
    return sum;
}

int main(int argc, char **argv)
{
    printf("%lu\n", total("one,two,three"));
    if (argc > 1)
        printf("%lu\n", total(argv[1]));
    return 0;
}
