#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next;
};

struct job {
    int number;
    struct link link;
};

#define job_of(entry) ((struct job *)((char *)(entry) - offsetof(struct job, link)))

int main(void)
{
    struct job *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (a == NULL || b == NULL)
        return 1;
    a->number = __VERIFIER_nondet_int();
    b->number = __VERIFIER_nondet_int();
    a->link.next = &b->link;
    b->link.next = &a->link;
    struct link *p = &a->link;
    while (job_of(p)->number != 3)
        p = p->next;
    return 0;
}
