// Endless for a byte such as 0x80 at the start of a character: its sequence length is reported as 0.
#include <stdio.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int sequence_length(unsigned char c)
{
    if (c < 0x80)
        return 1;
    if (c >= 0xC2 && c <= 0xDF)
        return 2;
    if (c >= 0xE0 && c <= 0xEF)
        return 3;
    if (c >= 0xF0 && c <= 0xF4)
        return 4;
    return 0;
}

static unsigned count_characters(const unsigned char *s, int n)
{
    unsigned chars = 0;
    for (int i = 0; i < n; i += sequence_length(s[i]))
        chars++;
    return chars;
}

int main(void)
{
    unsigned char text[16];
    for (int i = 0; i < 16; i++)
        text[i] = __VERIFIER_nondet_uchar();
    printf("%u\n", count_characters(text, 16));
    return 0;
}
