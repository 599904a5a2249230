/* LOOPER, Figure 5: a reader that is at its end has no item, again and again.
   truth: c loops, wrap loops, unbounded loops */
#include <stdio.h>
#include <stdlib.h>
enum kind { ELEMENT, WARNING, ERROR };
struct item { enum kind kind; };
struct reader { struct item items[2]; int at, size; };
extern int __VERIFIER_nondet_int(void);

static struct item *next_of(struct reader *reader)
{
    if (reader->at >= reader->size)
        return NULL;
    return &reader->items[reader->at++];
}

static struct item *get_next_item(struct reader *reader)
{
    struct item *item = NULL;
    while (item == NULL) {
        item = next_of(reader);
        if (item && item->kind == ERROR)
            exit(1);
        if (item && item->kind == WARNING) {
            printf("Warning!: %d\n", reader->at);
            item = NULL;
        }
    }
    return item;
}

int main(void)
{
    struct reader reader = { { { WARNING }, { ELEMENT } }, 0, __VERIFIER_nondet_int() & 1 };
    return get_next_item(&reader)->kind;
}
