// `called` takes arguments behind its last parameter, and nobody knows what its callers pass there: with 5 and 1.0, `n`
// goes from 5 to 8 and down to 5 again, and where there are enough arguments it does so for long; with none it ends.
#include <stdarg.h>

unsigned called(unsigned n, ...)
{
    va_list list;
    va_start(list, n);
    while (n > 0) {
        if (n == 5)
            n = 7 + (unsigned)va_arg(list, double);
        n--;
    }
    va_end(list);
    return n;
}
