// Ends: the table of commands is closed by an empty entry and at most ten commands are read.
#include <stdio.h>
#include <string.h>

struct command {
    const char *name;
    int (*run)(int arg);
};

static int do_double(int a) { return a * 2; }
static int do_negate(int a) { return -a; }
static int do_clear(int a) { (void)a; return 0; }

static const struct command table[] = {
    { "double", do_double },
    { "negate", do_negate },
    { "clear", do_clear },
    { NULL, NULL }
};

static const struct command *lookup(const char *name)
{
    const struct command *c;
    for (c = table; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

int main(void)
{
    char word[16];
    int acc = 1;
    for (int i = 0; i < 10; i++) {
        if (scanf("%15s", word) != 1)
            break;
        const struct command *c = lookup(word);
        if (c)
            acc = c->run(acc);
        else
            printf("no command %s\n", word);
    }
    printf("%d\n", acc);
    return 0;
}
