// Each call reads the next character, so all of them stay within the string.
#include <stdio.h>
static void print_reverse(const char *s) { if (!*s) return; print_reverse(s + 1); putchar(*s); }
static size_t len(const char *s) { return *s ? 1 + len(s + 1) : 0; }
int main(int argc, char **argv) { for (int i = 1; i < argc; i++) { print_reverse(argv[i]); printf("%zu\n", len(argv[i])); } return 0; }
