#include <stddef.h>

struct entry {
    int value;
    struct entry *next;
};

int main(void)
{
    struct entry e = {0, NULL};
    struct entry **link = &e.next;
    struct entry *back = (struct entry *)((char *)link - offsetof(struct entry, next));
    while (back->value)
        ;
    return 0;
}
