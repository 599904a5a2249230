// Endless for the pattern "*b" and the text "a": after a mismatch the star retries at the place where it failed.
#include <stdio.h>

static int glob(const char *pat, const char *txt)
{
    const char *star = NULL, *mark = txt;
    while (*txt) {
        if (*pat == '*') {
            star = pat++;
            mark = txt;
        } else if (*pat == '?' || *pat == *txt) {
            pat++;
            txt++;
        } else if (star != NULL) {
            pat = star + 1;
            txt = mark;
        } else {
            return 0;
        }
    }
    while (*pat == '*')
        pat++;
    return *pat == '\0';
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    puts(glob(argv[1], argv[2]) ? "match" : "no match");
    return 0;
}
