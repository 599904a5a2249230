/* A sum of as many numbers as the first argument says. */
#include <stdarg.h>
static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}
int main(void)
{
    return sum(3, 1, 2, 3) + sum(0) + sum(5, 1, 1, 1, 1, 1);
}
