/* i <= n - 1 with n zero. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char s[32];
    size_t i, spaces = 0;
    if (!fgets(s, sizeof s, stdin))
        s[0] = 0;
    size_t n = strcspn(s, "\n");
    for (i = 0; i <= n - 1; i++) {
        if (i < n && s[i] == ' ')
            spaces++;
    }
    printf("%zu\n", spaces);
    return 0;
}
