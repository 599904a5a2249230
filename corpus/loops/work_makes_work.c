#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job {
    int kind;
    struct job *next;
};

static struct job *queue;

static void add(int kind)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        abort();
    job->kind = kind;
    job->next = queue;
    queue = job;
}

/* A job that fails is tried again, twice. */
int main(void)
{
    add(__VERIFIER_nondet_int());
    while (queue != NULL) {
        struct job *job = queue;
        queue = job->next;
        int failed = __VERIFIER_nondet_int();
        if (failed) {
            add(job->kind);
            add(job->kind);
        }
        free(job);
    }
    return 0;
}
