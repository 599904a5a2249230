// Ends: the table of units is searched up to its end twice, and the conversion itself has no loop.
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    double metres;
};

static const struct unit units[] = {
    { "mm", 0.001 }, { "cm", 0.01 }, { "m", 1.0 }, { "km", 1000.0 },
    { "in", 0.0254 }, { "ft", 0.3048 }, { "mi", 1609.344 },
};

static int unit_index(const char *name)
{
    int i = (int)(sizeof units / sizeof units[0]);
    while (--i >= 0)
        if (strcmp(units[i].name, name) == 0)
            break;
    return i;
}

static int convert(double v, const char *from, const char *to, double *out)
{
    int a = unit_index(from), b = unit_index(to);
    if (a < 0 || b < 0)
        return 0;
    *out = v * units[a].metres / units[b].metres;
    return 1;
}

int main(int argc, char **argv)
{
    double r;
    const char *from = argc > 1 ? argv[1] : "mi";
    const char *to = argc > 2 ? argv[2] : "km";
    if (!convert(26.2, from, to, &r)) {
        puts("unknown unit");
        return 1;
    }
    printf("%.3f %s\n", r, to);
    return 0;
}
