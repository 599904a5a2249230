// Ends: every turn of the loop reads at least one character before the terminator.
#include <stdio.h>
#include <string.h>

static int octal(char c)
{
    return c >= '0' && c <= '7';
}

static void unescape(const char *in, char *out)
{
    char c;
    while ((c = *in) != '\0') {
        in++;
        if (c == '\\' && *in) {
            switch (*in) {
            case 'n': c = '\n'; in++; break;
            case 't': c = '\t'; in++; break;
            case '0': case '1': case '2': case '3': {
                int v = 0, k = 0;
                while (k < 3 && octal(*in)) {
                    v = v * 8 + (*in - '0');
                    in++;
                    k++;
                }
                c = (char)v;
                break;
            }
            default: c = *in++; break;
            }
        }
        *out++ = c;
    }
    *out = '\0';
}

int main(int argc, char **argv)
{
    char buf[64];
    const char *s = argc > 1 ? argv[1] : "tab\\there\\041 \\\\ end\\";
    if (strlen(s) >= sizeof buf)
        return 1;
    unescape(s, buf);
    puts(buf);
    return 0;
}
