// Ends: each count is run down to zero, for each of the 256 byte values.
#include <stdio.h>
#include <string.h>

static void counting_sort(unsigned char *s, size_t n)
{
    size_t count[256] = {0};
    for (size_t i = 0; i < n; i++)
        count[s[i]]++;
    size_t pos = 0;
    for (int c = 0; c < 256; c++) {
        while (count[c] > 0) {
            s[pos++] = (unsigned char)c;
            count[c]--;
        }
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        counting_sort((unsigned char *)argv[i], strlen(argv[i]));
        puts(argv[i]);
    }
    return 0;
}
