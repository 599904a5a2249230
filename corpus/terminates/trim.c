/* Blanks at both ends of a line. */
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[80];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    size_t n = strlen(line), from = 0;
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\n'))
        n--;
    while (from < n && line[from] == ' ')
        from++;
    printf("%zu\n", n - from);
    return 0;
}
