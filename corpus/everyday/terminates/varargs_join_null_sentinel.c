// Ends: every call closes its list of strings with a null pointer.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static size_t join(char *out, size_t cap, const char *sep, ...)
{
    va_list ap;
    size_t used = 0;
    const char *s;
    out[0] = '\0';
    va_start(ap, sep);
    while ((s = va_arg(ap, const char *)) != NULL) {
        size_t need = strlen(s) + (used ? strlen(sep) : 0);
        if (used + need + 1 > cap)
            break;
        if (used)
            strcat(out, sep);
        strcat(out, s);
        used += need;
    }
    va_end(ap);
    return used;
}

int main(int argc, char **argv)
{
    char path[64];
    join(path, sizeof path, "/", "usr", "share", argc > 1 ? argv[1] : "doc", (char *)NULL);
    puts(path);
    printf("%zu\n", join(path, sizeof path, ", ", (char *)NULL));
    return 0;
}
