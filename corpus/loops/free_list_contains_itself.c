#include <stdlib.h>

struct block {
    struct block *next;
    int used;
};

static struct block *available;

static void give_back(struct block *block)
{
    block->next = available;
    available = block;
}

int main(void)
{
    struct block *block = malloc(sizeof *block);
    if (block == NULL)
        return 1;
    block->used = 1;
    give_back(block);
    give_back(block);
    for (struct block *p = available; p != NULL; p = p->next)
        ;
    return 0;
}
