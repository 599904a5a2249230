#include <stddef.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

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
    struct link *jobs = NULL;
    unsigned n = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        struct job *job = malloc(sizeof *job);
        if (job == NULL)
            return 1;
        job->number = 7;
        job->link.next = jobs;
        jobs = &job->link;
    }
    int odd = 0;
    for (struct link *p = jobs; p != NULL; p = p->next)
        odd ^= job_of(p)->number & 1;
    return odd;
}
