// Ends: the shift is first brought into 0..25 by a remainder, then one pass over the text is made.
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

static char rotate(char c, char first, int by)
{
    return (char)(first + (c - first + by) % 26);
}

static void caesar(char *s, int by)
{
    by %= 26;
    if (by < 0)
        by += 26;
    for (; *s; s++) {
        if (*s >= 'a' && *s <= 'z')
            *s = rotate(*s, 'a', by);
        else if (*s >= 'A' && *s <= 'Z')
            *s = rotate(*s, 'A', by);
    }
}

int main(void)
{
    char msg[] = "Attack at dawn, bring Zebras";
    caesar(msg, __VERIFIER_nondet_int());
    puts(msg);
    return 0;
}
