// string.h and ctype.h.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char a[40] = "hello", b[40];
    printf("%zu %zu %zu\n", strlen(a), strlen(""), strnlen(a, 3));
    strcpy(b, a);
    strcat(b, ", world");
    strncat(b, "!!!!", 2);
    printf("%s\n", b);
    char c[8];
    strncpy(c, "ab", sizeof c);
    printf("%d%d%d\n", c[1], c[2], c[7]);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("", ""), sign(strcmp("ab", "a")));
    printf("%d %d\n", strncmp("abc", "abd", 2), sign(strncmp("abc", "abd", 3)));
    printf("%d %d\n", sign(memcmp("\xff", "\x01", 1)), memcmp("same", "same", 4));
    printf("%s %s %d\n", strchr(b, 'o'), strrchr(b, 'o'), strchr(b, 'z') == NULL);
    printf("%s %d\n", strstr(b, "wor"), strstr(b, "xyz") == NULL);
    printf("%zu %zu %s\n", strspn("112abc", "123"), strcspn("hello world", " "), strpbrk("key=value", "=:"));
    char list[] = "one,two;;three";
    for (char *word = strtok(list, ",;"); word; word = strtok(NULL, ",;")) printf("<%s>", word);
    printf("\n");
    memmove(b + 2, b, 5);
    printf("%s\n", b);
    memmove(b, b + 2, 5);
    printf("%s\n", b);
    memset(b, '*', 3);
    printf("%s %s\n", b, (char *)memchr(b, 'l', 10));
    char *copy = strdup("duplicate");
    copy[0] = (char)toupper(copy[0]);
    printf("%s\n", copy);
    free(copy);
    int counts[7] = {0};
    for (int x = 0; x < 128; x++) {
        counts[0] += !!isalpha(x);
        counts[1] += !!isdigit(x);
        counts[2] += !!isspace(x);
        counts[3] += !!ispunct(x);
        counts[4] += !!isxdigit(x);
        counts[5] += tolower(x) != x;
        counts[6] += !!iscntrl(x) + !!isprint(x) + !!isgraph(x) + !!isupper(x) + !!islower(x);
    }
    for (int i = 0; i < 7; i++) printf("%d ", counts[i]);
    printf("\n");
    struct { int n; char s[8]; } x = {1, "abc"}, y;
    memcpy(&y, &x, sizeof y);
    printf("%d %s %d\n", y.n, y.s, memcmp(x.s, y.s, sizeof x.s));
    return 0;
}
