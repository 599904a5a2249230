// Ends: the callback sees each symbol of a letter's code once, and the letters of the text once.
#include <ctype.h>
#include <stdio.h>

static const char *const code[26] = {
    ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
    "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..",
};

typedef void (*emit_fn)(char symbol, void *arg);

static void send(const char *text, emit_fn emit, void *arg)
{
    for (; *text; text++) {
        if (!isalpha((unsigned char)*text) || (unsigned char)*text > 127)
            continue;
        const char *m = code[toupper((unsigned char)*text) - 'A'];
        while (*m)
            emit(*m++, arg);
        emit(' ', arg);
    }
}

static void add_duration(char symbol, void *arg)
{
    unsigned *units = arg;
    *units += symbol == '-' ? 4u : 2u;
}

static void show(char symbol, void *arg)
{
    (void)arg;
    putchar(symbol);
}

int main(int argc, char **argv)
{
    unsigned units = 0;
    const char *t = argc > 1 ? argv[1] : "SOS ouro";
    send(t, show, NULL);
    send(t, add_duration, &units);
    printf("\n%u\n", units);
    return 0;
}
