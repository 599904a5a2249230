/* 'continue' skips the increment for blanks. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64];
    size_t i = 0, words = 0;
    if (!fgets(line, sizeof line, stdin))
        return 0;
    size_t n = strlen(line);
    while (i < n) {
        if (line[i] == ' ')
            continue;
        words++;
        i++;
    }
    printf("%zu\n", words);
    return 0;
}
