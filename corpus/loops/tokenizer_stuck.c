/* A sign that is neither digit nor letter is never passed. */
#include <ctype.h>
#include <stdio.h>
int main(void)
{
    char line[16];
    int tokens = 0;
    if (!fgets(line, sizeof line, stdin))
        return 1;
    const char *p = line;
    while (*p) {
        if (isdigit((unsigned char)*p)) {
            while (isdigit((unsigned char)*p))
                p++;
            tokens++;
        } else if (isalpha((unsigned char)*p)) {
            p++;
        } else if (*p == ' ' || *p == '\n') {
            p++;
        }
    }
    return tokens;
}
