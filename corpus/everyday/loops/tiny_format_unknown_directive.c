// Endless for the format "%q": the unknown directive is reported but not stepped over.
#include <stdarg.h>
#include <stdio.h>

static void format(const char *f, ...)
{
    va_list ap;
    va_start(ap, f);
    while (*f) {
        if (*f != '%') {
            putchar(*f++);
            continue;
        }
        switch (f[1]) {
        case 'd':
            printf("%d", va_arg(ap, int));
            f += 2;
            break;
        case 's':
            fputs(va_arg(ap, const char *), stdout);
            f += 2;
            break;
        default:
            putchar('?');
            break;
        }
    }
    va_end(ap);
}

int main(void)
{
    format("%s has %d parts\n", "list", 3);
    format("rate %d %q\n", 10, 2);
    return 0;
}
