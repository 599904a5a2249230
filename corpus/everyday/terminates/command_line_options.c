// Ends: each option takes one or two of the arguments, and inside a bundle one letter per round.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int verbose, all, width;
    const char *output;
};

static int parse(int argc, char **argv, struct options *o)
{
    int i = 1;
    while (i < argc) {
        const char *a = argv[i];
        if (strcmp(a, "--") == 0)
            return i + 1;
        if (a[0] != '-' || a[1] == '\0')
            break;
        if (strcmp(a, "-o") == 0) {
            if (i + 1 >= argc)
                return -1;
            o->output = argv[i + 1];
            i += 2;
            continue;
        }
        if (strncmp(a, "--width=", 8) == 0) {
            o->width = (int)strtol(a + 8, NULL, 10);
        } else {
            for (const char *p = a + 1; *p; p++) {
                if (*p == 'v')
                    o->verbose = 1;
                else if (*p == 'a')
                    o->all = 1;
                else
                    return -1;
            }
        }
        i++;
    }
    return i;
}

int main(int argc, char **argv)
{
    struct options o = {0, 0, 80, "a.out"};
    int first = parse(argc, argv, &o);
    if (first < 0) {
        fprintf(stderr, "usage: prog [-va] [-o file] [--width=N] args\n");
        return 2;
    }
    for (; first < argc; first++)
        printf("%s\n", argv[first]);
    return o.verbose;
}
