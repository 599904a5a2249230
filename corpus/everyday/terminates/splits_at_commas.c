// Ends: every round of the splitter goes past one comma or stops at the end of the text.
#include <stdio.h>
#include <string.h>

#define MAX_PARTS 8

struct slice {
    const char *at;
    size_t len;
};

static int split(const char *s, char sep, struct slice *out, int max)
{
    int n = 0;
    for (;;) {
        const char *e = strchr(s, sep);
        size_t len = e ? (size_t)(e - s) : strlen(s);
        if (n < max) {
            out[n].at = s;
            out[n].len = len;
            n++;
        }
        if (!e)
            break;
        s = e + 1;
    }
    return n;
}

int main(void)
{
    char line[100];
    struct slice parts[MAX_PARTS];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = '\0';
    int n = split(line, ',', parts, MAX_PARTS);
    for (int i = 0; i < n; i++)
        printf("%d: %.*s\n", i, (int)parts[i].len, parts[i].at);
    return 0;
}
