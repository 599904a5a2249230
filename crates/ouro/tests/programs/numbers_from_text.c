// strtol and its family, atoi, sscanf, sprintf and snprintf.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void convert(const char *text, int base) {
    char *end;
    long value = strtol(text, &end, base);
    if (value == LONG_MAX || value == LONG_MIN) printf("%s: limit <%s>\n", text, end);
    else printf("%s: %ld <%s>\n", text, value, end);
}

int main(void) {
    convert("42", 10);
    convert("  -17abc", 10);
    convert("0x1fg", 0);
    convert("0755", 0);
    convert("zz", 36);
    convert("", 10);
    convert("+", 10);
    convert("99999999999999999999", 10);
    convert("-99999999999999999999", 10);
    printf("%d %ld %lld\n", atoi("123abc"), atol("-5"), atoll("9000000000"));
    printf("%llu %lu\n", strtoull("18446744073709551615", NULL, 10), strtoul("4294967295", NULL, 10));
    printf("%d %lld\n", abs(-5), llabs(-1ll << 40));
    div_t d = div(-17, 5);
    printf("%d %d\n", d.quot, d.rem);
    int a, b, n;
    char word[10], c;
    unsigned u;
    printf("%d", sscanf("12 -34 word x ff", "%d %d %9s %c %x", &a, &b, word, &c, &u));
    printf(" %d %d %s %c %u\n", a, b, word, c, u);
    printf("%d", sscanf("7,8;9", "%d,%d%n", &a, &b, &n));
    printf(" %d %d %d\n", a, b, n);
    printf("%d\n", sscanf("abc", "%d", &a));
    char text[32];
    n = sprintf(text, "%d-%s-%c", 5, "five", '5');
    printf("%s %d\n", text, n);
    n = snprintf(text, 6, "%s", "too long for it");
    printf("%s %d %zu\n", text, n, strlen(text));
    n = snprintf(NULL, 0, "%08.3f", 3.14159);
    printf("%d\n", n);
    return 0;
}
