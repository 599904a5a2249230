// Ends: the format cursor moves forward in every round, and a number has finitely many digits.
#include <stdarg.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

static void put_unsigned(unsigned u, unsigned base)
{
    char tmp[32];
    int n = 0;
    do {
        unsigned d = u % base;
        tmp[n++] = (char)(d < 10 ? '0' + d : 'a' + d - 10);
    } while ((u /= base) != 0);
    while (n > 0)
        putchar(tmp[--n]);
}

static void tiny_printf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (; *fmt; fmt++) {
        if (*fmt != '%') {
            putchar(*fmt);
            continue;
        }
        if (*++fmt == '\0')
            break;
        if (*fmt == 'd') {
            int d = va_arg(ap, int);
            if (d < 0)
                putchar('-');
            put_unsigned(d < 0 ? 0u - (unsigned)d : (unsigned)d, 10);
        } else if (*fmt == 'x') {
            put_unsigned(va_arg(ap, unsigned), 16);
        } else if (*fmt == 's') {
            for (const char *s = va_arg(ap, const char *); *s; s++)
                putchar(*s);
        } else {
            putchar(*fmt);
        }
    }
    va_end(ap);
}

int main(void)
{
    tiny_printf("%s = %d, %x%%\n", "value", __VERIFIER_nondet_int(), 48879u);
    return 0;
}
