// Ends: the automaton takes one character per round of a terminated text.
#include <stdio.h>
#include <string.h>

enum state { CODE, SLASH, LINE, BLOCK, STAR };

static void strip(const char *in, char *out)
{
    enum state st = CODE;
    for (; *in; in++) {
        char c = *in;
        switch (st) {
        case CODE:
            if (c == '/')
                st = SLASH;
            else
                *out++ = c;
            break;
        case SLASH:
            if (c == '/') {
                st = LINE;
            } else if (c == '*') {
                st = BLOCK;
            } else {
                *out++ = '/';
                *out++ = c;
                st = CODE;
            }
            break;
        case LINE:
            if (c == '\n') {
                *out++ = c;
                st = CODE;
            }
            break;
        case BLOCK:
            if (c == '*')
                st = STAR;
            break;
        case STAR:
            if (c != '*')
                st = c == '/' ? CODE : BLOCK;
            break;
        }
    }
    if (st == SLASH)
        *out++ = '/';
    *out = '\0';
}

int main(int argc, char **argv)
{
    char out[300];
    const char *in = argc > 1 ? argv[1] : "int a; /* one ** two */ int b; // end\nreturn a / b;";
    if (strlen(in) >= sizeof out)
        return 2;
    strip(in, out);
    puts(out);
    return 0;
}
