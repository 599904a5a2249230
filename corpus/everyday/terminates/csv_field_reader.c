// Ends: a field moves the cursor behind its comma, or leaves it at the end where the caller stops.
#include <stdio.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

static const char *read_field(const char *p, char *out, size_t cap)
{
    size_t n = 0;
    int quoted = 0;
    if (*p == '"') {
        quoted = 1;
        p++;
    }
    while (*p) {
        if (quoted && *p == '"') {
            if (p[1] == '"') {
                p++;
            } else {
                quoted = 0;
                p++;
                continue;
            }
        } else if (!quoted && *p == ',') {
            break;
        }
        if (n + 1 < cap)
            out[n++] = *p;
        p++;
    }
    out[n] = '\0';
    return p;
}

int main(void)
{
    char row[50], field[20];
    int columns = 0;
    for (size_t i = 0; i < sizeof row - 1; i++)
        row[i] = __VERIFIER_nondet_char();
    row[sizeof row - 1] = '\0';
    const char *p = row;
    for (;;) {
        p = read_field(p, field, sizeof field);
        columns++;
        if (*p != ',')
            break;
        p++;
    }
    printf("%d columns, last %zu long\n", columns, strlen(field));
    return 0;
}
