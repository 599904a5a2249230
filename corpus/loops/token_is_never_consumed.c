// A character that is no word and no blank is counted again and again; nothing looks at the counts before the end.
#include <ctype.h>
#include <stdio.h>

extern char __VERIFIER_nondet_char(void);

static int skip_word(const char *text, int i)
{
    while (isalpha((unsigned char)text[i]))
        i++;
    return i;
}

int main(void)
{
    char text[4];
    unsigned words = 0, others = 0;
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    text[3] = 0;
    int i = 0;
    while (text[i] != 0) {
        if (isspace((unsigned char)text[i])) {
            i++;
        } else if (isalpha((unsigned char)text[i])) {
            i = skip_word(text, i);
            words++;
        } else {
            others++;
        }
    }
    printf("%u %u\n", words, others);
    return 0;
}
